"""Start point of a one-hidden-layer ReLU network from moments of order 0, 1, 2 and 4 of its outputs."""

from collections.abc import Mapping

import numpy as np

from nonconvex.networks.tensor.decomposition import RankOneTerms, decompose
from nonconvex.networks.tensor.hermite import relu_coefficient
from nonconvex.networks.tensor.moments import first_moment, fourth_moment, second_moment
from nonconvex.networks.tensor.polish import MomentFit
from nonconvex.networks.tensor.start import TensorStart

# Number of decompositions, of those with the least residual, that are polished.
_POLISHED = 8


def relu_start(
    inputs: np.ndarray, outputs: np.ndarray, n_neurons: int, *, positive: bool, rng: np.random.Generator
) -> TensorStart:
    """Estimate (W, v) of y_n = sum_j v_j sum_i relu(w_j' h_ni) + noise.

    Parameters
    ----------
    inputs : ndarray, shape (n_samples, n_patches, d), float64
        Standard Gaussian inputs h_ni.
    outputs : ndarray, shape (n_samples,), float64
        Not constant.
    n_neurons : int
        K, at most d.
    positive : bool
        Whether every v_j is known to be 1.
    rng : numpy.random.Generator
        Source of the contraction vectors.

    Returns
    -------
    TensorStart

    Notes
    -----
    With y centred, the average of y He_k(h) over samples and patches tends to c_k sum_j v_j |w_j|
    wbar_j^(tensor k), c_k of `nonconvex.networks.tensor.hermite.relu_coefficient`. Order 2 gives the span of
    the weights, order 4 within it their directions, norms and v, order 1 their signs; a joint fit of the
    moments, order 0 (the mean of y) included, finishes. No norm may exceed three times the largest that the
    spread of the outputs allows: near-singular decompositions would give starts 1e2 to 1e5 times too long.
    """
    _, n_patches, d = inputs.shape
    patches = inputs.reshape(-1, d)
    # The problem is homogeneous in y: outputs of unit spread keep the fit and its stop rule free of units.
    spread = outputs.std()
    mean = outputs.mean() / spread
    weights = np.repeat((outputs / spread - mean) / len(patches), n_patches)
    second = second_moment(patches, weights)
    basis = leading_eigenvectors(second, n_neurons)
    reduced = patches @ basis
    moments = {
        0: np.array(mean / n_patches),
        1: first_moment(reduced, weights),
        2: basis.T @ second @ basis,
        4: fourth_moment(reduced, weights),
    }
    # One neuron alone has the output variance n_patches |w|^2 (1/2 - 1/(2 pi)).
    cap = 3 / np.sqrt(n_patches * (0.5 - 0.5 / np.pi))
    neurons, second_layer = _fit_neurons(moments, cap, positive, rng)
    return TensorStart(spread * (basis @ neurons), second_layer)


def leading_eigenvectors(matrix: np.ndarray, count: int) -> np.ndarray:
    """Return the eigenvectors (d, count) of a symmetric matrix with the largest absolute eigenvalues."""
    values, vectors = np.linalg.eigh(matrix)
    return vectors[:, np.argsort(-np.abs(values), kind="stable")[:count]]


def _fit_neurons(
    moments: Mapping[int, np.ndarray], cap: float, positive: bool, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return (neurons in the reduced coordinates, second layer): the polished start of least cost."""
    fit = MomentFit(moments)
    starts = [
        _read_off(terms, moments[1], cap, positive) for terms in decompose(moments[4], rng=rng)[:_POLISHED]
    ]
    polished = [(*fit.polish(*start), start[1]) for start in starts]
    within = [candidate for candidate in polished if np.linalg.norm(candidate[0], axis=0).max() <= cap]
    if not within:
        return starts[0]
    neurons, _, signs = min(within, key=lambda candidate: candidate[1])
    return neurons, signs


def _read_off(
    terms: RankOneTerms, first: np.ndarray, cap: float, positive: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Turn rank-one terms of the fourth moment into neurons and second layer."""
    c1, c4 = relu_coefficient(1), relu_coefficient(4)
    sign = np.where(terms.coefficients > 0, np.sign(c4), -np.sign(c4))
    signs = np.ones_like(sign) if positive else sign
    along = np.linalg.lstsq(c1 * terms.directions, first)[0]
    norms = np.minimum(np.abs(terms.coefficients / c4), cap)
    return np.where(along * signs < 0, -norms, norms) * terms.directions, signs
