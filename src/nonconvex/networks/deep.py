"""Networks of several hidden layers, and their generalisation function over given inputs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import finite_array


def deep_outputs(inputs: ArrayLike, layers: Sequence[ArrayLike]) -> np.ndarray:
    """Return the mean over the last layer's units of ``relu(W_L' ... relu(W_1' x))``.

    With one layer this is the network of the thesis's Eq. teacher_model. The thesis does not say how its
    deeper ones are made: here each hidden layer has a matrix and a ReLU, without biases.

    Parameters
    ----------
    inputs : array_like, shape (n_samples, n_features)
    layers : sequence of array_like
        W_1 (n_features, n_units) to W_L, each with as many rows as the one before has columns.

    Returns
    -------
    ndarray, shape (n_samples,), float64

    Raises
    ------
    ValueError
        If an argument is not finite, there is no layer, or shapes do not agree.
    """
    hidden = finite_array("inputs", inputs, ("n_samples", "n_features"))
    if not len(layers):
        raise ValueError("layers must hold one matrix at least, got none")
    for i, layer in enumerate(layers):
        matrix = finite_array(f"layers[{i}]", layer, ("n_inputs", "n_units"))
        if len(matrix) != hidden.shape[1]:
            raise ValueError(
                f"layers[{i}] must have {hidden.shape[1]} rows, as many as it has inputs, got {len(matrix)}"
            )
        hidden = hidden @ matrix
        np.maximum(hidden, 0, out=hidden)
    return hidden.mean(axis=1)


def generalisation_function(
    inputs: ArrayLike, layers: Sequence[ArrayLike], truth: Sequence[ArrayLike]
) -> float:
    """Return the mean of ``(g(W*; x) - g(W; x))^2`` over given inputs (thesis, Eq. GF).

    Both networks see the same inputs, so that the relative error stays that of a mean of squares, however
    near they are. For one hidden layer `nonconvex.networks.generalisation.population_risk` is exact.

    Parameters
    ----------
    inputs : array_like, shape (n_samples, n_features)
        A sample of the distribution that the expectation is over.
    layers, truth : sequence of array_like
        W and W*, as in `deep_outputs`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        As `deep_outputs`.
    """
    return float(np.mean((deep_outputs(inputs, layers) - deep_outputs(inputs, truth)) ** 2))
