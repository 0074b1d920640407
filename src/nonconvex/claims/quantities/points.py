"""A quantity at each level of an axis, with how it varies from sample to sample: means, medians, thresholds.

Laws of a parameter (`nonconvex.claims.quantities.laws`) are measured on such points.
"""

from dataclasses import dataclass

import numpy as np

from nonconvex.claims.quantities.shares import NO_CELL
from nonconvex.statistics.bootstrap import RESAMPLES, trial_weights
from nonconvex.statistics.curves import bracket, clipped, crossing, interior

CENSORED_RESAMPLES = 0.05


@dataclass(frozen=True)
class Points:
    """Values at levels.

    Attributes
    ----------
    levels, values : ndarray, shape (n_points,)
    drawn : ndarray, shape (n_resamples, n_points)
        The values of resampled trials, all levels of a trial together.
    trials : int
    detail : str
    """

    levels: np.ndarray
    values: np.ndarray
    drawn: np.ndarray
    trials: int
    detail: str


def means(values: np.ndarray, levels: np.ndarray, seed: int, *, geometric: bool) -> Points:
    """Return the mean over the trials at each level.

    Parameters
    ----------
    values : ndarray, shape (n_levels, n_trials)
        inf, of a trial that is lost, counts as the largest finite value of its level; a level without any is
        left out. For geometric means an exact zero counts as the smallest positive value.
    levels : ndarray, shape (n_levels,)
    seed : int
        From `nonconvex.statistics.bootstrap.judging_seed`.
    geometric : bool
    """
    known = np.isfinite(values).any(axis=1)
    kept, n = values[known], values.shape[1]
    finite = np.isfinite(kept)
    most = np.max(kept, axis=1, where=finite, initial=-np.inf, keepdims=True)
    filled = np.where(finite, kept, most)
    if geometric:
        positive = filled[filled > 0]
        filled = np.log(np.maximum(filled, positive.min() if len(positive) else 1.0))
    middle = filled.mean(axis=1)
    drawn = trial_weights(n, seed) @ filled.T if n else np.empty((RESAMPLES, len(kept)))
    if geometric:
        middle, drawn = np.exp(middle), np.exp(drawn)
    shown = ", ".join(f"{value:.3g}" for value in middle)
    detail = f"means {shown} at {len(kept)} of {len(levels)} levels, {int((~finite).sum())} values lost"
    return Points(levels[known], middle, drawn, n, detail)


def medians(values: np.ndarray, levels: np.ndarray, seed: int) -> Points:
    """Return the median over the trials at each level, which a few trials that are lost do not move far.

    Parameters
    ----------
    values : ndarray, shape (n_levels, n_trials)
        A trial that is lost (not finite) counts as larger than all others. A level where half of the trials
        are, or of the trials of more than 5 % of the resamples, is left out.
    levels : ndarray, shape (n_levels,)
    seed : int
        From `nonconvex.statistics.bootstrap.judging_seed`.
    """
    n = values.shape[1]
    if n == 0 or len(levels) == 0:
        return Points(levels[:0], np.empty(0), np.empty((RESAMPLES, 0)), n, NO_CELL)
    ordered = np.where(np.isfinite(values), values, np.inf)
    order = np.argsort(ordered, axis=1, kind="stable")
    ordered = np.take_along_axis(ordered, order, axis=1)
    counts = np.rint(trial_weights(n, seed) * n).astype(np.int32)
    once = np.ones((1, n), dtype=np.int32)
    middle = np.array([_halves(row, once)[0] for row in ordered])
    drawn = np.column_stack([_halves(row, counts[:, own]) for row, own in zip(ordered, order, strict=True)])
    finite = np.isfinite(drawn)
    known = np.isfinite(middle) & (finite.mean(axis=0) >= 1 - CENSORED_RESAMPLES)
    drawn, finite = drawn[:, known], finite[:, known]
    most = np.max(drawn, axis=0, where=finite, initial=-np.inf)
    shown = ", ".join(f"{value:.3g}" for value in middle[known])
    lost = int((~np.isfinite(values)).sum())
    detail = f"medians {shown} at {int(known.sum())} of {len(levels)} levels, {lost} values lost"
    return Points(levels[known], middle[known], np.where(finite, drawn, most), n, detail)


def _halves(ordered: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the medians of ordered values, shape (n,), that count so often, shape (n_samples, n)."""
    reached = 2 * np.cumsum(counts, axis=1)
    n = counts.sum(axis=1, keepdims=True)
    lower, upper = (ordered[np.argmax(at, axis=1)] for at in (reached >= n, reached > n))
    return (lower + upper) / 2


def thresholds(
    success: np.ndarray, levels: np.ndarray, x: np.ndarray, seed: int, *, falls: bool, times_level: bool
) -> Points:
    """Return where half of the trials succeed along an axis, at each level of another one.

    A level without a crossing in the window, or that loses it in more than 5 % of the resamples, is left out.
    Thresholds are not known better than the grid allows (`resolution`).

    Parameters
    ----------
    success : ndarray of bool, shape (n_levels, n_x, n_trials)
    levels : ndarray, shape (n_levels,)
    x : ndarray, shape (n_x,)
        Increasing values of the axis that the threshold is read on.
    seed : int
        From `nonconvex.statistics.bootstrap.judging_seed`.
    falls : bool
        Whether success falls along `x`.
    times_level : bool
        Whether `x` is a ratio to the level: the thresholds are then multiplied by the levels.
    """
    n_levels, n_x, n = success.shape
    if n_x < 2 or n < 2:
        return Points(
            levels[:0], np.empty(0), np.empty((RESAMPLES, 0)), n, "a threshold needs 2 cells and trials"
        )
    shares = success.mean(axis=-1)
    places = crossing(shares, x, falls)
    rows = np.flatnonzero(np.isfinite(places))
    weights = trial_weights(n, seed)
    resampled = weights @ success[rows].reshape(-1, n).T.astype(float)
    drawn = crossing(resampled.reshape(len(weights), len(rows), n_x), x, falls)
    known = np.isfinite(drawn).mean(axis=0) >= 1 - CENSORED_RESAMPLES
    rows, drawn = rows[known], clipped(drawn[:, known], x)
    least = resolution(shares[rows], x, falls)
    rng = np.random.default_rng(np.random.SeedSequence([seed, n_x]))
    drawn = drawn + least * rng.standard_normal(drawn.shape)
    unit = levels[rows] if times_level else np.ones(len(rows))
    values = places[rows] * unit
    shown = ", ".join(f"{value:.3g}" for value in values)
    detail = f"thresholds {shown}; {n_levels - len(rows)} of {n_levels} levels without a crossing"
    return Points(levels[rows], values, drawn * unit, n, detail)


def resolution(shares: np.ndarray, x: np.ndarray, falls: bool) -> np.ndarray:
    """Return the least standard error of each threshold, from the gap h that brackets it.

    h / sqrt 12 where the curve jumps from white to black in one step; h / 6 with one cell, and h / 12 with
    more cells, whose share is inside (.05, .95). The root mean square error of the interpolation is .17 h
    and .03 to .08 h there (logistic, normal and both extreme-value curves, averaged over their width and
    place).
    """
    low, high = bracket(shares, x, falls)
    graded = interior(shares).sum(axis=-1)
    return (high - low) * np.array([1 / np.sqrt(12), 1 / 6, 1 / 12])[np.minimum(graded, 2)]
