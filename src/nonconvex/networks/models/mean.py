"""The network of Chapters 6 and 7: the mean over neurons."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import finite_array, same_shape


def mean_outputs(inputs: ArrayLike, weights: ArrayLike) -> np.ndarray:
    """Return ``g(W; x) = 1/K sum_k relu(w_k' x)`` of every input (thesis, Section 6.2 and Eq. teacher_model).

    Parameters
    ----------
    inputs : array_like, shape (n_samples, n_features)
    weights : array_like, shape (n_features, n_neurons)
        W.

    Returns
    -------
    ndarray, shape (n_samples,), float64

    Raises
    ------
    ValueError
        If an argument is not a finite matrix, or their shapes do not agree. There may be no inputs.
    """
    weights = finite_array("weights", weights, ("n_features", "n_neurons"))
    if np.shape(inputs) == (0, len(weights)):
        return np.empty(0)
    inputs = finite_array("inputs", inputs, ("n_samples", "n_features"))
    same_shape("inputs", inputs, (len(inputs), len(weights)))
    return np.maximum(inputs @ weights, 0).mean(axis=1)
