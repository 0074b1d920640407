"""Training graph networks from a start that is estimated from the data, or from the random one."""

import numpy as np
import scipy.sparse

from nonconvex.networks.distances import align, relative_error
from nonconvex.networks.graphs import normalise
from nonconvex.networks.tensor.graph import graph_tensor_initialisation
from nonconvex.networks.tensor.printed import printed_graph_tensor_initialisation
from nonconvex.problems.contract import Row
from nonconvex.problems.graph.data import Instance
from nonconvex.problems.graph.outcome import TRAINING
from nonconvex.problems.training import starts

KINDS = ("tensor", "tensor_printed")


def estimate(instance: Instance, kind: str) -> np.ndarray:
    """Return a start from the data alone, shape (n_features, n_neurons), its neurons numbered to match W*.

    ``tensor_printed`` is the subroutine of Section 5.3 as printed.
    """
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


def about(start: np.ndarray, instance: Instance) -> Row:
    """Return what is kept of a start: the relative error of W0."""
    return {"start_error": float(relative_error(start, instance.truth))}


OUTCOME = starts(TRAINING, KINDS, estimate, {"start_error": "f8"}, about)
