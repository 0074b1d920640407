"""Phase diagrams: the share of successful trials over two axes, one panel per algorithm."""

import math

import pandas as pd
from matplotlib import patheffects
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonconvex.figures.cells import count_cells
from nonconvex.figures.contour import contour_points
from nonconvex.figures.frame import frame
from nonconvex.figures.grid import draw_cells
from nonconvex.figures.style import TWO_COLUMNS, house_style, look
from nonconvex.figures.words import axis_label

_HALO = [patheffects.withStroke(linewidth=3.6, foreground="white")]


@house_style()
def draw(plan, tables):
    """
    Draw the phase diagrams of Figures 2.2 to 2.4 and their like.

    White cells succeeded in every trial, black ones in none. A line joins, per panel, the points where
    the success share crosses one half (see `nonconvex.figures.contour`); where the crossing lies beyond
    the grid an arrowhead at the edge says so.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``x`` and ``y``, the axes (the experiment's two axes by default);
        ``panels``, a list of algorithms, or of mappings with ``experiment``, ``algorithm`` and
        ``title``; ``repeat``, algorithms whose contours come back dotted in a panel, as
        ``{panel's algorithm: [algorithms]}``; ``along`` (``y`` by default), the axis along which the
        crossing is sought; ``rising`` (false by default), whether the share rises along it.
    tables : dict of str to pandas.DataFrame
        The table of each experiment.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per cell (``what`` = cell) and per contour point (``what`` = contour).
    """
    options = plan.get("options", {})
    panels = _panels(plan, tables)
    columns = min(len(panels), 3)
    rows = math.ceil(len(panels) / columns)
    width = TWO_COLUMNS if columns > 1 else TWO_COLUMNS / 2
    figure = Figure(figsize=(width, 1.15 + 2.25 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for axes in grid[len(panels) :]:
        axes.set_axis_off()

    contours = {panel["algorithm"]: panel["contour"] for panel in panels}
    strange = {name for names in options.get("repeat", {}).values() for name in names} - set(contours)
    if strange:
        raise ValueError(f"options: figure {plan['figure']} repeats {min(strange)!r}, which has no panel.")
    for index, (axes, panel) in enumerate(zip(grid, panels, strict=False)):
        mesh = draw_cells(axes, panel["grid"][panel["x"]], panel["grid"][panel["y"]], panel["shares"])
        for name in options.get("repeat", {}).get(panel["algorithm"], ()):
            _repeat_contour(axes, panel, contours[name], look(name, contours))
        _draw_contour(axes, panel, look(panel["algorithm"], contours))
        axes.set_title(panel["title"])
        if index + columns >= len(panels):
            axes.set_xlabel(axis_label(panel["x"]))
            axes.tick_params(labelbottom=True)
        if index % columns == 0:
            axes.set_ylabel(axis_label(panel["y"]))
    bar = figure.colorbar(mesh, ax=list(grid), ticks=[0, 0.25, 0.5, 0.75, 1], aspect=28, pad=0.015)
    bar.set_ticklabels(["0", "¼", "½", "¾", "1"])
    bar.set_label("share of successful trials")
    bar.outline.set_linewidth(0.6)
    frame(figure, plan, *_legend(panels, contours, options))
    return figure, pd.concat([_numbers(panel) for panel in panels], ignore_index=True)


def _panels(plan, tables):
    options = plan.get("options", {})
    only = next(iter(plan["experiments"]))
    algorithms = list(plan["experiments"][only].get("algorithms", {}))
    panels = []
    for entry in options.get("panels", algorithms):
        entry = {"algorithm": entry} if isinstance(entry, str) else entry
        name, algorithm = entry.get("experiment", only), entry["algorithm"]
        experiment = plan["experiments"][name]
        if algorithm not in experiment["algorithms"]:
            raise ValueError(
                f"options: figure {plan['figure']} has a panel for {algorithm!r}, not run in {name}."
            )
        label = experiment["algorithms"][algorithm].get("label", algorithm)
        x, y = options.get("x", experiment["axes"][0]), options.get("y", experiment["axes"][1])
        grid = {axis: sorted(experiment["parameters"][axis]) for axis in (x, y)}
        cells = count_cells(tables[name], algorithm, x, y, grid)
        across, along = (x, y) if options.get("along", "y") == "y" else (y, x)
        panels.append(
            {
                "experiment": name,
                "algorithm": algorithm,
                "label": label,
                "title": entry.get("title", label),
                "x": x,
                "y": y,
                "grid": grid,
                "cells": cells,
                "shares": cells["share"].to_numpy().reshape(len(grid[x]), len(grid[y])).T,
                "along": along,
                "contour": contour_points(cells, across, along, rising=options.get("rising", False)),
            }
        )
    return panels


def _draw_contour(axes, panel, appearance):
    points = panel["contour"]
    along_y = panel["along"] == panel["y"]
    axes.plot(
        points[panel["x"]],
        points[panel["y"]],
        color=appearance.color,
        marker=appearance.marker,
        path_effects=_HALO,
        zorder=4,
    )
    # Arrowheads sit in the axes' own 0-1 range along the crossing's axis, in data along the other.
    for where, marker, place in (("above", "^>", 0.965), ("below", "v<", 0.035)):
        beyond = points[points["crossing"] == where]
        across = beyond[panel["x"] if along_y else panel["y"]]
        edge = [place] * len(beyond)
        axes.plot(
            *((across, edge) if along_y else (edge, across)),
            transform=axes.get_xaxis_transform() if along_y else axes.get_yaxis_transform(),
            color=appearance.color,
            linestyle="none",
            marker=marker[0] if along_y else marker[1],
            markersize=4.5,
            markerfacecolor="white",
            zorder=4,
        )


def _repeat_contour(axes, panel, points, appearance):
    dotted = {"color": appearance.color, "linestyle": (0, (1, 1.2)), "linewidth": 1.5}
    at = points[panel["x"]], points[panel["y"]]
    # Twice: with a halo below the panel's own line, and bare above it, so that both show where they
    # coincide.
    axes.plot(*at, path_effects=_HALO, zorder=3, marker=appearance.marker, markersize=2.8, **dotted)
    axes.plot(*at, zorder=5, **dotted)


def _legend(panels, contours, options):
    labels = {panel["algorithm"]: panel["label"] for panel in panels}
    handles = [
        Line2D([], [], color=look(name, contours).color, marker=look(name, contours).marker, label=label)
        for name, label in labels.items()
    ]
    note = ["Lines: half of the trials succeed"]
    if any(options.get("repeat", {}).values()):
        note.append("dotted: repeated from its own panel")
    if any(panel["contour"]["crossing"].isin(["above", "below"]).any() for panel in panels):
        note.append("open arrowhead: beyond the grid")
    if any((panel["cells"]["trials"] == 0).any() for panel in panels):
        note.append("hatched: no trial")
    for panel in panels:
        failed, trials = panel["cells"]["failed"].sum(), panel["cells"]["trials"].sum()
        if failed:
            note.append(f"{panel['label']} refused {failed} of {trials} trials (see its log)")
    return handles, "; ".join(note)


def _numbers(panel):
    cells = panel["cells"].assign(what="cell", crossing="")
    contour = panel["contour"].assign(what="contour")
    both = pd.concat([cells, contour], ignore_index=True).assign(experiment=panel["experiment"])
    counts = ["trials", "successes", "diverged", "failed"]
    both[counts] = both[counts].astype("Int64")
    front = ["what", "experiment", "algorithm", panel["x"], panel["y"], "crossing"]
    return both[front + [name for name in both.columns if name not in front]]
