"""T-MONO: whether a quantity rises along an axis."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.linearity import resolution
from nonconvex.claims.quantities.ordering import LEVEL, wilcoxon
from nonconvex.statistics.bootstrap import interval, trial_weights
from nonconvex.statistics.curves import cell_widths, crossing
from nonconvex.statistics.multiplicity import holm

SMALLEST = 1.1
FEWEST_LEVELS = 3
STEP_LEVEL = 0.05


def page(values: np.ndarray) -> tuple[float, float]:
    """Return the one-sided P values of Page's test for values that rise, and that fall, along the levels.

    Normal approximation with midranks. Levels that share random streams are paired by trial; where they do
    not, the pairing is by chance and the test holds as well.

    Parameters
    ----------
    values : ndarray, shape (n_levels, n_trials)
        ``inf`` is the largest value.
    """
    ranks = stats.rankdata(values, axis=0)
    weights = np.arange(len(values)) - (len(values) - 1) / 2
    spread = (ranks - ranks.mean(axis=0)) ** 2
    variance = (weights @ weights) * spread.sum() / (len(values) - 1)
    if variance == 0:
        return 1.0, 1.0
    z = float((weights @ ranks).sum() / np.sqrt(variance))
    return float(stats.norm.sf(z)), float(stats.norm.cdf(z))


def rises(
    values: np.ndarray,
    *,
    seed: int,
    smallest: float = SMALLEST,
    geometric: bool = True,
    ends_known: bool = True,
    grain: np.ndarray | None = None,
    detail: str = "",
) -> Decision:
    """Judge "the quantity rises from level to level".

    The change is the ratio of the mean at the last level to that at the first. Reproduced if Page's test
    gives P < .01, no step from a level to the next is significantly reversed (Wilcoxon, Holm, 5 %), and the
    change is at least `smallest` with its 95 % interval above 1. Not reproduced if the test is as clear the
    other way with the interval below 1, or if the interval lies inside (1/smallest, smallest).

    Parameters
    ----------
    values : ndarray, shape (n_levels, n_trials)
        Positive, in the order of the levels. ``inf`` (a trial that is lost) counts as the largest finite
        value in the change.
    seed : int
        From `judging_seed`.
    smallest : float
        The ratio that counts as a change.
    geometric : bool
        Whether the mean is the geometric one.
    ends_known : bool
        Whether the values at both ends are known. If not, they are nearer to each other than they should be,
        and say nothing against a change.
    grain : ndarray, shape (n_levels,), optional
        The least standard error of each level's mean, where the mean is not the geometric one.
    detail : str
        What the values are.
    """
    k, n = values.shape
    finite = np.isfinite(values)
    counts = f"{detail}{k} levels, {n} trials, {int((~finite).sum())} of {values.size} values lost"
    if k < FEWEST_LEVELS or n < 2 or not finite.any():
        return no_information(f"{counts}; {FEWEST_LEVELS} levels and 2 trials are needed", smallest)
    p_rises, p_falls = page(values)
    filled = np.where(finite, values, values[finite].max())
    filled = np.log(np.maximum(filled, filled[filled > 0].min())) if geometric else filled
    steps = np.diff(filled, axis=0)
    grain = np.zeros(k) if grain is None else grain
    slack = np.hypot(grain[1:], grain[:-1])[:, None]
    reversed_steps = int((holm([wilcoxon(step, "less") for step in steps + slack]) < STEP_LEVEL).sum())
    means, samples = filled.mean(axis=1), trial_weights(n, seed) @ filled.T
    if geometric:
        change, drawn = float(means[-1] - means[0]), samples[:, -1] - samples[:, 0]
        means = np.exp(means)
    else:
        change, drawn = float(np.log(means[-1] / means[0])), np.log(samples[:, -1] / samples[:, 0])
    least = float(np.hypot(grain[-1] / means[-1], grain[0] / means[0]))
    low, high, se = interval(drawn, change, n, smallest_se=least)
    bound = np.log(smallest)
    flat = ends_known and -bound < low and high < bound
    outcome = "I"
    if p_rises < LEVEL and change >= bound and low > 0 and reversed_steps == 0:
        outcome = "R"
    elif (p_falls < LEVEL and high < 0) or flat:
        outcome = "N"
    p_flat = float(stats.t.sf((bound - abs(change)) / se, n - 1)) if flat and se > 0 else 1.0
    shown = ", ".join(f"{mean:.3g}" for mean in means)
    text = (
        f"ratio of the last to the first level; {counts}; means {shown}; significantly reversed steps: "
        f"{reversed_steps}; Page P = {p_rises:.2g} for, {p_falls:.2g} against"
    )
    low, high, effect = (float(np.exp(value)) for value in (low, high, change))
    return Decision(outcome, effect, low, high, effect, smallest, p_rises, min(p_falls, p_flat), text)


def threshold_rises(
    success: np.ndarray,
    levels: np.ndarray,
    x: np.ndarray,
    *,
    seed: int,
    ratio: bool = False,
    smallest: float = SMALLEST,
) -> Decision:
    """Judge "the x at which trials begin to succeed rises from level to level" (`rises`).

    Each trial has a threshold of its own at each level: the lower end of the window plus the widths of the
    cells in which it fails. Their mean is where the success curve's area puts the threshold. A level whose
    curve stays on one side of one half counts with the end of the window, which makes changes smaller. The
    steps of the grid bound how well a threshold is known
    (`nonconvex.claims.quantities.linearity.resolution`).

    Parameters
    ----------
    success : ndarray of bool, shape (n_levels, n_x, n_trials)
        Rising along `x`.
    levels : ndarray, shape (n_levels,)
        Increasing.
    x : ndarray, shape (n_x,)
        Increasing, positive.
    seed, smallest
        As for `rises`.
    ratio : bool
        Whether `x` is given as a ratio to the level: the thresholds are then multiplied by the levels.
    """
    if len(x) < 2 or len(levels) == 0:
        return no_information("a threshold needs at least 2 values along its axis", smallest)
    widths = cell_widths(x)
    own = x[0] - widths[0] / 2 + np.einsum("rxt,x->rt", ~success, widths)
    shares = success.mean(axis=-1)
    known = np.isfinite(crossing(shares, x, False))
    grain = np.where(known, resolution(shares, x, False), 0.0)
    if ratio:
        own, grain = own * levels[:, None], grain * levels
    detail = f"thresholds, {int((~known).sum())} of {len(levels)} levels without a crossing; "
    ends = bool(known[0] and known[-1])
    return rises(
        own, seed=seed, smallest=smallest, geometric=False, ends_known=ends, grain=grain, detail=detail
    )
