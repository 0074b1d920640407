"""The matrices of ADMM for robust matrix completion, and one step of it."""

import numpy as np
import scipy.linalg

import nonconvex.hankel.operators.dense as dense
from nonconvex.hankel.observations import Observations
from nonconvex.hankel.operators.lift import BLOCK, HankelLift
from nonconvex.hankel.operators.upright import UprightHankel

# A Gram matrix does not resolve a threshold below this fraction of the largest singular value.
RESOLVED = 1e-6
# LAPACK finds the leading eigenpairs alone in less time than all of them when one in FEW, or less, is wanted.
FEW = 4


class Splitting:
    """The state of the alternation between a low-rank matrix L and an outlier matrix S.

    With H for P(H(M)) and U = Y / mu, one step is L = D(A) at A = H - S + U, S = soft(H - L + U),
    Z = H - L - S where observed, U + Z in place of U. Since H - L + U - S is T minus its soft threshold, that
    is T clipped to the threshold, the next U and A are

        U' = clip(T) where observed, 0 elsewhere, with T = H - L + U,
        A' = L - U + 2 U' where observed; elsewhere L if S is free there, L - clip(L) if S is shrunk there,

    so S and Z are never formed.

    Parameters
    ----------
    observations : Observations
        The observed entries of the signal.
    lift : HankelLift
        Of the shape and kind of the signal.
    free : bool
        Whether S is free at the entries that are not observed.
    """

    def __init__(self, observations: Observations, lift: HankelLift, free: bool) -> None:
        self.upright = UprightHankel(lift)
        self.norm = float(np.sqrt(np.sum(np.abs(observations.data) ** 2, axis=0) @ lift.weights))
        self._observations = observations
        self._free = free
        seen = np.zeros_like(observations.data)
        seen.ravel()[observations.places] = 1
        self._seen = self.upright.windows(seen)
        self._known = self.upright.windows(observations.data)
        self.argument = np.array(self._known, order="C").reshape(self.upright.shape)
        self.multiplier = np.zeros(self.upright.shape, lift.dtype)
        self.low_rank = np.empty(self.upright.shape, lift.dtype)
        self._survivors = self.upright.shape[1]

    def shrink(self, threshold: float) -> int:
        """Set L = D(A): singular values lowered by `threshold`, or dropped; return how many are left."""
        few = FEW * self._survivors < self.upright.shape[1]
        sigma, vectors = right_singular(self.argument, threshold, few)
        self._survivors = sigma.size
        lowered = vectors * (1 - threshold / sigma)
        adjoint = vectors.conj().T
        if 2 * sigma.size < len(vectors):
            np.matmul(self.argument @ lowered, adjoint, out=self.low_rank)
        else:
            np.matmul(self.argument, lowered @ adjoint, out=self.low_rank)
        return sigma.size

    def exchange(self, threshold: float) -> float:
        """Update A and U from L, clipping at `threshold`; return the Frobenius norm of Z."""
        fold = self.upright.fold
        low_rank, multiplier = self.low_rank.reshape(fold), self.multiplier.reshape(fold)
        argument = self.argument.reshape(fold)
        step = max(1, BLOCK // (fold[1] * fold[2])), max(1, BLOCK // fold[2])
        total = 0.0
        for first in range(0, fold[0], step[0]):
            for second in range(0, fold[1], step[1]):
                part = np.s_[first : first + step[0], second : second + step[1]]
                old = multiplier[part]
                clipped = self._known[part] - low_rank[part]
                clipped += old
                clipped *= threshold / np.maximum(np.abs(clipped), threshold)
                new = clipped * self._seen[part]
                target = np.subtract(low_rank[part], old, out=argument[part])
                target += new
                target += new if self._free else clipped
                np.subtract(new, old, out=clipped)
                total += float(np.vdot(clipped, clipped).real)
                multiplier[part] = new
        return float(np.sqrt(total))

    def signal(self) -> np.ndarray:
        """Return H^dagger(L), shape (n_channels, n_samples)."""
        return self.upright.antidiagonal_means(self.low_rank)

    def outliers(self) -> np.ndarray:
        """Return H^dagger(S) at the observed entries, zero elsewhere, shape (n_channels, n_samples)."""
        data, places = self._observations.data, self._observations.places
        # S = H + U' - A' where observed.
        excess = self.upright.antidiagonal_means(self.multiplier) - self.upright.antidiagonal_means(
            self.argument
        )
        outliers = np.zeros_like(data)
        outliers.ravel()[places] = (data + excess).ravel()[places]
        return outliers


def right_singular(matrix: np.ndarray, threshold: float, few: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return (sigma, V): the singular values of a tall matrix above `threshold`, with right singular vectors.

    They come from the Gram matrix, or from an SVD where the threshold is too small for that; `few` says
    whether few are expected, and decides only how fast they are found.
    """
    gram = dense.lower_gram(matrix)
    if threshold <= RESOLVED * np.sqrt(np.trace(gram).real):
        _, sigma, vh = dense.svd(matrix)
        kept = sigma > threshold
        return sigma[kept], vh[kept].conj().T
    wanted = {"subset_by_value": (threshold**2, np.inf)} if few else {}
    values, vectors = scipy.linalg.eigh(gram, lower=True, overwrite_a=True, **wanted)
    first = np.searchsorted(values, threshold**2, side="right")
    return np.sqrt(values[first:]), vectors[:, first:]
