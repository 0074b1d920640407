"""The tests that compare two sides (`nonconvex.claims.sides`): from tables and settings to a decision."""

from collections.abc import Callable

import pandas as pd

from nonconvex.claims.arrays import axes_of, outcomes
from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.kinds.kind import Settings
from nonconvex.claims.quantities.farther import far_beyond, slightly_farther
from nonconvex.claims.quantities.flat import threshold_is_flat
from nonconvex.claims.quantities.grid import Gain, gain, gain_is, gain_over
from nonconvex.claims.quantities.growth import grows_less
from nonconvex.claims.quantities.level import handles_up_to
from nonconvex.claims.quantities.numbers import in_context
from nonconvex.claims.quantities.share import share_holds
from nonconvex.claims.quantities.threshold import FEWEST_ROWS, thresholds_equal
from nonconvex.claims.quantities.timing import OPERATIONS, Arm, slower
from nonconvex.claims.quantities.value_order import values_smaller
from nonconvex.claims.sides import Side, common_axes, lines, shared, sides
from nonconvex.claims.values import last_iterates, values


def _lines_equal(
    table: pd.DataFrame, settings: Settings, trials: range, seed: int, beside: pd.DataFrame | None = None
) -> Decision:
    a, b, x, falls = lines(*sides(table, beside, settings, ("one", "other")), settings, trials)
    fewest = min(FEWEST_ROWS, len(a))
    return thresholds_equal(a, b, x, falls=falls, seed=seed, fewest=max(fewest, 1), **settings["margin"])


def _lines_apart(
    table: pd.DataFrame, settings: Settings, trials: range, seed: int, beside: pd.DataFrame | None = None
) -> Decision:
    a, b, x, falls = lines(*sides(table, beside, settings, ("better", "than")), settings, trials)
    return slightly_farther(a, b, x, falls=falls, seed=seed, **settings.get("largest", {}))


def _far(
    table: pd.DataFrame, settings: Settings, trials: range, seed: int, beside: pd.DataFrame | None = None
) -> Decision:
    a, b, x, falls = lines(*sides(table, beside, settings, ("better", "than")), settings, trials)
    or_success = settings.get("or_success", False)
    return far_beyond(a, b, x, falls=falls, seed=seed, much=settings["much"], or_success=or_success)


def _flat(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    side, _ = sides(table, None, settings, ("algorithm", "algorithm"))
    success, _, x, falls = lines(side, side, settings, trials)
    levels = side.levels(settings["rows"])
    return threshold_is_flat(success, levels, x, falls=falls, seed=seed, **settings["margin"])


def _grid(
    table: pd.DataFrame, settings: Settings, trials: range, seed: int, beside: pd.DataFrame | None = None
) -> Decision:
    found = _gain(table, settings, trials)
    if beside is not None:
        found = gain_over(found, _gain(beside, settings, trials))
    bounds = {name: settings[name] for name in ("largest", "much", "little") if name in settings}
    return gain_is(found, seed=seed, **bounds)


def _gain(table: pd.DataFrame, settings: Settings, trials: range) -> Gain | str:
    axes = axes_of(table)
    a, b = (
        side.marks("recovered", axes, trials).reshape(-1, len(trials))
        for side in sides(table, None, settings, ("better", "than"))
    )
    return gain(a, b, mixed_only=settings.get("mixed_only", False))


def _share(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    table, name, condition = last_iterates(table), settings["algorithm"], settings["condition"]
    marks, _ = outcomes(table, name, condition, axes_of(table), settings.get("cells", {}), trials)
    return share_holds(
        int(marks.sum()),
        marks.size,
        at_least=settings["at_least"],
        below=settings["below"],
        fewest=settings.get("fewest", 1),
    )


def _level(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    axes, limits = [settings["along"]], settings.get("cells", {})
    success, (x,) = outcomes(table, settings["algorithm"], "recovered", axes, limits, trials)
    return handles_up_to(success, x, band=settings["band"], outer=settings.get("outer"))


def _ordered(
    table: pd.DataFrame, settings: Settings, trials: range, seed: int, beside: pd.DataFrame | None = None
) -> Decision:
    pair = sides(table, beside, settings, ("better", "than"))
    axes = common_axes(*pair, settings)
    one, other, _ = shared(*pair, axes)
    a, b = (side.column(settings["value"], axes, trials).reshape(-1, len(trials)) for side in (one, other))
    extra = {"smallest": settings["smallest"]} if "smallest" in settings else {}
    return values_smaller(a, b, seed=seed, **extra)


def _time(
    table: pd.DataFrame, settings: Settings, trials: range, seed: int, beside: pd.DataFrame | None = None
) -> Decision:
    per = settings["per"]
    one, other, (levels,) = shared(*sides(table, beside, settings, ("fast", "slow")), [per])
    if len(levels) and settings["sizes"] == "largest":
        levels = levels[-1:]
    arms = [
        _arm(side.only(per, levels), settings[f"{key}_goal"], settings[f"{key}_operations"], per, trials)
        for side, key in ((one, "fast"), (other, "slow"))
    ]
    bounds = {name: settings[name] for name in ("stated", "smallest") if name in settings}
    found = slower(*arms, seed=seed, work="operation", **bounds)
    at = ", ".join(f"{level:g}" for level in levels)
    return Decision(**{**vars(found), "detail": f"{found.detail}; {per} {at}"})


def _arm(side: Side, goal: str, law: str, per: str, trials: range) -> Arm:
    """Return one method's runs. Sizes share no random streams: every size and trial is a run of its own."""
    rows = side.table.assign(
        operations=side.table["iterations"] * OPERATIONS[law](side.table[per], side.table["loss"])
    )
    counted = Side(rows, side.algorithm)
    seconds, operations = (counted.column(name, [per], trials).ravel() for name in ("seconds", "operations"))
    return Arm(seconds, operations, side.marks(goal, [per], trials).ravel())


def _growth(
    table: pd.DataFrame, settings: Settings, trials: range, seed: int, beside: pd.DataFrame | None = None
) -> Decision:
    per = settings["per"]
    one, other, (levels,) = shared(*sides(table, beside, settings, ("better", "than")), [per])
    if len(levels) == 0:
        return no_information("the two experiments have no size in common", 0.0)
    better, than = (
        (side.column("seconds", [per], trials), side.column("iterations", [per], trials))
        for side in (one, other)
    )
    return grows_less(better, than, levels, relative=settings["growth"] == "relative")


def _context(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    limits = settings.get("cells")
    found, _ = values(table, settings["algorithm"], settings["value"], trials, limits=limits)
    return in_context(found, stated=settings["stated"])


SIDE_RUNS: dict[str, Callable[..., Decision]] = {
    "T-EQ sides": _lines_equal,
    "T-GAP sides": _lines_apart,
    "T-FAR": _far,
    "T-FLAT": _flat,
    "T-GRID": _grid,
    "T-SHARE": _share,
    "T-LEVEL": _level,
    "T-ORD sides": _ordered,
    "T-TIME sides": _time,
    "T-GROW": _growth,
    "T-CONTEXT": _context,
}
