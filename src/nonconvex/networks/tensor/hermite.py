"""Hermite coefficients of the activations: which moments of a network's output see its weights."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

# Trapezoidal rule for E f(z), z ~ N(0, 1): exact to rounding for a sigmoid of scale up to about 100.
_NODES = np.linspace(-12.0, 12.0, 24001)
_DENSITY = np.exp(-(_NODES**2) / 2) / np.sqrt(2 * np.pi) * (_NODES[1] - _NODES[0])


def hermite(order: int, z: ArrayLike) -> np.ndarray:
    """Return the probabilists' Hermite polynomial He_k(z), elementwise.

    Parameters
    ----------
    order : int
        k, at least 0.
    z : array_like

    Returns
    -------
    ndarray, float64, shape of `z`
    """
    return np.polynomial.hermite_e.hermeval(np.asarray(z), np.eye(order + 1)[order])


def hermite_coefficient(activation: Callable[[np.ndarray], np.ndarray], order: int) -> float:
    """Return c_k = E[phi(z) He_k(z)], z ~ N(0, 1), by quadrature.

    For h ~ N(0, I): E[phi(w'h) He_k(h)] = c_k(phi(|w| .)) wbar^(tensor k). These are the constants psi_k of
    the thesis (Eqs. M_1_23 to M_3_v23, there for a homogeneous phi, where c_k is proportional to |w|).

    Parameters
    ----------
    activation : callable
        phi, vectorised; for weights of norm s, ``lambda z: sigmoid(s * z)``.
    order : int
        k, at least 0.

    Returns
    -------
    float
        Accurate to about 1e-7 for ReLU (it has a kink) and to rounding for smooth activations.
    """
    return float((activation(_NODES) * hermite(order, _NODES)) @ _DENSITY)


def relu_coefficient(order: int) -> float:
    """Return c_k of ReLU: 1/sqrt(2 pi), 1/2, 1/sqrt(2 pi), **0**, -1/sqrt(2 pi) for k = 0 to 4.

    The zero at k = 3 is why the third moment of Subroutine 1 carries no signal.

    Raises
    ------
    ValueError
        If `order` is not one of 0 to 4.
    """
    if order not in range(5):
        raise ValueError(f"order must be an integer from 0 to 4, got {order!r}")
    return (1.0, np.sqrt(np.pi / 2), 1.0, 0.0, -1.0)[order] / np.sqrt(2 * np.pi)
