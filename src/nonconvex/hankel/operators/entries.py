"""The observed entries of a Hankel matrix, and the leading part of a matrix low-rank plus sparse on them."""

import numpy as np
import scipy.linalg
from scipy.sparse import csr_array

import nonconvex.hankel.operators.dense as dense
from nonconvex.hankel.observations import Observations
from nonconvex.hankel.operators.lanczos import leading_triplets
from nonconvex.hankel.operators.lift import BLOCK, HankelLift
from nonconvex.hankel.operators.upright import UprightHankel

# With more columns than this, products with the sparse matrix cost less than a Gram matrix.
GRAM_COLUMNS = 200


class ObservedEntries:
    """Where H(X) is observed, in the orientation with at least as many rows as columns, row by row.

    Matrices that vanish elsewhere are given by their values at these entries, shape (m,).

    Parameters
    ----------
    observations : Observations
        The observed entries of the signal.
    lift : HankelLift
        Of the shape and kind of the signal.

    Attributes
    ----------
    shape : tuple of int
        Of the matrix, (rows, columns).
    known : ndarray, shape (m,)
        The values of P(H(M)).
    fraction : float
        Observed fraction of the matrix.
    """

    def __init__(self, observations: Observations, lift: HankelLift) -> None:
        self.upright = UprightHankel(lift)
        self.shape = self.upright.shape
        rows, columns = self.shape
        seen = np.zeros(observations.data.shape, bool)
        seen.ravel()[observations.places] = True
        self._places = np.flatnonzero(self.upright.windows(seen))
        index = np.arange(observations.data.size, dtype=np.int32).reshape(observations.data.shape)
        self._samples = self.upright.windows(index).reshape(-1)[self._places]
        self.known = observations.data.ravel()[self._samples]
        self.fraction = self._places.size / (rows * columns)
        self._starts = np.searchsorted(self._places, np.arange(rows + 1) * columns)
        self._columns = None if columns <= GRAM_COLUMNS else (self._places % columns).astype(np.int32)

    def take(self, low_rank: tuple[np.ndarray, np.ndarray], out: np.ndarray) -> None:
        """Write to `out` the values of A B for factors (A, B)."""
        left, right = low_rank
        rows, columns = self.shape
        step = max(1, BLOCK // columns)
        room = np.empty((step, columns), left.dtype)
        for first in range(0, rows, step):
            last = min(first + step, rows)
            part = slice(self._starts[first], self._starts[last])
            np.matmul(left[first:last], right, out=room[: last - first])
            room.ravel().take(self._places[part] - first * columns, out=out[part], mode="clip")

    def leading(
        self, low_rank: tuple[np.ndarray, np.ndarray], values: np.ndarray, count: int, *, only_values: int = 0
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the leading singular triplets (U, sigma, V^H) of A B plus the sparse matrix of `values`.

        They come from the Gram matrix of the short side, or where that is long from Lanczos steps with the
        sparse matrix and the factors, begun from the columns of A.
        """
        if self._columns is None:
            return self._leading_by_gram(low_rank, values, count)
        left, right = low_rank
        sparse = csr_array((values, self._columns, self._starts), shape=self.shape)
        turned = sparse.T

        def times(v: np.ndarray) -> np.ndarray:
            return left @ (right @ v) + sparse @ v

        def adjoint_times(u: np.ndarray) -> np.ndarray:
            return ((u.conj() @ left) @ right + turned @ u.conj()).conj()

        fixed = np.random.default_rng(0)
        start = fixed.standard_normal(self.shape[0]).astype(values.dtype)
        if left.shape[1]:
            start = start / np.linalg.norm(start) + _unit_columns(left).sum(axis=1)
        return leading_triplets(times, adjoint_times, start, self.shape[1], count, only_values=only_values)

    def _leading_by_gram(
        self, low_rank: tuple[np.ndarray, np.ndarray], values: np.ndarray, count: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        matrix = np.matmul(*low_rank)
        matrix.reshape(-1)[self._places] += values
        columns = self.shape[1]
        _, vectors = scipy.linalg.eigh(
            dense.lower_gram(matrix),
            lower=True,
            overwrite_a=True,
            subset_by_index=(columns - count, columns - 1),
        )
        # Values from the matrix itself: a Gram matrix resolves none below 1e-8 of the largest.
        basis, triangle = np.linalg.qr(matrix @ vectors)
        u, sigma, vh = dense.svd(triangle)
        return basis @ u, sigma, vh @ vectors.conj().T

    def signal(self, values: np.ndarray) -> np.ndarray:
        """Return H^dagger of the matrix of `values`, shape (n_channels, n_samples)."""
        lift = self.upright.lift
        total = np.zeros(lift.n_channels * lift.n_samples, lift.dtype)
        total.real = np.bincount(self._samples, values.real, total.size)
        if not lift.real:
            total.imag = np.bincount(self._samples, values.imag, total.size)
        return total.reshape(lift.n_channels, lift.n_samples) / lift.weights


def _unit_columns(left: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(left, axis=0)
    return left / np.where(norms > 0, norms, 1)
