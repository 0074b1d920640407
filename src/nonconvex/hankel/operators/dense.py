"""Small dense linear algebra on factors stored as rows: thin wrappers around BLAS and LAPACK."""

import numpy as np
import scipy.linalg
from scipy.linalg import blas, lapack

_GEMM = {"d": blas.dgemm, "D": blas.zgemm}
_HERK = {"f": blas.ssyrk, "F": blas.cherk, "d": blas.dsyrk, "D": blas.zherk}
_POTRF = {"d": lapack.dpotrf, "D": lapack.zpotrf}


def as_rows(left: np.ndarray) -> np.ndarray:
    """Return a left factor (r, n_channels, n1) as a contiguous matrix (r, n_channels * n1)."""
    return np.ascontiguousarray(left).reshape(len(left), -1)


def inner(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return A^H B for factors given as rows: entry (i, j) is ``conj(a[i]) @ b[j]``; no copy is made."""
    return _GEMM[a.dtype.char](1.0, a.T, b.T, trans_a=2)


def add_combination(out: np.ndarray, coefficients: np.ndarray, rows: np.ndarray) -> None:
    """Add to each row ``out[j]`` the sum over i of ``coefficients[i, j] * rows[i]``, in place."""
    _GEMM[out.dtype.char](1.0, rows.T, coefficients, beta=1.0, c=out.T, overwrite_c=True)


def set_combination(out: np.ndarray, coefficients: np.ndarray, rows: np.ndarray) -> None:
    """Overwrite each row ``out[j]`` with the sum over i of ``coefficients[i, j] * rows[i]``."""
    _GEMM[out.dtype.char](1.0, rows.T, coefficients, beta=0.0, c=out.T, overwrite_c=True)


def triangular_factor(rows: np.ndarray) -> np.ndarray:
    """Return the R factor of a QR factorisation of the matrix whose columns are `rows`.

    Cholesky factorisation of the Gram matrix, and Householder QR when that breaks down.
    """
    adjoint = 1 if rows.dtype.char == "d" else 2
    gram = _HERK[rows.dtype.char](1.0, rows.T, trans=adjoint)
    factor, info = _POTRF[rows.dtype.char](gram, lower=0, clean=1)
    if info == 0:
        return factor
    # An array already, which numpy's own types take for a pair.
    return np.asarray(np.linalg.qr(rows.T, mode="r"))


def svd(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the thin SVD (u, s, vh) of a small matrix.

    LAPACK's gesdd occasionally fails to converge on a healthy matrix; gesvd is then used instead.
    """
    try:
        return np.linalg.svd(matrix, full_matrices=False)
    except np.linalg.LinAlgError:
        return scipy.linalg.svd(matrix, full_matrices=False, lapack_driver="gesvd")


def orthonormalise(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (basis, R): orthonormal rows spanning `rows`, with columns(rows) = columns(basis) R.

    Cholesky QR where R is well conditioned, Householder QR elsewhere.
    """
    factor = triangular_factor(rows)
    diagonal = np.abs(np.diagonal(factor))
    if factor.shape[0] == factor.shape[1] and diagonal.min() > 0.1 * diagonal.max():
        basis = scipy.linalg.solve_triangular(factor, rows, trans="T")
        return basis, factor
    basis, factor = np.linalg.qr(rows.T)
    return np.ascontiguousarray(basis.T), factor


def lower_gram(matrix: np.ndarray) -> np.ndarray:
    """Return A^H A for a contiguous matrix A; only its lower triangle is filled."""
    return _HERK[matrix.dtype.char](1.0, matrix.T).T
