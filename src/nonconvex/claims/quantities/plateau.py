"""T-PLATEAU and T-STEEP: where errors level off, and where they drop."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.statistics.bootstrap import interval, trial_weights

FLAT = 0.2
BAND = (1 / 3, 3.0)
FALLING = -0.3
SURE = 0.95


def levels_off(values: np.ndarray, x: np.ndarray, *, of: float, seed: int) -> Decision:
    """Judge "the values come to `of` as x grows, and stay there".

    Reproduced if the geometric mean at the first x is between a third of `of` and three times it, with its
    95 % interval, and the interval of the slope of log(value) in log(x) is within (-.2, .2): a factor 1.25
    while x grows by 3. Not reproduced if the interval of the slope is below -.3 (a decay like the square root
    has -.5), or if the interval at the first x lies outside that band.

    Parameters
    ----------
    values : ndarray, shape (n_x, n_trials)
        ``inf``, of a trial that is lost, counts as the largest finite value of its level.
    x : ndarray, shape (n_x,)
        Increasing and positive, from where the values should have come to `of` on.
    of : float
        The level, above 0.
    seed : int
        From `judging_seed`.
    """
    k, n = values.shape
    if k < 2 or n < 2 or not np.isfinite(values).any(axis=1).all():
        return no_information(f"{k} levels, {n} trials; 2 of each are needed, with values", FLAT)
    logs = _logs(values)
    weights = trial_weights(n, seed)

    def known(each: np.ndarray) -> tuple[float, float, float, float]:
        mean = float(each.mean())
        return mean, *interval(weights @ each, mean, n)

    centred = np.log(x) - np.log(x).mean()
    first, first_low, first_high, first_se = known(logs[0] - np.log(of))
    slope, slope_low, slope_high, slope_se = known(centred @ logs / (centred @ centred))
    a, b = np.log(BAND)
    outcome = "I"
    if slope_high < FALLING or first_low > b or first_high < a:
        outcome = "N"
    elif a <= first_low and first_high <= b and slope_low > -FLAT and slope_high < FLAT:
        outcome = "R"

    def p(excess: float, se: float) -> float:
        return float(stats.t.sf(excess / max(se, 1e-12), n - 1))

    p_for = max(p(min(first - a, b - first), first_se), p(FLAT - abs(slope), slope_se))
    outside = 2 * p(max(a - first, first - b), first_se)
    p_against = min(1.0, 2 * min(p(FALLING - slope, slope_se), outside))
    detail = (
        f"slope of log(value) in log(x) from {x[0]:g} to {x[-1]:g}, {n} trials; first over {of:g} "
        f"{np.exp(first):.3g} ({np.exp(first_low):.3g} to {np.exp(first_high):.3g})"
    )
    return Decision(outcome, slope, slope_low, slope_high, slope, FLAT, p_for, p_against, detail)


def drops_in(values: np.ndarray, x: np.ndarray, *, band: tuple[float, float], seed: int) -> Decision:
    """Judge "the values drop at an x within the band".

    The drop is between the two neighbouring x at which the geometric mean falls fastest in log(x); its place
    is their geometric mean. Reproduced if the place is within the band in 95 % of the resamples and in the
    sample; not reproduced if it is outside in 95 %, and in the sample.

    Parameters
    ----------
    values : ndarray, shape (n_x, n_trials)
        As for `levels_off`.
    x : ndarray, shape (n_x,)
        Increasing and positive.
    band : tuple of float
        In the unit of `x`.
    seed : int
        From `judging_seed`.
    """
    k, n = values.shape
    if k < 3 or n < 2 or not np.isfinite(values).any(axis=1).all():
        return no_information(f"{k} levels, {n} trials; 3 and 2 are needed, with values", band[1])
    logs = _logs(values)
    middles = np.sqrt(x[1:] * x[:-1])

    def place(means: np.ndarray) -> np.ndarray:
        return middles[np.argmin(np.diff(means, axis=-1) / np.diff(np.log(x)), axis=-1)]

    drawn = place(trial_weights(n, seed) @ logs.T)
    here = float(place(logs.mean(axis=1)))
    inside = float(np.mean((band[0] <= drawn) & (drawn <= band[1])))
    within = band[0] <= here <= band[1]
    outcome = "R" if within and inside >= SURE else "N" if not within and inside <= 1 - SURE else "I"
    low, high = (float(end) for end in np.quantile(drawn, [0.025, 0.975]))
    detail = f"place of the steepest fall, {k} levels, {n} trials; in the band in {inside:.3f} of resamples"
    return Decision(outcome, here, low, high, here, band[1], 1 - inside, inside, detail)


def _logs(values: np.ndarray) -> np.ndarray:
    """Return logarithms; lost values count as the largest of their level, zeros as the smallest seen."""
    finite = np.isfinite(values)
    most = np.max(values, axis=1, where=finite, initial=-np.inf, keepdims=True)
    filled = np.where(finite, values, most)
    return np.log(np.maximum(filled, filled[filled > 0].min()))
