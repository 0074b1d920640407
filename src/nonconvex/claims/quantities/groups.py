"""Means and thresholds of groups of trials: those whose mask is good enough, or equally good.

Which trials are in a group is chance, and so is how many. A group of fewer than ten tells nothing; the thesis
leaves those out as well (Section 6.4.2). Trials are resampled whole, with all groups that they are in, and
what resampling takes from the variance of a small group is given back.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from nonconvex.claims.quantities.points import Points, resolution
from nonconvex.statistics.bootstrap import RESAMPLES, trial_weights
from nonconvex.statistics.curves import clipped, crossing

FEWEST_IN_GROUP = 10


def group_means(values: np.ndarray, levels: np.ndarray, seed: int, *, geometric: bool) -> Points:
    """Return the mean over a group of trials at each level.

    Parameters
    ----------
    values : ndarray, shape (n_levels, n_trials)
        NaN where a trial is not in a level's group; inf, of a trial that is lost, counts as the largest
        finite value of its group. A level with fewer than ten trials is left out.
    levels : ndarray, shape (n_levels,)
    seed : int
        From `nonconvex.statistics.bootstrap.judging_seed`.
    geometric : bool
    """
    middle, drawn, sizes = _means(values, seed, geometric)
    kept = np.isfinite(middle)
    return Points(
        levels[kept],
        middle[kept],
        drawn[:, kept],
        int(sizes[kept].min()) if kept.any() else 0,
        _told(levels[kept], middle[kept], sizes[kept], len(levels)),
    )


def chained_means(
    values: np.ndarray, levels: np.ndarray, seed: int, *, strata: Sequence[str], geometric: bool
) -> tuple[Points, dict[str, Points]]:
    """Return how means go from level to level within strata, and the same of each stratum alone.

    Neighbouring levels are compared in the strata that have a group of trials at both, by the mean logarithm
    of the ratio of means there; strata weigh as much as their trials tell. The values are the product of
    these steps, and begin with 1. Levels that share no stratum with a neighbour cannot be compared: what is
    kept is the longest run of levels that can.

    Parameters
    ----------
    values : ndarray, shape (n_levels, n_strata, n_trials)
        As for `group_means`; means are above 0.
    levels : ndarray, shape (n_levels,)
    seed, geometric
        As for `group_means`.
    strata : sequence of str
        Their names.
    """
    shape = values.shape[:2]
    middle, drawn, sizes = _means(values.reshape(-1, values.shape[-1]), seed, geometric)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs, drawn = np.log(middle).reshape(shape), np.log(drawn).reshape(-1, *shape)
    sizes = sizes.reshape(shape)
    alone = {}
    for k, name in enumerate(strata):
        own = np.isfinite(logs[:, k])
        if own.any():
            alone[name] = Points(
                levels[own], np.exp(logs[own, k]), np.exp(drawn[:, own, k]), int(sizes[own, k].min()), ""
            )
    known = np.flatnonzero(np.isfinite(logs).any(axis=1))
    run = _longest_run(np.isfinite(logs[known]))
    chosen = known[run]
    number = [int(sizes[k][np.isfinite(logs[k])].sum()) for k in chosen]
    value, path = np.zeros(len(chosen)), np.zeros((len(drawn), len(chosen)))
    for place, (k, following) in enumerate(pairwise(chosen), start=1):
        both = np.isfinite(logs[k]) & np.isfinite(logs[following])
        weight = 1 / (1 / sizes[k, both] + 1 / sizes[following, both])
        weight = weight / weight.sum()
        value[place] = value[place - 1] + (logs[following, both] - logs[k, both]) @ weight
        path[:, place] = path[:, place - 1] + (drawn[:, following, both] - drawn[:, k, both]) @ weight
    counts = ", ".join(str(one) for one in number)
    shown = ", ".join(f"{one:.3g}" for one in np.exp(value))
    detail = f"{shown or 'none'} times the first at {len(chosen)} of {len(levels)} levels, "
    detail += f"within {len(alone)} strata; {counts or 'no'} trials"
    points = Points(levels[chosen], np.exp(value), np.exp(path), min(number, default=0), detail)
    return points, alone


def group_thresholds(
    success: np.ndarray, levels: np.ndarray, x: np.ndarray, seed: int, *, falls: bool
) -> Points:
    """Return where half of a group of trials succeed along an axis, at each level of another one.

    Cells with fewer than ten trials of the group are left out, and so are levels without a crossing in what
    is left, or that lose it in more than 5 % of the resamples.

    Parameters
    ----------
    success : ndarray, shape (n_levels, n_x, n_trials)
        1, 0, or NaN where a trial is not in the group.
    levels, x, seed, falls
        As for `nonconvex.claims.quantities.points.thresholds`.
    """
    shares, drawn, sizes = _means(success.reshape(-1, success.shape[-1]), seed, False)
    shape = success.shape[:2]
    shares, sizes = shares.reshape(shape), sizes.reshape(shape)
    drawn = np.clip(drawn, 0, 1).reshape(-1, *shape)
    rng = np.random.default_rng(np.random.SeedSequence([seed, len(x)]))
    rows, places, paths, fewest = [], [], [], []
    for k in range(len(levels)):
        cells = np.isfinite(shares[k])
        if cells.sum() < 2:
            continue
        own, at = shares[k, cells], x[cells]
        place = float(crossing(own, at, falls))
        path = crossing(drawn[:, k][:, cells], at, falls)
        if not np.isfinite(place) or np.isfinite(path).mean() < 0.95:
            continue
        least = float(resolution(own[None], at, falls)[0])
        rows.append(k)
        places.append(place)
        paths.append(clipped(path, at) + least * rng.standard_normal(len(path)))
        fewest.append(int(sizes[k, cells].min()))
    shown = ", ".join(f"{place:.3g}" for place in places)
    lost = len(levels) - len(rows)
    detail = f"thresholds {shown}; {lost} of {len(levels)} levels without a crossing in the group"
    resampled = np.stack(paths, axis=1) if paths else np.empty((RESAMPLES, 0))
    return Points(levels[rows], np.array(places), resampled, min(fewest, default=0), detail)


def _means(values: np.ndarray, seed: int, geometric: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the means over the groups of trials in each row, their resamples, and the sizes of the groups.

    Means are NaN where a group is too small, or has no finite value.
    """
    n = values.shape[-1]
    inside, finite = ~np.isnan(values), np.isfinite(values)
    most = np.max(values, axis=1, where=finite, initial=-np.inf, keepdims=True)
    filled = np.where(finite, values, np.where(inside & np.isfinite(most), most, 0.0))
    if geometric:
        positive = filled[inside & (filled > 0)]
        filled = np.where(inside, np.log(np.maximum(filled, positive.min() if len(positive) else 1.0)), 0.0)
    sizes = inside.sum(axis=1)
    told = (sizes >= FEWEST_IN_GROUP) & finite.any(axis=1)
    middle = np.full(len(values), np.nan)
    drawn = np.full((RESAMPLES, len(values)), np.nan)
    if told.any():
        middle[told] = filled[told].sum(axis=1) / sizes[told]
        weights = trial_weights(n, seed)
        number = weights @ inside[told].T.astype(float)
        with np.errstate(divide="ignore", invalid="ignore"):
            means = (weights @ filled[told].T) / number
        # A resample without any trial of a group says nothing about it.
        moved = np.where(number > 0, means - middle[told], 0.0)
        drawn[:, told] = middle[told] + moved * np.sqrt(sizes[told] / (sizes[told] - 1))
    if geometric:
        middle, drawn = np.exp(middle), np.exp(drawn)
    else:
        # A mean of values above 0 stays above 0.
        least = np.min(values, axis=1, where=finite & inside, initial=np.inf)
        drawn = np.where(told, np.maximum(drawn, np.where(told, least, 0.0)), drawn)
    return middle, drawn, sizes


def _longest_run(known: np.ndarray) -> slice:
    """Return the longest run of rows of which each shares a column with the next; the last of equals."""
    linked = (known[1:] & known[:-1]).any(axis=1)
    best, start = slice(0, 0), 0
    for k in range(len(known)):
        if k == len(known) - 1 or not linked[k]:
            if k + 1 - start >= best.stop - best.start:
                best = slice(start, k + 1)
            start = k + 1
    return best


def _told(levels: np.ndarray, middle: np.ndarray, sizes: np.ndarray, number: int) -> str:
    shown = ", ".join(
        f"{value:.3g} of {n} at {level:g}" for level, value, n in zip(levels, middle, sizes, strict=True)
    )
    return (
        f"means {shown}; {number - len(levels)} of {number} levels with fewer than {FEWEST_IN_GROUP} trials"
    )
