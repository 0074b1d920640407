"""T-EXP: whether errors fall geometrically, by the iterations that each decade takes."""

import numpy as np

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.share import share_holds

DECADES = (1e-2, 1e-3, 1e-4, 1e-5)
LARGEST_RATIO = 3.0
AT_LEAST, BELOW = 0.9, 0.5


def falls_geometrically(reached: np.ndarray, ended: np.ndarray) -> Decision:
    """Judge "the error falls exponentially", from 1e-2 to 1e-5.

    A trial's error falls geometrically if the decade that takes most iterations takes at most three times
    as many as the one that takes fewest. Reproduced if that holds of nine trials in ten (`share_holds`);
    not reproduced if the opposite is seen in more than half. A trial that comes to the cap on its way shows
    neither; one that diverges, stalls or fails shows the opposite.

    Parameters
    ----------
    reached : ndarray, shape (4, n)
        The iteration at which each trial's error first is at most each of `DECADES`; NaN if it never is.
    ended : ndarray of bool, shape (n,)
        Whether the trial diverged, stalled or failed.
    """
    n = len(ended)
    if n == 0:
        return no_information("no cell of this run lies within the limits of the claim", AT_LEAST)
    there = np.isfinite(reached).all(axis=0)
    steps = np.maximum(np.diff(reached, axis=0), 1)
    even = there & (steps.max(axis=0) <= LARGEST_RATIO * steps.min(axis=0))
    uneven = np.where(there, ~even, ended)
    good, bad = int(even.sum()), int(uneven.sum())
    up = share_holds(good, n, at_least=AT_LEAST, below=BELOW)
    down = share_holds(n - bad, n, at_least=AT_LEAST, below=BELOW)
    outcome = "R" if up.outcome == "R" else "N" if down.outcome == "N" else "I"
    detail = (
        f"{good} of {n} trials with decades within a factor {LARGEST_RATIO:g}, {bad} not, "
        f"{n - good - bad} at the cap before 1e-5; at least {AT_LEAST:g} for, below {BELOW:g} against"
    )
    return Decision(outcome, up.statistic, up.ci_low, up.ci_high, up.effect, AT_LEAST,
                    up.p_for, down.p_against, detail)  # fmt: skip
