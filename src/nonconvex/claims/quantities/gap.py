"""T-GAP: "A tolerates slightly more than B", on one line, with a largest difference that still is slight."""

import numpy as np

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.threshold import compare


def slightly_more(
    a: np.ndarray, b: np.ndarray, x: np.ndarray, *, falls: bool, largest: float, seed: int
) -> Decision:
    """Judge "A's threshold lies beyond B's, by at most `largest`".

    The difference D is that of `nonconvex.claims.quantities.threshold`, on a single row. Reproduced if its
    interval is above 0 and D is at most `largest`; not reproduced if the interval is below 0 or above
    `largest`. Two equal lines are inconclusive: "slightly" is not far from "not at all".

    Parameters
    ----------
    a, b : ndarray of bool, shape (n_x, n_trials)
        Success of A and B on the same trials.
    x : ndarray, shape (n_x,)
        Increasing values of the axis that the threshold is read on.
    falls : bool
        Whether success falls along `x`.
    largest : float
        In units of `x`.
    seed : int
        From `judging_seed`.
    """
    found = compare(a[None], b[None], x, falls, seed, fewest=1)
    if isinstance(found, str):
        return no_information(found, largest)
    outcome = "I"
    if found.low > 0 and found.difference <= largest:
        outcome = "R"
    elif found.high < 0 or found.low > largest:
        outcome = "N"
    p_against = min(1.0, 2 * min(found.p_below(0.0), found.p_above(largest)))
    return Decision(outcome, found.difference, found.low, found.high, found.difference, largest,
                    found.p_above(0.0), p_against, found.detail)  # fmt: skip
