"""The two sides of a comparison: an algorithm, on some cells of an experiment.

The sides may be two algorithms of one experiment, one algorithm in two experiments or on two sets of cells,
or two algorithms in two experiments. Trial k of one side stands beside trial k of the other. Where the two
share random streams, that is a pair; where they do not, the pairing is by chance, and the spread of the
differences is the sum of both spreads, as it should be.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nonconvex.claims.arrays import axes_of, outcomes, placed, within


@dataclass(frozen=True)
class Side:
    """An algorithm's outcomes on some cells of an experiment: the rows of a table."""

    table: pd.DataFrame
    algorithm: str

    def levels(self, axis: str) -> np.ndarray:
        """Return the values that an axis takes in the cells, increasing."""
        return np.unique(self.table[axis].to_numpy(dtype=float))

    def only(self, axis: str, levels: np.ndarray) -> "Side":
        """Return the side without the cells at other levels of an axis."""
        return Side(self.table[self.table[axis].isin(levels)], self.algorithm)

    def marks(self, condition: str, axes: Sequence[str], trials: range) -> np.ndarray:
        """Return whether each trial meets a condition, one dimension for each axis and one for the trials."""
        return outcomes(self.table, self.algorithm, condition, axes, {}, trials)[0]

    def column(self, name: str, axes: Sequence[str], trials: range) -> np.ndarray:
        """Return a column of the table, shaped as `marks`."""
        rows, index, levels = placed(self.table, self.algorithm, axes, {}, trials)
        found = np.full((*(len(level) for level in levels), len(trials)), np.nan)
        found[index] = rows[name]
        return found


def sides(
    table: pd.DataFrame, beside: pd.DataFrame | None, settings: Mapping, keys: tuple[str, str]
) -> tuple[Side, Side]:
    """Return the two sides that a claim's settings name.

    `keys` are the settings that hold the algorithms. The first is on `cells` of `table`; the second is on
    `other_cells`, or the same ones, of `beside`, or the same table.
    """
    cells = settings.get("cells", {})
    chosen = []
    for key, whole, limits in (
        (keys[0], table, cells),
        (keys[1], table if beside is None else beside, settings.get("other_cells", cells)),
    ):
        rows = whole[whole["algorithm"] == settings[key]]
        chosen.append(Side(rows[within(rows, limits)], settings[key]))
    return chosen[0], chosen[1]


def shared(one: Side, other: Side, axes: Sequence[str]) -> tuple[Side, Side, list[np.ndarray]]:
    """Return both sides on the cells that they have in common along `axes`, and the levels of these."""
    levels = []
    for axis in axes:
        both = np.intersect1d(one.levels(axis), other.levels(axis))
        one, other = one.only(axis, both), other.only(axis, both)
        levels.append(both)
    return one, other, levels


def common_axes(one: Side, other: Side, settings: Mapping) -> list[str]:
    """Return the axes along which both sides have cells, but for those on which a claim sets them apart.

    Of the latter, such as the loss in "at 95 % against 50 %", each side has one level.
    """
    apart = settings.get("other_cells", {})
    return [name for name in axes_of(one.table) if name in axes_of(other.table) and name not in apart]


def lines(
    one: Side, other: Side, settings: Mapping, trials: range
) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
    """Return the success of both sides along an axis.

    As `nonconvex.claims.quantities.threshold.compare` takes it. The claim's `rows` is the other axis; without
    it there is one row. With `complement` the axis is a fraction lost, and the line is read along the
    fraction that is left.

    Returns
    -------
    a, b : ndarray of bool, shape (n_rows, n_x, n_trials)
    x : ndarray, shape (n_x,)
    falls : bool
        Whether success falls along `x`.
    """
    axes = [settings["rows"], settings["along"]] if "rows" in settings else [settings["along"]]
    one, other, levels = shared(one, other, axes)
    condition = settings.get("condition", "recovered")
    pair = [side.marks(condition, axes, trials) for side in (one, other)]
    a, b = (marks if "rows" in settings else marks[None] for marks in pair)
    x, falls = levels[-1], settings["success"] == "falls"
    if settings.get("complement", False):
        return a[:, ::-1], b[:, ::-1], 1 - x[::-1], not falls
    return a, b, x, falls
