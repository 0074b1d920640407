"""The random pieces of an instance that both kinds of network share; each takes its own generator."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import finite_array, number, positive_integer


def draw_weights(
    n_features: int, n_neurons: int, *, rng: np.random.Generator, deviation: float = 1.0
) -> np.ndarray:
    """Draw the true weights W*: independent entries from N(0, deviation^2).

    Parameters
    ----------
    n_features, n_neurons : int
        d and K.
    rng : numpy.random.Generator
        Source of randomness.
    deviation : float
        1 for convolutional networks (thesis, Section 4.4), 5 for graph networks (Section 5.5).

    Returns
    -------
    ndarray, shape (n_features, n_neurons), float64

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    shape = positive_integer("n_features", n_features), positive_integer("n_neurons", n_neurons)
    return number("deviation", deviation, 0) * rng.standard_normal(shape)


def draw_signs(n_neurons: int, *, rng: np.random.Generator) -> np.ndarray:
    """Draw mixed output weights v*: each +1 or -1 with equal probability (thesis, Section 4.4, Case 2).

    Returns
    -------
    ndarray, shape (n_neurons,), float64
    """
    return 1.0 - 2.0 * rng.integers(2, size=positive_integer("n_neurons", n_neurons))


def draw_start(truth: ArrayLike, *, rng: np.random.Generator, radius: float = 0.5) -> np.ndarray:
    """Draw a start W0 uniformly in the ball ``||W0 - W*||_F <= radius * ||W*||_F``.

    Uniform in volume: the distance is ``radius * U ** (1 / (K d))`` with U uniform on (0, 1), times the norm
    of the truth. Drawn in the order direction, U.

    Parameters
    ----------
    truth : array_like, shape (n_features, n_neurons)
        W*.
    rng : numpy.random.Generator
        Source of randomness; it must not be the generator the truth was drawn with.
    radius : float
        Relative radius, 0.5 in the thesis.

    Returns
    -------
    ndarray, shape (n_features, n_neurons), float64

    Raises
    ------
    ValueError
        If `truth` is not a finite matrix or `radius` is negative.
    """
    truth = finite_array("truth", truth, ("n_features", "n_neurons"))
    radius = number("radius", radius, 0)
    direction = rng.standard_normal(truth.shape)
    distance = radius * rng.random() ** (1 / truth.size) * np.linalg.norm(truth)
    return truth + distance / np.linalg.norm(direction) * direction


def draw_noise(outputs: ArrayLike, level: float, *, rng: np.random.Generator) -> np.ndarray:
    """Draw noise xi_n from N(0, sigma^2) with sigma = level * E, E the root mean square of `outputs`.

    The standard normal draws do not depend on the level, so that levels can share one stream. For graphs,
    `outputs` are those of the labelled nodes.

    Parameters
    ----------
    outputs : array_like, shape (n,)
        Noiseless outputs.
    level : float
        Noise level sigma / E (thesis, Sections 4.4 and 5.5.3).
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray, shape (n,), float64
        The noise alone.

    Raises
    ------
    ValueError
        If `outputs` is not a finite vector or `level` is negative.
    """
    outputs = finite_array("outputs", outputs, ("n",))
    sigma = number("level", level, 0) * np.sqrt(np.mean(outputs**2))
    return sigma * rng.standard_normal(outputs.size)
