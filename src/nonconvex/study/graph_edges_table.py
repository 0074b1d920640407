"""The table of an experiment that only draws graphs: one row per edge."""

from collections.abc import Iterator, Mapping, Sequence

import scipy.sparse

from nonconvex.study.graph_structure_data import edges_of


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
