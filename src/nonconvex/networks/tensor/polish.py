"""Joint fit of neurons to the moments of order 0, 1, 2 and 4 of a ReLU network."""

from collections.abc import Mapping
from math import factorial

import numpy as np
import scipy.optimize

from nonconvex.networks.tensor.decomposition import powers
from nonconvex.networks.tensor.hermite import relu_coefficient

_MAX_EVALUATIONS = 200


class MomentFit:
    """Least squares of c_k sum_j v_j |z_j| zbar_j^(tensor k) to given moments, over the neurons z.

    Parameters
    ----------
    moments : dict of int to ndarray
        Moment of each order k, shape (K,) * k. The sampling error of an entry grows like sqrt(k!), so its
        residual is divided by that. Equal entries of a symmetric tensor are one residual, of more weight.
    """

    def __init__(self, moments: Mapping[int, np.ndarray]) -> None:
        size = len(moments[max(moments)])
        self._entries = {order: _distinct_entries(size, order) for order in moments}
        self._target = np.concatenate(
            [np.ravel(moments[order])[rows] * weight for order, (rows, weight) in self._entries.items()]
        )

    def polish(self, neurons: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, float]:
        """Improve the neurons by Levenberg-Marquardt.

        Parameters
        ----------
        neurons : ndarray, shape (K, n_neurons)
            Where to start.
        signs : ndarray, shape (n_neurons,)
            The second layer v, held fixed.

        Returns
        -------
        neurons : ndarray, shape (K, n_neurons)
        cost : float
            Half the sum of squared residuals.
        """
        shape = neurons.shape

        def residuals(flat: np.ndarray) -> np.ndarray:
            return self._model(flat.reshape(shape), signs) - self._target

        def jacobian(flat: np.ndarray) -> np.ndarray:
            return self._slope(flat.reshape(shape), signs)

        fit = scipy.optimize.least_squares(
            residuals, neurons.ravel(), jac=jacobian, method="lm", max_nfev=_MAX_EVALUATIONS
        )
        return fit.x.reshape(shape), fit.cost

    def _model(self, neurons: np.ndarray, signs: np.ndarray) -> np.ndarray:
        norms, directions = _polar(neurons)
        return np.concatenate(
            [
                weight * relu_coefficient(order) * (powers(directions, order)[rows] @ (signs * norms))
                for order, (rows, weight) in self._entries.items()
            ]
        )

    def _slope(self, neurons: np.ndarray, signs: np.ndarray) -> np.ndarray:
        """Return the Jacobian, shape (residuals, K * n_neurons)."""
        _, directions = _polar(neurons)
        blocks = [
            (weight * relu_coefficient(order))[:, None, None]
            * signs
            * _slope_of_power(directions, order)[rows]
            for order, (rows, weight) in self._entries.items()
        ]
        return np.concatenate(blocks).reshape(-1, neurons.size)


def _distinct_entries(size: int, order: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (flat places, weights) of one entry of each kind in a symmetric tensor."""
    if order == 0:
        return np.array([0]), np.array([1.0])
    shape = (size,) * order
    kinds = np.ravel_multi_index(np.sort(np.indices(shape).reshape(order, -1), axis=0), shape)
    rows, counts = np.unique(kinds, return_counts=True)
    return rows, np.sqrt(counts / factorial(order))


def _polar(neurons: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    norms = np.maximum(np.linalg.norm(neurons, axis=0), np.finfo(float).tiny)
    return norms, neurons / norms


def _slope_of_power(q: np.ndarray, order: int) -> np.ndarray:
    """Return the derivative of |z| q^(tensor order), q = z / |z|, by z: shape (K ** order, K, n_neurons).

    It is (1 - order) q^(tensor order) q_a plus, for every slot, the power with e_a in that slot.
    """
    size, n_neurons = q.shape
    slope = (1 - order) * powers(q, order)[:, None] * q
    if order == 0:
        return slope
    others = powers(q, order - 1).reshape((size,) * (order - 1) + (1, 1, n_neurons))
    in_last_slot = others * np.eye(size)[..., None]
    for slot in range(order):
        slope += np.moveaxis(in_last_slot, order - 1, slot).reshape(slope.shape)
    return slope
