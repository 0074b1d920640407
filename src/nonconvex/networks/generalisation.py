"""The exact generalisation function of one-hidden-layer ReLU networks under Gaussian inputs."""

import numpy as np
from numpy.typing import ArrayLike


def population_risk(weights: ArrayLike, truth: ArrayLike) -> np.ndarray:
    """Return ``E (g(W; x) - g(W*; x))^2`` for x from N(0, I), with ``g(W; x) = 1/K sum_k relu(w_k' x)``.

    (Thesis, Eq. GF.) It is a sum of ``E[relu(u' x) relu(v' x)] = |u| |v| (sin t + (pi - t) cos t) / (2 pi)``,
    t being the angle between u and v (the arc-cosine kernel of order one; Y. Cho and L. K. Saul, "Kernel
    methods for deep learning", NIPS 2009), over the neurons of both networks. Its terms cancel near W*: at a
    relative distance of 1e-3 its relative error is below 1e-9, and grows as the inverse square of the
    distance.

    Parameters
    ----------
    weights, truth : array_like, shape (..., n_features, n_neurons)
        W and W*; leading axes are broadcast, the numbers of neurons may differ.

    Returns
    -------
    ndarray, shape (...), float64
        NaN where an entry is not finite.

    Raises
    ------
    ValueError
        If an argument holds no matrices, or their numbers of features differ.
    """
    weights, truth = np.asarray(weights, dtype=float), np.asarray(truth, dtype=float)
    if min(weights.ndim, truth.ndim) < 2 or weights.shape[-2] != truth.shape[-2]:
        raise ValueError(
            "weights and truth must hold matrices with the same number of rows, n_features, got "
            f"{weights.shape} and {truth.shape}"
        )
    shared = np.broadcast_shapes(weights.shape[:-2], truth.shape[:-2])
    # The neurons of both networks side by side; those of W* count negatively.
    both = np.concatenate([np.broadcast_to(a, (*shared, *a.shape[-2:])) for a in (weights, truth)], axis=-1)
    k, of_truth = weights.shape[-1], truth.shape[-1]
    signs = np.concatenate([np.full(k, 1 / k), np.full(of_truth, -1 / of_truth)])
    with np.errstate(all="ignore"):
        return np.maximum(np.einsum("...ij,i,j->...", _kernel(both), signs, signs), 0.0)


def _kernel(neurons: np.ndarray) -> np.ndarray:
    """Return ``E[relu(u' x) relu(v' x)]`` of all pairs of columns, shape (..., n, n)."""
    norms = np.linalg.norm(neurons, axis=-2)
    units = neurons / np.where(norms > 0, norms, 1.0)[..., None, :]
    # By half the angle, which is accurate for small ones, too (W. Kahan).
    pairs = units[..., :, :, None] - units[..., :, None, :], units[..., :, :, None] + units[..., :, None, :]
    apart, sums = (np.linalg.norm(pair, axis=-3) for pair in pairs)
    angle = 2 * np.arctan2(apart, sums)
    of_angle = (np.sin(angle) + (np.pi - angle) * np.cos(angle)) / (2 * np.pi)
    return norms[..., :, None] * norms[..., None, :] * of_angle
