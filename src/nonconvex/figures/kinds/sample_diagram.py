"""Phase diagrams of the number of samples: shares of success, the unknown weights, and the 50 % line."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import patheffects
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import NullLocator

from nonconvex.figures.parts.curve_panels import CurvePanel, curve_panels, shown
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.grid import EMPTY, LINES, cell_edges
from nonconvex.figures.parts.sample_cells import fitted_line, half_points, sample_cells
from nonconvex.figures.parts.samples import drawn_name, per_unknown, unknowns_symbol
from nonconvex.figures.style import AGAIN, TWO_COLUMNS, house_style
from nonconvex.vocabulary import axis_label, number, symbol, words_of

_HALO = [patheffects.withStroke(linewidth=3.4, foreground="white")]
_TICKS = (0.5, 0.8, 1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
_THEORY: dict[str, Any] = {"color": "#0072B2", "linestyle": (0, (4, 1.5)), "linewidth": 1.5}
_HALF: dict[str, Any] = {
    "color": "#D7301F",
    "marker": "o",
    "markersize": 4.4,
    "markeredgecolor": "white",
    "markeredgewidth": 0.5,
}
_OTHER: dict[str, Any] = {
    "color": AGAIN,
    "marker": "D",
    "markersize": 4.0,
    "markerfacecolor": "white",
    "linestyle": "none",
}


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the phase diagrams of Figures 4.6, 4.7, 4.9, 4.12, 5.5 and their like.

    White cells succeeded in every trial, black ones in none. The axis of samples is drawn per unknown
    weight where all panels' experiments count them so, which gives all columns the same cells; else in
    numbers of samples. A dashed line marks as many samples as unknown weights. Dots mark where half
    of the trials succeed (found as in `nonconvex.figures.parts.contour`; an arrowhead where that lies beyond
    the column's cells). The line through them is fitted by least squares to the numbers of samples, and
    curved where they are drawn per unknown weight.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``x``, the axis that is no number of samples (by default each panel's
        first axis), and ``y``, the other, both parameters; ``panels``, each of one algorithm, as
        `nonconvex.figures.parts.curve_panels` has them (``algorithms`` with one name, ``where`` to pick a
        noise level); a panel may also have ``also``, an experiment and its ``words``: the 50 % points of the
        same algorithm there are drawn as diamonds, and their line is told; ``logarithmic``, whether the axis
        of samples is; ``separate``, whether each panel has its own such axis; ``columns``, how many panels
        stand side by side (3).
    tables : dict of str to pandas.DataFrame
        One row per outcome.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per cell (``what`` = cell), per 50 % point (half; also, for the other experiment)
        and per panel (line, also line: slope, intercept, ratio of the fitted line). ``samples`` counts
        samples, ``height`` is where they are drawn.
    """
    options = plan.get("options", {})
    panels = curve_panels(plan, tables)
    columns = min(len(panels), options.get("columns", 3))
    rows = math.ceil(len(panels) / columns)
    width = TWO_COLUMNS if columns > 1 else TWO_COLUMNS * 0.6
    figure = Figure(figsize=(width, 1.35 + 2.5 * rows), layout="constrained")
    separate = bool(options.get("separate"))
    axes_of = [_axes(plan, panel, plan["experiments"][panel.experiments[0]]) for panel in panels]
    same = len({x for x, _ in axes_of}) == 1
    per_weight = all(per_unknown(y) for _, y in axes_of)
    grid = figure.subplots(rows, columns, sharex=same, sharey=not separate, squeeze=False).ravel()
    numbers = []
    handles: dict[str, Line2D] = {}
    entries = options.get("panels", [{}] * len(panels))
    spans = []
    for axes, panel, entry, (x, y) in zip(grid, panels, entries, axes_of, strict=False):
        (curve,) = panel.curves
        experiment = plan["experiments"][curve.experiment]
        unknown = unknowns_symbol(experiment["parameters"])
        handles = _theory_handle(symbol(drawn_name(y), words_of(plan)), unknown) | handles
        cells = sample_cells(curve.rows, x, y, experiment["parameters"] | panel.where)
        cells = cells if per_weight else cells.assign(height=cells["samples"])
        points = _placed(half_points(cells, x), per_weight)
        line = fitted_line(points, x)
        mesh, span = _cells(axes, cells, x, options.get("logarithmic"))
        spans.append(span)
        _theory(axes, cells, x, per_weight)
        _half(axes, points, line, x, per_weight)
        parts = [
            cells.assign(what="cell"),
            points.assign(what="half"),
            pd.DataFrame([line]).assign(what="line"),
        ]
        title = [panel.title, f"50 %: {_equation(plan, line, x, y)}{_ratio(line, unknown)}"]
        if "also" in entry:
            other = _also(plan, tables, entry["also"], curve.algorithm, x)
            beside = fitted_line(other, x)
            other = _placed(other[other["crossing"] == "inside"], per_weight)
            axes.plot(other[x], other["height"], zorder=6, **_OTHER)
            parts += [other.assign(what="also"), pd.DataFrame([beside]).assign(what="also line")]
            words = entry["also"]["words"]
            handles["also"] = Line2D([], [], label=words, **_OTHER)
            title.append(f"{words}: {_equation(plan, beside, x, y)}")
        title += _ended_badly(cells)
        axes.set_title("\n".join(title))
        front = {"panel": panel.title, "experiment": curve.experiment, "algorithm": curve.algorithm}
        both = pd.concat(parts, ignore_index=True).assign(**front)
        numbers.append(both[["what", *front, *[name for name in both if name not in ("what", *front)]]])
    _labels(grid, plan, axes_of, columns, spans, separate, per_weight)
    bar = figure.colorbar(mesh, ax=list(grid), ticks=[0, 0.25, 0.5, 0.75, 1], aspect=28, pad=0.015)
    bar.set_ticklabels(["0", "¼", "½", "¾", "1"])
    bar.set_label("share of successful trials")
    numbers = pd.concat(numbers, ignore_index=True)
    handles |= _half_handle(numbers)
    frame(figure, shown(plan, panels), list(handles.values()), _note(numbers, unknown))
    return figure, numbers


