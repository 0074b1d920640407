"""One-hidden-layer graph networks for regression and binary classification (thesis, Chapter 5)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from nonconvex.networks.arguments import (
    choice,
    finite_array,
    node_indices,
    per_trial,
    positive_integer,
    same_shape,
)
from nonconvex.networks.graphs import sparse_matrix
from nonconvex.networks.models.pooled_relu import PooledRelu
from nonconvex.networks.models.pooled_sigmoid import PooledSigmoid
from nonconvex.networks.steps import TASKS


def draw_node_features(n_nodes: int, n_features: int, *, rng: np.random.Generator) -> np.ndarray:
    """Draw the node features X, rows x_n ~ N(0, I), shape (n_nodes, n_features), float64.

    Raises
    ------
    ValueError
        If a size is not a positive integer.
    """
    shape = positive_integer("n_nodes", n_nodes), positive_integer("n_features", n_features)
    return rng.standard_normal(shape)


def aggregate(adjacency: csr_array, features: ArrayLike, labelled: ArrayLike | None = None) -> np.ndarray:
    """Return the inputs a_n' X of the hidden layer at the labelled nodes.

    Parameters
    ----------
    adjacency : scipy.sparse array, shape (n_nodes, n_nodes)
        Normalised adjacency matrix A (`nonconvex.networks.graphs.normalise`).
    features : array_like, shape (n_nodes, n_features)
        X.
    labelled : array_like of int, shape (n_labelled,), optional
        Omega; all nodes when not given.

    Returns
    -------
    ndarray, shape (n_labelled, n_features), float64

    Raises
    ------
    ValueError
        If `adjacency` is not sparse, an array is not finite, the shapes do not agree, or a labelled index is
        not a node.
    """
    features = finite_array("features", features, ("n_nodes", "n_features"))
    n_nodes = len(features)
    adjacency = sparse_matrix("adjacency", adjacency)
    same_shape("adjacency", adjacency, (n_nodes, n_nodes))
    if labelled is None:
        return adjacency @ features
    return adjacency[node_indices(labelled, n_nodes)] @ features


def graph_outputs(aggregated: ArrayLike, weights: ArrayLike, *, task: str = "regression") -> np.ndarray:
    """Return ``z_n = mean_j phi(a_n' X w_j)`` (thesis, Eq. y_n).

    Parameters
    ----------
    aggregated : array_like, shape (n_labelled, n_features)
        Rows a_n' X of one trial (`aggregate`).
    weights : array_like, shape (n_features, n_neurons)
        W = [w_1, ..., w_K].
    task : {"regression", "classification"}
        phi is the ReLU for regression and the sigmoid for classification.

    Returns
    -------
    ndarray, shape (n_labelled,), float64

    Raises
    ------
    ValueError
        If an argument is not finite, the shapes do not agree, or `task` is unknown.
    """
    aggregated = finite_array("aggregated", aggregated, ("n_labelled", "n_features"))
    weights = finite_array("weights", weights, ("n_features", "n_neurons"))
    choice("task", task, TASKS)
    same_shape("weights", weights, (aggregated.shape[1], weights.shape[1]))
    products = aggregated @ weights
    if task == "regression":
        return np.maximum(products, 0.0).mean(axis=1)
    return (0.5 + 0.5 * np.tanh(products / 2)).mean(axis=1)


def draw_classes(outputs: ArrayLike, *, rng: np.random.Generator) -> np.ndarray:
    """Draw binary labels with ``Prob{y_n = 1} = z_n``.

    Parameters
    ----------
    outputs : array_like, shape (n_labelled,)
        z, in [0, 1].
    rng : numpy.random.Generator
        Source of randomness (the noise stream).

    Returns
    -------
    ndarray, shape (n_labelled,), float64
        Zeros and ones.

    Raises
    ------
    ValueError
        If an output is not in [0, 1].
    """
    outputs = finite_array("outputs", outputs, ("n_labelled",))
    if outputs.min() < 0 or outputs.max() > 1:
        raise ValueError(f"outputs must be probabilities, got {outputs.min():g} to {outputs.max():g}")
    return (rng.random(outputs.size) < outputs).astype(float)


def graph_trials(
    aggregated: Sequence[ArrayLike], labels: Sequence[ArrayLike], n_neurons: int, *, task: str = "regression"
) -> PooledRelu | PooledSigmoid:
    """Prepare the training problems of T trials (thesis, Eqs. linear_regression, classification).

    Parameters
    ----------
    aggregated : sequence of T arrays, shape (n_labelled, n_features) each
        Rows a_n' X of the labelled nodes; all trials have one size. They are copied.
    labels : sequence of T arrays, shape (n_labelled,) each
        Labels y; zeros and ones for classification.
    n_neurons : int
        K.
    task : {"regression", "classification"}
        Squared loss with ReLU, or cross entropy with sigmoid.

    Returns
    -------
    PooledRelu or PooledSigmoid
        With methods ``outputs``, ``loss``, ``gradient``, ``hessian`` and ``sharpness`` of weights of shape
        (T, n_features, n_neurons).

    Raises
    ------
    ValueError
        If an argument is not finite, the shapes do not agree, or a class is not 0 or 1.

    References
    ----------
    S. Zhang, M. Wang, S. Liu, P.-Y. Chen, J. Xiong, "Fast learning of graph neural networks with guaranteed
    generalizability: one-hidden-layer case", Proc. ICML, 11268-11277, 2020.
    """
    n_neurons = positive_integer("n_neurons", n_neurons)
    choice("task", task, TASKS)
    axes = ("n_labelled", "n_features")
    inputs = [
        finite_array(f"aggregated[{i}]", x, axes) for i, x in enumerate(per_trial("aggregated", aggregated))
    ]
    observed = [finite_array(f"labels[{i}]", y, axes[:1]) for i, y in enumerate(per_trial("labels", labels))]
    if len(inputs) != len(observed) or not observed:
        raise ValueError(
            f"aggregated and labels must have one entry per trial, got {len(inputs)} and {len(observed)}"
        )
    for i, (x, y) in enumerate(zip(inputs, observed, strict=True)):
        same_shape(f"aggregated[{i}]", x, inputs[0].shape)
        same_shape(f"labels[{i}]", y, inputs[0].shape[:1])
        if task == "classification" and not np.isin(y, (0, 1)).all():
            raise ValueError(f"labels[{i}] must be 0 or 1, got {y[~np.isin(y, (0, 1))][0]:g}")
    if task == "classification":
        return PooledSigmoid.from_inputs(inputs, observed, n_neurons)
    v = np.full((len(observed), n_neurons), 1 / n_neurons)
    return PooledRelu.from_inputs([x[:, None, :] for x in inputs], observed, v)
