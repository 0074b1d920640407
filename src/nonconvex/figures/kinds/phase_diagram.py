"""Phase diagrams: the share of successful trials over two axes, one panel per algorithm or experiment."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.typing import LineStyleType

from nonconvex.figures.looks import Look, look
from nonconvex.figures.parts.axis import in_words
from nonconvex.figures.parts.contour_lines import DOTTED, draw_contour, repeat_contour
from nonconvex.figures.parts.counts import count_outcomes
from nonconvex.figures.parts.footer import numbered
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.grid import EMPTY, draw_cells, set_grid, tick_size
from nonconvex.figures.parts.panels import label
from nonconvex.figures.parts.phase_panels import Line, Panel, phase_panels
from nonconvex.figures.style import AGAIN, TWO_COLUMNS, house_style

_ALONE = 0.72
_FEW = 3  # panels side by side that are wide enough for axes' labels on one line


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the phase diagrams of Figures 2.2 to 2.4, 3.3 to 3.7, 3.9, 3.10 and their like.

    White cells succeeded in every trial, black ones in none. A line joins, per panel, the points where
    the success share crosses one half (see `nonconvex.figures.parts.contour`); where the crossing lies beyond
    the grid an arrowhead at the edge says so. All panels have the same axes.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``x`` and ``y``, the axes (the experiment's two axes by default), as
        `nonconvex.figures.parts.axis` has them; ``log`` and ``root``, the names of those
        drawn on a scale of their logarithms, or square roots; ``panels``, a list of
        algorithms, or of mappings with ``experiment``, ``algorithm``, ``title`` and ``repeat``, the lines
        that come back dotted, each with ``experiment``, ``algorithm`` and ``label`` (null leaves a place
        empty); ``experiment``, whose panels they are where none is named (the first by default);
        ``columns``, how many panels stand side by side (3); ``repeat``, other panels' lines that come back
        dotted, as ``{panel's algorithm: [algorithms]}``; ``along`` (``y`` by default), the axis along which
        the crossing is sought; ``rising`` (false by default), whether the share rises along it;
        ``counts``, a list of mappings with ``experiment`` and ``words``, whose successes are told in the
        note; ``{rank}`` in the words stands for the experiment's value, or its range; ``labels``, as
        `nonconvex.figures.parts.panels` has them: algorithms of one name and look have one entry in the
        legend, which stands in the empty place where there is one.
    tables : dict of str to pandas.DataFrame
        The table of each experiment.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per cell (``what`` = cell), per contour point (contour), per point of a line
        from elsewhere (repeated), and per algorithm of an experiment that is only counted (count).
    """
    options = plan.get("options", {})
    places = phase_panels(plan, tables)
    panels = [panel for panel in places if panel is not None]
    repeats = _repeats(plan, panels)
    columns = min(len(places), options.get("columns", 3))
    figure, grid = _canvas(len(places), columns)

    names = [panel.algorithm for panel in panels]
    drawn = [axes for axes, panel in zip(grid, places, strict=False) if panel is not None]
    for axes, panel, lines in zip(drawn, panels, repeats, strict=True):
        mesh = _draw_panel(axes, panel, lines, names)
    empty = [axes for axes in grid if axes not in drawn]
    for axes in empty:
        axes.set_axis_off()
    _fit(grid, places, columns)
    bar = figure.colorbar(mesh, ax=list(grid), ticks=[0, 0.25, 0.5, 0.75, 1], aspect=28, pad=0.015)
    bar.set_ticklabels(["0", "¼", "½", "¾", "1"])
    low = columns > _FEW and len(places) <= columns
    bar.set_label("share of\nsuccessful trials" if low else "share of successful trials")
    bar.outline.set_linewidth(0.6)
    counts = _counts(plan, tables)
    handles, note = _legend(plan, panels, repeats, counts)
    if empty and handles:
        empty[0].legend(
            handles=handles, loc="center", handlelength=2.4, labelspacing=0.8, borderpad=0, borderaxespad=0
        )
        handles = []
    frame(figure, numbered(plan, [[panel.experiment] for panel in panels]), handles, note)
    parts = [_numbers(panel) for panel in panels]
    return figure, pd.concat(parts + ([counts] if len(counts) else []), ignore_index=True)


def _repeats(plan: Mapping[str, Any], panels: Sequence[Panel]) -> list[list[Line]]:
    """Return, per panel, the dotted lines: its own ones from elsewhere, and those of other panels."""
    own = {panel.algorithm: panel.line for panel in panels}
    wanted = plan.get("options", {}).get("repeat", {})
    strange = {name for names in wanted.values() for name in names} - set(own)
    if strange:
        raise ValueError(f"options: figure {plan['figure']} repeats {min(strange)!r}, which has no panel.")
    return [[*panel.others, *(own[name] for name in wanted.get(panel.algorithm, ()))] for panel in panels]


def _canvas(count: int, columns: int) -> tuple[Figure, np.ndarray]:
    rows = math.ceil(count / columns)
    width = TWO_COLUMNS if columns > 1 else _ALONE * TWO_COLUMNS
    height = 2.35 if columns <= _FEW else 1.95 if rows > 1 else 2.25
    figure = Figure(figsize=(width, 1.15 + height * rows), layout="constrained")
    return figure, figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()


