"""Graphs, drawn from the edges of a dataset: one panel per structure."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonconvex.figures.parts.frame import frame
from nonconvex.figures.style import INK, TWO_COLUMNS, house_style
from nonconvex.networks.graphs import nearly_square
from nonconvex.vocabulary import symbol

_NAMES = {
    "cycle": "(a) connected cycle",
    "grid": "(b) two-dimensional grid",
    "regular": "(c) random regular graph",
    "bounded": "(d) random graph of bounded degree",
}
_LINKED = "#0072B2"
_EDGE: dict[str, Any] = {"color": "#7F7F7F", "linewidth": 0.7, "zorder": 1}
_DEPTH, _ARC = 0.065, 15


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the graphs of Figure 5.2, each node a dot and each edge a line.

    The nodes of a grid stand in rows, all others on a circle, in the order of their numbers. Edges of the
    cycle that pass over a node are bent inwards. Isolated nodes are hollow.

    Parameters
    ----------
    plan : dict
        The figure's plan, with one experiment whose axis is ``graph``. Option ``names``: the panels' titles.
    tables : dict of str to pandas.DataFrame
        One row per edge: graph, trial, n_nodes, node, neighbour.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per node (``what`` = node: graph, node, x, y, degree) and per edge (edge: graph,
        node, neighbour).
    """
    ((name, table),) = tables.items()
    names = _NAMES | plan.get("options", {}).get("names", {})
    kinds = plan["experiments"][name]["parameters"]["graph"]
    figure = Figure(figsize=(TWO_COLUMNS * 0.8, 6.3), layout="constrained")
    grid = figure.subplots(-(-len(kinds) // 2), 2, squeeze=False).ravel()
    numbers = []
    for axes, kind in zip(grid, kinds, strict=False):
        edges = table[(table["graph"] == kind) & (table["trial"] == 0)]
        nodes = _nodes(kind, edges)
        _panel(axes, nodes, edges, bent=kind == "cycle")
        axes.set_title(f"{names.get(kind, kind)}\n{_degrees(nodes['degree'])}")
        numbers += [nodes.assign(what="node"), edges[["graph", "node", "neighbour"]].assign(what="edge")]
    for axes in grid[len(kinds) :]:
        axes.set_axis_off()
    frame(figure, plan, _handles())
    return figure, pd.concat(numbers, ignore_index=True)[
        ["what", "graph", "node", "neighbour", "x", "y", "degree"]
    ]


def _degrees(degrees: pd.Series) -> str:
    *others, largest = sorted(set(degrees))
    listed = f"{', '.join(map(str, others))} or {largest}" if others else f"{largest}"
    return f"degrees {listed}; {symbol('average_degree')} = {degrees.mean() / largest:.2f}"


def _nodes(kind: str, edges: pd.DataFrame) -> pd.DataFrame:
    """Place the nodes, and count their neighbours."""
    count = int(edges["n_nodes"].iloc[0])
    if kind == "grid":
        columns = nearly_square(count)[1]
        row, column = np.divmod(np.arange(count), columns)
        places = np.stack([column, -row], axis=1) * 2 / (columns - 1)
        places = places - places.mean(axis=0)
    else:
        turn = 2 * np.pi * np.arange(count) / count
        places = np.stack([np.sin(turn), np.cos(turn)], axis=1)
    ends = edges[["node", "neighbour"]].to_numpy().ravel()
    return pd.DataFrame(
        {
            "graph": kind,
            "node": np.arange(count),
            "x": places[:, 0],
            "y": places[:, 1],
            "degree": np.bincount(ends, minlength=count),
        }
    )


def _panel(axes: Axes, nodes: pd.DataFrame, edges: pd.DataFrame, *, bent: bool) -> None:
    places = nodes[["x", "y"]].to_numpy()
    pairs = edges[["node", "neighbour"]].to_numpy()
    paths = [_path(places, pair, len(nodes)) if bent else places[pair] for pair in pairs]
    axes.add_collection(LineCollection(paths, **_EDGE))
    linked = (nodes["degree"] > 0).to_numpy()
    for some, fill in ((linked, _LINKED), (~linked, "white")):
        x, y = places[some].T
        axes.scatter(x, y, s=17, facecolor=fill, edgecolor=INK, linewidth=0.6, zorder=2)
    axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal")
    axes.set_axis_off()


def _path(places: np.ndarray, pair: np.ndarray, count: int) -> np.ndarray:
    """Return a straight line between neighbours on the circle, or an arc inside it."""
    first, last = places[pair]
    steps = abs(int(pair[0]) - int(pair[1]))
    apart = min(steps, count - steps)
    if apart == 1:
        return np.stack([first, last])
    along = np.linspace(0, 1, _ARC)[:, None]
    inward = -(first + last) / np.linalg.norm(first + last) * _DEPTH * apart
    return first + along * (last - first) + 4 * along * (1 - along) * inward


def _handles() -> list[Line2D]:
    dot: dict[str, Any] = {
        "marker": "o",
        "markersize": 4.4,
        "markeredgecolor": INK,
        "linestyle": "none",
        "color": INK,
    }
    return [
        Line2D([], [], label="node with links", markerfacecolor=_LINKED, **dot),
        Line2D([], [], label="isolated node", markerfacecolor="white", **dot),
    ]
