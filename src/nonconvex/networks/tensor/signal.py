"""Does a moment of the data see the neurons? The test behind "Subroutine 1 carries no signal"."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import finite_array
from nonconvex.networks.tensor.hermite import hermite
from nonconvex.networks.tensor.input import read_patches


def signal_scores(x: ArrayLike, y: ArrayLike, neurons: ArrayLike, order: int) -> np.ndarray:
    """Return the z-score of the moment of one order along each true neuron.

    Parameters
    ----------
    x : array_like, shape (N, M, d)
        Standard Gaussian patches; for a graph, a_n' X / |a_n| with M = 1.
    y : array_like, shape (N,)
        Outputs or labels; centred here.
    neurons : array_like, shape (d, K)
        True weights W*, non-zero columns.
    order : int
        Order k of the moment, at least 1.

    Returns
    -------
    ndarray, shape (K,), float64
        mean / (sd / sqrt N) over the samples of (y_n - mean y) mean_i He_k(wbar_j' h_ni). When the moment is
        zero it is standard normal, for large N and independent samples (rows of a graph that share neighbours
        are not); otherwise it grows like sqrt N. Moments of order 3 of a ReLU network and of even order of a
        sigmoid network are zero.

    Raises
    ------
    ValueError
        For bad data, `neurons` of another shape or with a zero column, or an `order` below 1.
    """
    neurons = finite_array("neurons", neurons, ("d", "K"))
    x, y, _ = read_patches(x, y, 1)
    if len(neurons) != x.shape[2]:
        raise ValueError(f"neurons must have shape (d = {x.shape[2]}, K), got {neurons.shape}")
    norms = np.linalg.norm(neurons, axis=0)
    if not np.all(norms > 0):
        raise ValueError("neurons must have finite, non-zero columns")
    if isinstance(order, bool) or not isinstance(order, (int, np.integer)) or order < 1:
        raise ValueError(f"order must be a positive integer, got {order!r}")
    centred = y - y.mean()
    terms = centred[:, np.newaxis] * hermite(order, x @ (neurons / norms)).mean(axis=1)
    return terms.mean(axis=0) / (terms.std(axis=0) / np.sqrt(len(y)))
