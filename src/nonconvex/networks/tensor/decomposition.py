"""Decomposition of a small symmetric tensor into rank-one terms, by simultaneous diagonalisation."""

from typing import NamedTuple

import numpy as np


class RankOneTerms(NamedTuple):
    """A symmetric tensor written as sum_j coefficients[j] * directions[:, j] ^ (tensor order).

    Attributes
    ----------
    directions : ndarray, shape (size, n_terms), unit columns
    coefficients : ndarray, shape (n_terms,)
    residual : float
        Frobenius norm of what the terms leave unexplained.
    """

    directions: np.ndarray
    coefficients: np.ndarray
    residual: float


def decompose(tensor: np.ndarray, *, rng: np.random.Generator, draws: int = 60) -> list[RankOneTerms]:
    """Write a symmetric tensor of side K as K rank-one terms, once per random draw.

    Each draw contracts the tensor to two K x K matrices A and B with Gaussian vectors; for an exact sum of K
    terms with independent directions q_j, these are the eigenvectors of A B^-1. The coefficients follow by
    least squares. Two real vectors that span the plane stand in for a complex pair, which noise can produce.

    Parameters
    ----------
    tensor : ndarray, shape (K, ..., K), of order 3 or 4
    rng : numpy.random.Generator
        Source of the contraction vectors; nothing else is random.
    draws : int
        Number of draws.

    Returns
    -------
    list of RankOneTerms
        Least residual first.

    Raises
    ------
    ValueError
        When every draw meets a singular matrix: the tensor has fewer than K terms.

    References
    ----------
    V. Kuleshov, A. Chaganty, P. Liang, "Tensor factorization via matrix factorization", AISTATS 2015, for
    random contractions; here two are diagonalised at a time, so that the directions need not be orthogonal.
    """
    candidates = []
    for _ in range(draws):
        a, b = _contract(tensor, rng), _contract(tensor, rng)
        try:
            values, vectors = np.linalg.eig(np.linalg.solve(b.T, a.T).T)
        except np.linalg.LinAlgError:
            continue
        directions = np.where(values.imag >= 0, vectors.real, vectors.imag)
        directions = directions / np.linalg.norm(directions, axis=0)
        candidates.append(_fit_coefficients(tensor, directions))
    if not candidates:
        raise ValueError(f"tensor of side {len(tensor)} has fewer than {len(tensor)} independent terms")
    return sorted(candidates, key=lambda terms: terms.residual)


def powers(directions: np.ndarray, order: int) -> np.ndarray:
    """Return q_j ^ (tensor order), flattened, shape (K ** order, n_terms), of `directions` (K, n_terms)."""
    result = np.ones((1, directions.shape[1]))
    for _ in range(order):
        result = (result[:, None] * directions[None]).reshape(-1, directions.shape[1])
    return result


def _contract(tensor: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Contract all slots but two, each with a fresh Gaussian vector."""
    while tensor.ndim > 2:
        tensor = tensor @ rng.standard_normal(len(tensor))
    return tensor


def _fit_coefficients(tensor: np.ndarray, directions: np.ndarray) -> RankOneTerms:
    design = powers(directions, tensor.ndim)
    coefficients = np.linalg.lstsq(design, tensor.ravel())[0]
    residual = np.linalg.norm(tensor.ravel() - design @ coefficients)
    return RankOneTerms(directions, coefficients, float(residual))
