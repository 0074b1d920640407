"""Limits of axes, from the numbers themselves: matplotlib's own do not see past a shift on paper."""

import numpy as np
import numpy.typing as npt
from matplotlib.axis import Axis
from matplotlib.ticker import NullLocator

from nonconvex.figures.parts.grid import cell_edges
from nonconvex.vocabulary import number

_RATIO_WITH_MINOR_TICKS = 10**3.5
_RATIO_WITH_NUMBERS = 100
_FEW = 3


def log_limits(values: npt.ArrayLike, *, top: float = np.inf) -> tuple[float, float]:
    """Give the limits of a logarithmic axis that shows all positive, finite values.

    Parameters
    ----------
    values : array_like
    top : float
        Values above are cut off.

    Returns
    -------
    float, float
        With a margin; 0.1 and 1 when there is nothing to show.
    """
    at = np.asarray(values, dtype=float)
    at = at[np.isfinite(at) & (at > 0)]
    if not at.size:
        return 0.1, 1.0
    low, high = np.log10([at.min(), min(at.max(), top)])
    high = max(low, high)
    margin = max(0.06 * (high - low), 0.1)
    return float(10 ** (low - margin)), float(10 ** (high + margin))


def quiet_log(axis: Axis, limits: tuple[float, float]) -> None:
    """Leave out the minor ticks of a logarithmic axis whose decades are too many for them to be read."""
    if limits[1] / limits[0] > _RATIO_WITH_MINOR_TICKS:
        axis.set_minor_locator(NullLocator())


def log_ticks(axis: Axis, limits: tuple[float, float]) -> None:
    """Write the ticks of a logarithmic axis of less than two decades as numbers, else as powers."""
    quiet_log(axis, limits)
    if limits[1] / limits[0] > _RATIO_WITH_NUMBERS:
        return
    ticks = round_ticks(limits)
    if len(ticks) < _FEW:
        steps = [step * 10.0**power for power in range(-12, 6) for step in (1, 1.5, 2, 3, 4, 5, 6, 8)]
        ticks = [tick for tick in steps if limits[0] <= tick <= limits[1]]
    axis.set_ticks(ticks, [number(tick) for tick in ticks])
    axis.set_minor_locator(NullLocator())


def x_edges(x: npt.ArrayLike, logarithmic: bool = False) -> np.ndarray:
    """Put edges halfway between neighbouring places, on the scale on which they are drawn."""
    return cell_edges(x, logarithmic)


def x_limits(x: npt.ArrayLike, logarithmic: bool = False) -> tuple[float, float]:
    """Give the limits of an x axis: half a step beyond its places at both ends."""
    edges = x_edges(x, logarithmic)
    return float(edges[0]), float(edges[-1])


def round_ticks(limits: tuple[float, float]) -> list[float]:
    """Return the numbers 1, 2 and 5 times powers of ten within the limits of a logarithmic axis."""
    powers = range(int(np.floor(np.log10(limits[0]))), int(np.ceil(np.log10(limits[1]))) + 1)
    ticks = [step * 10.0**power for power in powers for step in (1, 2, 5)]
    return [tick for tick in ticks if limits[0] <= tick <= limits[1]]
