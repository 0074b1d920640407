"""Tensor initialisation of convolutional networks (thesis, Subroutine 1, with the fourth moment for ReLU)."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.tensor.input import read_patches
from nonconvex.networks.tensor.relu import relu_start
from nonconvex.networks.tensor.start import TensorStart


def tensor_initialisation(
    x: ArrayLike, y: ArrayLike, n_neurons: int, *, positive: bool = False, rng: np.random.Generator
) -> TensorStart:
    """Estimate a start point (W^(0), v) of a one-hidden-layer convolutional ReLU network from its data.

    Parameters
    ----------
    x : array_like, shape (N, M, d)
        The M patches P_i x_n of each sample, standard Gaussian.
    y : array_like, shape (N,)
        Outputs y_n = sum_j v_j sum_i relu(w_j' P_i x_n) + noise (thesis, Eq. major_equ), not constant.
    n_neurons : int
        K, from 1 to d.
    positive : bool
        Whether every v_j is known to be 1.
    rng : numpy.random.Generator
        Source of the contraction vectors; nothing else is random.

    Returns
    -------
    TensorStart
        ``weights`` (d, K), its columns in no particular order, and ``second_layer`` (K,) of +1 and -1.

    Raises
    ------
    ValueError
        For bad data, see `nonconvex.networks.tensor.input.read_patches`.

    Notes
    -----
    Subroutine 1 as printed decomposes the third moment, which is zero for ReLU (see
    `nonconvex.networks.tensor.printed`). Three changes: the fourth moment takes its place; y is centred and
    all M patches are averaged; all samples serve every moment, where the printed split into three parts
    needs several times as many. Time and scratch memory: about 2 N M d^2 operations, one copy of the
    reduced patches (N M K numbers), and fits of K^2 unknowns that do not grow with N.

    References
    ----------
    K. Zhong, Z. Song, P. Jain, P. L. Bartlett, I. S. Dhillon, "Recovery guarantees for one-hidden-layer
    neural networks", ICML 2017.
    """
    x, y, n_neurons = read_patches(x, y, n_neurons)
    return relu_start(x, y, n_neurons, positive=positive, rng=rng)
