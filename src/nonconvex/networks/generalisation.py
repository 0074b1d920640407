"""How far a one-hidden-layer ReLU network is from its teacher on all Gaussian inputs, in closed form."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import matrices


def population_risk(weights: ArrayLike, truth: ArrayLike) -> np.ndarray:
    """Return ``E (g(W; x) - g(W*; x))^2`` for x ~ N(0, I), g(W; x) the mean of relu(w_j' x) over neurons.

    Exact, by ``E relu(u'x) relu(v'x) = |u| |v| (sin t + (pi - t) cos t) / (2 pi)``, t the angle between u and
    v. It is the generalisation function (thesis, Eq. GF), and its square root the limit of the test error on
    N_test samples (Section 6.4.2). Terms cancel near W*: at a relative distance of 1e-3 the relative error is
    below 1e-8, and it grows as the inverse square of the distance.

    Parameters
    ----------
    weights : array_like, shape (..., n_features, n_neurons)
        W = [w_1, ..., w_K]; may hold NaN, infinity and numbers whose squares are infinite; their risk is NaN.
    truth : array_like, shape (..., n_features, n_true_neurons)
        W*; leading axes as those of `weights`, or such that they broadcast.

    Returns
    -------
    ndarray, shape (...), float64

    Raises
    ------
    ValueError
        If the two do not hold matrices with as many rows.

    References
    ----------
    Y. Cho, L. K. Saul, "Kernel methods for deep learning", Proc. NIPS, 342-350, 2009.
    """
    weights, truth = matrices("weights", weights), matrices("truth", truth)
    if weights.shape[-2] != truth.shape[-2]:
        raise ValueError(
            "weights and truth must hold matrices with one number of rows, n_features, got "
            f"{weights.shape} and {truth.shape}"
        )
    lead = np.broadcast_shapes(weights.shape[:-2], truth.shape[:-2])
    weights = np.broadcast_to(weights, (*lead, *weights.shape[-2:]))
    truth = np.broadcast_to(truth, (*lead, *truth.shape[-2:]))
    both = np.concatenate([weights, truth], axis=-1)
    share = np.repeat([1 / weights.shape[-1], -1 / truth.shape[-1]], [weights.shape[-1], truth.shape[-1]])
    with np.errstate(all="ignore"):  # of diverged weights
        products = np.matmul(both.swapaxes(-1, -2), both)
        lengths = np.sqrt(np.diagonal(products, axis1=-2, axis2=-1))
        scale = lengths[..., :, None] * lengths[..., None, :]
        cosine = np.divide(products, scale, out=np.zeros_like(products), where=scale != 0)
        np.clip(cosine, -1.0, 1.0, out=cosine)
        np.einsum("...ii->...i", cosine)[...] = 1.0
        angle = np.arccos(cosine)
        kernel = scale * (np.sqrt(1 - cosine**2) + (np.pi - angle) * cosine) / (2 * np.pi)
        risk = np.matmul(np.matmul(kernel, share)[..., None, :], share)[..., 0]
        return np.maximum(risk, 0.0)
