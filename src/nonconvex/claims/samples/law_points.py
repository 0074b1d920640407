"""What a law goes through, from tables: means or medians of a column, or thresholds, along an axis."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonconvex.claims.quantities.groups import chained_means, group_means, group_thresholds
from nonconvex.claims.quantities.points import Points, means, medians
from nonconvex.claims.quantities.points import thresholds as threshold_points
from nonconvex.claims.samples.sides import Side
from nonconvex.claims.samples.values import last_iterates

Settings = Mapping[str, Any]


def curves(one: Side, settings: Settings) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return success (n_rows, n_x, n_trials) along an axis, the axis's values, and whether it falls."""
    axes = [settings["rows"], settings["along"]] if "rows" in settings else [settings["along"]]
    marks = one.marks(settings.get("condition", "recovered"), axes)
    marks = marks if "rows" in settings else marks[None]
    x, falls = one.levels(settings["along"]).astype(float), settings["success"] == "falls"
    if settings.get("complement", False):
        return marks[:, ::-1], 1 - x[::-1], not falls
    return marks, x, falls


def points(one: Side, settings: Settings, seed: int, *, geometric: bool) -> tuple[Points, dict[str, Points]]:
    """Return what a law goes through; and the same of each stratum alone, where there are strata.

    `geometric` says whether means are, if the settings do not.
    """
    geometric = settings.get("geometric", geometric)
    if one.rows.empty and {"among", "bins", "strata"} & set(settings):
        return group_means(np.empty((0, len(one.trials))), np.empty(0), seed, geometric=geometric), {}
    if "rows" in settings:
        return _through_thresholds(one, settings, seed), {}
    if "bins" in settings or "strata" in settings:
        return _in_groups(one, settings, seed, geometric)
    levels = _levels(one, settings, settings["per"])
    found = one.values(settings, [settings["per"]])
    order = np.argsort(levels, kind="stable")
    if settings.get("median", False):
        return medians(found[order], levels[order], seed), {}
    make = group_means if "among" in settings else means
    return make(found[order], levels[order], seed, geometric=geometric), {}


def _through_thresholds(one: Side, settings: Settings, seed: int) -> Points:
    marks, x, falls = curves(one, settings)
    levels = _levels(one, settings, settings["rows"])
    order = np.argsort(levels, kind="stable")
    marks, levels = marks[order], levels[order]
    if "among" in settings:
        inside = one.among(settings, [settings["rows"], settings["along"]])[order]
        return group_thresholds(np.where(inside, marks, np.nan), levels, x, seed, falls=falls)
    times = settings.get("times_level", False)
    return threshold_points(marks, levels, x, seed, falls=falls, times_level=times)


def _in_groups(one: Side, settings: Settings, seed: int, geometric: bool) -> tuple[Points, dict[str, Points]]:
    """Return means over the trials in each bin of a column, or from level to level within strata."""
    per, strata = settings["per"], settings.get("strata")
    binned = next(iter(settings.get("bins", {})), None)
    axes = [axis for axis in (per, strata) if axis not in (None, binned)]
    found = one.values(settings, axes)
    names = {axis: _levels(one, settings, axis) for axis in axes}
    if binned is not None:
        width = settings["bins"][binned]
        column = np.floor(one.column(binned, axes) / width + 1e-9)
        bins = np.unique(column[np.isfinite(column)])
        found = np.where(column[..., None, :] == bins[:, None], found[..., None, :], np.nan)
        if per == binned:
            found = np.moveaxis(found, -2, 0)
        names[binned] = (bins + 0.5) * width
    levels = names[per]
    order = np.argsort(levels, kind="stable")
    if strata is None:
        return group_means(found[order], levels[order], seed, geometric=geometric), {}
    told = [f"{strata} = {level:g}" for level in names[strata]]
    return chained_means(found[order], levels[order], seed, strata=told, geometric=geometric)


def _levels(one: Side, settings: Settings, axis: str) -> np.ndarray:
    """Return the levels of an axis: its own, or the mean of a column at each of them."""
    column = settings.get("levels")
    if column is None or axis not in (settings.get("per"), settings.get("rows")):
        return one.levels(axis).astype(float)
    rows = last_iterates(one.rows)
    return rows.groupby(axis, sort=True)[column].mean().to_numpy(dtype=float)
