"""Start point of a one-hidden-layer sigmoid network from the third moment of its binary labels."""

import numpy as np
import scipy.optimize
from scipy.special import expit

from nonconvex.networks.tensor.decomposition import decompose
from nonconvex.networks.tensor.moments import third_moment

# |w_j| |a_n| is searched in this interval: outside it a sigmoid is practically a line or a step.
_SCALES = (0.1, 100.0)
_FIRST_SCALE = 5.0


def sigmoid_start(
    inputs: np.ndarray, labels: np.ndarray, reach: np.ndarray, n_neurons: int, *, rng: np.random.Generator
) -> np.ndarray:
    """Estimate W of Prob{y_n = 1} = (1/K) sum_j sigmoid(reach_n w_j' h_n).

    Parameters
    ----------
    inputs : ndarray, shape (n_samples, d), float64
        Standard Gaussian inputs h_n.
    labels : ndarray, shape (n_samples,), float64
        Zeros and ones.
    reach : ndarray, shape (n_samples,), float64
        Positive factors; |a_n| of a graph.
    n_neurons : int
        K, at most d.
    rng : numpy.random.Generator
        Source of the contraction vectors.

    Returns
    -------
    ndarray, shape (d, K), float64

    Notes
    -----
    sigmoid(z) - 1/2 is odd: the moments of even order, the second of Subroutine 2 among them, carry no
    signal. The left singular vectors of the unfolded third moment give the span of the weights, and its terms
    within it the directions, with coefficients c_3 < 0 whatever the norm. Since c_1 and c_3 hardly move once
    |w_j| |a_n| exceeds 5, no moment tells the norms; they minimise the cross-entropy along the directions.
    """
    weights = (labels - 0.5) / len(labels)
    third = third_moment(inputs, weights)
    basis = np.linalg.svd(third.reshape(len(third), -1), full_matrices=False)[0][:, :n_neurons]
    terms = decompose(third_moment(inputs @ basis, weights), rng=rng)[0]
    directions = basis @ np.where(terms.coefficients > 0, -terms.directions, terms.directions)
    return directions * _norms(inputs @ directions * reach[:, None], labels, np.mean(reach))


def _norms(projections: np.ndarray, labels: np.ndarray, mean_reach: float) -> np.ndarray:
    """Return the norms of least cross-entropy, shape (K,), given h_n' wbar_j |a_n| (n_samples, K)."""
    n_neurons = projections.shape[1]

    def cross_entropy(log_norms: np.ndarray) -> tuple[float, np.ndarray]:
        norms = np.exp(log_norms)
        active = expit(projections * norms)
        output = np.clip(active.mean(axis=1), 1e-12, 1 - 1e-12)
        loss = -np.mean(np.where(labels == 1, np.log(output), np.log1p(-output)))
        by_output = (output - labels) / (output * (1 - output)) / len(labels)
        slope = by_output @ (active * (1 - active) * projections) / n_neurons * norms
        return loss, slope

    low, high = np.log(np.array(_SCALES) / mean_reach)
    first = np.full(n_neurons, np.log(_FIRST_SCALE / mean_reach))
    fit = scipy.optimize.minimize(
        cross_entropy, first, jac=True, method="L-BFGS-B", bounds=[(low, high)] * n_neurons
    )
    return np.exp(fit.x)
