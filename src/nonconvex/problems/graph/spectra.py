"""What of a graph could enter the sample complexity: sigma_1(A), degrees, and the norms of the rows of A."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import scipy.sparse

from nonconvex.networks.graphs import degrees, largest_singular_value, normalise, row_norms_squared
from nonconvex.problems.contract import Table


def columns(axes: Sequence[str]) -> list[str]:
    """Return the table's column names."""
    return [
        *axes,
        "trial",
        "largest_singular_value",
        "row_norm_squared",
        "mean_degree",
        "largest_degree",
    ]


def rows(
    axes: Sequence[str], cell: Mapping, trial: int, adjacency: scipy.sparse.csr_array
) -> Iterator[tuple]:
    """Yield the row of a trial's graph; `row_norm_squared` is the mean of ||a_n||^2 over all nodes."""
    normalised, neighbours = normalise(adjacency), degrees(adjacency)
    yield (
        *(cell[axis] for axis in axes),
        trial,
        largest_singular_value(normalised),
        float(np.mean(row_norms_squared(normalised))),
        float(neighbours.mean()),
        int(neighbours.max()),
    )


TABLE = Table(columns, rows)
