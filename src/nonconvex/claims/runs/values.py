"""The tests on shares, errors, iterations and seconds: from a table and a claim's settings to a decision."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from nonconvex.claims.arrays import axes_of, outcomes, placed, within
from nonconvex.claims.decision import Decision
from nonconvex.claims.kinds.kind import Settings
from nonconvex.claims.quantities.band import geometric_in_band, in_band, slopes_through_origin
from nonconvex.claims.quantities.best import smallest_of_all
from nonconvex.claims.quantities.failing import fails_everywhere
from nonconvex.claims.quantities.gap import slightly_more
from nonconvex.claims.quantities.much import much_better, much_larger, much_larger_than_elsewhere
from nonconvex.claims.quantities.numbers import below_limit
from nonconvex.claims.quantities.proportion import all_of, most_of, none_of, proportion, some_of
from nonconvex.claims.quantities.proportional import proportional
from nonconvex.claims.quantities.threshold import thresholds_equal
from nonconvex.claims.quantities.timing import Arm, slower
from nonconvex.claims.quantities.value_equal import values_equal, values_within
from nonconvex.claims.quantities.value_order import values_smaller
from nonconvex.claims.values import last_iterates, reached, values


def _given(settings: Settings) -> dict:
    return {"given": settings.get("given"), "limits": settings.get("cells")}


def _given_than(settings: Settings) -> dict:
    """Return what the method, or methods, that the first is compared with are held to."""
    return {**_given(settings), "given": settings.get("given_than", settings.get("given"))}


def _extra(settings: Settings, *names: str) -> dict:
    return {name: settings[name] for name in names if name in settings}


def _pair(
    table: pd.DataFrame, settings: Settings, trials: range, one: str, other: str
) -> tuple[np.ndarray, np.ndarray]:
    first, second = settings[one], settings[other]
    column = settings["value"]
    return (
        values(table, first, column, trials, **_given(settings))[0],
        values(table, second, column, trials, **_given_than(settings))[0],
    )


def _marks(
    table: pd.DataFrame, algorithm: str, condition: str, settings: Settings, trials: range
) -> np.ndarray:
    found, _ = outcomes(table, algorithm, condition, axes_of(table), settings.get("cells", {}), trials)
    return found.reshape(-1, len(trials))


def _share(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    marks = _marks(last_iterates(table), settings["algorithm"], settings["condition"], settings, trials)
    k, n, share = int(marks.sum()), marks.size, settings["share"]
    match share:
        case "all":
            return all_of(k, n, settings.get("stated_trials", n), **_extra(settings, "smallest"))
        case "none":
            return none_of(k, n, settings.get("stated_trials", n))
        case "some":
            return some_of(k, n)
        case "most":
            return most_of(k, n)
    return proportion(k, n, share, settings.get("stated_trials", n), **_extra(settings, "fewest"))


def _smaller(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    a, b = _pair(table, settings, trials, "better", "than")
    return values_smaller(a, b, seed=seed, **_extra(settings, "smallest", "largest"))


def _similar(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    a, b = _pair(table, settings, trials, "one", "other")
    return values_equal(a, b, seed=seed, **_extra(settings, "margin"))


def _others(table: pd.DataFrame, settings: Settings, trials: range) -> dict[str, np.ndarray]:
    column = settings["value"]
    return {
        name: values(table, name, column, trials, **_given_than(settings))[0] for name in settings["than"]
    }


def _best(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    a, _ = values(table, settings["better"], settings["value"], trials, **_given(settings))
    return smallest_of_all(a, _others(table, settings, trials), seed=seed)


def _within(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    a, _ = values(table, settings["better"], settings["value"], trials, **_given(settings))
    others = np.stack(list(_others(table, settings, trials).values()))
    return values_within(a, others, seed=seed, margin=settings["margin"])


def _much(
    table: pd.DataFrame, settings: Settings, trials: range, seed: int, beside: pd.DataFrame | None = None
) -> Decision:
    here = _pair(table, settings, trials, "better", "than")
    bounds = {"much": settings["much"], "little": settings.get("little")}
    if beside is not None:
        there = _pair(beside, settings, trials, "better", "than")
        return much_larger_than_elsewhere(here, there, seed=seed, **bounds)
    if "or_success" not in settings:
        return much_larger(*here, seed=seed, **bounds)
    table = last_iterates(table)
    names = settings["better"], settings["than"]
    good = [_marks(table, name, settings["or_success"], settings, trials) for name in names]
    return much_better(*here, *good, seed=seed, **bounds)


def _band(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    if "until" in settings:
        table = reached(table, settings["until"])
        rows, index, levels = placed(
            table, settings["algorithm"], axes_of(table), settings.get("cells", {}), trials
        )
        found = np.full((*(len(level) for level in levels), len(trials)), np.nan)
        found[index] = np.where(rows["reached"], rows[settings["value"]], np.nan)
        found = found.reshape(-1, len(trials))
    else:
        found, levels = values(table, settings["algorithm"], settings["value"], trials, **_given(settings))
    if "per" in settings:
        x = levels[axes_of(table).index(settings["per"])]
        each = slopes_through_origin(found, x)
    else:
        each = found.mean(axis=0) if len(found) else np.full(len(trials), np.nan)
    if settings.get("geometric", False):
        return geometric_in_band(found, settings["band"], seed=seed, **_extra(settings, "outer"))
    return in_band(each, settings["band"], seed=seed, **_extra(settings, "outer"))


def _proportional(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    found, levels = values(table, settings["algorithm"], settings["value"], trials, **_given(settings))
    return proportional(found, levels[axes_of(table).index(settings["per"])], seed=seed)


def _time(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    arms = [
        _arm(table, settings[key], settings[f"{key}_until"], settings, trials) for key in ("fast", "slow")
    ]
    return slower(*arms, seed=seed, **_extra(settings, "stated", "smallest"))


def _arm(table: pd.DataFrame, algorithm: str, until: Mapping, settings: Settings, trials: range) -> Arm:
    table = reached(table, until)
    rows, index, levels = placed(table, algorithm, axes_of(table), settings.get("cells", {}), trials)
    columns = []
    for name in ("seconds", "iterations", "reached"):
        column = np.zeros((*(len(level) for level in levels), len(trials)))
        column[index] = rows[name]
        # A trial is timed over all cells that the claim takes in: their sum.
        columns.append(column.reshape(-1, len(trials)))
    seconds, iterations, there = columns
    return Arm(seconds.sum(axis=0), iterations.sum(axis=0), np.asarray(there.all(axis=0)))


def _fails(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    errors, _ = values(table, settings["algorithm"], "error", trials, limits=settings.get("cells"))
    success = _marks(table, settings["algorithm"], "recovered", settings, trials)
    return fails_everywhere(success, errors, above=settings["above"])


def _below(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    chosen = within(table, settings.get("cells", {}))
    return below_limit(
        table.loc[chosen, settings["value"]].to_numpy(), limit=settings["limit"], beyond=settings["beyond"]
    )


def _curve(
    table: pd.DataFrame, algorithm: str, settings: Settings, trials: range
) -> tuple[np.ndarray, np.ndarray]:
    limits = settings.get("cells", {})
    found, (x,) = outcomes(table, algorithm, settings["condition"], [settings["along"]], limits, trials)
    return found, x


def _gap(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    a, x = _curve(table, settings["better"], settings, trials)
    b, _ = _curve(table, settings["than"], settings, trials)
    falls = settings["success"] == "falls"
    return slightly_more(a, b, x, falls=falls, largest=settings["largest"], seed=seed)


def _same_curve(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    a, x = _curve(table, settings["one"], settings, trials)
    b, _ = _curve(table, settings["other"], settings, trials)
    falls = settings["success"] == "falls"
    return thresholds_equal(a[None], b[None], x, falls=falls, seed=seed, fewest=1, **settings["margin"])


VALUE_RUNS: dict[str, Callable[..., Decision]] = {
    "T-PROP": _share,
    "T-ORD values": _smaller,
    "T-EQ values": _similar,
    "T-EQ curve": _same_curve,
    "T-BEST": _best,
    "T-WITHIN": _within,
    "T-MUCH": _much,
    "T-MUCH beside": _much,
    "T-BAND": _band,
    "T-PRO": _proportional,
    "T-TIME": _time,
    "T-FAIL": _fails,
    "T-LIMIT": _below,
    "T-GAP": _gap,
}
