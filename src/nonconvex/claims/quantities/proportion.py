"""T-PROP: a stated proportion, or "all", "none", "some", "most"."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.statistics.intervals import newcombe, wilson

LARGEST_DIFFERENCE = 0.25
INTERIOR_TRIALS = 100
SMALLEST_SHARE = 0.95
MAJORITY = 0.5


def proportion(
    successes: int, trials: int, stated: float, stated_trials: int, *, fewest: int = INTERIOR_TRIALS
) -> Decision:
    """Judge "a share `stated` of the trials", for a share strictly between 0 and 1.

    Reproduced if the 95 % interval of the difference, with the thesis's own trials as the second sample,
    contains 0 and lies in +-.25; not reproduced if the 99 % interval excludes 0. Fewer than `fewest` trials
    decide nothing.

    Parameters
    ----------
    successes, trials : int
        Counts of ours.
    stated : float
        The share that the thesis reports; its count is the nearest whole number of `stated_trials`.
    stated_trials : int
        Number of the thesis's trials.
    fewest : int
        Number of ours that can decide. Both intervals hold the error of both samples, so fewer trials than
        100 make no more errors; they leave more cases undecided.
    """
    if trials == 0:
        return no_information("no trials", LARGEST_DIFFERENCE)
    stated_successes = round(stated * stated_trials)
    counts = (successes, trials, stated_successes, stated_trials)
    low, high = newcombe(*counts)
    low99, high99 = newcombe(*counts, level=0.99)
    effect = successes / trials - stated_successes / stated_trials
    outcome = "I"
    if trials >= fewest:
        if low99 > 0 or high99 < 0:
            outcome = "N"
        elif low <= 0 <= high and low >= -LARGEST_DIFFERENCE and high <= LARGEST_DIFFERENCE:
            outcome = "R"
    p = _difference_p(*counts)
    detail = f"{successes} of {trials} trials here, {stated_successes} of {stated_trials} in the thesis"
    return Decision(outcome, successes / trials, low, high, effect, LARGEST_DIFFERENCE, 1.0, p, detail)


def _difference_p(k1: int, n1: int, k2: int, n2: int) -> float:
    """Return the smallest 1 - level at which Newcombe's interval excludes 0, by bisection."""
    low, high = 1e-12, 1 - 1e-9
    for _ in range(50):
        alpha = np.sqrt(low * high)
        a, b = newcombe(k1, n1, k2, n2, 1 - alpha)
        low, high = (low, alpha) if a > 0 or b < 0 else (alpha, high)
    return float(high)


def all_of(successes: int, trials: int, stated_trials: int, *, smallest: float = SMALLEST_SHARE) -> Decision:
    """Judge "all trials": the true share is at least `smallest` and no failure, or hardly one, is seen.

    Reproduced if every trial succeeds, in at least max(30, the thesis's number) of them, or at least 99 %
    of 100 or more; not reproduced if the Wilson upper bound is below `smallest`. Either count must also
    have a chance of at most 5 % when the true share is `smallest`. (Thirty successes of 30 have a chance
    of 21 % at a share of .95: with 30 trials a claim has to declare .90, or it stays inconclusive.)
    """
    if trials == 0:
        return no_information("no trials", smallest)
    low, high = wilson(successes, trials)
    share = successes / trials
    enough = successes == trials and trials >= max(stated_trials, 30)
    nearly = trials >= 100 and successes >= 0.99 * trials
    p_for = float(stats.binom.sf(successes - 1, trials, smallest))
    p_against = float(stats.binom.cdf(successes, trials, smallest))
    outcome = "R" if (enough or nearly) and p_for <= 0.05 else "N" if high < smallest else "I"
    detail = f"{successes} of {trials} trials here, all of {stated_trials} in the thesis"
    return Decision(outcome, share, low, high, share, smallest, p_for, p_against, detail)


def none_of(
    successes: int, trials: int, stated_trials: int, *, largest: float = 1 - SMALLEST_SHARE
) -> Decision:
    """Judge "no trial": the mirror image of `all_of`."""
    mirrored = all_of(trials - successes, trials, stated_trials, smallest=1 - largest)
    detail = f"{successes} of {trials} trials here, none of {stated_trials} in the thesis"
    return Decision(
        mirrored.outcome,
        1 - mirrored.statistic,
        1 - mirrored.ci_high,
        1 - mirrored.ci_low,
        1 - mirrored.effect,
        largest,
        mirrored.p_for,
        mirrored.p_against,
        detail,
    )


def some_of(successes: int, trials: int, *, rare: float = 1 - SMALLEST_SHARE) -> Decision:
    """Judge "some trials": reproduced if the Wilson lower bound is above 0, that is, if one is seen.

    Not reproduced if none is seen in so many trials that the Wilson upper bound is below `rare` (the
    mirror of "all"; without it the statement could not fail). At least 73 trials are needed for that.
    """
    if trials == 0:
        return no_information("no trials", rare)
    low, high = wilson(successes, trials)
    outcome = "R" if successes > 0 else "N" if high < rare else "I"
    share = successes / trials
    p_against = float(stats.binom.cdf(successes, trials, rare))
    detail = f"{successes} of {trials} trials"
    return Decision(outcome, share, low, high, share, rare, 0.0 if successes else 1.0, p_against, detail)


def most_of(successes: int, trials: int) -> Decision:
    """Judge "most trials": reproduced if the Wilson lower bound is above one half, not if the upper is below.

    Either count must also have a chance of at most 2.5 % when the true share is one half.
    """
    if trials == 0:
        return no_information("no trials", MAJORITY)
    low, high = wilson(successes, trials)
    p_for = float(stats.binom.sf(successes - 1, trials, MAJORITY))
    p_against = float(stats.binom.cdf(successes, trials, MAJORITY))
    outcome = (
        "R" if low > MAJORITY and p_for <= 0.025 else "N" if high < MAJORITY and p_against <= 0.025 else "I"
    )
    share = successes / trials
    return Decision(
        outcome, share, low, high, share, MAJORITY, p_for, p_against, f"{successes} of {trials} trials"
    )
