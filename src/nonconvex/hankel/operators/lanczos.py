"""Leading singular triplets of a linear operator by Golub-Kahan-Lanczos bidiagonalisation."""

from collections.abc import Callable

import numpy as np

import nonconvex.hankel.operators.dense as dense

# Residuals, relative to the largest singular value, at which a singular vector counts as found, and a value.
VECTOR_RESIDUAL = 1e-13
VALUE_RESIDUAL = 1e-8
# Steps between two looks at the singular values.
LOOK = 5
# A vector is numerically zero below this multiple of the largest coefficient met so far.
ZERO = 1e-15


def leading_triplets(
    times: Callable[[np.ndarray], np.ndarray],
    adjoint_times: Callable[[np.ndarray], np.ndarray],
    start: np.ndarray,
    columns: int,
    count: int,
    *,
    only_values: int = 0,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the leading singular triplets of an operator A.

    Every Lanczos vector is orthogonalised twice against all before it, so that no triplet appears twice. A
    Krylov space that closes early is continued with a fixed random vector.

    Parameters
    ----------
    times, adjoint_times : callable
        ``times(v)`` is A v, ``adjoint_times(u)`` is A^H u, both new arrays.
    start : ndarray, shape (rows,), float64 or complex128
        First left Lanczos vector, not zero; its dtype is that of all vectors.
    columns : int
        Number of columns of A, at most its number of rows.
    count : int
        Number of triplets, at most `columns`.
    only_values : int
        Number of triplets, the last ones, whose value alone is found to full accuracy.

    Returns
    -------
    left : ndarray, shape (rows, count)
        Left singular vectors as columns.
    sigma : ndarray, shape (count,), descending
    right : ndarray, shape (count, columns)
        V^H: right singular vectors, conjugated, as rows.
    """
    fixed = np.random.default_rng(0)
    room = min(columns, 40 + 10 * count)
    lefts, rights = np.empty((room + 1, start.size), start.dtype), np.empty((room, columns), start.dtype)
    lefts[0] = start / np.linalg.norm(start)
    coefficients = np.zeros((room + 2, room + 1))
    alpha, rights[0] = _next(adjoint_times(lefts[0]), rights[:0], 0.0, fixed)
    largest, vectors = alpha, count - only_values
    for step in range(1, columns + 1):
        if step == len(rights) < columns:
            lefts, rights, coefficients = _enlarge(lefts, rights, coefficients, columns)
        coefficients[step - 1, step - 1] = alpha
        image = times(rights[step - 1]) - alpha * lefts[step - 1]
        beta, lefts[step] = _next(image, lefts[:step], largest, fixed)
        coefficients[step, step - 1] = beta
        if step == columns:
            alpha = 0.0
        else:
            image = adjoint_times(lefts[step]) - beta * rights[step - 1]
            alpha, rights[step] = _next(image, rights[:step], largest, fixed)
        largest = max(largest, alpha, beta)
        if step < count or (step % LOOK and alpha > 0 and step < columns):
            continue
        p, sigma, qh = dense.svd(coefficients[: step + 1, :step])
        residuals = alpha * np.abs(p[step, :count])
        if residuals[:vectors].max(initial=0.0) <= VECTOR_RESIDUAL * sigma[0] and (
            residuals[vectors:].max(initial=0.0) <= VALUE_RESIDUAL * sigma[0]
        ):
            break
    left, right = p[:, :count].T @ lefts[: step + 1], qh[:count] @ rights[:step]
    return left.T, sigma[:count], right.conj()


def _next(
    vector: np.ndarray, basis: np.ndarray, largest: float, fixed: np.random.Generator
) -> tuple[float, np.ndarray]:
    """Return (norm, unit vector) of what `basis` leaves of `vector`; norm 0 and another vector if nothing."""
    norm, unit = _orthogonal(vector, basis)
    if norm > ZERO * largest:
        return norm, unit
    return 0.0, _orthogonal(fixed.standard_normal(vector.size).astype(vector.dtype), basis)[1]


def _orthogonal(vector: np.ndarray, basis: np.ndarray) -> tuple[float, np.ndarray]:
    for _ in range(2):
        vector = vector - (basis @ vector.conj()).conj() @ basis
    norm = float(np.linalg.norm(vector))
    return norm, vector / norm if norm > 0 else vector


def _enlarge(
    lefts: np.ndarray, rights: np.ndarray, coefficients: np.ndarray, columns: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    room = min(columns, 2 * len(rights))
    more = room - len(rights)
    return (
        np.pad(lefts, ((0, more), (0, 0))),
        np.pad(rights, ((0, more), (0, 0))),
        np.pad(coefficients, ((0, more), (0, more))),
    )