def _axes(plan: Mapping[str, Any], panel: CurvePanel, experiment: Mapping[str, Any]) -> tuple[str, str]:
    options = plan.get("options", {})
    free = [name for name in experiment["axes"] if name not in panel.where]
    return options.get("x", free[0]), options.get("y", free[-1])


def _placed(points: pd.DataFrame, per_weight: bool) -> pd.DataFrame:
    """Add where numbers of samples are drawn: as they are, or per unknown weight."""
    return points.assign(height=points["samples"] / (points["unknowns"] if per_weight else 1.0))


def _cells(
    axes: Axes, cells: pd.DataFrame, x: str, logarithmic: bool | None
) -> tuple[QuadMesh, tuple[float, float]]:
    """Draw the columns one by one: each has its own cells."""
    axes.patch.set(**EMPTY)
    at = sorted(set(cells[x]))
    edges = cell_edges(at)
    lows, highs = [], []
    for index, value in enumerate(at):
        column = cells[cells[x] == value]
        heights = cell_edges(column["height"].tolist(), "log" if logarithmic else "linear")
        lows.append(heights[0])
        highs.append(heights[-1])
        shares = np.ma.masked_invalid(column["share"].to_numpy(dtype=float)[:, None])
        mesh = axes.pcolormesh(
            edges[index : index + 2], heights, shares, cmap="gray", vmin=0, vmax=1, **LINES
        )
        for row in np.flatnonzero(np.isnan(column["share"])):
            corner = edges[index], heights[row]
            axes.add_patch(
                Rectangle(corner, edges[index + 1] - edges[index], heights[row + 1] - heights[row], **EMPTY)
            )
    axes.set(xlim=(edges[0], edges[-1]), xticks=at, xticklabels=[number(value) for value in at])
    if logarithmic:
        axes.set_yscale("log")
    return mesh, (max(min(lows), 1e-9) if logarithmic else min(lows), max(highs))


def _theory(axes: Axes, cells: pd.DataFrame, x: str, per_weight: bool) -> None:
    line = cells.groupby(x, sort=True)["unknowns"].first()
    within = (line >= cells["samples"].min()) & (line <= cells["samples"].max())
    if per_weight:
        axes.axhline(1, path_effects=_HALO, zorder=3, **_THEORY)
    elif within.sum() > 1:  # else at most a corner of it is in view
        axes.plot(line.index, line.to_numpy(), path_effects=_HALO, zorder=3, **_THEORY)


def _half(axes: Axes, points: pd.DataFrame, line: Mapping[str, float], x: str, per_weight: bool) -> None:
    inside = points[points["crossing"] == "inside"]
    if math.isfinite(line["slope"]):
        ends = np.linspace(points[x].min(), points[x].max(), 50)  # not straight on every axis
        over = np.interp(ends, points[x], points["unknowns"]) if per_weight else 1.0
        axes.plot(
            ends,
            (line["slope"] * ends + line["intercept"]) / over,
            color=_HALF["color"],
            linewidth=1.3,
            path_effects=_HALO,
            zorder=4,
        )
    axes.plot(inside[x], inside["height"], linestyle="none", zorder=5, **_HALF)
    for where, marker, place in (("above", "^", 0.965), ("below", "v", 0.035)):
        beyond = points.loc[points["crossing"] == where, x]
        axes.plot(
            beyond, [place] * len(beyond), transform=axes.get_xaxis_transform(), linestyle="none",
            marker=marker, color=_HALF["color"], markerfacecolor="white", markersize=5, zorder=5,
        )  # fmt: skip


