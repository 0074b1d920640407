"""Middles of trials along an axis, and straight lines in a law of the axis fitted to them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonconvex.figures.looks import Look
from nonconvex.figures.parts.curve_panels import CurvePanel, curve_key, curve_panels, shown
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.law_axis import LawAxis, law_axis
from nonconvex.figures.parts.law_points import FEWEST, LAWS, fitted, middles, within
from nonconvex.figures.parts.laws import INVERSE_ROOT
from nonconvex.figures.parts.limits import log_limits, log_ticks
from nonconvex.figures.style import INK, MUTED, TWO_COLUMNS, house_style
from nonconvex.vocabulary import axis_label, number, symbol, words_of

_TOP = 10.0
_BEYOND = 0.6  # how far bands are shown beyond the middles, of their range
_FEW = 3  # trials; intervals of the mean of fewer are of no use to anyone
_FIT: dict[str, Any] = {"linestyle": (0, (4, 1.2, 1, 1.2)), "linewidth": 0.9}
_MARK: dict[str, Any] = {"color": MUTED, "linewidth": 0.7, "linestyle": (0, (2, 2))}
_LEVEL: dict[str, Any] = {"linestyle": (0, (1, 2)), "linewidth": 0.9}
_SIGNS = {"o": "●", "s": "■", "^": "▲", "D": "◆", "v": "▼", "P": "✚", "X": "✖", "d": "◆"}


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the curves of Figures 7.4 to 7.8 and their like.

    Per curve and place of the axis the median (or mean) of a column over all trials, with a band: the trials
    without the extreme tenth at each end, the 95 % interval of their mean, or how far they deviate from the
    point after each one's own mean along the axis is taken out, which is what curves over the same draws are
    compared by. A trial that
    diverged or failed counts as larger than all others; a hollow marker has the number of these beside it,
    and a cross at the upper edge stands where half or more did. With a law, a dash-dotted line is fitted to
    the middles (`nonconvex.figures.parts.law_points`) and the title has its R^2; in 1/sqrt(x) the axis is
    scaled so that the line is straight, and x = 0, which has no place on such an axis, stands apart on the
    left, with a dotted line at its level.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``panels``, ``by`` and ``labels``, as
        `nonconvex.figures.parts.curve_panels` has them; a panel may also have ``column``, what it shows,
        ``apart``, an axis each of whose values gets a panel of its own, and ``logarithmic``, which axes are:
        ``x``, ``y`` or ``xy``. For all panels: ``column``; ``x``, the axis (by default each panel's first one
        that tells nothing else); ``law``, ``linear`` or ``inverse root`` (none by default); ``centre``,
        ``median`` (default) or ``mean``; ``bands``, ``trials`` (default), ``interval`` or ``within``;
        ``names``, what columns are called; ``mark``, places of the axis with a vertical line, each with its
        words; ``columns``, how many panels stand side by side (all, up to 3); ``separate``, whether each
        panel has its own upright axis.
    tables : dict of str to pandas.DataFrame
        One row per outcome, or per row of a table without algorithms.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per curve and place (``what`` = point: x, trials, diverged, centre, low, high,
        mean_of_others) and, with a law, per curve (line: law, slope, intercept, r_squared, points), each with
        panel, experiment, algorithm, value (of ``by``) and column.
    """
    options = plan.get("options", {})
    entries = list(_entries(plan))
    plan = {**plan, "options": {**options, "panels": entries}}
    panels = curve_panels(plan, tables)
    columns = min(len(panels), options.get("columns", 3))
    rows = -(-len(panels) // columns)
    size = TWO_COLUMNS if columns > 1 else TWO_COLUMNS * 0.7
    height = 1.3 if columns > 1 else 2.0  # of what stands around the panels: in a narrow figure more lines
    figure = Figure(figsize=(size, height + 2.35 * rows), layout="constrained")
    separate = bool(options.get("separate"))
    grid = figure.subplots(rows, columns, sharey=not separate, squeeze=False).ravel()
    numbers, drawn = [], []
    for axes, panel, entry in zip(grid, panels, entries, strict=False):
        x, column = _axis(plan, panel), entry.get("column", options["column"])
        parts = [_points(curve.rows, x, column, options) for curve in panel.curves]
        scale = entry.get("logarithmic", "")
        drawn.append((axes, scale, pd.concat(parts)))
        at = law_axis(pd.concat(parts)["x"], options.get("law"), logarithmic="x" in scale)
        lines = []
        for curve, points in zip(panel.curves, parts, strict=True):
            _curve(axes, points, curve.look, at)
            front = {
                "panel": panel.title, "experiment": curve.experiment, "algorithm": curve.algorithm,
                "value": curve.value, "column": column,
            }  # fmt: skip
            numbers.append(points.assign(what="point", **front))
            if "law" in options:
                line = fitted(points, options["law"])
                _line(axes, line, points, curve.look, at)
                lines.append((curve.look, line["r_squared"], line["deviation"]))
                numbers.append(pd.DataFrame([line]).assign(what="line", **front))
        at.fit(axes)
        axes.set_xlabel(_label(plan, x, root=at.root, narrow=columns > 2))
        for place in options.get("mark", {}):
            axes.axvline(float(place), zorder=0, **_MARK)
        axes.set_title("\n".join([panel.title, *_explained(lines)]))
        axes.set_ylabel(_named(column, options))
    numbers = pd.concat(numbers, ignore_index=True)
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    _heights(drawn, separate=separate, whole=options.get("bands") == "interval")
    numbers = numbers[["what", *numbers.columns.drop("what")]]
    handles = [*curve_key(panels), *_handles(plan, numbers)]
    frame(figure, shown(plan, panels), handles, _note(numbers, options))
    return figure, numbers


def _entries(plan: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the panels' entries; one that is taken apart becomes one for each value of that axis."""
    options = plan.get("options", {})
    for entry in options.get("panels", [{"experiment": name} for name in plan["experiments"]]):
        if "apart" not in entry:
            yield dict(entry)
            continue
        axis, name = entry["apart"], entry.get("experiment", entry.get("experiments", [""])[0])
        for value in plan["experiments"][name]["parameters"][axis]:
            words = f"{symbol(axis, words_of(plan))} = {number(value)}"
            title = ", ".join(filter(None, [entry.get("title", ""), words]))
            yield {**entry, "title": title, "where": {**entry.get("where", {}), axis: value}}


def _axis(plan: Mapping[str, Any], panel: CurvePanel) -> str:
    axes = plan["experiments"][panel.experiments[0]]["axes"]
    free = [name for name in axes if name != panel.by and name not in panel.where]
    return plan.get("options", {}).get("x") or free[0]


def _label(plan: Mapping[str, Any], x: str, *, root: bool, narrow: bool) -> str:
    words = axis_label(x, words_of(plan))
    if root:
        return f"{words},\non a scale of {INVERSE_ROOT.written(symbol(x, words_of(plan)))}"
    return words.replace(", ", ",\n") if narrow else words


def _points(rows: pd.DataFrame, x: str, column: str, options: Mapping[str, Any]) -> pd.DataFrame:
    bands = options.get("bands", "trials")
    points = middles(rows, x, column, options.get("centre", "median"), bands)
    return within(points, rows, x, column) if bands == "within" else points


def _named(column: str, options: Mapping[str, Any]) -> str:
    return options.get("names", {}).get(column, column.replace("_", " "))


def _explained(lines: Sequence[tuple[Look, float, float]]) -> list[str]:
    """Write the R^2 of a panel's lines, each after its marker; nothing where there is no line.

    Of a line alone in its panel there is room for the largest deviation, too.
    """
    if not any(np.isfinite(share) for _, share, _ in lines):
        return []
    shares = [f"{share:.2f}" if np.isfinite(share) else "–" for _, share, _ in lines]
    if len(lines) == 1:
        return [f"R² = {shares[0]}, off by up to {100 * lines[0][2]:.0f} % of the range"]
    signs = [_SIGNS.get(look.marker, "") for look, _, _ in lines]
    return [f"R²: {',  '.join(f'{sign} {share}' for sign, share in zip(signs, shares, strict=True))}"]


def _curve(axes: Axes, points: pd.DataFrame, one: Look, at: LawAxis) -> None:
    x = at.places(points["x"])
    own = (points["x"] > 0).to_numpy() | (not at.level)  # what stands apart is not joined to the others
    axes.fill_between(
        x[own], points["low"][own], points["high"][own], color=one.color, alpha=0.13, linewidth=0, zorder=1
    )
    axes.plot(x[own], points["centre"][own], color=one.color, linestyle=one.line, linewidth=1.2, zorder=3)
    bars = ~own if own.sum() > 1 else np.ones_like(own)  # the band of one place alone has no width
    for place, row in zip(x[bars], points[bars].itertuples(), strict=True):
        axes.vlines(place, row.low, row.high, color=one.color, alpha=0.3, linewidth=3, zorder=1)
    for level in points["centre"][~own]:
        axes.axhline(level, color=one.color, zorder=2, **_LEVEL)
    some_bad = (points["diverged"] > 0).to_numpy()
    for hollow in (False, True):
        some = some_bad == hollow
        axes.plot(
            x[some], points["centre"][some], color=one.color, linestyle="none", zorder=4,
            **one.markers(hollow),
        )  # fmt: skip
    for place, row in zip(x[some_bad], points[some_bad].itertuples(), strict=True):
        _count(axes, place, row.centre, row.diverged, one)


def _count(axes: Axes, place: float, centre: float, count: int, one: Look) -> None:
    """Write how many trials diverged: beside the marker or, where there is none, at the upper edge."""
    text: dict[str, Any] = {
        "textcoords": "offset points", "fontsize": 5.5, "color": one.color, "zorder": 5,
    }  # fmt: skip
    if np.isfinite(centre):
        axes.annotate(f"{count}", (place, centre), (3, 3), **text)
        return
    edge = axes.get_xaxis_transform()
    axes.plot(place, 0.96, transform=edge, color=one.color, marker="x", markersize=4, zorder=5)
    axes.annotate(f"{count}", (place, 0.96), (3, -2), xycoords=edge, **text)


def _line(axes: Axes, line: Mapping[str, Any], points: pd.DataFrame, one: Look, at: LawAxis) -> None:
    if not np.isfinite(line["slope"]):
        return
    known = points["x"][np.isfinite(points["centre"]) & ((points["x"] > 0) | (line["law"] == "linear"))]
    along = np.geomspace(known.min(), known.max(), 60)  # not straight on a logarithmic axis
    heights = line["intercept"] + line["slope"] * LAWS[line["law"]](along)
    axes.plot(at.places(along), heights, color=one.color, zorder=3, **_FIT)


def _heights(drawn: Sequence[tuple[Axes, str, pd.DataFrame]], *, separate: bool, whole: bool) -> None:
    """Fit the upright axes: all middles are shown, and bands as far as they leave these room, or `whole`.

    An interval that is cut off would hide that the middles do not differ.
    """
    every = pd.concat([points for _, _, points in drawn])
    for axes, scale, points in drawn:
        own = points if separate else every
        if "y" in scale:
            limits = log_limits(own[["centre", "low", "high"]], top=_TOP)
            axes.set(yscale="log", ylim=limits)
            log_ticks(axes.yaxis, limits)
        elif np.isfinite(own["centre"]).any():
            least, most = own["centre"].min(), own["centre"].max()
            room = max(most - least, 1e-3 * abs(most)) * _BEYOND
            if whole and own["trials"].min() >= _FEW:
                room = np.inf
            low = max(least - room, min(least, own["low"].min()))
            high = min(most + room, max(most, own["high"].max()))
            margin = 0.1 * (high - low) or 0.1
            axes.set_ylim(low - margin, high + 1.5 * margin)


def _handles(plan: Mapping[str, Any], numbers: pd.DataFrame) -> list[Line2D]:
    options = plan["options"]
    points = numbers[numbers["what"] == "point"]
    root = options.get("law") == "inverse root"
    name = symbol(options["x"], words_of(plan)) if "x" in options else "x"
    drawn: list[tuple[str, dict[str, Any]]] = []
    if _has_lines(numbers):
        drawn.append((f"straight line in {INVERSE_ROOT.written(name) if root else name}", _FIT))
    if root and (points["x"] == 0).any():
        drawn.append((f"level at {name} = 0", _LEVEL))
    bad = points["diverged"] > 0
    if (bad & points["centre"].notna()).any():
        hollow = Look(INK, "o").markers(hollow=True)
        drawn.append(("hollow: so many trials diverged", {"linestyle": "none", **hollow}))
    if (bad & points["centre"].isna()).any():
        drawn.append(("half or more diverged", {"linestyle": "none", "marker": "x", "markersize": 4}))
    drawn += [(words, _MARK) for words in options.get("mark", {}).values()]
    return [Line2D([], [], label=label, **{"color": INK, **style}) for label, style in drawn]


def _note(numbers: pd.DataFrame, options: Mapping[str, Any]) -> str:
    points = numbers[numbers["what"] == "point"]
    counts = set(points["trials"])
    of = f"{counts.pop():.0f}" if len(counts) == 1 else "all"
    note = [f"Points: {options.get('centre', 'median')}s over {of} trials"]
    if (points["trials"] > 1).any():
        whose = "each less its own mean along the axis, " if options.get("bands") == "within" else ""
        trials = f"bands: the trials, {whose}without the extreme tenth at each end"
        note.append("bands: 95 % intervals of means" if options.get("bands") == "interval" else trials)
    # Several columns are several views of the same trials.
    diverged, every = points.groupby("column")[["diverged", "trials"]].sum().max().astype(int)
    if diverged:
        count = "count as larger than all others" if options.get("centre") != "mean" else "leave no mean"
        note.append(f"{diverged} of {every} trials diverged or failed, and {count}")
    if _has_lines(numbers):
        note.append("R²: share of the points' variance that a line explains")
    elif "law" in options:
        note.append(f"no straight line is fitted to fewer than {FEWEST} points")
    return "; ".join(note)


def _has_lines(numbers: pd.DataFrame) -> bool:
    return "slope" in numbers and bool(np.isfinite(numbers["slope"]).any())
