"""The graphs of the thesis, Section 5.5, as experiments ask for them: alone, and one row per edge."""

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import scipy.sparse

from nonconvex.problems.contract import Data, Table

STREAMS = {"graph": ("graph", "degree")}
"""Neither the number of nodes nor the average degree changes the stream: curves over them are paired."""

KINDS = ("cycle", "grid", "regular", "bounded")
"""Structures (a) to (d)."""

GRID_DEGREE = 4


def check(cell: Mapping) -> None:
    """Raise ValueError when there is no such graph."""
    kind, degree, nodes = cell["graph"], cell["degree"], n_nodes(cell)
    if kind not in KINDS:
        raise ValueError(f"graph = {kind!r} is none of {', '.join(KINDS)}")
    if not 1 <= degree < nodes:
        raise ValueError(f"degree = {degree} must be at least 1 and below the number of nodes, {nodes}")
    if kind == "cycle" and degree % 2:
        raise ValueError(f"degree = {degree} must be even on a cycle: half of the neighbours on either side")
    if kind == "grid" and degree != GRID_DEGREE:
        raise ValueError(f"degree = {degree} must be {GRID_DEGREE} on a grid")
    if kind == "grid" and all(nodes % side for side in range(2, math.isqrt(nodes) + 1)):
        raise ValueError(f"{nodes} nodes, a prime number, make no grid but a path")
    if kind == "regular" and nodes * degree % 2:
        raise ValueError(f"degree = {degree} times the number of nodes, {nodes}, must be even")
    if kind == "bounded" and not 0 <= cell["average_degree"] <= 1:
        raise ValueError(f"average_degree = {cell['average_degree']} must be from 0 to 1; it is over degree")


def n_nodes(cell: Mapping) -> int:
    """Return N, given itself or as a multiple of the labelled nodes."""
    if ("n_nodes" in cell) == ("nodes_ratio" in cell):
        raise ValueError("exactly one of n_nodes and nodes_ratio must be given")
    return cell["n_nodes"] if "n_nodes" in cell else round(cell["nodes_ratio"] * cell["n_labelled"])


def draw_graph(cell: Mapping, rng: np.random.Generator) -> scipy.sparse.csr_array:
    """Return the adjacency matrix of a cell's graph, zeros and ones, without self-connections."""
    from nonconvex.networks import graphs

    nodes, degree = n_nodes(cell), cell["degree"]
    match cell["graph"]:
        case "cycle":
            return graphs.connected_cycle(nodes, degree)
        case "grid":
            return graphs.two_dimensional_grid(*graphs.nearly_square(nodes))
        case "regular":
            return graphs.random_regular(nodes, degree, rng=rng)
        case _:
            return graphs.bounded_degree(nodes, degree, cell["average_degree"], rng=rng)


def edges_of(adjacency: scipy.sparse.csr_array) -> np.ndarray:
    """Return the edges, shape (n_edges, 2), int64, each once, the smaller node first, in ascending order."""
    ends = scipy.sparse.coo_array(adjacency)
    keys = np.sort((ends.row.astype(np.int64) * adjacency.shape[0] + ends.col)[ends.row < ends.col])
    return np.stack(np.divmod(keys, adjacency.shape[0]), axis=1)


def graph_digest(edges: np.ndarray) -> np.ndarray:
    """Return 8 bytes that tell one list of edges from another, shape (8,), uint8."""
    return np.frombuffer(hashlib.sha256(edges.astype("<i8").tobytes()).digest()[:8], dtype=np.uint8)


def check_graph(stored: np.ndarray, edges: np.ndarray) -> None:
    """Raise ValueError when a graph that was drawn again has other edges than when its digest was stored."""
    if not np.array_equal(stored, graph_digest(edges)):
        raise ValueError(
            "the random stream 'graph' draws another graph here than when the dataset was drawn: another "
            "numpy; use the locked environment, or delete the datasets folder"
        )


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw a graph and return its digest."""
    return {"graph_digest": graph_digest(edges_of(draw_graph(cell, streams["graph"])))}


def build(
    cell: Mapping, stored: Mapping[str, np.ndarray], streams: Mapping[str, np.random.Generator]
) -> scipy.sparse.csr_array:
    """Draw the graph again and return its adjacency matrix.

    Raises
    ------
    ValueError
        When it has other edges than the graph that the dataset was made with.
    """
    adjacency = draw_graph(cell, streams["graph"])
    check_graph(stored["graph_digest"], edges_of(adjacency))
    return adjacency


def columns(axes: Sequence[str]) -> list[str]:
    """Return the table's column names; nodes count from 0 to n_nodes - 1, with or without edges."""
    return [*axes, "trial", "n_nodes", "node", "neighbour"]


def rows(
    axes: Sequence[str], cell: Mapping, trial: int, adjacency: scipy.sparse.csr_array
) -> Iterator[tuple]:
    """Yield one row per edge of a trial's graph."""
    point = [cell[axis] for axis in axes]
    for node, neighbour in edges_of(adjacency).tolist():
        yield (*point, trial, adjacency.shape[0], node, neighbour)


DATA = Data(check, draw, build, streams=STREAMS, redrawn=("graph",))
TABLE = Table(columns, rows)
