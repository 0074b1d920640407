"""Share of successful trials against an axis, with Wilson's 95 % band."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import Transform

from nonconvex.figures.looks import Look
from nonconvex.figures.parts.counts import count_outcomes
from nonconvex.figures.parts.curve_panels import Curve, CurvePanel, curve_key, curve_panels, shown
from nonconvex.figures.parts.dodge import dodged
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.limits import quiet_log
from nonconvex.figures.parts.samples import (
    COUNTS,
    drawn_name,
    mark_unknowns,
    places,
    samples_label,
    unknowns_key,
)
from nonconvex.figures.parts.sizes import draw_sizes
from nonconvex.figures.style import TWO_COLUMNS, house_style
from nonconvex.vocabulary import number, power_of_ten, words_of

_STEP = 3.4  # points from curve to curve
_ROOM = 0.6  # of the way to the next place, from the first curve to the last


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the success rates of Figures 4.3, 5.6, 5.7, 6.5 and their like.

    Curves are set a few points apart on paper, sideways, so that equal ones stay visible. Where the axis
    counts samples, a vertical line marks the number of unknown weights. A last panel may show the errors of
    the first one's curves against a size that comes out of their draws (`nonconvex.figures.parts.sizes`).

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``panels``, ``by`` and ``labels``, as
        `nonconvex.figures.parts.curve_panels` has them; ``x``, the axis (by default each panel's first one
        that is not ``by``); ``logarithmic``, the panels (by place, from 0) whose axis is; ``columns``, how
        many panels stand side by side (all); ``sizes``, that last panel: ``size`` and ``column``, the columns
        of the table that hold size and error (``error``), and ``title``.
    tables : dict of str to pandas.DataFrame
        One row per outcome.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per curve and place: panel, experiment, algorithm, value (of ``by``), x, trials,
        successes, share and Wilson's interval, diverged, failed, mean_iterations; and for ``sizes`` those of
        `nonconvex.figures.parts.sizes.draw_sizes`.
    """
    options = plan.get("options", {})
    panels = curve_panels(plan, tables)
    count = len(panels) + ("sizes" in options)
    columns = min(count, options.get("columns", count))
    rows = -(-count // columns)
    size = TWO_COLUMNS if columns > 1 else TWO_COLUMNS * 0.7
    figure = Figure(figsize=(size, 1.1 + 2.3 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, sharey="sizes" not in options, squeeze=False).ravel()
    numbers = []
    marked: dict[str, Line2D] = {}
    logarithmic = options.get("logarithmic", ())
    for index, (axes, panel) in enumerate(zip(grid, panels, strict=False)):
        x = _axis(plan, panel)
        parts = [_points(plan, curve, panel, x) for curve in panel.curves]
        numbers += parts
        step = min(_step(one["x"], len(parts), columns, logarithmic=index in logarithmic) for one in parts)
        for order, (curve, points) in enumerate(zip(panel.curves, parts, strict=True)):
            _curve(axes, points, curve.look, dodged(axes, order, len(parts), step))
        _x_axis(axes, plan, panel, x, logarithmic=index in logarithmic)
        sampled = drawn_name(x) in COUNTS
        parameters = plan["experiments"][panel.experiments[0]]["parameters"] | panel.where
        if sampled and mark_unknowns(axes, parameters):
            marked[drawn_name(x)] = unknowns_key(drawn_name(x), parameters, words_of(plan))
        axes.set_title(panel.title)
    for axes in grid[count:]:
        axes.set_axis_off()
    for index, axes in enumerate(grid[: len(panels)]):
        if index % columns == 0:
            axes.set_ylabel("share of successful trials")
        axes.set_ylim(-0.06, 1.06)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "¼", "½", "¾", "1"])
    lines: list[Line2D] = []
    if "sizes" in options:
        points, lines = draw_sizes(grid[count - 1], plan, panels[0], _axis(plan, panels[0]), options["sizes"])
        numbers.append(points)
    note = _criterion(plan, panels) + "; bands: Wilson's 95 % intervals"
    if any(len(panel.curves) > 1 for panel in panels):
        note += "; curves of one panel are drawn a few points apart, sideways"
    if lines:
        note += "; errors: means over all trials, whiskers the trials, less the extreme tenth at each end"
    frame(figure, shown(plan, panels), [*curve_key(panels), *marked.values(), *lines], note)
    return figure, pd.concat(numbers, ignore_index=True)


