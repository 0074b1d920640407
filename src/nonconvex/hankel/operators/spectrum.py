"""Eigenpairs of a Hermitian matrix above a value, in single or double precision."""

import numpy as np
from scipy.linalg import lapack

# The reduction to tridiagonal form, and its unitary factor applied; columns in a block of these.
_REDUCE = {"f": lapack.ssytrd, "F": lapack.chetrd, "d": lapack.dsytrd, "D": lapack.zhetrd}
_APPLY = {"f": lapack.sormqr, "F": lapack.cunmqr, "d": lapack.dormqr, "D": lapack.zunmqr}
_BLOCK = 64


def eigenpairs_above(gram: np.ndarray, value: float) -> tuple[np.ndarray, np.ndarray]:
    """Return all eigenvalues, ascending, and the eigenvectors of those above `value` as columns.

    The tridiagonal form is solved in double precision, whatever that of the matrix: in single precision this
    step, and not the reduction, would spoil the accuracy. Only the vectors asked for are transformed back.

    Parameters
    ----------
    gram : ndarray
        Hermitian, in its lower triangle, of at least one row.
    value : float
        Where the eigenvectors begin.
    """
    size, kind = len(gram), gram.dtype.char
    if size == 1:
        return gram.real.astype(float).ravel(), np.ones((1, int(gram.real.item() > value)), gram.dtype)
    reduced, diagonal, beside, scales, info = _REDUCE[kind](gram, lower=1, lwork=_BLOCK * size)
    values, vectors, failed = lapack.dstevd(diagonal.astype(float), beside.astype(float))
    if info or failed:
        raise np.linalg.LinAlgError("the eigenvalues of a tridiagonal matrix did not converge")
    first = int(np.searchsorted(values, value, side="right"))
    chosen = np.asfortranarray(vectors[:, first:], gram.dtype)
    if chosen.size:
        reflectors = np.asfortranarray(reduced[1:, :-1])
        lower, _, _ = _APPLY[kind]("L", "N", reflectors, scales, np.asfortranarray(chosen[1:]), _BLOCK * size)
        chosen[1:] = lower
    return values, chosen
