"""T-LIN(f): a quantity is linear in f(x), judged by least squares against declared rivals.

The points are thresholds (`crossing` of one row each) or means. The fit weighs them by their variances, and
where points share random streams, and so move together, by their full covariance.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.statistics.bootstrap import RESAMPLES, inflation, trial_weights
from nonconvex.statistics.curves import bracket, clipped, crossing, interior

FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "x": lambda x: x,
    "sqrt": np.sqrt,
    "square": np.square,
    "log": np.log,
    "inverse": lambda x: 1 / x,
    "inverse sqrt": lambda x: 1 / np.sqrt(x),
    "inverse square": lambda x: 1 / np.square(x),
}
FEWEST_POINTS = 5
LARGEST_DEVIATION = 0.08
LARGEST_SE = 0.04
RIVAL_AS_GOOD = 4.0
RIVAL_BETTER = 9.2
CENSORED_RESAMPLES = 0.05


@dataclass(frozen=True)
class Fit:
    """A straight line in f(x), fitted by generalised least squares."""

    slope: float
    slope_se: float
    fitted: np.ndarray
    x2: float


def fit_line(f: np.ndarray, y: np.ndarray, covariance: np.ndarray) -> Fit:
    """Fit y = a + b f by least squares weighted with the inverse covariance."""
    design = np.column_stack([np.ones_like(f), f])
    root = np.linalg.cholesky(covariance)
    white_design, white_y = np.linalg.solve(root, design), np.linalg.solve(root, y)
    coefficients, *_ = np.linalg.lstsq(white_design, white_y)
    spread = np.linalg.inv(white_design.T @ white_design)
    residual = white_y - white_design @ coefficients
    slope_se = float(np.sqrt(spread[1, 1]))
    return Fit(float(coefficients[1]), slope_se, design @ coefficients, float(residual @ residual))


def floored(covariance: np.ndarray, least_se: np.ndarray | float) -> np.ndarray:
    """Return the covariance with each point's standard error raised to its least value.

    The least value is `least_se` (the grid's resolution) and a quarter of the median standard error. What is
    added is independent from point to point.
    """
    variance = np.diag(covariance)
    least = np.maximum(least_se, np.sqrt(np.median(variance)) / 4)
    return covariance + np.diag(np.maximum(least**2 - variance, 0))


def linear(
    x: np.ndarray,
    y: np.ndarray,
    covariance: np.ndarray,
    *,
    function: str,
    rivals: Sequence[str],
    sign: int = 1,
    detail: str = "",
) -> Decision:
    """Judge "y is linear in f(x)", with a slope of the given sign.

    Reproduced if the slope's 95 % interval has the right sign, the largest deviation is at most 8 % and
    the median standard error at most 4 % of the fitted range, and X2 - X2(best rival) < 4, where X2 is the
    weighted sum of squared deviations. Not reproduced if the slope's interval has the wrong sign, or
    X2 - X2(best rival) > 9.2. Fewer than 5 points decide nothing.

    Parameters
    ----------
    x, y : ndarray, shape (n_points,)
        Levels and values.
    covariance : ndarray, shape (n_points, n_points)
        Of `y`, with its floors (`floored`).
    function : str
        Key of `FUNCTIONS`: the f of the statement.
    rivals : sequence of str
        Keys of `FUNCTIONS`: other laws.
    sign : {1, -1}
        Of the stated slope.
    detail : str
        What the points are.
    """
    if len(x) < FEWEST_POINTS:
        return no_information(f"{detail}: {len(x)} points, fewer than {FEWEST_POINTS}", LARGEST_DEVIATION)
    fit = fit_line(FUNCTIONS[function](x), y, covariance)
    others = {rival: fit_line(FUNCTIONS[rival](x), y, covariance).x2 for rival in rivals}
    best = min(others, key=lambda rival: others[rival]) if others else ""
    lead = fit.x2 - others[best] if others else 0.0
    half = stats.norm.ppf(0.975) * fit.slope_se
    low, high = fit.slope - half, fit.slope + half
    fitted_range = float(np.ptp(fit.fitted))
    deviation = float(np.max(np.abs(y - fit.fitted)) / fitted_range) if fitted_range > 0 else np.inf
    median_se = float(np.median(np.sqrt(np.diag(covariance))) / fitted_range) if fitted_range > 0 else np.inf
    right_sign = sign * fit.slope > half
    outcome = "I"
    if sign * fit.slope < -half or lead > RIVAL_BETTER:
        outcome = "N"
    elif right_sign and deviation <= LARGEST_DEVIATION and median_se <= LARGEST_SE and lead < RIVAL_AS_GOOD:
        outcome = "R"
    wrong_slope = float(stats.norm.cdf(sign * fit.slope / fit.slope_se))
    p_against = min(wrong_slope, float(stats.chi2.sf(max(lead, 0.0), 2)))
    as_good = [rival for rival, x2 in others.items() if x2 - fit.x2 < RIVAL_AS_GOOD]
    text = (
        f"{detail}: {len(x)} points; slope {fit.slope:.3g}; largest deviation {100 * deviation:.1f} % and "
        f"median standard error {100 * median_se:.1f} % of the fitted range; X2 {fit.x2:.2f}, "
        f"best rival {f'{best} {others[best]:.2f}' if best else 'none'}; "
        f"rivals that also fit: {', '.join(as_good) or 'none'}"
    )
    return Decision(outcome, lead, low, high, fit.slope, LARGEST_DEVIATION,
                    float(stats.norm.sf(sign * fit.slope / fit.slope_se)), p_against, text)  # fmt: skip


def linear_thresholds(
    success: np.ndarray,
    levels: np.ndarray,
    x: np.ndarray,
    *,
    falls: bool,
    seed: int,
    function: str,
    rivals: Sequence[str],
    sign: int = 1,
    shared: bool = False,
    ratio: bool = False,
    resamples: int = RESAMPLES,
) -> Decision:
    """Judge "the threshold along x is linear in f(level)" from success curves.

    Rows without a crossing are censored: they are counted in the detail but give no point. So do rows that
    lose their crossing in more than 5 % of the resamples, because their error is not known.

    Parameters
    ----------
    success : ndarray of bool, shape (n_rows, n_x, n_trials)
        One row per level.
    levels : ndarray, shape (n_rows,)
        What f is a function of.
    x : ndarray, shape (n_x,)
        Increasing values of the axis that the threshold is read on.
    falls : bool
        Whether success falls along `x`.
    seed, function, rivals, sign, resamples
        As for `linear` and `judging_seed`.
    shared : bool
        Whether rows share random streams. Their covariance is then used, which needs at least three times
        as many trials as points: estimated from fewer it is close to singular, and its errors decide the fit.
    ratio : bool
        Whether `x` is given as a ratio to the level: the thresholds are then multiplied by the levels.
    """
    n_rows, n_x, n_trials = success.shape
    if n_x < 2 or n_trials < 2:
        return no_information("a threshold needs at least 2 cells and 2 trials", LARGEST_DEVIATION)
    shares = success.mean(axis=-1)
    places = crossing(shares, x, falls)
    rows = np.flatnonzero(np.isfinite(places))
    weights = trial_weights(n_trials, seed, resamples)
    resampled = weights @ success[rows].reshape(-1, n_trials).T.astype(float)
    drawn = crossing(resampled.reshape(len(weights), len(rows), n_x), x, falls)
    known = np.isfinite(drawn).mean(axis=0) >= 1 - CENSORED_RESAMPLES
    rows, drawn = rows[known], clipped(drawn[:, known], x)
    detail = f"thresholds of {n_rows} rows, {n_trials} trials, {n_rows - len(rows)} censored"
    if len(rows) < FEWEST_POINTS:
        return no_information(f"{detail}: {len(rows)} points, fewer than {FEWEST_POINTS}", LARGEST_DEVIATION)
    if shared and n_trials < 3 * len(rows):
        return no_information(f"{detail}: too few trials for their covariance", LARGEST_DEVIATION)
    covariance = np.cov(drawn, rowvar=False) if shared else np.diag(drawn.var(axis=0, ddof=1))
    covariance *= inflation(n_trials) ** 2
    unit = levels[rows] if ratio else np.ones(len(rows))
    return linear(
        levels[rows],
        places[rows] * unit,
        floored(covariance * np.outer(unit, unit), resolution(shares[rows], x, falls) * unit),
        function=function,
        rivals=rivals,
        sign=sign,
        detail=detail,
    )


def linear_means(
    values: np.ndarray, levels: np.ndarray, *, function: str, rivals: Sequence[str], sign: int = 1
) -> Decision:
    """Judge "the mean over the trials is linear in f(level)".

    Parameters
    ----------
    values : ndarray, shape (n_levels, n_trials)
        Finite. Levels share no random streams.
    levels, function, rivals, sign
        As for `linear_thresholds` and `linear`.
    """
    n = values.shape[1]
    if n < 2:
        return no_information("a mean needs at least 2 trials", LARGEST_DEVIATION)
    covariance = np.diag(values.var(axis=1, ddof=1) / n) * inflation(n) ** 2
    return linear(
        levels,
        values.mean(axis=1),
        floored(covariance, 1e-12),
        function=function,
        rivals=rivals,
        sign=sign,
        detail=f"means of {n} trials at {len(levels)} levels",
    )


def resolution(shares: np.ndarray, x: np.ndarray, falls: bool) -> np.ndarray:
    """Return the least standard error of each threshold, from the gap h that brackets it.

    h / sqrt 12 where the curve jumps from white to black in one step; h / 6 with one cell, and h / 12 with
    more cells, whose share is inside (.05, .95). The root mean square error of the interpolation is .17 h
    and .03 to .08 h there (logistic, normal and both extreme-value curves, averaged over their width and
    place). With h / sqrt 12 everywhere, the declared grid of Chapter 2 gave a median standard error of
    4.1 % of the fitted range even for a perfect line: the test could not say "reproduced".
    """
    low, high = bracket(shares, x, falls)
    graded = interior(shares).sum(axis=-1)
    return (high - low) * np.array([1 / np.sqrt(12), 1 / 6, 1 / 12])[np.minimum(graded, 2)]
