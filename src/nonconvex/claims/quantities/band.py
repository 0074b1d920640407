"""T-BAND: whether a mean lies in a stated band."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.ratio import CONVERGENT_SHARE
from nonconvex.statistics.bootstrap import interval, trial_weights


def in_band(
    each: np.ndarray, band: tuple[float, float], *, seed: int, outer: tuple[float, float] | None = None
) -> Decision:
    """Judge "the mean is between a and b".

    Reproduced if the mean over trials and its 95 % interval lie inside the band; not reproduced if the
    interval lies wholly outside `outer`, a wider band where the claim gives one.

    Parameters
    ----------
    each : ndarray, shape (n_trials,)
        One value per trial; NaN where a trial has none. At least 80 % of the trials must have one.
    band : tuple of float
        a and b.
    seed : int
        From `judging_seed`.
    outer : tuple of float, optional
        The wider band.
    """
    known = each[np.isfinite(each)]
    counts = f"{len(known)} of {len(each)} trials have a value"
    if len(each) == 0 or len(known) < CONVERGENT_SHARE * len(each):
        return no_information(f"{counts}: below 80 %", band[1])
    n, mean = len(known), float(known.mean())
    low, high, se = interval(trial_weights(n, seed) @ known, mean, n)
    (a, b), (c, d) = band, outer or band
    outcome = "R" if a <= low and high <= b else "N" if low > d or high < c else "I"
    outside, inside = max(c - mean, mean - d), min(mean - a, b - mean)
    if n < 2:
        p_for = p_against = 1.0
    elif se == 0:
        p_for, p_against = float(inside < 0), float(outside <= 0)
    else:
        p_for, p_against = (float(stats.t.sf(excess / se, n - 1)) for excess in (inside, outside))
    detail = f"mean in the band {a:g} to {b:g}; {counts}"
    if outer:
        detail += f"; clearly outside means outside {c:g} to {d:g}"
    return Decision(outcome, mean, low, high, mean, b, p_for, p_against, detail)


def geometric_in_band(
    values: np.ndarray, band: tuple[float, float], *, seed: int, outer: tuple[float, float] | None = None
) -> Decision:
    """Judge "the geometric mean is between a and b" as `in_band` does; values of shape (n_cells, n_trials).

    Values that are lost (``inf``) count as the largest finite one.
    """
    if not np.isfinite(values).any() or not (values > 0).all():
        return no_information("a geometric mean needs finite values above 0", band[1])
    logs = np.log(np.where(np.isfinite(values), values, values[np.isfinite(values)].max()))
    found = in_band(
        logs.mean(axis=0),
        tuple(np.log(band)),
        seed=seed,
        outer=None if outer is None else tuple(np.log(outer)),
    )
    numbers = {name: float(np.exp(getattr(found, name)))
               for name in ("statistic", "ci_low", "ci_high", "effect", "margin")}  # fmt: skip
    words = f"geometric mean in the band {band[0]:g} to {band[1]:g}; {values.size} values"
    if outer is not None:
        words += f"; clearly outside means outside {outer[0]:g} to {outer[1]:g}"
    return Decision(**{**vars(found), **numbers, "detail": words})


def slopes_through_origin(values: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return each trial's least-squares slope of ``values = slope x``, shape (n_x, n_trials) in.

    NaN for a trial without a value at one of the levels.
    """
    return x @ values / (x @ x)
