"""T-EQ on values: "similar" errors or iterations, by a margin on their ratio."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.statistics.bootstrap import RESAMPLES, interval, trial_weights

MARGIN = 1.25
CONVERGENT_SHARE = 0.8


def paired_logs(a: np.ndarray, b: np.ndarray, given_convergence: bool) -> np.ndarray | str:
    """Return the log values of both methods, shape (2, n_pairs), or a sentence on why there are none.

    Values that are not finite count as the largest finite one, or, with `given_convergence`, leave with
    their pair, as long as 80 % of each method's values are finite.
    """
    values = np.stack([np.asarray(a, dtype=float), np.asarray(b, dtype=float)])
    finite = np.isfinite(values)
    if not finite.any():
        return "no trial has a finite value"
    if given_convergence:
        shares = finite.mean(axis=1)
        if (shares < CONVERGENT_SHARE).any():
            counts = f"{finite[0].sum()} of A and {finite[1].sum()} of B"
            return f"of {values.shape[1]} values, finite are {counts}: below 80 %"
        values = values[:, finite.all(axis=0)]
    else:
        values = np.where(finite, values, values[finite].max())
    positive = values[values > 0]
    if len(positive) == 0:
        return "every value is zero"
    # An exact zero (an error of exactly 0) has no logarithm: it counts as the smallest positive value seen.
    return np.log(np.maximum(values, positive.min()))


def equal_ratio(
    a: np.ndarray,
    b: np.ndarray,
    *,
    seed: int,
    margin: float = MARGIN,
    given_convergence: bool = False,
    resamples: int = RESAMPLES,
) -> Decision:
    """Judge "A's and B's values are similar": the geometric-mean ratio lies within a factor `margin`.

    Reproduced if the 95 % interval of the ratio B/A lies inside (1/margin, margin); not reproduced if it
    lies outside. Parameters as for `nonconvex.claims.quantities.ordering.order_values`.
    """
    logs = paired_logs(a, b, given_convergence)
    if isinstance(logs, str):
        return no_information(logs, margin)
    differences = logs[1] - logs[0]
    n = len(differences)
    mean, bound = float(differences.mean()), np.log(margin)
    low, high, se = interval(trial_weights(n, seed, resamples) @ differences, mean, n)
    outcome = "R" if -bound < low and high < bound else "N" if low > bound or high < -bound else "I"
    excess = abs(mean) - bound
    if n < 2:
        p_for = p_against = 1.0
    elif se == 0:
        p_for, p_against = float(excess >= 0), float(excess <= 0)
    else:
        p_for, p_against = (float(stats.t.cdf(sign * excess / se, n - 1)) for sign in (1, -1))
    detail = f"geometric-mean ratio B/A over {n} of {len(a)} pairs"
    low, high, effect = (float(np.exp(value)) for value in (low, high, mean))
    return Decision(outcome, effect, low, high, effect, margin, p_for, p_against, detail)
