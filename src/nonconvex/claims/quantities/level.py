"""T-LEVEL: up to which level of an axis a method still succeeds."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.statistics.intervals import wilson

HALF = 0.5


def handles_up_to(
    success: np.ndarray,
    x: np.ndarray,
    *,
    band: tuple[float, float],
    outer: tuple[float, float] | None = None,
) -> Decision:
    """Judge "the largest level at which half of the trials succeed lies in a band".

    A level is certainly handled if Wilson's lower bound of its share is above one half, and certainly not
    if the upper bound is below. The largest level is then at least the largest of the former (or below the
    grid) and less than the smallest of the latter. Reproduced if all that lies between them is inside the
    band; not reproduced if it all is outside `outer`. Where the two contradict each other, because success
    does not fall along the axis, the answer is inconclusive.

    Parameters
    ----------
    success : ndarray of bool, shape (n_x, n_trials)
        Falling along `x`.
    x : ndarray, shape (n_x,)
        Increasing levels above 0; a method that fails at all of them handles 0.
    band, outer : tuple of float
        Both ends belong to them. `outer` is the band, if not given.
    """
    outer = outer or band
    n = success.shape[-1]
    if success.size == 0:
        return no_information("no cell of this run lies within the limits of the claim", band[1])
    counts = success.sum(axis=1)
    at_least, at_most = wilson(counts, n)
    sure, lost = at_least > HALF, at_most < HALF
    low = _largest(x[sure])
    below = x < (x[lost].min() if lost.any() else np.inf)
    high = np.inf if below.all() else _largest(x[below])
    largest = _largest(x[counts >= HALF * n])
    outcome = "I"
    if low <= high:
        if band[0] <= low and high <= band[1]:
            outcome = "R"
        elif low > outer[1] or high < outer[0]:
            outcome = "N"
    p_for, p_against = _p_values(counts, n, x, band, outer)
    shares = ", ".join(f"{level:g}: {k}" for level, k in zip(x, counts, strict=True))
    detail = f"largest level at which half of the trials succeed, of {n} at each: {shares}"
    return Decision(outcome, largest, low, high, largest, band[1], p_for, p_against, detail)


def _largest(levels: np.ndarray) -> float:
    return float(levels.max()) if len(levels) else 0.0


def _p_values(
    counts: np.ndarray, n: int, x: np.ndarray, band: tuple[float, float], outer: tuple[float, float]
) -> tuple[float, float]:
    """Return the P values that the level is inside the band, and that it is outside the outer one.

    Success falls along the axis, so the level next to a bound speaks for all beyond it.
    """

    def reaches(bound: float) -> float:
        first = counts[x >= bound][:1]
        return float(stats.binom.sf(first[0] - 1, n, HALF)) if len(first) else 1.0

    def ends_before(bound: float) -> float:
        first = counts[x >= bound][:1]
        return float(stats.binom.cdf(first[0], n, HALF)) if len(first) else 0.0

    next_up = x[x > band[1]]
    p_for = max(reaches(band[0]), ends_before(next_up[0]) if len(next_up) else 0.0)
    beyond = x[x > outer[1]]
    higher = reaches(beyond[0]) if len(beyond) else 1.0
    # Where even the lowest level is inside the outer band, only one side can be against it.
    if not (x < outer[0]).any():
        return p_for, higher
    return p_for, min(1.0, 2 * min(higher, ends_before(outer[0])))
