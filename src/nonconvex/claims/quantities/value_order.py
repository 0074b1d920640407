"""T-ORD on values: "A's errors (or iterations) are smaller than B's", pooled over cells."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.ordering import LEVEL, PAIRS_FOR_EQUAL, RATIO, RATIO_EQUAL, wilcoxon
from nonconvex.claims.quantities.pooled import ratios


def values_smaller(
    a: np.ndarray,
    b: np.ndarray,
    *,
    seed: int,
    smallest: float = RATIO,
    largest: float = np.inf,
) -> Decision:
    """Judge "A's values are smaller than B's", by a factor from `smallest` to `largest`.

    Reproduced if Wilcoxon's signed-rank test on the logarithms of all pairs gives P < .01, the
    geometric-mean ratio B/A is at least `smallest`, its interval is above 1 and not above `largest`, and no
    cell is significantly reversed (Holm, 5 %). Not reproduced if the test is as clear the other way with the
    interval below 1, if the interval lies inside (1/1.02, 1.02), or if it lies above `largest`.

    The interval comes from whole trials, each the mean over its cells: it guards the pooled test where
    cells share random streams. Parameters as for `nonconvex.claims.quantities.pooled.ratios`.
    """
    found = ratios(a, b)
    if isinstance(found, str):
        return no_information(found, smallest)
    mean, low, high, se = found.mean_interval(seed)
    n = len(found.per_trial)
    p_smaller, p_larger = wilcoxon(found.pairs, "greater"), wilcoxon(found.pairs, "less")
    bound, most = np.log(RATIO_EQUAL), np.log(largest)
    equal = len(found.pairs) >= PAIRS_FOR_EQUAL and -bound < low and high < bound
    reversed_cells = found.cells_beyond(0.0, "less")
    outcome = "I"
    if p_smaller < LEVEL and mean >= np.log(smallest) and low > 0 and high <= most and reversed_cells == 0:
        outcome = "R"
    elif (p_larger < LEVEL and high < 0) or equal or low > most:
        outcome = "N"
    p_other = [p_larger]
    if equal:
        p_other.append(_t_tail(bound - abs(mean), se, n))
    if low > most:
        p_other.append(_t_tail(mean - most, se, n))
    detail = (
        f"geometric-mean ratio B/A; {found.detail}; significantly reversed cells: {reversed_cells}; "
        f"Wilcoxon P = {p_smaller:.2g} for, {p_larger:.2g} against"
    )
    low, high, effect = (float(np.exp(value)) for value in (low, high, mean))
    return Decision(outcome, effect, low, high, effect, smallest, p_smaller, min(p_other), detail)


def _t_tail(excess: float, se: float, n: int) -> float:
    return float(stats.t.sf(excess / se, n - 1)) if se > 0 and n > 1 else 0.0
