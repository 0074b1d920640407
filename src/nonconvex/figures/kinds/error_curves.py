"""Mean relative error of the convergent trials along an axis, with how many trials converged below it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import NullLocator

from nonconvex.figures.looks import Look, look
from nonconvex.figures.parts.convergent import DEFINITIONS, ENOUGH, summarise
from nonconvex.figures.parts.dodge import dodged
from nonconvex.figures.parts.footer import numbered
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.limits import log_limits, quiet_log, x_limits
from nonconvex.figures.parts.panels import Panel, Row, axis_words, key, outcomes_of, places, rows_of_panels
from nonconvex.figures.parts.strip import draw_strip
from nonconvex.figures.style import INK, MUTED, TWO_COLUMNS, house_style
from nonconvex.vocabulary import number

_STEP = 2.2
_ROW = 0.085
_BAND: dict[str, Any] = {"facecolor": "#D9D9D9", "edgecolor": "none"}


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the error curves of Figures 2.5, 2.7 and 2.11 and their like.

    One point per algorithm and place: the mean error of the trials that converged there, half filled where
    fewer than 80 % did. Where none did there is a hollow marker, off the line, at the mean error of those
    that ended otherwise than by diverging; none where all diverged. Whiskers span the errors of the
    convergent trials without the extreme tenth at each end. Since such a mean is one over survivors, a strip
    below each panel shows their share.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``x``, the axis (the experiment's first by default), where ``p`` is
        drawn as a loss in per cent; ``definition``, which trials count (``convergent`` by default, or
        ``stopped`` or ``recovered``; see `nonconvex.figures.parts.convergent`); ``logarithmic``, whether x is
        (true for ``noise`` by default); ``strip`` (true by default); ``band``, a mapping with ``low``,
        ``high`` and ``label``: the region between these multiples of x; ``panels``, ``series`` and
        ``labels``, as `nonconvex.figures.parts.panels` has them.
    tables : dict of str to pandas.DataFrame
        The table of each experiment.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per algorithm and place, also where there is no point to draw.
    """
    options = plan.get("options", {})
    axis = options.get("x", next(iter(plan["experiments"].values()))["axes"][0])
    definition = options.get("definition", "convergent")
    with_strip = options.get("strip", True)
    rows = rows_of_panels(plan)
    figure, grid = _axes(rows, with_strip)

    numbers = []
    for row, line in zip(rows, grid, strict=True):
        for column, (panel, (upper, lower)) in enumerate(zip(row.panels, line, strict=True)):
            at = places([plan["experiments"][name] for name in panel.experiments], axis)
            x = [place for _, place in at]
            points = _points(panel, tables, axis, at, definition)
            numbers.append(points)
            logarithmic = options.get("logarithmic", axis == "noise") and x[0] > 0
            _ticks(upper, lower, x, logarithmic)
            _curves(upper, points, row.algorithms)
            upper.set_title(panel.title)
            lower.set_xlabel(axis_words(axis))
            if with_strip:
                _strip(lower, points, row.algorithms, x, logarithmic=logarithmic, keys=column == 0)
            if "band" in options:
                _band(upper, x, options["band"])
            if column == 0:
                upper.set_ylabel("\n".join(filter(None, [row.title, "mean relative error"])))

    numbers = pd.concat(numbers, ignore_index=True)
    numbers["hollow"] = numbers["others_mean"].where(numbers["converged"] == 0)
    limits = log_limits(numbers[["mean", "low", "high", "hollow"]])
    grid[0][0][0].set_ylim(limits)
    quiet_log(grid[0][0][0].yaxis, limits)
    handles: list[Artist] = [*key(list(dict.fromkeys(name for row in rows for name in row.algorithms)), plan)]
    handles += _marker_handles(numbers)
    if "band" in options:
        handles.append(Patch(label=options["band"]["label"], **_BAND))
    origin = numbered(plan, [panel.experiments for row in rows for panel in row.panels])
    frame(figure, origin, handles, _note(numbers, definition, with_strip))
    return figure, numbers


def _axes(rows: Sequence[Row], with_strip: bool) -> tuple[Figure, list[list[tuple[Axes, Axes]]]]:
    columns = max(len(row.panels) for row in rows)
    strip = max(len(row.algorithms) for row in rows) * _ROW
    heights = [height for _ in rows for height in ((1.9, strip) if with_strip else (1.9,))]
    size = TWO_COLUMNS if columns > 1 else TWO_COLUMNS / 2 + 0.4
    figure = Figure(figsize=(size, 1.35 + sum(heights) + 0.4 * len(rows)), layout="constrained")
    grid = figure.add_gridspec(len(heights), columns, height_ratios=heights)
    first: Axes | None = None
    places = []
    for row, start in zip(rows, range(0, len(heights), 2 if with_strip else 1), strict=True):
        line = []
        for column in range(len(row.panels)):
            upper = figure.add_subplot(grid[start, column], sharey=first)
            first = first or upper
            upper.tick_params(which="both", labelleft=column == 0)
            lower = figure.add_subplot(grid[start + 1, column], sharex=upper) if with_strip else upper
            line.append((upper, lower))
        places.append(line)
    places[0][0][0].set_yscale("log", nonpositive="mask")
    return figure, places


