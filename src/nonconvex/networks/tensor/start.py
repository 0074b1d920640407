"""What a tensor initialisation returns, and its neurons in the order of the truth."""

from typing import NamedTuple

import numpy as np


class TensorStart(NamedTuple):
    """Start point found by a tensor initialisation.

    Attributes
    ----------
    weights : ndarray, shape (d, K), float64
        W^(0), its columns in no particular order.
    second_layer : ndarray, shape (K,), float64
        Estimate of v, entries +1 or -1.
    """

    weights: np.ndarray
    second_layer: np.ndarray


def renumber(start: TensorStart, truth: np.ndarray) -> TensorStart:
    """Return the start with its neurons in the order nearest to `truth` in Frobenius norm.

    The network is the same; afterwards the plain error ||W - W*||_F of the thesis and a comparison of the
    second layer with v* make sense.

    Parameters
    ----------
    start : TensorStart
    truth : ndarray, shape (d, K)
        W*.

    Returns
    -------
    TensorStart
    """
    from scipy.optimize import linear_sum_assignment

    order = linear_sum_assignment(truth.T @ start.weights, maximize=True)[1]
    return TensorStart(start.weights[:, order], start.second_layer[order])
