"""What singular value shrinkage keeps of tall matrices that come one after the other and change little.

As a rule all singular values above the threshold are taken from the Gram matrix. Where few of them lie above
it, and the rest is known to be below, the subspace of the few is followed from one matrix to the next.
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg

import nonconvex.hankel.operators.dense as dense
from nonconvex.hankel.operators.spectrum import eigenpairs_above

# A Gram matrix does not resolve a threshold below this fraction of the largest singular value.
RESOLVED = 1e-6
# LAPACK finds the leading eigenpairs alone in less time than all of them when one in FEW, or less, is wanted.
FEW = 4
# A subspace is followed by at most POWERS products with A^H A, and only while its singular values exceed the
# threshold CLEARLY: beyond, a decomposition costs no more.
POWERS = 4
CLEARLY = 1.05
# Rounding in single precision, relative to what is rounded; errors of many entries cancel in part. That of
# stored matrices is taken for more than it is, so that runs come to their end in double precision.
ROUNDING, STORED = 3e-8, 2e-7
# Eigenvectors in single precision put this relative error into a shrunk matrix, whatever its singular values.
VECTORS = 1e-6
# An error below this fraction of the last residual does no harm: single precision serves until its own exceed
# it, and thresholds within RANGE, against data near 1.
HARMLESS = 0.1
RANGE = 1e-8, 1e8
# A followed subspace is settled when its error is below this fraction of the last residual.
SETTLED = 1e-3
# A sum of squares in single precision is right to this fraction.
SUMMED = 1e-5

_SINGLE = {"d": np.dtype(np.float32), "D": np.dtype(np.complex64)}


class Triplets(NamedTuple):
    """Singular values above the threshold, right singular vectors as columns, A times these if known."""

    sigma: np.ndarray
    right: np.ndarray
    image: np.ndarray | None


class Shrinkage:
    """The singular triplets above a threshold of a sequence of tall matrices.

    That no more than the r vectors that are followed belong to values above the threshold is certain but for
    rounding: by Weyl's inequality, sigma_{r+1} has not grown, since the last full decomposition, by more than
    the norms of the changes outside the subspace add up to.

    Parameters
    ----------
    dtype : numpy.dtype
        float64 or complex128.
    """

    def __init__(self, dtype: np.dtype) -> None:
        # Frobenius norm of the error that single precision made, or would make, in the last shrunk matrix.
        self._noise = np.inf
        self._single, self._double = _SINGLE[dtype.char], dtype
        self._right = self._image = np.empty((0, 0), dtype)
        # An upper bound of the largest singular value that is not followed; nothing is known yet.
        self._below = np.inf

    def precision(self, residual: float, *thresholds: float) -> np.dtype:
        """Return the dtype that serves after an iteration that left this residual."""
        fits = all(RANGE[0] <= threshold <= RANGE[1] for threshold in thresholds)
        return self._single if fits and self._noise <= HARMLESS * residual else self._double

    def triplets(self, matrix: np.ndarray, threshold: float, change: float, residual: float) -> Triplets:
        """Return the triplets of `matrix` above `threshold`.

        Parameters
        ----------
        matrix : ndarray
            Tall and contiguous, in single or double precision.
        threshold : float
            The same for all matrices.
        change : float
            At least the Frobenius norm of the difference to the matrix before.
        residual : float
            What the last iteration left: by it the errors of a followed subspace are judged.
        """
        found = None
        if self._below < threshold and FEW * self._right.shape[1] < matrix.shape[1]:
            found = self._follow(matrix, threshold, change, SETTLED * residual)
        return self._decompose(matrix, threshold, HARMLESS * residual) if found is None else found

    def _decompose(self, matrix: np.ndarray, threshold: float, allowed: float) -> Triplets:
        gram = dense.lower_gram(matrix)
        norm = float(np.sqrt(np.trace(gram).real))
        if threshold <= RESOLVED * norm:
            _, sigma, vh = dense.svd(matrix)
            kept = sigma > threshold
            self._noise, self._below = np.inf, np.inf
            return Triplets(sigma[kept], vh[kept].conj().T, None)
        if VECTORS * norm > allowed:
            gram = gram.astype(self._double, copy=False)
        values, vectors = self._eigenpairs(gram, threshold)
        sigma = np.sqrt(values[values.size - vectors.shape[1] :])
        largest, below = float(values[-1]), float(values[values <= threshold**2].max(initial=0.0))
        # Single precision perturbs A^H A by its largest eigenvalue times the rounding, and D(A) as the slope
        # of the shrinkage, threshold / (2 sigma^2), says.
        slopes = threshold / 2 * float(np.sqrt(np.sum(sigma**-4.0)))
        self._noise = STORED * norm + ROUNDING * largest * slopes
        self._below = float(np.sqrt(below + np.finfo(matrix.dtype).eps / 2 * largest))
        self._right = vectors.astype(self._double, copy=False)
        right = vectors.astype(matrix.dtype, copy=False)
        if 2 * sigma.size >= len(gram):
            return Triplets(sigma, right, None)
        self._image = matrix @ right
        return Triplets(sigma, right, self._image)

    def _eigenpairs(self, gram: np.ndarray, threshold: float) -> tuple[np.ndarray, np.ndarray]:
        """Return ascending eigenvalues, the largest that is dropped among them, and the others' vectors."""
        size, count = len(gram), self._right.shape[1] + 2
        if FEW * count < size and self._right.size:
            leading = (size - count, size - 1)
            gram = gram.astype(self._double, copy=False)
            values, vectors = scipy.linalg.eigh(gram, lower=True, subset_by_index=leading)
            if values[0] <= threshold**2:
                return values, vectors[:, values > threshold**2]
        return eigenpairs_above(gram, threshold**2)

    def _follow(self, matrix: np.ndarray, threshold: float, change: float, allowed: float) -> Triplets | None:
        """Return the triplets from the subspace of the last, or None where that does not settle them."""
        basis = self._right
        image = matrix @ basis.astype(matrix.dtype)
        self._below += self._outside(image, change)
        if self._below >= threshold:
            return None
        for remaining in reversed(range(POWERS)):
            power = (image.conj().T @ matrix).conj().T.astype(self._double)
            squares = np.maximum(np.einsum("ij,ij->j", basis.conj(), power).real, threshold**2)
            outside = np.linalg.norm(power - basis @ (basis.conj().T @ power), axis=0)
            basis = np.linalg.qr(power)[0]
            image = matrix @ basis.astype(matrix.dtype)
            # The angle of each vector to the subspace, by the power that has been applied, times sigma.
            gains = self._below**2 / squares
            errors = outside / (squares - self._below**2) * gains * np.sqrt(squares)
            error = float(np.linalg.norm(errors))
            if error <= allowed:
                break
            if error * gains.max(initial=0.0) ** remaining > allowed or remaining == 0:
                return None
        wide = image.astype(self._double)
        values, rotation = np.linalg.eigh(wide.conj().T @ wide)
        if values.size and values[0] <= (CLEARLY * threshold) ** 2:
            return None
        self._below = float(np.hypot(self._below, error))
        self._right, self._image = basis @ rotation, image @ rotation.astype(matrix.dtype)
        self._noise = STORED * float(np.sqrt(values.sum() + len(basis) * self._below**2))
        return Triplets(np.sqrt(values), self._right.astype(matrix.dtype), self._image)

    def _outside(self, image: np.ndarray, change: float) -> float:
        """Return at least the norm of the change outside the followed subspace, from the new image of it."""
        rounding = 4 * ROUNDING * float(np.linalg.norm(image))
        inside = max(0.0, float(np.linalg.norm(image - self._image)) - rounding)
        return float(np.sqrt(max((1 + SUMMED) * change**2 - inside**2, 0.0)))