def _points(
    panel: Panel,
    tables: Mapping[str, pd.DataFrame],
    axis: str,
    places: Sequence[tuple[float, float]],
    definition: str,
) -> pd.DataFrame:
    points = []
    for algorithm in panel.algorithms:
        own = outcomes_of(algorithm, panel, tables, axis, [value for value, _ in places])
        for value, x in places:
            found = summarise(own[own[axis] == value], definition)
            points.append(
                {
                    "series": panel.series,
                    "panel": panel.title.replace("\n", ", "),
                    "experiment": panel.algorithms[algorithm] or "",
                    "algorithm": algorithm,
                    axis: value,
                    "x": x,
                    **found,
                }
            )
    return pd.DataFrame(points)


def _curves(axes: Axes, points: pd.DataFrame, algorithms: Sequence[str]) -> None:
    for index, name in enumerate(algorithms):
        line = points[points["algorithm"] == name]
        one = look(name, algorithms)
        common: dict[str, Any] = {
            "color": one.color,
            "transform": dodged(axes, index, len(algorithms), _STEP),
        }
        axes.vlines(line["x"], line["low"], line["high"], linewidth=0.7, alpha=0.8, zorder=2, **common)
        axes.plot(line["x"], line["mean"], linestyle=one.line, linewidth=1.3, label=name, zorder=3, **common)
        for few in (False, True):
            some = line[(line["share"] < ENOUGH) == few]
            axes.plot(some["x"], some["mean"], linestyle="none", zorder=4, **one.markers(half=few), **common)
        none = line[line["converged"] == 0]
        axes.plot(none["x"], none["others_mean"], linestyle="none", zorder=4, **one.markers(True), **common)
    if points[["mean", "others_mean"]].isna().all(axis=None):
        axes.text(0.5, 0.5, "no convergent trial", transform=axes.transAxes, ha="center", color=MUTED)


def _marker_handles(numbers: pd.DataFrame) -> list[Line2D]:
    """Explain the markers that the figure has besides filled ones."""
    none = numbers[numbers["hollow"].notna()]
    stopped = (none["at_cap"] < none["others"]).any()
    where = "the cap, or at a stop with error ≥ 1" if stopped else "the iteration cap"
    kinds = {
        f"fewer than {100 * ENOUGH:.0f} % of the trials converge": (
            ((numbers["converged"] > 0) & (numbers["share"] < ENOUGH)).any(),
            {"half": True},
        ),
        f"none converges: mean at {where}": (len(none) > 0, {"hollow": True}),
    }
    return [
        Line2D([], [], color=INK, linestyle="none", label=words, **Look(INK, "s").markers(**how))
        for words, (there, how) in kinds.items()
        if there
    ]


def _strip(
    axes: Axes,
    points: pd.DataFrame,
    algorithms: Sequence[str],
    x: Sequence[float],
    *,
    logarithmic: bool,
    keys: bool,
) -> None:
    shares = {name: points.loc[points["algorithm"] == name, "share"].tolist() for name in algorithms}
    draw_strip(axes, algorithms, x, shares, logarithmic=logarithmic, keys=keys)
    if keys:
        axes.set_ylabel("share", labelpad=13)


def _ticks(upper: Axes, lower: Axes, x: Sequence[float], logarithmic: bool) -> None:
    if logarithmic:
        upper.set_xscale("log")
        upper.xaxis.set_minor_locator(NullLocator())
        kept = [
            value for index, value in enumerate(x) if index in (0, len(x) - 1) or value >= 1.6 * x[index - 1]
        ]
        upper.set_xticks(kept, [number(value) for value in kept])
    if upper is not lower:
        upper.tick_params(labelbottom=False)
    else:
        upper.set_xlim(x_limits(x, logarithmic))


def _band(axes: Axes, x: Sequence[float], band: Mapping[str, Any]) -> None:
    ends = [x[0], x[-1]]
    low, high = ([band[end] * value for value in ends] for end in ("low", "high"))
    axes.fill_between(ends, low, high, zorder=1, **_BAND)


def _note(numbers: pd.DataFrame, definition: str, with_strip: bool) -> str:
    note = [f"Mean over the convergent trials ({DEFINITIONS[definition]})"]
    if (numbers["converged"] > 1).any():
        note.append("whiskers: their errors, less the extreme tenth at each end")
    if ((numbers["trials"] > 0) & (numbers["converged"] + numbers["others"] == 0)).any():
        note.append("no marker: all trials diverge")
    if with_strip:
        note.append("cells: share that converges, white all, black none")
        if (numbers["trials"] == 0).any():
            note.append("hatched: not run")
    return "; ".join(note)
