"""The weight of labelled data in Chapter 7, and the point that runs should come near."""

import math

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import finite_array, number, positive_integer, same_shape


def labelled_weight(n_labelled: int, n_unlabelled: int, n_features: int, n_neurons: int) -> float:
    """Return lambda as in the thesis's experiments: ``sqrt(N / (2 K d))``, at most 1.

    Without unlabelled data it is 1.

    Raises
    ------
    ValueError
        If an argument is no positive integer; `n_unlabelled` may be 0.
    """
    if n_unlabelled != 0:
        positive_integer("n_unlabelled", n_unlabelled)
    unknowns = positive_integer("n_neurons", n_neurons) * positive_integer("n_features", n_features)
    share = math.sqrt(positive_integer("n_labelled", n_labelled) / (2 * unknowns))
    return min(1.0, share) if n_unlabelled else 1.0


def mixture_weight(weight: float, *, deviation: float = 1.0) -> float:
    """Return ``lambda-hat = lambda / (lambda + (1 - lambda) deviation^2)`` (thesis, Eq. definition_lambda).

    Labelled inputs have unit deviation.

    Parameters
    ----------
    weight : float
        lambda, above 0 and at most 1.
    deviation : float
        Standard deviation of the unlabelled inputs, positive.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    weight = checked_weight(weight)
    return weight / (weight + (1 - weight) * number("deviation", deviation, np.finfo(float).tiny) ** 2)


def mixture(start: ArrayLike, truth: ArrayLike, weight: float, *, deviation: float = 1.0) -> np.ndarray:
    """Return ``W[lambda-hat] = lambda-hat W* + (1 - lambda-hat) W0``, which theory says runs come near.

    Parameters
    ----------
    start, truth : array_like, shape (n_features, n_neurons)
        W0 and W*.
    weight, deviation : float
        As in `mixture_weight`.

    Returns
    -------
    ndarray, shape (n_features, n_neurons), float64

    Raises
    ------
    ValueError
        If an argument is not finite or out of range, or the shapes of the two do not agree.
    """
    truth = finite_array("truth", truth, ("n_features", "n_neurons"))
    start = finite_array("start", start, ("n_features", "n_neurons"))
    same_shape("start", start, truth.shape)
    share = mixture_weight(weight, deviation=deviation)
    return share * truth + (1 - share) * start


def checked_weight(weight: float) -> float:
    """Return lambda as a float; ValueError unless it is above 0 and at most 1."""
    if number("weight", weight, 0, 1) == 0:
        raise ValueError("weight must be above 0, got 0")
    return float(weight)
