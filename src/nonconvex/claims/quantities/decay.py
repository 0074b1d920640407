"""Whether errors fall geometrically, by the iterations that each decade of error, or each halving, takes."""

import numpy as np

from nonconvex.claims.quantities.groups import FEWEST_IN_GROUP
from nonconvex.claims.quantities.measure import Interval, Measure, nothing
from nonconvex.claims.quantities.shares import NO_CELL
from nonconvex.statistics.means import share

DECADES = (1e-2, 1e-3, 1e-4, 1e-5)
LARGEST_RATIO = 3.0


def even_decay(
    reached: np.ndarray,
    ended: np.ndarray,
    inside: np.ndarray | None = None,
    *,
    words: tuple[str, str] = ("decades", "1e-5"),
) -> Measure:
    """Measure the share of trials whose error falls geometrically, through levels of one ratio.

    It does if the step between levels that takes most iterations takes at most three times as many as the one
    that takes fewest. A trial that comes to the cap on its way shows neither: the interval reaches from the
    share if all of those do not to the share if all do. One that diverges, stalls or fails does not.

    Parameters
    ----------
    reached : ndarray, shape (n_levels, n_cells, n_trials)
        The iteration at which each trial's error first is at most each of the levels, such as `DECADES`; NaN
        if it never is.
    ended : ndarray of bool, shape (n_cells, n_trials)
        Whether the trial diverged, stalled or failed.
    inside : ndarray of bool, shape (n_cells, n_trials), optional
        Which trials are in the group that counts in each cell; a cell with fewer than ten of them is left
        out.
    words : tuple of str
        What lies between two levels, and what the last level is.
    """
    if ended.size == 0:
        return nothing(NO_CELL)
    there = np.isfinite(reached).all(axis=0)
    each = np.maximum(np.diff(reached, axis=0), 1)
    even = there & (each.max(axis=0) <= LARGEST_RATIO * each.min(axis=0))
    perhaps = even | (~there & ~ended)
    counts = np.ones(ended.shape, dtype=bool)
    if inside is not None:
        counts = inside & (inside.sum(axis=1, keepdims=True) >= FEWEST_IN_GROUP)
        if not counts.any():
            return nothing(f"no cell has {FEWEST_IN_GROUP} trials of the group", ended.shape[-1])
    told = counts.any(axis=0)

    def shares(marks: np.ndarray) -> np.ndarray:
        return (marks & counts).sum(axis=0)[told] / counts.sum(axis=0)[told]

    def at(alpha: float) -> Interval:
        estimate, low, _ = share(shares(even), alpha)
        return Interval(estimate, low, share(shares(perhaps), alpha)[2])

    detail = (
        f"{int((even & counts).sum())} of {int(counts.sum())} trials with {words[0]} within a factor "
        f"{LARGEST_RATIO:g}, {int((~perhaps & counts).sum())} not, "
        f"{int((perhaps & ~even & counts).sum())} at the cap before {words[1]}"
    )
    return Measure(at, int(told.sum()), detail)
