"""The axes of a diagram: which column of the table each shows, and how its values are drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from nonconvex.figures.parts.scale import SCALES
from nonconvex.vocabulary import axis_label, number, symbol

_PERCENT = {"loss": "data loss in per cent", "bad": "bad data in per cent"}
_PLACES = 9


@dataclass(frozen=True)
class Axis:
    """One axis of a diagram.

    Attributes
    ----------
    column : str
        The column of the table, an axis of the experiment's grid.
    name : str
        What is drawn, and the column of the figure's numbers: the column itself, or ``loss_percent``,
        ``bad_percent``, or ``p`` where the grid has the loss.
    label : str
    scale : str
        Of `nonconvex.figures.parts.scale.SCALES`.
    """

    column: str
    name: str
    label: str
    scale: str = "linear"

    def places(self, values: npt.ArrayLike) -> np.ndarray:
        """Turn values of the grid into places on paper, free of the rounding that this brings."""
        at = np.asarray(values)
        if self.name == self.column:
            return at
        return np.round(1 - at if self.name == "p" else 100 * at, _PLACES)

    def drawn(self, table: pd.DataFrame) -> pd.DataFrame:
        """Add the places to a table, as a column of their own."""
        return table.assign(**{self.name: self.places(table[self.column])})


def axis(
    name: str,
    parameters: Mapping[str, Any],
    scale: str = "linear",
    words: Mapping[str, Sequence[str]] = {},
) -> Axis:
    """Make an axis by its name: a parameter, or ``p`` for the fraction observed where the grid has the loss.

    Parameters
    ----------
    name : str
        Losses and shares of bad data are drawn in per cent.
    parameters : dict
        The experiment's.
    scale : str
    words : dict of str to sequence of str
        The plan's own names of parameters.

    Returns
    -------
    Axis
    """
    if name == "p" and name not in parameters and "loss" in parameters:
        return Axis("loss", name, axis_label(name), scale)
    if name in _PERCENT:
        return Axis(name, f"{name}_percent", _PERCENT[name], scale)
    label = SCALES[scale].labelled(axis_label(name, words), symbol(name, words))
    return Axis(name, name, label, scale)


def in_words(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Write each parameter as its value or the range of its values; losses and bad data in per cent."""
    return {name: _in_words(name, value) for name, value in parameters.items()}


def _in_words(name: str, value: Any) -> str:
    ends = sorted({min(value), max(value)}) if isinstance(value, list) else [value]
    if name not in _PERCENT:
        return " to ".join(number(end) for end in ends)
    return " to ".join(number(round(100 * end, _PLACES)) for end in ends) + " %"
