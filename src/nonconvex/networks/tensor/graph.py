"""Tensor initialisation of graph networks (thesis, Subroutine 2, with moments that carry a signal)."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from nonconvex.networks.tensor.input import read_graph, row_norms
from nonconvex.networks.tensor.relu import relu_start
from nonconvex.networks.tensor.sigmoid import sigmoid_start


def graph_tensor_initialisation(
    features: ArrayLike,
    adjacency: csr_array,
    labels: ArrayLike,
    labelled: ArrayLike,
    n_neurons: int,
    *,
    task: str = "regression",
    rng: np.random.Generator,
) -> np.ndarray:
    """Estimate a start point W^(0) of a one-hidden-layer graph network from its labelled nodes.

    Parameters
    ----------
    features : array_like, shape (n_nodes, d)
        X, its rows standard Gaussian.
    adjacency : scipy.sparse matrix, shape (n_nodes, n_nodes)
        The normalised adjacency A, with rows a_n'.
    labels : array_like, shape (n_labelled,)
        y_n = (1/K) sum_j relu(a_n' X w_j) (thesis, Eq. y_n), or zeros and ones whose mean is the same sum
        with the sigmoid; in the order of `labelled`, not constant.
    labelled : array_like of int, shape (n_labelled,)
        Distinct indices of the labelled nodes, Omega.
    n_neurons : int
        K, from 1 to d.
    task : {"regression", "classification"}
        ReLU or sigmoid neurons.
    rng : numpy.random.Generator
        Source of the contraction vectors; nothing else is random.

    Returns
    -------
    ndarray, shape (d, K), float64
        W^(0), its columns in no particular order.

    Raises
    ------
    ValueError
        For bad data or another `task`, see `nonconvex.networks.tensor.input.read_graph`.

    Notes
    -----
    All moments are of a_n' X / |a_n|, which is standard Gaussian and all that y_n depends on; x_n, printed
    in M_1, is only part of it, and a_n' X, printed in M_2 and M_3, has not unit variance. For ReLU see
    `nonconvex.networks.tensor.relu`, with K y_n / |a_n| as output; for the sigmoid see
    `nonconvex.networks.tensor.sigmoid`.
    """
    features, rows, labels, _, n_neurons = read_graph(features, adjacency, labels, labelled, n_neurons, task)
    reach = row_norms(rows)
    inputs = (rows @ features) / reach[:, None]
    if task == "classification":
        return sigmoid_start(inputs, labels, reach, n_neurons, rng=rng)
    outputs = n_neurons * labels / reach
    return relu_start(inputs[:, np.newaxis], outputs, n_neurons, positive=True, rng=rng).weights
