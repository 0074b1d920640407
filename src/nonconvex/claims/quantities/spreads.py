"""How much trials differ, and where a curve falls steepest."""

import numpy as np

from nonconvex.claims.quantities.measure import Interval, Measure, nothing
from nonconvex.claims.quantities.points import Points
from nonconvex.statistics.means import t_quantile

FEWEST_SPREAD = FEWEST_FALL = 5


def relative_spread(values: np.ndarray) -> Measure:
    """Measure the standard deviation over the trials, in parts of their mean, where it is largest.

    Each level's interval is that of the logarithm, with the jackknife's standard error. The largest of them
    is at least the largest lower end, at a level divided by their number, and at most the largest upper end.

    Parameters
    ----------
    values : ndarray, shape (n_levels, n_trials)
        Finite, with positive means, also without any one trial.
    """
    found = _spreads(values)
    if isinstance(found, str):
        return nothing(found, values.shape[1])
    (k, n), (spread, middle, se) = values.shape, found

    def at(alpha: float) -> Interval:
        low = (middle - t_quantile(n, alpha / k) * se).max()
        high = (middle + t_quantile(n, alpha) * se).max()
        return Interval(float(spread.max()), float(np.exp(low)), float(np.exp(high)))

    return Measure(at, n, _told(spread, n))


def spreads_in_band(values: np.ndarray, band: tuple[float, float]) -> Measure:
    """Measure at what share of cells the relative spread over the trials lies in a band, both ends included.

    The interval goes from the share of the cells that certainly do to that of the cells that may; all cells'
    own intervals hold at once.

    Parameters
    ----------
    values : ndarray, shape (n_cells, n_trials)
        With positive means, also without any one trial; inf, of a trial that is lost, counts as the largest
        finite value of its cell.
    band : tuple of float
    """
    most = np.max(values, axis=1, where=np.isfinite(values), initial=-np.inf, keepdims=True)
    found = _spreads(np.where(np.isinf(values), most, values))
    if isinstance(found, str):
        return nothing(found, values.shape[1])
    (k, n), (spread, middle, se) = values.shape, found
    with np.errstate(divide="ignore"):
        first, last = np.log(band)

    def at(alpha: float) -> Interval:
        half = t_quantile(n, alpha / k) * se
        here = (first <= middle) & (middle <= last)
        surely = (first <= middle - half) & (middle + half <= last)
        perhaps = (first <= middle + half) & (middle - half <= last)
        return Interval(float(here.mean()), float(surely.mean()), float(perhaps.mean()))

    return Measure(at, n, _told(spread, n))


def _spreads(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray] | str:
    """Return relative spreads, their logarithms and the jackknife's errors; or why there are none."""
    k, n = values.shape
    if k == 0 or n < FEWEST_SPREAD:
        return f"{n} trials, fewer than {FEWEST_SPREAD}"
    if not np.isfinite(values).all():
        return "a value that is not finite"
    left = np.stack([np.delete(values, t, axis=1) for t in range(n)])
    means = left.mean(axis=2)
    if not (means > 0).all():
        return "a mean that is not above 0, or not without one trial"
    spread = values.std(axis=1, ddof=1) / values.mean(axis=1)
    logs = np.log(np.maximum(left.std(axis=2, ddof=1) / means, 1e-12))
    se = np.sqrt((n - 1) / n * np.sum((logs - logs.mean(axis=0)) ** 2, axis=0))
    return spread, np.log(np.maximum(spread, 1e-12)), se


def _told(spread: np.ndarray, n: int) -> str:
    shown = ", ".join(f"{one:.3g}" for one in spread)
    return f"spread {shown} at {len(spread)} levels, {n} trials"


def steepest_fall(points: Points) -> Measure:
    """Measure between which neighbouring levels the values fall fastest, as logarithms of both.

    The interval reaches from the lower of the two levels to the upper one, in as many resamples as its level
    asks for.
    """
    n, levels = points.trials, points.levels
    if n < FEWEST_FALL or len(levels) < 3:
        return nothing(
            f"{len(levels)} levels and {n} trials; 3 and {FEWEST_FALL} are needed", n, points.detail
        )

    def place(values: np.ndarray) -> np.ndarray:
        return np.argmin(np.diff(np.log(values), axis=-1) / np.diff(np.log(levels)), axis=-1)

    drawn, here = place(points.drawn), int(place(points.values))

    def at(alpha: float) -> Interval:
        first = min(int(np.quantile(drawn, alpha / 2, method="lower")), here)
        last = max(int(np.quantile(drawn, 1 - alpha / 2, method="higher")), here)
        middle = float(np.sqrt(levels[here] * levels[here + 1]))
        return Interval(middle, float(levels[first]), float(levels[last + 1]))

    return Measure(at, n, points.detail)
