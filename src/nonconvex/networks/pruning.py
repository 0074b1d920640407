"""Which weights of a network are pruned: scores, masks that keep the largest, and how good a mask is."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.arrays import plain_array
from nonconvex.networks.arguments import choice, finite_array, matrices, same_shape

SCORES = ("signed", "abs", "magnitude")
RANKINGS = ("network", "neuron")


def hessian_product(inputs: ArrayLike, weights: ArrayLike, direction: ArrayLike) -> np.ndarray:
    """Return H V, the Hessian of the loss 1/(2N) sum_n (g(W; x_n) - y_n)^2 at W times a direction V.

    Exact away from the kinks of the ReLU, where the second derivative of g is zero, whatever y is; g is the
    mean over neurons.

    Parameters
    ----------
    inputs : array_like, shape (n_samples, n_features)
    weights, direction : array_like, shape (n_features, n_neurons)

    Returns
    -------
    ndarray, shape (n_features, n_neurons), float64

    Raises
    ------
    ValueError
        If an argument is not finite or the shapes do not agree.
    """
    inputs, weights = _network(inputs, weights)
    direction = finite_array("direction", direction, ("n_features", "n_neurons"))
    same_shape("direction", direction, weights.shape)
    active = inputs @ weights > 0
    change = ((inputs @ direction) * active).mean(axis=1)
    return inputs.T @ (change[:, None] * active) / active.size


def loss_gradient(inputs: ArrayLike, outputs: ArrayLike, weights: ArrayLike) -> np.ndarray:
    """Return the gradient of the loss of `hessian_product`, shape (n_features, n_neurons), float64.

    Raises
    ------
    ValueError
        If an argument is not finite or the shapes do not agree.
    """
    inputs, weights = _network(inputs, weights)
    outputs = finite_array("outputs", outputs, ("n_samples",))
    same_shape("outputs", outputs, inputs.shape[:1])
    hidden = inputs @ weights
    residual = np.maximum(hidden, 0.0).mean(axis=1) - outputs
    return inputs.T @ (residual[:, None] * (hidden > 0)) / hidden.size


def pruning_scores(
    inputs: ArrayLike, outputs: ArrayLike, weights: ArrayLike, kind: str = "signed"
) -> np.ndarray:
    """Return how much each weight matters: those with the largest scores are to be kept.

    =========  =======================================================================================
    kind       score of w
    =========  =======================================================================================
    signed     w (H g), g the gradient of the loss and H its Hessian: GraSP as published. To first order
               -2 w (H g) is what removing w adds to the squared norm of the gradient; the method
               removes the weights for which that is largest, whose removal reduces the "gradient flow"
               least, and keeps those for which it is most negative
    abs        its absolute value, a reading: those whose removal changes the gradient flow most are kept
    magnitude  |w|
    =========  =======================================================================================

    Parameters
    ----------
    inputs : array_like, shape (n_samples, n_features)
    outputs : array_like, shape (n_samples,)
        Observed outputs y.
    weights : array_like, shape (n_features, n_neurons)
        W; the network's output is the mean over neurons.
    kind : {"signed", "abs", "magnitude"}

    Returns
    -------
    ndarray, shape (n_features, n_neurons), float64

    Raises
    ------
    ValueError
        If an argument is not finite, the shapes do not agree, or `kind` is unknown.

    References
    ----------
    C. Wang, G. Zhang, R. Grosse, "Picking winning tickets before training by preserving gradient flow",
    Proc. ICLR, 2020.
    """
    choice("kind", kind, SCORES)
    inputs, weights = _network(inputs, weights)
    if kind == "magnitude":
        return np.abs(weights)
    scores = weights * hessian_product(inputs, weights, loss_gradient(inputs, outputs, weights))
    return np.abs(scores) if kind == "abs" else scores


def keep_largest(scores: ArrayLike, ratio: float, by: str = "network") -> np.ndarray:
    """Return the mask that prunes the share `ratio` of all weights, those with the smallest scores.

    Every neuron keeps at least its largest score, in place of the smallest of those that are kept. Scores of
    -infinity, of weights that are pruned already, go first. Among equal scores the earlier entry is kept.

    Parameters
    ----------
    scores : array_like, shape (n_features, n_neurons)
        Not NaN, nor +infinity.
    ratio : float
        From 0 to below 1; the number of kept weights is rounded to the nearest integer.
    by : {"network", "neuron"}
        Whether weights are ranked in the whole network or in each neuron.

    Returns
    -------
    ndarray, shape (n_features, n_neurons), bool

    Raises
    ------
    ValueError
        For a ratio out of range, one that leaves fewer weights than neurons, or scores that are none.
    """
    scores = matrices("scores", scores)
    finite_array("scores", np.where(np.isneginf(scores), 0.0, scores), ("n_features", "n_neurons"))
    choice("by", by, RANKINGS)
    if not isinstance(ratio, (int, float, np.number)) or isinstance(ratio, bool) or not 0 <= ratio < 1:
        raise ValueError(f"ratio must be from 0 to below 1, got {ratio!r}")
    n_features, n_neurons = scores.shape
    kept = round((1 - float(ratio)) * scores.size) if by == "network" else round((1 - ratio) * n_features)
    if kept < (n_neurons if by == "network" else 1):
        raise ValueError(f"ratio = {ratio} leaves {kept} of {scores.size} weights, and some neuron none")
    rank = np.empty(scores.shape, dtype=np.int64)
    if by == "neuron":
        np.put_along_axis(rank, np.argsort(-scores, axis=0, kind="stable"), np.arange(n_features)[:, None], 0)
        return rank < kept
    first = scores.copy()
    first[scores.argmax(axis=0), np.arange(n_neurons)] = np.inf
    rank.ravel()[np.argsort(-first, axis=None, kind="stable")] = np.arange(scores.size)
    return rank < kept


def mask_accuracy(mask: ArrayLike, true_mask: ArrayLike) -> float:
    """Return the share of the true mask's weights that `mask` keeps (thesis, Section 6.4.2).

    Raises
    ------
    ValueError
        If the shapes do not agree, or the true mask is empty.
    """
    mask = plain_array("mask", mask).astype(bool, copy=False)
    true_mask = plain_array("true_mask", true_mask).astype(bool, copy=False)
    same_shape("mask", mask, true_mask.shape)
    if not true_mask.any():
        raise ValueError("true_mask must keep a weight")
    return float((mask & true_mask).sum() / true_mask.sum())


def _network(inputs: ArrayLike, weights: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    inputs = finite_array("inputs", inputs, ("n_samples", "n_features"))
    weights = finite_array("weights", weights, ("n_features", "n_neurons"))
    same_shape("weights", weights, (inputs.shape[1], weights.shape[1]))
    return inputs, weights
