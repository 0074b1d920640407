"""Share of trials along an axis: those that stopped by the stop rule, and those that recovered the data."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from nonconvex.figures.looks import Look, look
from nonconvex.figures.parts.convergent import selected
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.limits import x_limits
from nonconvex.figures.parts.panels import (
    Panel,
    axis_words,
    label,
    outcomes_of,
    places,
    rows_of_panels,
)
from nonconvex.figures.style import INK, TWO_COLUMNS, house_style
from nonconvex.statistics.intervals import wilson
from nonconvex.vocabulary import number

_KINDS = ("stopped", "recovered")
_ROW = 0.86
_TITLE = 16  # characters in a line of a panel's title or of a row's
_SIZES = {"stopped": 1.5, "recovered": 0.8}
_BESIDE = 0.07  # of the places' span, for half of a marker at its ends
_MANY = 9  # places in a panel from which on its markers get smaller


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the shares of Figure 2.10 and their like.

    A panel per algorithm, with two lines: dotted, with large hollow markers, the trials that met the stop
    rule; in the algorithm's own dashes, with small filled markers, those that met the success criterion,
    stopped or not. Where a method stops at wrong data the two part. A row per entry of ``panels``, a column
    per algorithm, a block of rows per series.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``x``, the axis (the experiment's first by default), where ``p`` is
        drawn as a loss in per cent; ``panels``, ``series`` and ``labels``, as
        `nonconvex.figures.parts.panels` has them.
    tables : dict of str to pandas.DataFrame
        The table of each experiment.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per algorithm and place: trials, and for both kinds the count, the share and
        Wilson's 95 % interval.
    """
    options = plan.get("options", {})
    axis = options.get("x", next(iter(plan["experiments"].values()))["axes"][0])
    series: dict[str, list[Panel]] = {}
    for row in rows_of_panels(plan):
        series.setdefault(row.title, []).extend(row.panels)
    columns = max(len(panels[0].algorithms) for panels in series.values())
    heights = [0.5 * bool(title) + 0.6 + _ROW * len(panels) for title, panels in series.items()]
    figure = Figure(figsize=(TWO_COLUMNS, 1.35 + sum(heights)), layout="constrained")
    blocks = figure.subfigures(len(series), 1, squeeze=False, height_ratios=heights).ravel()

    numbers = []
    for block, (title, panels) in zip(blocks, series.items(), strict=True):
        if title:
            block.suptitle(title, x=0.06 / TWO_COLUMNS, ha="left", fontsize=rcParams["axes.titlesize"])
        grid = block.subplots(len(panels), columns, sharex="row", sharey=True, squeeze=False)
        for panel, line in zip(panels, grid, strict=True):
            at = places([plan["experiments"][name] for name in panel.experiments], axis)
            points = _points(panel, tables, axis, at)
            numbers.append(points)
            for axes in line[len(panel.algorithms) :]:
                axes.set_axis_off()
            for name, axes in zip(panel.algorithms, line, strict=False):
                _lines(axes, points[points["algorithm"] == name], look(name, list(panel.algorithms)))
                if panel is panels[0]:
                    axes.set_title(_lines_of(label(name, plan)))
            _scale(line, [place for _, place in at])
            line[0].set_ylabel(_lines_of(panel.title), fontsize=rcParams["ytick.labelsize"])
        block.supxlabel(axis_words(axis), fontsize=rcParams["axes.labelsize"])

    numbers = pd.concat(numbers, ignore_index=True)
    frame(figure, plan, _kind_handles(plan), "Share of trials")
    return figure, numbers


def _lines_of(text: str) -> str:
    """Break a title after its first comma or colon, and where a line gets too long."""
    first, sign, rest = text.partition(", " if ", " in text else ": ")
    lines = [first + sign.strip(), *textwrap.wrap(rest, _TITLE)] if rest else textwrap.wrap(text, _TITLE)
    return "\n".join(lines)


def _scale(line: Sequence[Axes], x: Sequence[float]) -> None:
    low, high = x_limits(x)
    room = _BESIDE * (x[-1] - x[0])
    line[0].set_xlim(min(low, x[0] - room), max(high, x[-1] + room))
    line[0].set_ylim(-0.13, 1.13)
    line[0].set_yticks([0, 0.5, 1], ["0", "½", "1"])
    line[0].xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))


def _points(
    panel: Panel, tables: Mapping[str, pd.DataFrame], axis: str, at: Sequence[tuple[float, float]]
) -> pd.DataFrame:
    points = []
    for algorithm in panel.algorithms:
        own = outcomes_of(algorithm, panel, tables, axis, [value for value, _ in at])
        for value, x in at:
            here = own[own[axis] == value]
            trials = len(here)
            point = {
                "series": panel.series,
                "panel": panel.title.replace("\n", ", "),
                "experiment": panel.algorithms[algorithm] or "",
                "algorithm": algorithm,
                axis: value,
                "x": x,
                "trials": trials,
            }
            for kind in _KINDS:
                count = int(selected(here, kind).sum())
                point[kind] = count
                point[f"{kind}_share"] = count / trials if trials else float("nan")
                point[f"{kind}_low"], point[f"{kind}_high"] = wilson(count, trials)
            points.append(point)
    return pd.DataFrame(points)


def _lines(axes: Axes, points: pd.DataFrame, one: Look) -> None:
    scale = min(1.0, _MANY / max(len(points), 1))
    for zorder, kind in enumerate(_KINDS, start=2):
        axes.plot(
            points["x"], points[f"{kind}_share"], color=one.color, zorder=zorder, **_line(one, kind, scale)
        )  # fmt: skip


def _line(one: Look, kind: str, scale: float = 1.0) -> dict[str, Any]:
    hollow = kind == "stopped"
    markers = one.markers(hollow)
    markers["markersize"] *= _SIZES[kind] * scale
    line: dict[str, Any] = {"linestyle": (0, (1, 1.5)), "linewidth": 0.9} if hollow else {"linewidth": 1.2}
    return {"linestyle": one.line, **line, **markers}


def _kind_handles(plan: Mapping[str, Any]) -> list[Line2D]:
    criteria = {(one["success"]["column"], one["success"]["below"]) for one in plan["experiments"].values()}
    texts = [f"{column.replace('_', ' ')} below {number(below)}" for column, below in sorted(criteria)]
    words = {"stopped": "stopped by the stop rule", "recovered": f"recovered ({' or '.join(texts)})"}
    return [Line2D([], [], color=INK, label=words[kind], **_line(Look(INK, "o"), kind)) for kind in _KINDS]
