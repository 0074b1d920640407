"""An axis scaled so that a straight line in 1/sqrt(x) is straight, with a place of its own for x = 0."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from nonconvex.figures.parts.limits import round_ticks
from nonconvex.figures.style import MUTED
from nonconvex.vocabulary import number

_APART, _MARGIN = 0.22, 0.07  # of the places' span
_ROOM = 0.034  # a tick label's digit, of the axis
_MANY = 8  # places so many do not have a tick each


@dataclass(frozen=True)
class LawAxis:
    """Where values of an axis are drawn.

    Attributes
    ----------
    values : tuple of float
        All that are drawn, increasing.
    root : bool
        Whether x is drawn at -1/sqrt(x), so that it grows to the right; 0 then stands apart on the left.
    logarithmic : bool
    """

    values: tuple[float, ...]
    root: bool = False
    logarithmic: bool = False

    @property
    def level(self) -> bool:
        """Whether 0 stands apart."""
        return self.root and 0 in self.values

    def places(self, values: npt.ArrayLike) -> np.ndarray:
        """Turn values into places on paper."""
        at = np.asarray(values, dtype=float)
        if not self.root:
            return at
        first, span = self._span()
        return np.where(at > 0, -1 / np.sqrt(np.where(at > 0, at, 1)), first - _APART * span)

    def _span(self) -> tuple[float, float]:
        """Return the first place and how far the last one is from it."""
        ends = [-1 / np.sqrt(value) for value in self.values if value > 0] or [0.0]
        return ends[0], (ends[-1] - ends[0]) or 1.0

    def fit(self, axes: Axes) -> None:
        """Set scale, limits and ticks of an x axis; a thin line sets 0 apart."""
        at = self.places(self.values)
        if self.logarithmic:
            limits = float(at[0]) / 1.2, float(at[-1]) * 1.2
            axes.set(xscale="log", xlim=limits)
            axes.xaxis.set_minor_locator(NullLocator())
            if at[-1] / at[0] < 200:
                ticks = round_ticks(limits)
                axes.set_xticks(ticks, [number(tick) for tick in ticks])
            return
        margin = _MARGIN * (at[-1] - at[0]) or 1.0
        axes.set_xlim(at[0] - margin, at[-1] + margin)
        if self.root or len(at) <= _MANY:
            ticked = _with_room(self.values, at, float(at[-1] - at[0] + 2 * margin))
            axes.set_xticks(self.places(ticked), [number(value) for value in ticked])
            axes.set_xticks(self.places([value for value in self.values if value not in ticked]), minor=True)
        if self.level:
            first, span = self._span()
            axes.axvline(first - _APART / 2 * span, color=MUTED, linewidth=0.6, zorder=0)


def law_axis(values: Sequence[float], law: str | None, *, logarithmic: bool = False) -> LawAxis:
    """Make the axis of some values, for a law of `nonconvex.figures.parts.law_points` or none."""
    return LawAxis(tuple(sorted(set(values))), law == "inverse root", logarithmic)


def _with_room(values: Sequence[float], at: np.ndarray, span: float) -> list[float]:
    """Keep the values whose tick labels have room; the last one first, for it is where the law ends."""
    kept: list[int] = []
    for index in reversed(range(len(values))):
        digits = len(number(values[index])) + 1
        if not kept or at[kept[-1]] - at[index] >= _ROOM * digits * span:
            kept.append(index)
    return [values[index] for index in reversed(kept)]
