"""The Gram matrix of H(X), and H^dagger of a projected H(X), by running sums along diagonals.

An entry of the Gram matrix is the one before it on its diagonal, plus the products of the samples that enter
the window of n1, minus those that leave it. The other way round, H^dagger(H(X) P) = X K / w, where an entry
of K is a sum over n1 entries of P along a diagonal. Neither forms H(X), and no cost depends on a rank.
"""

import numpy as np
from scipy.linalg import blas

from nonconvex.hankel.operators.lift import HankelLift

_HERK = {"f": blas.ssyrk, "F": blas.cherk, "d": blas.dsyrk, "D": blas.zherk}
_HEMM = {"f": blas.ssymm, "F": blas.chemm, "d": blas.dsymm, "D": blas.zhemm}
_SINGLE = {"d": "f", "D": "F"}
# Rows added up at a time by the running sums, about the root of the usual number of rows.
RUN = 12


class DiagonalSums:
    """Sums along diagonals for signals of one shape and kind, in buffers that are used again.

    A square matrix lies in its buffer row by row. In rows of one entry more its diagonals are columns: the
    main one and those above it first, each of them followed by one from below. Only upper triangles count; of
    the Gram matrix and K nothing of use is below the main diagonal, of the summands there is zero.

    Parameters
    ----------
    lift : HankelLift
        Of the shape and kind of the signals.
    single : bool
        Whether to compute in single precision, whatever the precision of the signals.
    """

    def __init__(self, lift: HankelLift, *, single: bool = False) -> None:
        self._lift = lift
        self._dtype = dtype = np.dtype(_SINGLE[lift.dtype.char]) if single else lift.dtype
        self._weights = lift.weights.astype(dtype)
        self._changes = np.zeros((lift.n2 - 1, lift.n2 - 1), dtype)
        self._summands, self._summand_diagonals = _square(lift.n2, dtype)
        self._gram, self._gram_diagonals = _square(lift.n2, dtype)
        self._projection, self._projection_diagonals = _square(lift.n2, dtype)
        self._kernel, self._kernel_diagonals = _square(lift.n_samples, dtype)

    def gram(self, x: np.ndarray) -> np.ndarray:
        """Return the upper triangle of H(x)^H H(x), shape (n2, n2), in a buffer that `projected` reuses."""
        lift, x = self._lift, x.astype(self._dtype, copy=False)
        first_column = lift.spectrum(x[None, :, : lift.n1])
        self._summands[0] = lift.left_times(first_column, lift.spectrum(x))
        if lift.n2 > 1:
            _add_own_products(x[:, lift.n1 :], self._changes, 1.0, 0.0)
            _add_own_products(x[:, : lift.n2 - 1], self._changes, -1.0, 1.0)
            self._summands[1:, 1:] = self._changes
        _running_sums(self._summand_diagonals, self._gram_diagonals)
        return self._gram

    def projected(self, x: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return H^dagger(H(x) P), shape (n_channels, n_samples), for P = V V^H and the rows of V^H."""
        n1, n2 = self._lift.n1, self._lift.n2
        x, rows = x.astype(self._dtype, copy=False), rows.astype(self._dtype, copy=False)
        _add_own_products(rows, self._projection, 1.0, 0.0)
        # Past the end of a diagonal of P its sum stays as it is: the zeros below the main diagonal follow.
        sums = self._gram_diagonals[:, :n2]
        _running_sums(self._projection_diagonals[:, :n2], sums)
        kernel = self._kernel_diagonals[:, :n2]
        kernel[:n2] = sums
        kernel[n2:] = sums[-1]
        kernel[n1:] -= sums[: n2 - 1]
        return times_hermitian(x, self._kernel) / self._weights


def times_hermitian(rows: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Return ``rows @ M`` for the Hermitian matrix M of which `upper` holds the upper triangle."""
    return _HEMM[rows.dtype.char](1.0, upper.T, rows.T, lower=1).T


def _square(size: int, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Return a matrix of zeros, and the same memory in rows of one entry more."""
    memory = np.zeros(size * (size + 1), dtype)
    return memory[: size * size].reshape(size, size), memory.reshape(size, size + 1)


def _running_sums(rows: np.ndarray, out: np.ndarray) -> None:
    """Set each row of `out` to the sum of `rows` up to it: within runs first, many rows at a time."""
    np.copyto(out, rows)
    for i in range(1, RUN):
        after = out[i::RUN]
        after += out[i - 1 :: RUN][: len(after)]
    for first in range(RUN, len(out), RUN):
        out[first : first + RUN] += out[first - 1]


def _add_own_products(rows: np.ndarray, out: np.ndarray, factor: float, before: float) -> None:
    """Set the upper triangle of `out` to `before` times itself + `factor` A^H A; A has these rows."""
    _HERK[rows.dtype.char](factor, rows.T, beta=before, lower=1, c=out.T, overwrite_c=True)
