"""Laws in a parameter: axes on which they are straight, and lines fitted to them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from nonconvex.vocabulary import number

_GAP = 0.11  # of an axis, between labels of ticks


@dataclass(frozen=True)
class Law:
    """A function of a parameter, and how it is written, with the parameter's symbol for the braces."""

    function: Callable[[np.ndarray], np.ndarray]
    words: str

    def written(self, symbol: str) -> str:
        """Write the law in a parameter that has this symbol."""
        return self.words.format(symbol.strip("$"))


INVERSE_ROOT = Law(lambda at: 1 / np.sqrt(at), r"$1/\sqrt{{{}}}$")
LAWS = {
    "inverse_root": INVERSE_ROOT,
    "root": Law(np.sqrt, r"$\sqrt{{{}}}$"),
}
"""By their words in options."""


def fitted_law(values: np.ndarray, heights: np.ndarray, law: str) -> dict[str, float]:
    """Fit heights by a straight line in a law of the values, by least squares.

    Returns
    -------
    dict
        slope, intercept, and r_squared, the share of the variance that the line explains; nan with fewer than
        three values.
    """
    if len(values) < 3:
        return dict.fromkeys(("slope", "intercept", "r_squared"), np.nan)
    at = LAWS[law].function(np.asarray(values, dtype=float))
    slope, intercept = np.polyfit(at, heights, 1)
    left = np.sum((heights - slope * at - intercept) ** 2)
    spread = np.sum((heights - np.mean(heights)) ** 2)
    return {
        "slope": float(slope),
        "intercept": float(intercept),
        "r_squared": float(1 - left / spread) if spread else np.nan,
    }


def law_axis(axes: Axes, values: Sequence[float], law: str) -> None:
    """Fit an axis to places on a law's scale, with the values at its ticks, where there is room."""
    ordered = sorted(set(values))
    at = LAWS[law].function(np.array(ordered, dtype=float))
    low, high = at.min(), at.max()
    margin = 0.06 * (high - low) or 0.1
    axes.set_xlim(low - margin, high + margin)
    kept: list[int] = []
    for index in range(len(at)):
        if not kept or abs(at[index] - at[kept[-1]]) >= _GAP * (high - low):
            kept.append(index)
    axes.set_xticks(at[kept], [number(ordered[index]) for index in kept])
    axes.set_xticks(np.delete(at, kept), minor=True)
