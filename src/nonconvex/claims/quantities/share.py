"""T-SHARE and T-EQ shares: a share of successes that is high, and two shares that are alike."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.proportion import LARGEST_DIFFERENCE
from nonconvex.statistics.intervals import newcombe, wilson


def share_holds(successes: int, trials: int, *, at_least: float, below: float, fewest: int = 1) -> Decision:
    """Judge "the share is at least `at_least`", where "not" means a share below `below`.

    Reproduced if the share is at least `at_least` and Wilson's lower bound above `below`; not reproduced if
    the share is below `below` and Wilson's upper bound below `at_least`.

    Parameters
    ----------
    successes, trials : int
        Counts.
    at_least, below : float
        The two bounds, ``0 < below < at_least <= 1``. Between them neither answer is given.
    fewest : int
        Fewer trials decide nothing.
    """
    if trials == 0:
        return no_information("no cell of this run lies within the limits of the claim", at_least)
    low, high = wilson(successes, trials)
    share = successes / trials
    outcome = "I"
    if trials >= fewest:
        if share >= at_least and low > below:
            outcome = "R"
        elif share < below and high < at_least:
            outcome = "N"
    p_for = float(stats.binom.sf(successes - 1, trials, below))
    # Against "all", one failure is proof; the bound is then taken a hair below 1.
    p_against = float(stats.binom.cdf(successes, trials, np.minimum(at_least, 1 - 1e-9)))
    detail = f"{successes} of {trials} trials; at least {at_least:g} for, below {below:g} against"
    return Decision(outcome, share, low, high, share, at_least, p_for, p_against, detail)


def shares_equal(
    one: tuple[int, int], other: tuple[int, int], *, margin: float = LARGEST_DIFFERENCE
) -> Decision:
    """Judge "two methods succeed alike": Newcombe's interval of the difference against a margin.

    Reproduced if the 95 % interval lies inside the margin; not reproduced if it lies outside. The methods
    count as independent, which widens the interval where they share instances.

    Parameters
    ----------
    one, other : tuple of int
        Successes and trials.
    margin : float
        A difference of shares.
    """
    if one[1] == 0 or other[1] == 0:
        return no_information("no cell of this run lies within the limits of the claim", margin)
    low, high = newcombe(*one, *other)
    effect = one[0] / one[1] - other[0] / other[1]
    outcome = "R" if -margin < low and high < margin else "N" if low > margin or high < -margin else "I"
    se = (high - low) / (2 * stats.norm.ppf(0.975))
    p_for, p_against = (float(stats.norm.cdf(s * (abs(effect) - margin) / se)) for s in (1, -1))
    detail = f"difference of the shares; {one[0]} of {one[1]} trials and {other[0]} of {other[1]}"
    return Decision(outcome, effect, low, high, effect, margin, p_for, min(1.0, 2 * p_against), detail)