def _draw_panel(axes: Axes, panel: Panel, repeats: Sequence[Line], names: Sequence[str]) -> QuadMesh:
    scales = panel.x.scale, panel.y.scale
    axes.patch.set(**EMPTY)
    mesh = draw_cells(axes, panel.grid[panel.x.name], panel.grid[panel.y.name], panel.shares, scales)
    for line in repeats:
        repeat_contour(axes, panel, line, _dotted_look(line, panel.algorithm, names))
    draw_contour(axes, panel, look(panel.algorithm, names))
    axes.set_title(panel.title)
    return mesh


def _dotted_look(line: Line, algorithm: str, names: Iterable[str]) -> Look:
    one = look(line.algorithm, names)
    return replace(one, color=AGAIN) if line.algorithm == algorithm else one


def _fit(grid: np.ndarray, places: Sequence[Panel | None], columns: int) -> None:
    """Give all panels the same limits, ticks where there is room, labels below, and at the left of a row."""
    panels = [panel for panel in places if panel is not None]
    x, y = panels[0].x, panels[0].y
    together = [sorted({at for panel in panels for at in panel.grid[one.name]}) for one in (x, y)]
    set_grid(grid[0], together[0], together[1], (x.scale, y.scale), columns)
    for index, (axes, panel) in enumerate(zip(grid, places, strict=False)):
        if panel is None:
            continue
        axes.set_xlabel(_broken(x.label) if columns > _FEW else x.label)
        axes.tick_params(axis="x", labelbottom=True, labelsize=tick_size(columns))
        if index % columns == 0 or places[index - 1] is None:
            axes.set_ylabel(_broken(y.label) if columns > _FEW else y.label)
            axes.tick_params(labelleft=True)


def _broken(text: str) -> str:
    return text.replace(" in ", "\nin ")


def _counts(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Count the outcomes of experiments that are told in the note, one row per algorithm."""
    rows = []
    for entry in plan.get("options", {}).get("counts", ()):
        name = entry["experiment"]
        words = entry["words"].format_map(in_words(plan["experiments"][name]["parameters"]))
        for algorithm in plan["experiments"][name]["algorithms"]:
            own = tables[name][tables[name]["algorithm"] == algorithm]
            front = {"what": "count", "experiment": name, "algorithm": algorithm, "words": words}
            rows.append(front | count_outcomes(own))
    return pd.DataFrame(rows)


def _legend(
    plan: Mapping[str, Any], panels: Sequence[Panel], repeats: Sequence[Sequence[Line]], counts: pd.DataFrame
) -> tuple[list[Line2D], str]:
    names = {panel.algorithm: panel.line.label for panel in panels}
    handles = {
        (one, words): _handle(one, words)
        for name in names
        for one, words in [(look(name, names), label(name, plan))]
    }
    again = {}
    for panel, lines in zip(panels, repeats, strict=True):
        for line in lines:
            if line in panel.others:
                one = _dotted_look(line, panel.algorithm, names)
                again[one, line.label] = _handle(one, line.label, DOTTED)
    lines = [line for panel, shared in zip(panels, repeats, strict=True) for line in (panel.line, *shared)]
    inside = any((line.points["crossing"] == "inside").any() for line in lines)
    note = ["Lines: half of the trials succeed"] if inside else []
    if any(repeats) and not again:
        note.append("dotted: repeated from its own panel")
    if any(panel.line.points["crossing"].isin(["above", "below"]).any() for panel in panels):
        note.append(
            "open arrowhead: beyond the grid" if inside else "open arrowhead: half succeed beyond the grid"
        )
    if any((panel.cells["trials"] == 0).any() for panel in panels) or len(_extents(panels)) > 1:
        note.append("hatched: no trial")
    for panel in panels:
        failed, trials = panel.cells["failed"].sum(), panel.cells["trials"].sum()
        if failed:
            note.append(f"{panel.line.label} refused {failed} of {trials} trials (see its log)")
    return [*handles.values(), *again.values()], "; ".join(note + _told(plan, counts))


def _handle(one: Look, words: str, line: LineStyleType = "-") -> Line2D:
    return Line2D([], [], color=one.color, marker=one.marker, linestyle=line, label=words)


def _extents(panels: Sequence[Panel]) -> set[tuple]:
    return {tuple((at[0], at[-1]) for at in panel.grid.values()) for panel in panels}


def _told(plan: Mapping[str, Any], counts: pd.DataFrame) -> list[str]:
    told = []
    for (name, words), rows in counts.groupby(["experiment", "words"], sort=False) if len(counts) else ():
        algorithms = plan["experiments"][name]["algorithms"]
        shares = [
            f"{row.successes} of {row.trials} ({algorithms[row.algorithm].get('label', row.algorithm)})"
            for row in rows.itertuples()
        ]
        told.append(f"{words}: {', '.join(shares)}")
    return told


def _numbers(panel: Panel) -> pd.DataFrame:
    experiment = {"experiment": panel.experiment}
    parts = [panel.cells.assign(what="cell", crossing="", **experiment)]
    parts.append(panel.line.points.assign(what="contour", **experiment))
    parts += [line.points.assign(what="repeated", experiment=line.experiment) for line in panel.others]
    both = pd.concat(parts, ignore_index=True)
    counts = ["trials", "successes", "diverged", "failed"]
    both[counts] = both[counts].astype("Int64")
    front = ["what", "experiment", "algorithm", panel.x.name, panel.y.name, "crossing"]
    return both[front + [name for name in both.columns if name not in front]]
