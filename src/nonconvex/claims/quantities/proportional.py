"""T-PRO: "y is proportional to x": a straight line through the origin."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.linearity import FEWEST_POINTS, fit_line, floored, linear
from nonconvex.claims.quantities.ratio import CONVERGENT_SHARE
from nonconvex.statistics.bootstrap import inflation, interval, trial_weights

SLOPE_BAND = (0.9, 1.1)
RIVALS = ("sqrt", "square", "log")
SMALLEST_INTERCEPT = 0.05


def proportional(values: np.ndarray, x: np.ndarray, *, seed: int) -> Decision:
    """Judge "the values are proportional to x".

    Reproduced if the interval of the mean log-log slope lies inside (.9, 1.1), the means are linear in x
    (`nonconvex.claims.quantities.linearity.linear`, with the covariance of the levels, whose trials share
    streams) and the interval of the line's intercept lies within 5 % of the fitted range of 0. Not
    reproduced if the slope's interval lies outside (.9, 1.1), or the means are not linear.

    Parameters
    ----------
    values : ndarray, shape (n_x, n_trials)
        Positive; NaN where a trial does not count. Trials without a value at one of the levels are left out,
        and at least 80 % must remain.
    x : ndarray, shape (n_x,)
        Positive, increasing.
    seed : int
        From `judging_seed`.
    """
    whole = np.isfinite(values).all(axis=0) & (values > 0).all(axis=0)
    n, total = int(whole.sum()), values.shape[1]
    counts = f"{n} of {total} trials have a value at all {len(x)} levels"
    if len(x) < 3 or (x <= 0).any() or n < max(2, CONVERGENT_SHARE * total):
        return no_information(f"{counts}; 3 positive levels and 80 % of the trials are needed", SLOPE_BAND[1])
    values = values[:, whole]
    centred = np.log(x) - np.log(x).mean()
    each = centred @ np.log(values) / (centred @ centred)
    slope = float(each.mean())
    low, high, se = interval(trial_weights(n, seed) @ each, slope, n)
    steep = low > SLOPE_BAND[1] or high < SLOPE_BAND[0]
    detail = f"log-log slope; {counts}"
    line, small = _line(values, x)
    outcome = "I"
    if steep or (line is not None and line.outcome == "N"):
        outcome = "N"
    elif SLOPE_BAND[0] < low and high < SLOPE_BAND[1] and line is not None and line.outcome == "R" and small:
        outcome = "R"
    outside = max(SLOPE_BAND[0] - slope, slope - SLOPE_BAND[1])
    p_against = float(stats.t.sf(outside / se, n - 1)) if se > 0 else float(outside <= 0)
    p_for = float(stats.t.cdf(outside / se, n - 1)) if se > 0 else float(outside >= 0)
    if line is None:
        detail += f"; too few levels or trials for a line ({FEWEST_POINTS} levels, 3 trials for each)"
    else:
        detail += (
            f"; {line.detail}; intercept {'within' if small else 'not shown within'} 5 % of the range of 0"
        )
        p_against = min(1.0, 2 * min(p_against, line.p_against))
    return Decision(outcome, slope, low, high, slope, SLOPE_BAND[1], p_for, p_against, detail)


def _line(values: np.ndarray, x: np.ndarray) -> tuple[Decision | None, bool]:
    """Judge the line through the means, and whether its intercept is shown to be small."""
    n = values.shape[1]
    if len(x) < FEWEST_POINTS or n < 3 * len(x):
        return None, False
    means = values.mean(axis=1)
    covariance = np.cov(values) / n * inflation(n) ** 2
    # A thousandth of the largest mean: identical trials are not known without error.
    covariance = floored(covariance, 1e-3 * means.max())
    line = linear(x, means, covariance, function="x", rivals=RIVALS, detail="means")
    fit = fit_line(x, means, covariance)
    design = np.column_stack([np.ones_like(x), x])
    spread = np.linalg.inv(design.T @ np.linalg.inv(covariance) @ design)
    # The fitted line at x = 0, from its first point.
    intercept = fit.fitted[0] - fit.slope * x[0]
    half = stats.t.ppf(0.975, n - 1) * np.sqrt(spread[0, 0])
    return line, bool(abs(intercept) + half <= SMALLEST_INTERCEPT * np.ptp(fit.fitted))