def _also(
    plan: Mapping[str, Any],
    tables: Mapping[str, pd.DataFrame],
    entry: Mapping[str, Any],
    algorithm: str,
    x: str,
) -> pd.DataFrame:
    name = entry["experiment"]
    parameters = plan["experiments"][name]["parameters"]
    y = next(one for one in plan["experiments"][name]["axes"] if one != x)
    table = tables[name]
    return half_points(sample_cells(table[table["algorithm"] == algorithm], x, y, parameters), x)


def _equation(plan: Mapping[str, Any], line: Mapping[str, float], x: str, y: str) -> str:
    """Write the fitted line as an equation, for a panel's title."""
    words = words_of(plan)
    if not math.isfinite(line["slope"]):
        return "no line, too few points"
    samples, other = symbol(drawn_name(y), words), symbol(x, words)
    constant = float(f"{round(line['intercept'], 1):.3g}")  # three digits, and no power of ten
    shift = f" {'+' if constant > 0 else '−'} {number(abs(constant))}" if constant else ""
    return f"{samples} = {round(line['slope'], 2):.3g} {other}{shift}"


def _ratio(line: Mapping[str, float], unknown: str) -> str:
    return f" ({line['ratio']:.3g} {unknown})" if math.isfinite(line["slope"]) else ""


def _ended_badly(cells: pd.DataFrame) -> list[str]:
    """Tell, for a panel's title, how many of its trials diverged; nothing where none did."""
    count = int(cells["diverged"].sum())
    return [f"{count} of {int(cells['trials'].sum())} trials diverged"] if count else []


def _labels(
    grid: np.ndarray,
    plan: Mapping[str, Any],
    axes_of: Sequence[tuple[str, str]],
    columns: int,
    spans: Sequence[tuple[float, float]],
    separate: bool,
    per_weight: bool,
) -> None:
    words = words_of(plan)
    same = len({x for x, _ in axes_of}) == 1
    for axes in grid[len(axes_of) :]:
        axes.set_axis_off()
    for index, (axes, (x, y)) in enumerate(zip(grid, axes_of, strict=False)):
        low, high = spans[index] if separate else (min(s[0] for s in spans), max(s[1] for s in spans))
        axes.set_ylim(low if axes.get_yscale() == "log" else max(low, 0), high)
        if axes.get_yscale() == "log":
            axes.yaxis.set_minor_locator(NullLocator())
            ticks = [t for t in _TICKS if low <= t <= high]
            axes.set_yticks(ticks, [number(t) for t in ticks])
        if index + columns >= len(axes_of) or not same:
            axes.set_xlabel(axis_label(x, words))
            axes.tick_params(labelbottom=True)
        if index % columns == 0:
            axes.set_ylabel(axis_label(y if per_weight else drawn_name(y), words))


def _theory_handle(samples: str, unknown: str) -> dict[str, Line2D]:
    return {"theory": Line2D([], [], label=f"{samples} = {unknown}, the unknown weights", **_THEORY)}


def _half_handle(numbers: pd.DataFrame) -> dict[str, Line2D]:
    """Explain the 50 % points and the line through them, as far as some are drawn."""
    lines = bool(_of(numbers, "line")["slope"].notna().any())
    if not lines and not (_of(numbers, "half")["crossing"] == "inside").any():
        return {}
    label = "50 % succeed, and fitted line" if lines else "50 % succeed"
    return {"half": Line2D([], [], label=label, linewidth=1.3 if lines else 0, **_HALF)}


def _of(numbers: pd.DataFrame, what: str) -> pd.DataFrame:
    return numbers[numbers["what"] == what]


def _note(numbers: pd.DataFrame, unknown: str) -> str:
    note = []
    if _of(numbers, "line")["slope"].notna().any():
        note.append(f"in brackets: the mean of the 50 % points over {unknown}")
    if numbers["crossing"].isin(["above", "below"]).any():
        note.append("open arrowhead: half succeed beyond the cells")
    cells = _of(numbers, "cell")
    columns = cells.groupby(["panel", "unknowns"])["height"].agg(["min", "max"]).groupby("panel").nunique()
    if (columns > 1).any(axis=None) or (cells["trials"] == 0).any():
        note.append("hatched: no trial")
    return "; ".join(note)[:1].upper() + "; ".join(note)[1:]
