"""T-EQ on values: "A's and B's errors are similar", and "A's are at most so many times the others' best"."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.pooled import ratios
from nonconvex.claims.quantities.ratio import MARGIN


def values_equal(a: np.ndarray, b: np.ndarray, *, seed: int, margin: float = MARGIN) -> Decision:
    """Judge "A's and B's values are similar": their ratio is within a factor `margin`.

    Reproduced if the 95 % interval of the geometric-mean ratio B/A over all cells lies inside
    (1/margin, margin) and no cell lies significantly outside (Holm, 5 %; without this, cells that differ in
    opposite directions would cancel). Not reproduced if the interval lies outside. Parameters as for
    `nonconvex.claims.quantities.pooled.ratios`.
    """
    found = ratios(a, b)
    if isinstance(found, str):
        return no_information(found, margin)
    mean, low, high, se = found.mean_interval(seed)
    n, bound = len(found.per_trial), np.log(margin)
    outside = found.cells_beyond(bound, "greater") + found.cells_beyond(-bound, "less")
    outcome = "I"
    if -bound < low and high < bound and outside == 0:
        outcome = "R"
    elif low > bound or high < -bound:
        outcome = "N"
    p_for, p_against = _p_values(abs(mean) - bound, se, n)
    detail = f"geometric-mean ratio B/A; {found.detail}; cells significantly outside the margin: {outside}"
    return _decision(outcome, mean, low, high, margin, p_for, min(1.0, 2 * p_against), detail)


def values_within(a: np.ndarray, others: np.ndarray, *, seed: int, margin: float) -> Decision:
    """Judge "A's values are at most `margin` times the best of the others".

    The best is the smallest of the other methods' values on the same trial, so A is compared with whichever
    happens to be best there. Reproduced if the interval of the geometric-mean ratio A/best lies below
    `margin`, not reproduced if it lies above.

    Parameters
    ----------
    a : ndarray, shape (n_cells, n_trials)
        As for `nonconvex.claims.quantities.pooled.ratios`.
    others : ndarray, shape (n_methods, n_cells, n_trials)
        A trial without a value of any other method has no ratio.
    seed : int
        From `judging_seed`.
    margin : float
        The factor.
    """
    best = np.where(np.isnan(others), np.inf, others).min(axis=0)
    found = ratios(np.where(np.isinf(best), np.nan, best), a, names=("the best other", "A"))
    if isinstance(found, str):
        return no_information(found, margin)
    mean, low, high, se = found.mean_interval(seed)
    bound = np.log(margin)
    outcome = "R" if high < bound else "N" if low > bound else "I"
    p_for, p_against = _p_values(mean - bound, se, len(found.per_trial))
    return _decision(
        outcome, mean, low, high, margin, p_for, p_against, f"ratio A/best other; {found.detail}"
    )


def _p_values(excess: float, se: float, n: int) -> tuple[float, float]:
    """Return the P values of the evidence that the excess over a bound is negative, and positive."""
    if n < 2:
        return 1.0, 1.0
    if se == 0:
        return float(excess >= 0), float(excess <= 0)
    return float(stats.t.cdf(excess / se, n - 1)), float(stats.t.sf(excess / se, n - 1))


def _decision(
    outcome: str,
    mean: float,
    low: float,
    high: float,
    margin: float,
    p_for: float,
    p_against: float,
    detail: str,
) -> Decision:
    low, high, effect = (float(np.exp(value)) for value in (low, high, mean))
    return Decision(outcome, effect, low, high, effect, margin, p_for, p_against, detail)
