"""T-GROW: whose running time grows less with the size of the problem."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information

FEWEST_SIZES = 3


def grows_less(
    better: tuple[np.ndarray, np.ndarray],
    than: tuple[np.ndarray, np.ndarray],
    sizes: np.ndarray,
    *,
    relative: bool = True,
) -> Decision:
    """Judge "A's running time increases less with the size than B's".

    The relative growth is the slope of log(seconds) against log(size); otherwise it is that of the seconds
    against the size. A straight line is fitted to the difference of the methods at every size and trial,
    which share no random streams from size to size, and its slope has the t interval of that fit.
    Reproduced if the interval (B less A) is above 0; for the relative growth, that of the seconds per
    iteration has to be above 0 as well. Not reproduced if the interval is below 0.

    Parameters
    ----------
    better, than : tuple of ndarray, shapes (n_sizes, n_trials)
        Seconds and iterations of A and of B, on the same trials.
    sizes : ndarray, shape (n_sizes,)
        Increasing; at least 3.
    relative : bool
        Which growth.
    """
    n = better[0].shape[-1]
    counts = f"{len(sizes)} common sizes, {n} trials"
    if len(sizes) < FEWEST_SIZES or n == 0:
        return no_information(f"{counts}; {FEWEST_SIZES} sizes are needed", 0.0)
    seconds = np.stack([better[0], than[0]])
    steps = np.maximum(np.stack([better[1], than[1]]), 1)
    if not (np.isfinite(seconds).all() and (seconds > 0).all() and np.isfinite(steps).all()):
        return no_information(f"{counts}; a run has no running time", 0.0)
    x = np.log(sizes) if relative else np.asarray(sizes, dtype=float)
    values = np.log(seconds) if relative else seconds
    growth, low, high, p = _slope(x, values[1] - values[0])
    a, b = (_slope(x, each)[0] for each in values)
    outcome = "R" if low > 0 else "N" if high < 0 else "I"
    unit = "slope of log(seconds) in log(size)" if relative else "slope of the seconds in the size"
    detail = f"{unit}, B less A; {counts}; A {a:.3g}, B {b:.3g}"
    if relative:
        each = np.log(seconds / steps)
        step, step_low, step_high, _ = _slope(x, each[1] - each[0])
        if outcome == "R" and step_low <= 0:
            outcome = "I"
        detail += f"; of the seconds per iteration {step:.3g} ({step_low:.3g} to {step_high:.3g})"
    return Decision(outcome, growth, low, high, growth, 0.0, p, 1 - p, detail)


def _slope(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float, float]:
    """Return the slope of y (n_sizes, n_trials) in x, its 95 % interval, and P that it is not above 0."""
    n = y.shape[1]
    flat = y.ravel()
    centred = np.repeat(x - x.mean(), n)
    weight = centred @ centred
    slope = float(centred @ flat / weight)
    residual = flat - flat.mean() - slope * centred
    freedom = len(flat) - 2
    # A millionth: values that lie on a line by chance, or by rounding, are not known without error.
    scale = max(np.sqrt(residual @ residual / freedom), 1e-6 * np.abs(flat).max(), 1e-12)
    se = float(scale / np.sqrt(weight))
    half = float(stats.t.ppf(0.975, freedom)) * se
    return slope, slope - half, slope + half, float(stats.t.sf(slope / se, freedom))
