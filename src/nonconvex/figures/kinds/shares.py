"""Share of trials along an axis: those that stopped by the stop rule, and those that recovered the data."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonconvex.figures.looks import Look, look
from nonconvex.figures.parts.convergent import selected
from nonconvex.figures.parts.dodge import dodged
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.limits import x_limits
from nonconvex.figures.parts.panels import Panel, axis_words, key, outcomes_of, places, rows_of_panels
from nonconvex.figures.style import INK, TWO_COLUMNS, house_style
from nonconvex.statistics.intervals import wilson
from nonconvex.vocabulary import number

_STEP = 1.5
_KINDS = ("stopped", "recovered")


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the shares of Figure 2.10 and their like.

    Per algorithm two lines: dotted, with hollow markers, the trials that met the stop rule; in the
    algorithm's own dashes, with filled markers, those that met the success criterion, stopped or not.
    Where a method stops at wrong data the two part. Algorithms are set apart by a few points on paper,
    so that equal lines stay visible.

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
    rows = rows_of_panels(plan)
    columns = max(len(row.panels) for row in rows)
    size = TWO_COLUMNS if columns > 1 else TWO_COLUMNS / 2 + 0.4
    figure = Figure(figsize=(size, 1.5 + 1.85 * len(rows)), layout="constrained")
    grid = figure.subplots(len(rows), columns, sharey=True, squeeze=False)

    numbers = []
    for row, line in zip(rows, grid, strict=True):
        for axes in line[len(row.panels) :]:
            axes.set_axis_off()
        for column, (panel, axes) in enumerate(zip(row.panels, line, strict=False)):
            at = places([plan["experiments"][name] for name in panel.experiments], axis)
            points = _points(panel, tables, axis, at)
            numbers.append(points)
            for index, name in enumerate(row.algorithms):
                own = points[points["algorithm"] == name]
                _lines(axes, own, look(name, row.algorithms), index, len(row.algorithms))
            axes.set_title(panel.title)
            axes.set_xlim(x_limits([place for _, place in at]))
            axes.set_xlabel(axis_words(axis))
            if column == 0:
                axes.set_ylabel("\n".join(filter(None, [row.title, "share of trials"])))
    grid[0, 0].set_ylim(-0.09, 1.09)
    grid[0, 0].set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "¼", "½", "¾", "1"])

    algorithms = list(dict.fromkeys(name for row in rows for name in row.algorithms))
    frame(figure, plan, [*_kind_handles(), *key(algorithms, plan)], _note(plan))
    return figure, pd.concat(numbers, ignore_index=True)


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


def _lines(axes: Axes, points: pd.DataFrame, one: Look, index: int, count: int) -> None:
    shifted = dodged(axes, index, count, x=_STEP / 2, y=-_STEP)
    for zorder, kind in enumerate(_KINDS, start=2):
        common: dict[str, Any] = {"color": one.color, "transform": shifted, "zorder": zorder}
        axes.plot(points["x"], points[f"{kind}_share"], **_line(one, kind), **common)


def _line(one: Look, kind: str) -> dict[str, Any]:
    if kind == "stopped":
        return {"linestyle": (0, (1, 1.5)), "linewidth": 0.9, **one.markers(hollow=True)}
    return {"linestyle": one.line, "linewidth": 1.3, **one.markers()}


def _kind_handles() -> list[Line2D]:
    return [Line2D([], [], color=INK, label=kind, **_line(Look(INK, "o"), kind)) for kind in _KINDS]


def _note(plan: Mapping[str, Any]) -> str:
    criteria = {(one["success"]["column"], one["success"]["below"]) for one in plan["experiments"].values()}
    texts = [f"{column.replace('_', ' ')} below {number(below)}" for column, below in sorted(criteria)]
    return (
        f"Hollow: stop rule met; filled: recovered ({' or '.join(texts)}); "
        "equal lines are drawn side by side, a few points apart"
    )
