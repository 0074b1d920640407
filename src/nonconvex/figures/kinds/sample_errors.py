"""Error against the number of samples, and its ratio to the noise level."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from nonconvex.figures.looks import Look
from nonconvex.figures.parts.convergent import middle
from nonconvex.figures.parts.curve_panels import (
    Curve,
    CurvePanel,
    columns_of,
    curve_key,
    curve_panels,
    shown,
    within_words,
)
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.limits import log_limits, log_ticks, quiet_log, round_ticks
from nonconvex.figures.parts.samples import (
    COUNTS,
    drawn_name,
    mark_unknowns,
    places,
    samples_label,
    unknowns_key,
)
from nonconvex.figures.parts.scale import SCALES
from nonconvex.figures.style import INK, MUTED, TWO_COLUMNS, house_style
from nonconvex.vocabulary import number, power_of_ten, symbol, words_of

_TOP = 10.0
_FEW = 6  # places so few have a tick each


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the errors of Figures 4.8, 5.8, 5.9, 6.6, 6.9 and their like.

    Per curve the mean (or median) error over all trials, with a band without the extreme tenth at each end;
    both axes are logarithmic, and where the axis counts samples a vertical line marks the number of unknown
    weights. Where curves belong to noise levels, a panel on the right has the same errors over the level of
    the curve: at the horizontal line the error is as large as the noise level.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``panels``, ``by``, ``each``, ``within`` and ``labels``, as
        `nonconvex.figures.parts.curve_panels` has them; ``x``, the axis (by default each panel's first one
        that is not ``by``); ``centre``, ``mean`` (default) or ``median``; ``column``, what is drawn
        (``error``); ``floor``, below which errors are drawn at the floor, hollow, so that the curves above
        have the room; ``scale``, that of ``x``, ``log`` (default) or ``root``, of square roots, where the
        ratio to the noise level is drawn on a linear axis, for laws of the square root to be straight;
        ``columns``, how many panels stand side by side (all, or as many as ``each`` makes).
    tables : dict of str to pandas.DataFrame
        One row per outcome.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per curve and place: panel, experiment, algorithm, value (of ``by``), x, trials,
        diverged, centre, low, high, and ratio, the centre over the noise level (nan without noise).
    """
    options = plan.get("options", {})
    panels = curve_panels(plan, tables)
    numbers = pd.concat(
        [_points(plan, panel, curve) for panel in panels for curve in panel.curves], ignore_index=True
    )
    with_ratio = numbers["ratio"].notna().any()
    count = len(panels) + with_ratio
    columns = columns_of(plan, panels, count)
    rows = -(-count // columns)
    size = TWO_COLUMNS if columns > 1 else TWO_COLUMNS * 0.7
    figure = Figure(figsize=(size, 1.1 + 2.4 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in grid[count:]:
        axes.set_axis_off()
    floor = options.get("floor", 0.0)
    marked = False
    for axes, panel in zip(grid, panels, strict=False):
        own = numbers[numbers["panel"] == panel.title]
        for curve in panel.curves:
            _curve(axes, _of(own, curve), curve.look, "centre", floor)
        marked |= _x_axis(axes, plan, panel, own)
        compared = numbers if _alike(panels) else own
        errors = compared[["centre", "low", "high"]].clip(lower=floor)
        limits = log_limits(errors, top=_TOP)
        axes.set(yscale="log", ylim=limits, title=panel.title)
        log_ticks(axes.yaxis, limits)
    for axes in grid[:count:columns]:
        axes.set_ylabel(f"{options.get('centre', 'mean')} {options.get('column', 'error').replace('_', ' ')}")
    if with_ratio:
        _ratio_panel(grid[count - 1], plan, panels[0], numbers)
    handles = curve_key(panels)
    if marked:
        parameters = plan["experiments"][panels[0].experiments[0]]["parameters"]
        handles.append(unknowns_key(_axis_of(numbers), parameters, words_of(plan)))
    if (numbers["centre"] < floor).any():
        handles.append(_floor_key(floor))
    note = ". ".join([*within_words(plan, panels), _note(numbers, options)])
    frame(figure, shown(plan, panels), handles, note)
    return figure, numbers


def _alike(panels: Sequence[CurvePanel]) -> bool:
    """Tell whether panels show one experiment or several algorithms of it, so that their axes must agree."""
    return len({panel.experiments for panel in panels}) == 1


def _points(plan: Mapping[str, Any], panel: CurvePanel, curve: Curve) -> pd.DataFrame:
    options = plan.get("options", {})
    experiment = plan["experiments"][curve.experiment]
    parameters = experiment["parameters"] | panel.where
    free = [name for name in experiment["axes"] if name != panel.by and name not in panel.where]
    x = options.get("x") or free[0]
    level = curve.value if panel.by == "noise" else parameters.get("noise", 0)
    rows = []
    for value, place in zip(parameters[x], places(x, parameters[x], parameters), strict=True):
        own = curve.rows[curve.rows[x] == value]
        diverged = own["status"] == "diverged"  # at whatever number it was stopped: larger than all others
        errors = own[options.get("column", "error")].mask(diverged).fillna(np.inf).to_numpy(dtype=float)
        average = np.median if options.get("centre") == "median" else np.mean
        centre = float(average(errors)) if len(errors) else np.nan
        low, high = middle(errors)
        rows.append(
            {
                "panel": panel.title,
                "experiment": curve.experiment,
                "algorithm": curve.algorithm,
                "value": curve.value,
                drawn_name(x): place,
                "x": place,
                "trials": len(own),
                "diverged": int(diverged.sum()),
                "centre": centre,
                "low": low,
                "high": high,
                "ratio": centre / level if level and not isinstance(level, list) else np.nan,
            }
        )
    return pd.DataFrame(rows).replace(np.inf, np.nan).sort_values("x", ignore_index=True)


def _of(numbers: pd.DataFrame, curve: Curve) -> pd.DataFrame:
    same = (numbers["algorithm"] == curve.algorithm) & (numbers["experiment"] == curve.experiment)
    return numbers[same & ((numbers["value"] == curve.value) | (curve.value is None))]


def _curve(axes: Axes, points: pd.DataFrame, one: Look, column: str, floor: float = 0.0) -> None:
    if column == "centre":
        low, high = (points[name].clip(lower=floor) for name in ("low", "high"))
        axes.fill_between(points["x"], low, high, color=one.color, alpha=0.13, linewidth=0, zorder=1)
    at = points[column].clip(lower=floor)
    axes.plot(points["x"], at, color=one.color, linestyle=one.line, linewidth=1.3, zorder=3)
    for hollow in (False, True):
        some = (points[column] < floor) == hollow
        look = one.markers(hollow)
        axes.plot(points["x"][some], at[some], color=one.color, linestyle="none", zorder=4, **look)


def _floor_key(floor: float) -> Line2D:
    label = f"hollow: below {power_of_ten(floor)}"
    return Line2D([], [], color=INK, linestyle="none", label=label, **Look(INK, "o").markers(hollow=True))


def _axis_of(numbers: pd.DataFrame) -> str:
    return next(one for one in numbers.columns if one not in _COLUMNS)


def _x_axis(axes: Axes, plan: Mapping[str, Any], panel: CurvePanel, points: pd.DataFrame) -> bool:
    """Fit the axis to the places; tell whether the number of unknown weights is marked on it."""
    name, words = _axis_of(points), words_of(plan)
    scale = plan.get("options", {}).get("scale", "log")
    SCALES[scale].set(axes, "x")
    limits = float(points["x"].min()) / 1.15, float(points["x"].max()) * 1.15
    axes.set_xlim(limits)
    axes.xaxis.set_minor_locator(NullLocator())
    measured = sorted(set(points["x"]))
    ticks = measured if len(measured) <= _FEW else round_ticks(limits)
    axes.set_xticks(ticks, [number(tick) for tick in ticks])
    axes.set_xlabel(SCALES[scale].labelled(samples_label(name, words), symbol(name, words)))
    if name not in COUNTS:
        return False
    return mark_unknowns(axes, plan["experiments"][panel.experiments[0]]["parameters"] | panel.where)


_COLUMNS = (
    *("panel", "experiment", "algorithm", "value", "x", "trials", "diverged", "centre", "low", "high"),
    "ratio",
)


def _ratio_panel(axes: Axes, plan: Mapping[str, Any], panel: CurvePanel, numbers: pd.DataFrame) -> None:
    own = numbers[numbers["ratio"].notna()]
    for curve in panel.curves:
        _curve(axes, _of(own, curve), curve.look, "ratio")
    _x_axis(axes, plan, panel, own)
    limits = log_limits(own["ratio"])
    axes.set_title("Error over the noise level")
    if plan.get("options", {}).get("scale") == "root":
        axes.set_ylim(0, max(float(own["ratio"].max()) * 1.08, 1.1))
    else:
        axes.set(yscale="log", ylim=(min(limits[0], 0.8), limits[1]))
        quiet_log(axes.yaxis, (1, 10))
    axes.axhline(1, color=MUTED, linewidth=0.8, zorder=0)
    axes.set_ylabel(f"error over {symbol('noise', words_of(plan))}")


def _note(numbers: pd.DataFrame, options: Mapping[str, Any]) -> str:
    note = [f"Lines: {options.get('centre', 'mean')}s over all trials"]
    if (numbers["trials"] > 1).any():
        note.append("bands: the trials, less the extreme tenth at each end")
    behind = numbers.loc[numbers["trials"] > 0, "trials"]
    if "within" in options and len(behind):
        note.append(f"{behind.min()} to {behind.max()} trials behind a point")
    diverged = int(numbers["diverged"].sum())
    if diverged:
        note.append(f"{diverged} of {int(numbers['trials'].sum())} trials diverged; no mean where one did")
    return "; ".join(note)
