"""Training graph networks from a start that is estimated from the data, or from the random one."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import scipy.sparse

from nonconvex.networks.arguments import choice
from nonconvex.networks.errors import align, relative_error
from nonconvex.networks.graphs import normalise
from nonconvex.networks.tensor_graph import graph_tensor_initialisation
from nonconvex.networks.tensor_printed import printed_graph_tensor_initialisation
from nonconvex.study import graph_outcome
from nonconvex.study.descent_rows import without
from nonconvex.study.graph_data import Instance
from nonconvex.study.graph_outcome import TELL, rows, train

__all__ = ["COLUMNS", "STARTS", "TELL", "check", "failed", "outcomes", "start_of"]

COLUMNS = {**graph_outcome.COLUMNS, "start_error": "f8"}
STARTS = ("random", "tensor", "tensor_printed")


def check(options: Mapping, cell: Mapping) -> None:
    """Raise ValueError for options that cannot be used on a cell."""
    choice("start", options.get("start"), STARTS)
    graph_outcome.check(without(options, "start"), cell)


def outcomes(solver: Callable, instances: Sequence[Instance], tell: Sequence[str], options: Mapping) -> list:
    """Train each trial from the start that the option `start` names, one of `STARTS`, and return the rows.

    ``random`` is the start of all figures, around W*; ``tensor`` comes from the data alone, and so does
    ``tensor_printed``, the subroutine of Section 5.3 as printed. Their neurons are renumbered to match W*
    best, after which `start_error` is the relative error of W0. A trial whose start cannot be computed has
    failed.
    """
    others = without(options, "start")
    return [_trained(solver, instance, options["start"], others) for instance in instances]


def _trained(solver: Callable, instance: Instance, kind: str, options: Mapping) -> dict:
    try:
        start = start_of(instance, kind)
    except ValueError as error:
        return failed() | {"reason": str(error)}
    (row,) = rows(train(solver, [instance], [start], **options), [instance])
    return row | {"start_error": float(relative_error(start, instance.truth))}


def start_of(instance: Instance, kind: str) -> np.ndarray:
    """Return a start point of an instance, shape (n_features, n_neurons); the same one each time.

    Raises
    ------
    ValueError
        For a `kind` that is none of `STARTS`, and when the initialisation cannot work with the data.
    """
    choice("start", kind, STARTS)
    if kind == "random":
        return instance.start
    initialise = graph_tensor_initialisation if kind == "tensor" else printed_graph_tensor_initialisation
    found = initialise(
        instance.features,
        _normalised(instance),
        instance.labels,
        instance.labelled,
        instance.truth.shape[1],
        task=instance.task,
        rng=np.random.default_rng(instance.tensor),
    )
    return align(found, instance.truth)


def _normalised(instance: Instance) -> scipy.sparse.csr_array:
    """Return the normalised adjacency matrix A of an instance's graph."""
    nodes = len(instance.features)
    ends, others = np.concatenate([instance.edges, instance.edges[:, ::-1]]).T
    links = scipy.sparse.coo_array((np.ones(len(ends)), (ends, others)), shape=(nodes, nodes))
    return normalise(links.tocsr())


def failed() -> dict:
    """Return the row of a trial that could not be run."""
    return {**graph_outcome.failed(), "start_error": np.nan}
