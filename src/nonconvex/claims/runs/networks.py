"""The tests that Chapters 4 and 5 add: from tables and a claim's settings to a decision."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from nonconvex.claims.arrays import axes_of, outcomes, placed, within
from nonconvex.claims.decision import Decision
from nonconvex.claims.kinds.kind import LEVELS, Settings
from nonconvex.claims.kinds.networks import RATES
from nonconvex.claims.quantities.exponential import DECADES, falls_geometrically
from nonconvex.claims.quantities.linearity import linear_means
from nonconvex.claims.quantities.much import much_larger
from nonconvex.claims.quantities.numbers import all_within
from nonconvex.claims.quantities.plateau import drops_in, levels_off
from nonconvex.claims.quantities.share import shares_equal
from nonconvex.claims.quantities.spread import varies_little
from nonconvex.claims.quantities.threshold import threshold_higher
from nonconvex.claims.quantities.trend import rises, threshold_rises
from nonconvex.claims.quantities.value_equal import values_equal
from nonconvex.claims.sides import common_axes, lines, shared, sides
from nonconvex.claims.values import counted, counted_rates, last_iterates, reached
from nonconvex.statistics.rates import per_decade


def _per(table: pd.DataFrame, settings: Settings, trials: range) -> tuple[np.ndarray, np.ndarray]:
    """Return a value of every trial at each level of the axis `per`, and the levels."""
    name, limits = settings["value"], settings.get("cells", {})
    if name in RATES:
        mine = table[(table["algorithm"] == settings["algorithm"]) & table["trial"].isin(trials)]
        table = counted_rates(mine[within(mine, limits)])
        found = {"rate": table["rate"], "speed": 1 - table["rate"], "iterations per decade": None}[name]
        table = table.assign(value=per_decade(table["rate"]) if found is None else found)
    else:
        table = last_iterates(table)
        table = table.assign(value=counted(table, name))
    rows, index, (levels,) = placed(table, settings["algorithm"], [settings["per"]], limits, trials)
    found = np.full((len(levels), len(trials)), np.nan)
    found[index] = rows["value"]
    return found, levels


def _mono(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    found, _ = _per(table, settings, trials)
    if settings["trend"] == "rises":
        return rises(found, seed=seed)
    # What falls along an axis rises against it.
    return rises(found[::-1], seed=seed, detail="levels from the last to the first; ")


def _mono_lines(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    axes = [settings["rows"], settings["along"]]
    limits = settings.get("cells", {})
    success, (levels, x) = outcomes(table, settings["algorithm"], "recovered", axes, limits, trials)
    return threshold_rises(success, levels, x, seed=seed, ratio=settings.get("ratio", False))


def _linear(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    found, levels = _per(table, settings, trials)
    sign = 1 if settings["slope"] == "rising" else -1
    return linear_means(found, levels, function=settings["function"], rivals=settings["rivals"], sign=sign)


def _exponential(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    name, limits = settings["algorithm"], settings.get("cells", {})
    mine = table[(table["algorithm"] == name) & table["trial"].isin(trials)]
    mine = mine[within(mine, limits)]
    if "iteration" in mine.columns:
        parts = [reached(mine, {"error": level}) for level in DECADES]
        steps = np.array([np.where(part["reached"], part["iterations"], np.nan) for part in parts])
        status = parts[0]["status"]
    else:
        columns = [f"iterations_{label}" for label, level in LEVELS.items() if level in DECADES]
        steps, status = mine[columns].to_numpy(dtype=float).T, mine["status"]
    ended = status.isin(["diverged", "stalled", "failed"]).to_numpy()
    return falls_geometrically(steps, ended)


def _higher(
    table: pd.DataFrame, settings: Settings, trials: range, seed: int, beside: pd.DataFrame | None = None
) -> Decision:
    a, b, x, falls = lines(*sides(table, beside, settings, ("better", "than")), settings, trials)
    return threshold_higher(a, b, x, falls=falls, seed=seed)


def _pair(
    table: pd.DataFrame, beside: pd.DataFrame | None, settings: Settings, trials: range, keys: tuple[str, str]
) -> list[np.ndarray]:
    """Return a value of both sides on their common cells, shape (n_cells, n_trials) each."""
    name = settings["value"]

    def ready(given: pd.DataFrame) -> pd.DataFrame:
        rows = reached(given, {"iterations": settings["after"]}) if "after" in settings else given
        rows = reached(rows, {"error": settings["until"]}) if "until" in settings else last_iterates(rows)
        if "until" in settings:
            # A trial that never gets there counts as one that needs all iterations that any trial made.
            most = given["iteration"].max()
            rows = rows.assign(iterations=rows["iterations"].where(rows["reached"], most))
        return rows.assign(**{name: counted(rows, name)})

    pair = sides(ready(table), None if beside is None else ready(beside), settings, keys)
    if any(side.table.empty for side in pair):
        return [np.empty((0, len(trials)))] * 2
    axes = common_axes(*pair, settings)
    one, other, _ = shared(*pair, axes)
    return [side.column(name, axes, trials).reshape(-1, len(trials)) for side in (one, other)]


def _similar(
    table: pd.DataFrame, settings: Settings, trials: range, seed: int, beside: pd.DataFrame | None = None
) -> Decision:
    a, b = _pair(table, beside, settings, trials, ("one", "other"))
    return values_equal(a, b, seed=seed, margin=settings["margin"])


def _much(
    table: pd.DataFrame, settings: Settings, trials: range, seed: int, beside: pd.DataFrame | None = None
) -> Decision:
    a, b = _pair(table, beside, settings, trials, ("better", "than"))
    return much_larger(a, b, seed=seed, much=settings["much"], little=settings.get("little"))


def _plateau(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    return levels_off(*_per(table, settings, trials), of=settings["of"], seed=seed)


def _steep(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    return drops_in(*_per(table, settings, trials), band=settings["band"], seed=seed)


def _spread(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    found, _ = _per(table, settings, trials)
    # A trial without a rate does not move.
    return varies_little(np.where(np.isfinite(found), found, 0.0), seed=seed)


def _number(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    rows = table[table["trial"].isin(trials)]
    chosen = rows.loc[within(rows, settings.get("cells", {})), settings["value"]]
    return all_within(chosen.to_numpy(dtype=float), band=settings["band"], outer=settings.get("outer"))


def _alike(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    axes, limits = axes_of(table), settings.get("cells", {})
    condition = settings.get("condition", "recovered")
    counts = []
    for key in ("one", "other"):
        marks, _ = outcomes(table, settings[key], condition, axes, limits, trials)
        counts.append((int(marks.sum()), marks.size))
    return shares_equal(*counts)


NETWORK_RUNS: dict[str, Callable[..., Decision]] = {
    "T-MONO": _mono,
    "T-MONO lines": _mono_lines,
    "T-LIN values": _linear,
    "T-EXP": _exponential,
    "T-BND sides": _higher,
    "T-EQ sides values": _similar,
    "T-MUCH sides": _much,
    "T-PLATEAU": _plateau,
    "T-STEEP": _steep,
    "T-SPREAD": _spread,
    "T-NUMBER": _number,
    "T-EQ shares": _alike,
}
