"""Distances between estimated and true weights."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.arrays import plain_array, refuse_extreme, refuse_non_finite
from nonconvex.networks.arguments import finite_array, matrices, same_shape


def relative_error(weights: ArrayLike, truth: ArrayLike) -> np.ndarray:
    """Return ``||W - W*||_F / ||W*||_F`` of every trial (thesis, Sections 4.4 and 5.5).

    Parameters
    ----------
    weights, truth : array_like, shape (..., n_features, n_neurons)
        Estimates, which may hold NaN or infinity, and truths.

    Returns
    -------
    ndarray, shape (...), float64
        Infinity where the square of a difference is.

    Raises
    ------
    ValueError
        If the matrices of the two do not have one shape, or a truth is not finite, or too large or too small
        to be squared.
    """
    weights, truth = _matrices(weights, truth)
    with np.errstate(over="ignore", invalid="ignore"):
        return _frobenius(weights - truth) / _frobenius(truth)


def spectral_error(weights: ArrayLike, truth: ArrayLike) -> np.ndarray:
    """Return ``||W - W*||_2 / ||W*||_2``, spectral norms (thesis, Section 4.4.3); NaN where W is not finite.

    Parameters
    ----------
    weights, truth : array_like, shape (..., n_features, n_neurons)
        Estimates and truths.

    Returns
    -------
    ndarray, shape (...), float64

    Raises
    ------
    ValueError
        If the matrices of the two do not have one shape, or a truth is not finite, or too large or too small
        to be squared.
    """
    weights, truth = _matrices(weights, truth)
    finite = np.isfinite(weights).all(axis=(-2, -1))
    difference = np.where(finite[..., None, None], weights - truth, 0.0)
    largest = np.linalg.svd(difference, compute_uv=False)[..., 0]
    return np.where(finite, largest / np.linalg.svd(truth, compute_uv=False)[..., 0], np.nan)


def align(weights: ArrayLike, truth: ArrayLike, v: ArrayLike | None = None) -> np.ndarray:
    """Return `weights` with its columns in the order nearest to `truth` in Frobenius norm.

    A network does not change when its neurons are renumbered.

    Parameters
    ----------
    weights, truth : array_like, shape (n_features, n_neurons)
        One estimate and its truth, finite.
    v : array_like, shape (n_neurons,), optional
        Output weights: only columns with equal entries may change places. All may when not given.

    Returns
    -------
    ndarray, shape (n_features, n_neurons), float64

    Raises
    ------
    ValueError
        If the arguments are not finite or their shapes do not agree.
    """
    from scipy.optimize import linear_sum_assignment

    truth = finite_array("truth", truth, ("n_features", "n_neurons"))
    weights = finite_array("weights", weights, ("n_features", "n_neurons"))
    same_shape("weights", weights, truth.shape)
    gain = truth.T @ weights
    if v is not None:
        v = finite_array("v", v, ("n_neurons",))
        same_shape("v", v, truth.shape[1:])
        gain = np.where(v[:, None] == v, gain, -np.inf)
    return weights[:, linear_sum_assignment(gain, maximize=True)[1]]


def aligned_error(weights: ArrayLike, truth: ArrayLike, v: ArrayLike | None = None) -> np.ndarray:
    """Return the relative error of every trial after the best column permutation; NaN where W is not finite.

    Parameters
    ----------
    weights, truth : array_like, shape (n_trials, n_features, n_neurons) or (n_features, n_neurons)
        Estimates and truths, or one of each.
    v : array_like, shape (n_trials, n_neurons) or (n_neurons,), optional
        Output weights, see `align`.

    Returns
    -------
    ndarray, shape (n_trials,), float64, or one such number

    Raises
    ------
    ValueError
        If the matrices of the two do not have one shape, or a truth is not finite, or too large or too small
        to be squared.
    """
    weights, truth = _matrices(weights, truth)
    signs = None if v is None else plain_array("v", v)
    if weights.ndim == 2:
        return aligned_error(weights[None], truth[None], None if signs is None else signs[None])[0]
    errors = np.full(len(weights), np.nan)
    for i in np.flatnonzero(np.isfinite(weights).all(axis=(1, 2))):
        errors[i] = relative_error(align(weights[i], truth[i], None if signs is None else signs[i]), truth[i])
    return errors


def _matrices(weights: ArrayLike, truth: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return both as arrays of matrices of one shape; the truth is finite and can be squared."""
    weights, truth = matrices("weights", weights), matrices("truth", truth)
    refuse_non_finite("truth", truth)
    refuse_extreme("truth", truth)
    if weights.shape[-2:] != truth.shape[-2:]:
        raise ValueError(
            f"weights and truth must hold matrices of one shape, got {weights.shape} and {truth.shape}"
        )
    return weights, truth


def _frobenius(matrices: np.ndarray) -> np.ndarray:
    # One axis to sum over keeps the order of the sum the same for one matrix and for many.
    return np.sqrt(np.sum(np.square(matrices).reshape(*matrices.shape[:-2], -1), axis=-1))
