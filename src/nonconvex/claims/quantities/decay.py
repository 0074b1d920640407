"""Whether errors fall geometrically, by the iterations that each decade of error takes."""

import numpy as np

from nonconvex.claims.quantities.measure import Interval, Measure, nothing
from nonconvex.claims.quantities.shares import NO_CELL
from nonconvex.statistics.means import share

DECADES = (1e-2, 1e-3, 1e-4, 1e-5)
LARGEST_RATIO = 3.0


def even_decay(reached: np.ndarray, ended: np.ndarray) -> Measure:
    """Measure the share of trials whose error falls geometrically, from 1e-2 to 1e-5.

    It does if the decade that takes most iterations takes at most three times as many as the one that takes
    fewest. A trial that comes to the cap on its way shows neither: the interval reaches from the share if
    all of those do not to the share if all do. One that diverges, stalls or fails does not.

    Parameters
    ----------
    reached : ndarray, shape (4, n_cells, n_trials)
        The iteration at which each trial's error first is at most each of `DECADES`; NaN if it never is.
    ended : ndarray of bool, shape (n_cells, n_trials)
        Whether the trial diverged, stalled or failed.
    """
    if ended.size == 0:
        return nothing(NO_CELL)
    there = np.isfinite(reached).all(axis=0)
    steps = np.maximum(np.diff(reached, axis=0), 1)
    even = there & (steps.max(axis=0) <= LARGEST_RATIO * steps.min(axis=0))
    open_ = ~there & ~ended
    surely, perhaps = even.mean(axis=0), (even | open_).mean(axis=0)

    def at(alpha: float) -> Interval:
        estimate, low, _ = share(surely, alpha)
        return Interval(estimate, low, share(perhaps, alpha)[2])

    detail = (
        f"{int(even.sum())} of {even.size} trials with decades within a factor {LARGEST_RATIO:g}, "
        f"{int((~even & ~open_).sum())} not, {int(open_.sum())} at the cap before 1e-5"
    )
    return Measure(at, ended.shape[-1], detail)
