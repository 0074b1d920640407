"""Small dense linear algebra on factors stored as rows: thin wrappers around BLAS and LAPACK."""

import numpy as np
import scipy.linalg
from scipy.linalg import blas, lapack

_GEMM = {"f": blas.sgemm, "F": blas.cgemm, "d": blas.dgemm, "D": blas.zgemm}
_HERK = {"f": blas.ssyrk, "F": blas.cherk, "d": blas.dsyrk, "D": blas.zherk}
_POTRF = {"f": lapack.spotrf, "F": lapack.cpotrf, "d": lapack.dpotrf, "D": lapack.zpotrf}
_DOUBLE = {"f": "d", "F": "D"}
# The Gram matrix of columns whose sizes differ by more than this is not formed in single precision.
_SINGLE_RANGE = 1e-2


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

    Cholesky factorisation of the Gram matrix, and Householder QR when that breaks down. For rows in single
    precision the Gram matrix is one of double precision where it is badly conditioned.
    """
    kind = rows.dtype.char
    gram = _HERK[kind](1.0, rows.T, trans=1 if rows.dtype.kind == "f" else 2)
    factor, info = _POTRF[kind](gram, lower=0, clean=1)
    if kind in _DOUBLE:
        diagonal = np.diagonal(factor).real
        if info == 0 and diagonal.min() > _SINGLE_RANGE * diagonal.max():
            return factor
        return triangular_factor(rows.astype(_DOUBLE[kind])).astype(kind)
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


def orthonormalise(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (spanning, K, R): columns(spanning) K is orthonormal, and columns(rows) = columns(spanning) K R.

    Where R is well conditioned, `spanning` is `rows` itself and K the inverse of R, by Cholesky QR; elsewhere
    `spanning` is orthonormal, by Householder QR, and K the identity.
    """
    factor = triangular_factor(rows)
    diagonal = np.abs(np.diagonal(factor))
    if factor.shape[0] == factor.shape[1] and diagonal.min() > 0.1 * diagonal.max():
        identity = np.eye(len(factor), dtype=rows.dtype)
        return rows, scipy.linalg.solve_triangular(factor, identity, check_finite=False), factor
    basis, factor = np.linalg.qr(rows.T)
    return np.ascontiguousarray(basis.T), np.eye(len(factor), dtype=rows.dtype), factor


def lower_gram(matrix: np.ndarray) -> np.ndarray:
    """Return A^H A for a contiguous matrix A; only its lower triangle is filled."""
    return _HERK[matrix.dtype.char](1.0, matrix.T).T
