"""Checking the data handed to a tensor initialisation."""

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from nonconvex.networks.arguments import choice, finite_array, node_indices, positive_integer
from nonconvex.networks.graphs import sparse_matrix

TASKS = ("regression", "classification")


def read_patches(x: ArrayLike, y: ArrayLike, n_neurons: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Return (x, y, n_neurons) of a convolutional network as float64 arrays and an integer.

    Raises
    ------
    ValueError
        For `x` not of shape (N, M, d), `y` not of shape (N,), an entry that is not a finite real number,
        constant `y`, or `n_neurons` not from 1 to d.
    """
    x = finite_array("x", x, ("N", "M", "d"))
    y = finite_array("y", y, ("N",))
    if len(y) != len(x):
        raise ValueError(f"y must have one entry per sample of x, {len(x)}, got {len(y)}")
    _refuse_constant("y", y)
    return x, y, _check_neurons(n_neurons, x.shape[2])


def read_graph(
    features: ArrayLike,
    adjacency: csr_array,
    labels: ArrayLike,
    labelled: ArrayLike,
    n_neurons: int,
    task: str,
) -> tuple[np.ndarray, csr_array, np.ndarray, np.ndarray, int]:
    """Check the data of a graph network.

    Parameters
    ----------
    features, adjacency, labels, labelled, n_neurons, task
        As for `nonconvex.networks.tensor.graph.graph_tensor_initialisation`.

    Returns
    -------
    features : ndarray, shape (n_nodes, d), float64
    rows : scipy.sparse.csr_array, shape (n_labelled, n_nodes), float64
        The rows a_n' of the labelled nodes.
    labels : ndarray, shape (n_labelled,), float64
    labelled : ndarray, shape (n_labelled,), int
    n_neurons : int

    Raises
    ------
    ValueError
        For another `task`, shapes that do not agree, an entry that is not a finite real number, labels that
        are constant or, for classification, other than 0 and 1, a labelled node out of range or named twice,
        a labelled node whose row of `adjacency` is zero, or `n_neurons` not from 1 to d.
    """
    choice("task", task, TASKS)
    features = finite_array("features", features, ("n_nodes", "d"))
    n_nodes = len(features)
    if not scipy.sparse.issparse(adjacency) or adjacency.shape != (n_nodes, n_nodes):
        raise ValueError(
            f"adjacency must be a scipy.sparse matrix of shape {(n_nodes, n_nodes)}, as features has "
            f"{n_nodes} rows, got {type(adjacency).__name__} of shape {np.shape(adjacency)}"
        )
    adjacency = sparse_matrix("adjacency", adjacency)
    labelled = _check_nodes(labelled, n_nodes)
    labels = finite_array("labels", labels, ("n_labelled",))
    if len(labels) != len(labelled):
        raise ValueError(f"labels must have one entry per labelled node, {len(labelled)}, got {len(labels)}")
    if task == "classification":
        _refuse_other_classes(labels)
    _refuse_constant("labels", labels)
    rows = scipy.sparse.csr_array(adjacency)[labelled].astype(float)
    norms = row_norms(rows)
    unusable = np.flatnonzero(~(np.isfinite(norms) & (norms > 0)))
    if unusable.size:
        place = unusable[0]
        raise ValueError(
            f"adjacency must have finite, non-zero rows at labelled nodes, got a row of norm {norms[place]} "
            f"at node {labelled[place]}"
        )
    return features, rows, labels, labelled, _check_neurons(n_neurons, features.shape[1])


def row_norms(rows: csr_array) -> np.ndarray:
    """Return |a_n| of the rows of a sparse matrix, shape (n_rows,)."""
    return np.sqrt(rows.multiply(rows).sum(axis=1))


def _refuse_constant(name: str, values: np.ndarray) -> None:
    if values.min() == values.max():
        raise ValueError(f"{name} must vary for its moments to tell the weights, got {values[0]} throughout")


def _refuse_other_classes(labels: np.ndarray) -> None:
    other = np.flatnonzero((labels != 0) & (labels != 1))
    if other.size:
        place = other[0]
        raise ValueError(f"labels must be 0 or 1 for classification, got {labels[place]} at index {place}")


def _check_neurons(n_neurons: int, d: int) -> int:
    n_neurons = positive_integer("n_neurons", n_neurons)
    if n_neurons > d:
        raise ValueError(f"n_neurons must be at most the input dimension d = {d}, got {n_neurons}")
    return n_neurons


def _check_nodes(labelled: ArrayLike, n_nodes: int) -> np.ndarray:
    labelled = node_indices(labelled, n_nodes)
    if np.unique(labelled).size != labelled.size:
        raise ValueError("labelled must name every node at most once, got a repeated index")
    return labelled
