"""T-FLAT: whether a threshold stays where it is while a factor grows."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.linearity import resolution
from nonconvex.claims.quantities.threshold import margin_of
from nonconvex.statistics.bootstrap import interval, trial_weights
from nonconvex.statistics.curves import bracket, clipped, crossing

FEWEST_LEVELS = 3


def threshold_is_flat(
    success: np.ndarray,
    levels: np.ndarray,
    x: np.ndarray,
    *,
    falls: bool,
    seed: int,
    steps: float | None = None,
    relative: float | None = None,
) -> Decision:
    """Judge "the threshold does not depend on the logarithm of a factor".

    The change is the slope of a straight line through the thresholds against log(level), times the range of
    log(level). Reproduced if its 95 % interval lies within the margin and every row crosses one half inside
    the window; not reproduced if the interval lies outside. (That an interval contains 0 would be no
    evidence.) A row without a crossing counts with its threshold at the end of the window.

    Parameters
    ----------
    success : ndarray of bool, shape (n_rows, n_x, n_trials)
        One row per level.
    levels : ndarray, shape (n_rows,)
        Positive, increasing.
    x : ndarray, shape (n_x,)
        Increasing values of the axis that the threshold is read on.
    falls : bool
        Whether success falls along `x`.
    seed : int
        From `judging_seed`.
    steps, relative : float
        The margin: so many steps of the grid, or a part of the mean threshold.
    """
    n_rows, n_x, n = success.shape
    if n_rows < FEWEST_LEVELS or n_x < 2:
        return no_information(f"{n_rows} levels with {n_x} cells each; {FEWEST_LEVELS} and 2 are needed")
    shares = success.mean(axis=-1)
    places = crossing(shares, x, falls)
    known = np.isfinite(places)
    if not known.any():
        return no_information(f"none of {n_rows} rows crosses one half inside the window")
    low_cell, high_cell = bracket(shares[known], x, falls)
    step = float((high_cell - low_cell).mean())
    margin = margin_of(step, float(places[known].mean()), steps, relative)
    f = np.log(levels)
    centred = f - f.mean()
    toward = centred * np.ptp(f) / (centred @ centred)
    change = float(toward @ clipped(places, x))
    flat = success.reshape(n_rows * n_x, n).T.astype(float)
    drawn = (trial_weights(n, seed) @ flat).reshape(-1, n_rows, n_x)
    least = np.full(n_rows, step / np.sqrt(12))
    least[known] = resolution(shares[known], x, falls)
    samples = clipped(crossing(drawn, x, falls), x) @ toward
    low, high, se = interval(samples, change, n, smallest_se=float(np.sqrt(toward**2 @ least**2)))
    outcome = "I"
    if -margin < low and high < margin and known.all():
        outcome = "R"
    elif low > margin or high < -margin:
        outcome = "N"
    excess = abs(change) - margin
    p_for, p_against = (float(stats.t.cdf(s * excess / se, n - 1)) if n > 1 else 1.0 for s in (1, -1))
    shown = ", ".join(f"{level:g}: {place:.3g}" for level, place in zip(levels, places, strict=True))
    detail = (
        f"change of the threshold from level {levels[0]:g} to {levels[-1]:g} on a line in its logarithm, "
        f"{n} trials, {int((~known).sum())} rows without a crossing; thresholds {shown}"
    )
    return Decision(outcome, change, low, high, change, margin, p_for, min(1.0, 2 * p_against), detail)