def _axis(plan: Mapping[str, Any], panel: CurvePanel) -> str:
    axes = plan["experiments"][panel.experiments[0]]["axes"]
    free = [name for name in axes if name != panel.by and name not in panel.where]
    return plan.get("options", {}).get("x") or free[0]


def _points(plan: Mapping[str, Any], curve: Curve, panel: CurvePanel, x: str) -> pd.DataFrame:
    parameters = plan["experiments"][curve.experiment]["parameters"]
    values = parameters[x] if isinstance(parameters[x], list) else [parameters[x]]
    fixed = parameters | panel.where | ({panel.by: curve.value} if panel.by else {})
    rows = []
    for value, place in zip(values, places(x, values, fixed), strict=True):
        rows.append(
            {
                "panel": panel.title,
                "experiment": curve.experiment,
                "algorithm": curve.algorithm,
                "value": curve.value,
                drawn_name(x): place,
                "x": place,
                **count_outcomes(curve.rows[curve.rows[x] == value]),
            }
        )
    return pd.DataFrame(rows).sort_values("x", ignore_index=True)


def _curve(axes: Axes, points: pd.DataFrame, one: Look, shifted: Transform) -> None:
    common: dict[str, Any] = {"color": one.color, "transform": shifted}
    axes.fill_between(
        points["x"], points["share_low"], points["share_high"], alpha=0.13, linewidth=0, zorder=1, **common
    )
    axes.plot(
        points["x"], points["share"], linestyle=one.line, linewidth=1.3, zorder=3, **common, **one.markers()
    )


def _step(x: pd.Series, curves: int, columns: int, *, logarithmic: bool) -> float:
    """Return how many points curves are set apart, so that those of one place stay together."""
    at = np.log(x.to_numpy(dtype=float)) if logarithmic else x.to_numpy(dtype=float)
    if len(at) < 2 or curves < 2:
        return _STEP
    width = 72 * 0.8 * TWO_COLUMNS / columns
    gap = width * np.diff(at).min() / (at[-1] - at[0])
    return float(min(_STEP, _ROOM * gap / (curves - 1)))


def _x_axis(axes: Axes, plan: Mapping[str, Any], panel: CurvePanel, x: str, *, logarithmic: bool) -> None:
    axes.set_xlabel(samples_label(x, words_of(plan)))
    at = [value for curve in panel.curves for value in _points(plan, curve, panel, x)["x"]]
    low, high = min(at), max(at)
    if logarithmic:
        axes.set_xscale("log")
        quiet_log(axes.xaxis, (1, 1e9))
        ticks = sorted(set(at))
        axes.set_xticks(ticks, [number(int(tick)) if tick == int(tick) else number(tick) for tick in ticks])
        axes.set_xlim(low / 1.3, high * 1.3)
    else:
        margin = 0.05 * (high - low) or 1
        axes.set_xlim(low - margin, high + margin)


def _criterion(plan: Mapping[str, Any], panels: Sequence[CurvePanel]) -> str:
    """Say what counts as a success, and in which panels where that differs."""
    titles: dict[str, dict[str, None]] = {}
    for panel in panels:
        for name in panel.experiments:
            success = plan["experiments"][name].get("success")
            if success is None:
                continue
            text = f"{success['column'].replace('_', ' ')} below {power_of_ten(success['below'])}"
            titles.setdefault(text, {})[panel.title] = None
    most = max(titles, key=lambda text: len(titles[text]), default="")
    others = [
        f"in {', '.join(f'“{title}”' for title in where)} {text}"
        for text, where in titles.items()
        if text != most
    ]
    return f"Success: {', '.join([most, *others])}"
