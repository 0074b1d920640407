"""T-FAIL: "the method fails in all cases"."""

import numpy as np

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.proportion import none_of
from nonconvex.statistics.intervals import wilson
from nonconvex.statistics.multiplicity import holm

RARE = 0.05
LARGEST_SUCCESS = 0.10


def fails_everywhere(success: np.ndarray, errors: np.ndarray, *, above: float) -> Decision:
    """Judge "the method fails at every level".

    Reproduced if no trial of at least 30 per level succeeds and the median error of each level is above
    `above`. Not reproduced if at one level the Wilson lower bound of the success share is above .05.
    (Thirty failures of 30 have a chance of 4 % if the share is .10; that is the bound of "none" here.)

    Parameters
    ----------
    success : ndarray of bool, shape (n_levels, n_trials)
        Which trials recovered the signal.
    errors : ndarray, shape (n_levels, n_trials)
        Relative errors; inf for a trial that diverged or failed.
    above : float
        What the median error must be above.
    """
    n_levels, n = success.shape
    if n_levels == 0 or n == 0:
        return no_information("no cell of this run lies within the limits of the claim", above)
    counts = success.sum(axis=1)
    medians = np.median(errors, axis=1)
    none = [none_of(int(k), n, 30, largest=LARGEST_SUCCESS) for k in counts]
    succeeds = bool((wilson(counts, n)[0] > RARE).any())
    outcome = "N" if succeeds else "I"
    if all(one.outcome == "R" for one in none) and medians.min() > above:
        outcome = "R"
    worst = float(medians.min())
    p_against = float(holm([one.p_against for one in none]).min())
    detail = (
        f"smallest median error of {n_levels} levels; {int(counts.sum())} of {n_levels * n} trials "
        f"recovered, at most {int(counts.max())} of {n} at a level"
    )
    return Decision(outcome, worst, effect=worst, margin=above, p_for=max(one.p_for for one in none),
                    p_against=p_against, detail=detail)  # fmt: skip
