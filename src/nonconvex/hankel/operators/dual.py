"""The dual variable of singular value thresholding: a matrix that lives on the observed entries of H(X)."""

import numpy as np
import scipy.linalg

import nonconvex.hankel.operators.dense as dense
from nonconvex.hankel.observations import Observations
from nonconvex.hankel.operators.leading import gram_matrix
from nonconvex.hankel.operators.lift import BLOCK, HankelLift
from nonconvex.hankel.operators.shrinkage import Shrinkage


class DualMatrix:
    """A matrix Y of the size of H(X), zero where H(X) is not observed.

    Y is no Hankel matrix: a low-rank approximation of it is none either, and their difference is added to Y.
    So Y is held in full, in the orientation with more rows than columns; H(M) and its mask are windows on the
    signal, never formed in that orientation. It is in single precision while its rounding cannot be seen
    beside the residual.

    Parameters
    ----------
    observations : Observations
        The observed entries of the signal.
    lift : HankelLift
        Of the shape and kind of the signal.
    """

    def __init__(self, observations: Observations, lift: HankelLift) -> None:
        self.lift = lift
        self._data = observations.data
        self._seen_places = np.zeros(observations.data.shape)
        self._seen_places.ravel()[observations.places] = 1
        rows, columns = lift.shape
        self.fraction = float(self._seen_places.sum(axis=0) @ lift.weights) / (rows * columns)
        self.norm = float(np.sqrt(np.sum(np.abs(observations.data) ** 2, axis=0) @ lift.weights))
        self.upright = rows >= columns
        self._shrinkage = Shrinkage(lift.dtype)
        self._residual = self._change = np.inf
        self._set_windows(lift.dtype)
        self.values: np.ndarray = np.zeros(self.known.shape, lift.dtype)

    def _set_windows(self, dtype: np.dtype) -> None:
        self.known = self._windows(self._data.astype(dtype))
        self.seen = self._windows(self._seen_places.astype(self.known.real.dtype))

    def _windows(self, x: np.ndarray) -> np.ndarray:
        """Return the lift of `x` as (groups of rows, rows, columns), in any order of the rows of H."""
        windows = np.lib.stride_tricks.sliding_window_view(x, self.lift.n2, axis=1)
        if self.upright:
            return windows
        return np.ascontiguousarray(windows.reshape(-1, self.lift.n2).T)[None]

    def spectral_norm(self) -> float:
        """Return the largest singular value of P(H(M))."""
        gram = gram_matrix(self._data, self.lift.n1) if self.upright else dense.lower_gram(self.known[0])
        last = len(gram) - 1
        (largest,) = scipy.linalg.eigvalsh(gram, lower=True, subset_by_index=(last, last))
        return float(np.sqrt(max(largest, 0.0)))

    def start(self, factor: float) -> None:
        """Set Y = factor P(H(M))."""
        np.multiply(self.known, factor, out=self.values)

    def shrink(self, threshold: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the factors (A, B) of A B = D(Y): singular values lowered by `threshold`, or dropped."""
        precision = self._shrinkage.precision(self._residual, threshold)
        if precision != self.values.dtype:
            self.values = self.values.astype(precision)
            self._set_windows(precision)
        y = self.values.reshape(-1, self.values.shape[-1])
        sigma, right, image = self._shrinkage.triplets(y, threshold, self._change, self._residual)
        image = y @ right if image is None else image
        return image * (1 - threshold / sigma).astype(image.real.dtype), right.conj().T

    def ascend(self, low_rank: tuple[np.ndarray, np.ndarray], step: float) -> float:
        """Set Y to Y + step P(H(M) - A B), and return the Frobenius norm of P(H(M) - A B)."""
        left, right = low_rank
        left = left.reshape(*self.values.shape[:2], -1)
        rows = max(1, BLOCK // right.shape[1])
        room = np.empty((min(rows, self.values.shape[1]), right.shape[1]), self.values.dtype)
        total = 0.0
        for group in range(len(self.values)):
            for first in range(0, self.values.shape[1], rows):
                part = np.s_[group, first : first + rows]
                residual = np.matmul(left[part], right, out=room[: len(left[part])])
                residual *= self.seen[part]
                np.subtract(self.known[part], residual, out=residual)
                total += np.vdot(residual, residual).real
                residual *= step
                self.values[part] += residual
        self._residual = float(np.sqrt(total))
        self._change = step * self._residual
        return self._residual

    def signal(self, low_rank: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """Return H^dagger(A B), shape (n_channels, n_samples)."""
        left, right = (factor.astype(self.lift.dtype) for factor in low_rank)
        if not self.upright:
            left, right = right.T, left.T
        left = np.ascontiguousarray(left.T).reshape(-1, self.lift.n_channels, self.lift.n1)
        return self.lift.pseudoinverse(
            self.lift.left_spectrum(left), self.lift.right_spectrum(np.conj(right))
        )
