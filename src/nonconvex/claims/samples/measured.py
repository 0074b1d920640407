"""What measures the quantities of claims files, by their names: from tables and settings."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from nonconvex.claims.quantities import laws, shares, spreads, values
from nonconvex.claims.quantities.decay import DECADES, even_decay
from nonconvex.claims.quantities.measure import Measure, exponential, less
from nonconvex.claims.quantities.numbers import extremes, median
from nonconvex.claims.quantities.points import Points
from nonconvex.claims.quantities.ranges import ratio_of_ranges
from nonconvex.claims.quantities.reach import reaches
from nonconvex.claims.quantities.thresholds import difference_of_thresholds, threshold
from nonconvex.claims.samples.arrays import array_of
from nonconvex.claims.samples.law_points import curves, points
from nonconvex.claims.samples.sides import Side, common_axes, first_side, second_side, shared
from nonconvex.claims.samples.values import reached
from nonconvex.claims.words.conditions import OPPOSITE
from nonconvex.claims.words.limits import within
from nonconvex.claims.words.quantity import LEVELS


class Sample(NamedTuple):
    """What a quantity is measured on: a table, a second one where there is one, and which trials."""

    table: pd.DataFrame
    beside: pd.DataFrame | None
    trials: range
    seed: int


Settings = Mapping[str, Any]


def _share(sample: Sample, settings: Settings) -> Measure:
    one = first_side(sample.table, settings, sample.trials)
    marks = one.marks(settings["condition"], one.axes)
    return shares.share(marks.reshape(-1, len(sample.trials)), one.names(one.axes))


def _difference_of_shares(sample: Sample, settings: Settings) -> Measure:
    return _gain(sample.table, settings, sample.trials)


def _gain(table: pd.DataFrame, settings: Settings, trials: range) -> Measure:
    good = settings.get("condition", "recovered")
    bad = settings.get("against") or OPPOSITE[good]
    pair = first_side(table, settings, trials), second_side(table, None, settings, trials)
    axes = pair[0].axes
    marks = [[side.marks(word, axes).reshape(-1, len(trials)) for word in (good, bad)] for side in pair]
    (good_a, bad_a), (good_b, bad_b) = marks
    names = pair[0].names(axes)
    mixed = settings.get("mixed_only", False)
    return shares.difference_of_shares(good_a & bad_b, good_b & bad_a, names, mixed=mixed)


def _difference_of_gains(sample: Sample, settings: Settings) -> Measure:
    assert sample.beside is not None
    return less(*(_gain(table, settings, sample.trials) for table in (sample.table, sample.beside)))


def _threshold(sample: Sample, settings: Settings) -> Measure:
    marks, x, falls = curves(first_side(sample.table, settings, sample.trials), settings)
    low, high = settings.get("bounds", (-np.inf, np.inf))
    return threshold(marks[0], x, falls=falls, bounds=(low, high))


def _difference_of_thresholds(sample: Sample, settings: Settings) -> Measure:
    one = first_side(sample.table, settings, sample.trials)
    other = second_side(sample.table, sample.beside, settings, sample.trials)
    axes = [settings[key] for key in ("rows", "along") if key in settings]
    one, other = shared(one, other, axes)
    a, x, falls = curves(one, settings)
    b, _, _ = curves(other, settings)
    names = one.names([settings["rows"]]) if "rows" in settings else [""]
    return difference_of_thresholds(a, b, x, names, falls=falls, unit=settings.get("unit", "axis"))


def _mean(sample: Sample, settings: Settings) -> Measure:
    one = first_side(sample.table, settings, sample.trials)
    found = one.values(settings, one.axes).reshape(-1, len(sample.trials))
    return values.mean(found, one.names(one.axes), geometric=settings.get("geometric", False))


def _ratio(sample: Sample, settings: Settings) -> Measure:
    over = settings.get("over", settings["of"])
    others = [over] if isinstance(over, str) else over
    a: np.ndarray = np.empty(0)
    b, names = {}, []
    for name in others:
        one = first_side(sample.table, settings, sample.trials)
        other = second_side(sample.table, sample.beside, settings, sample.trials, name)
        axes = common_axes(one, other, settings)
        one, other = shared(one, other, axes)
        a = one.values(settings, axes).reshape(-1, len(sample.trials))
        b[name] = other.values(settings, axes, "over_").reshape(-1, len(sample.trials))
        names = one.names(axes)
    return values.ratio(a, b, names)


def _ratio_of_ratios(sample: Sample, settings: Settings) -> Measure:
    def log_ratio(table: pd.DataFrame) -> Measure:
        one, other = (
            first_side(table, settings, sample.trials),
            second_side(table, None, settings, sample.trials),
        )
        n = len(sample.trials)
        return values.log_ratio(
            one.values(settings, one.axes).reshape(-1, n),
            other.values(settings, one.axes, "over_").reshape(-1, n),
        )

    assert sample.beside is not None
    return exponential(less(log_ratio(sample.table), log_ratio(sample.beside)))


def _points(one: Side, settings: Settings, seed: int, *, geometric: bool) -> Points:
    return points(one, settings, seed, geometric=geometric)[0]


def _change(sample: Sample, settings: Settings) -> Measure:
    one = first_side(sample.table, settings, sample.trials)
    whole, strata = points(one, settings, sample.seed, geometric=True)
    measure = laws.change(whole)
    alone = {f"at {name}": laws.change(own) for name, own in strata.items()}
    rows = {name: own.at for name, own in alone.items() if not own.short}
    return replace(measure, rows={**measure.rows, **rows})


def _slopes(sample: Sample, settings: Settings, *, geometric: bool) -> tuple[Points, Points | None]:
    points = _points(
        first_side(sample.table, settings, sample.trials), settings, sample.seed, geometric=geometric
    )
    if "over" not in settings and "over_cells" not in settings and sample.beside is None:
        return points, None
    other = second_side(sample.table, sample.beside, settings, sample.trials)
    return points, _points(other, settings, sample.seed, geometric=geometric)


def _slope(sample: Sample, settings: Settings) -> Measure:
    points, beside = _slopes(sample, settings, geometric=False)
    return laws.slope(points, settings["function"], less=beside)


def _log_slope(sample: Sample, settings: Settings) -> Measure:
    points, beside = _slopes(sample, settings, geometric=True)
    return laws.log_slope(points, less=beside)


def _distance(sample: Sample, settings: Settings) -> Measure:
    points = _points(
        first_side(sample.table, settings, sample.trials), settings, sample.seed, geometric=False
    )
    return laws.deviation(points, settings["function"], settings.get("rivals", ()))


def _ratio_of_ranges(sample: Sample, settings: Settings) -> Measure:
    one = first_side(sample.table, settings, sample.trials)
    other = second_side(sample.table, sample.beside, settings, sample.trials)
    here, there = (_points(side, settings, sample.seed, geometric=False) for side in (one, other))
    return ratio_of_ranges(here, there)


def _change_of_reach(sample: Sample, settings: Settings) -> Measure:
    one = first_side(sample.table, settings, sample.trials)
    axes = [settings["per"], settings["along"]]
    levels, x = (one.levels(axis).astype(float) for axis in axes)
    found = one.values(settings, axes)
    return laws.change(reaches(found, levels, x, sample.seed, settings["function"]))


def _steepest(sample: Sample, settings: Settings) -> Measure:
    one = first_side(sample.table, settings, sample.trials)
    return spreads.steepest_fall(_points(one, settings, sample.seed, geometric=True))


def _spread(sample: Sample, settings: Settings) -> Measure:
    one = first_side(sample.table, settings, sample.trials)
    found = one.values(settings, [settings["per"]])
    # A trial without a rate does not move.
    return spreads.relative_spread(np.where(np.isfinite(found), found, 0.0))


def _band(sample: Sample, settings: Settings) -> Measure:
    one = first_side(sample.table, settings, sample.trials)
    found = one.values(settings, one.axes).reshape(-1, len(sample.trials))
    low, high = settings["band"]
    return spreads.spreads_in_band(found, (low, high))


def _decay(sample: Sample, settings: Settings) -> Measure:
    one = first_side(sample.table, settings, sample.trials)
    rows, axes = one.rows, one.axes
    if "iteration" in rows:
        parts = [reached(rows, {"error": level}) for level in DECADES]
        steps = [np.where(part["reached"], part["iterations"], np.nan) for part in parts]
        rows = parts[0].assign(status=reached(rows, {"stop": True})["status"])
    else:
        decades = [f"iterations_{label}" for label, level in LEVELS.items() if level in DECADES]
        names = settings.get("milestones", decades)
        steps = [rows[name].to_numpy(dtype=float) for name in names]
    ended = rows["status"].isin(["diverged", "stalled", "failed"]).to_numpy()
    words = "decades", "1e-5"
    if "milestones" in settings:
        # Steps from the start on; an error that never comes to one of them does not fall.
        words, ended = ("steps", settings["milestones"][-1]), ended | np.isnan(steps).any(axis=0)
        steps.insert(0, np.zeros(len(rows)))
    n = len(sample.trials)
    found = [array_of(rows, step, axes, sample.trials)[0].reshape(-1, n) for step in steps]
    inside = one.among(settings, axes).reshape(-1, n) if "among" in settings else None
    never = array_of(rows, ended, axes, sample.trials)[0].reshape(-1, n)
    return even_decay(np.stack(found), never, inside, words=words)


def _every_value(sample: Sample, settings: Settings) -> Measure:
    table = sample.table
    rows = table[table["trial"].isin(sample.trials)] if "trial" in table else table
    chosen = rows.loc[within(rows, settings.get("cells", {})), settings["column"]]
    return extremes(chosen.to_numpy(dtype=float), settings.get("pick", "all"))


def _context(sample: Sample, settings: Settings) -> Measure:
    one = first_side(sample.table, settings, sample.trials)
    found = one.values(settings, one.axes).reshape(-1, len(sample.trials))
    return median(found, settings.get("stated"))


MEASURES: dict[str, Callable[[Sample, Settings], Measure]] = {
    "share": _share,
    "difference of shares": _difference_of_shares,
    "difference of gains": _difference_of_gains,
    "threshold": _threshold,
    "difference of thresholds": _difference_of_thresholds,
    "mean": _mean,
    "ratio of values": _ratio,
    "ratio of ratios": _ratio_of_ratios,
    "change": _change,
    "slope": _slope,
    "log-log slope": _log_slope,
    "distance from a line": _distance,
    "ratio of ranges": _ratio_of_ranges,
    "change of reach": _change_of_reach,
    "place of the steepest fall": _steepest,
    "relative spread": _spread,
    "spreads in a band": _band,
    "even decay": _decay,
    "every value": _every_value,
    "value for context": _context,
}
