"""Small dense linear algebra on factors stored as rows: thin wrappers around BLAS and LAPACK."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.linalg import blas, lapack

_GEMM = {"d": blas.dgemm, "D": blas.zgemm}
_POTRF = {"d": lapack.dpotrf, "D": lapack.zpotrf}


def inner(a, b):
    """Return A^H B for factors given as rows: entry (i, j) is ``conj(a[i]) @ b[j]``; no copy is made."""
    return _GEMM[a.dtype.char](1.0, a.T, b.T, trans_a=2)


def add_combination(out, coefficients, rows):
    """Add to each row ``out[j]`` the sum over i of ``coefficients[i, j] * rows[i]``, in place."""
    _GEMM[out.dtype.char](1.0, rows.T, coefficients, beta=1.0, c=out.T, overwrite_c=True)


def set_combination(out, coefficients, rows):
    """Overwrite each row ``out[j]`` with the sum over i of ``coefficients[i, j] * rows[i]``."""
    _GEMM[out.dtype.char](1.0, rows.T, coefficients, beta=0.0, c=out.T, overwrite_c=True)


def triangular_factor(rows):
    """Return the R factor of a QR factorisation of the matrix whose columns are `rows`.

    Cholesky factorisation of the Gram matrix, and Householder QR when that breaks down.
    """
    gram = inner(rows, rows)
    factor, info = _POTRF[rows.dtype.char](gram, lower=0, clean=1)
    if info == 0:
        return factor
    return np.linalg.qr(rows.T, mode="r")


def svd(matrix):
    """Return the thin SVD (u, s, vh) of a small matrix.

    LAPACK's gesdd occasionally fails to converge on a healthy matrix; gesvd is then used instead.
    """
    try:
        return np.linalg.svd(matrix, full_matrices=False)
    except np.linalg.LinAlgError:
        return scipy.linalg.svd(matrix, full_matrices=False, lapack_driver="gesvd")
