"""The matrices of ADMM for robust matrix completion, and one step of it."""

import numpy as np

import nonconvex.hankel.operators.dense as dense
from nonconvex.hankel.observations import Observations
from nonconvex.hankel.operators.lift import BLOCK, HankelLift
from nonconvex.hankel.operators.shrinkage import Shrinkage
from nonconvex.hankel.operators.upright import UprightHankel


class Splitting:
    """The state of the alternation between a low-rank matrix L and an outlier matrix S.

    With H for P(H(M)) and U = Y / mu, one step is L = D(A) at A = H - S + U, S = soft(H - L + U),
    Z = H - L - S where observed, U + Z in place of U. Since H - L + U - S is T minus its soft threshold, that
    is T clipped to the threshold, the next U and A are

        U' = clip(T) where observed, 0 elsewhere, with T = H - L + U,
        A' = L - U + 2 U' where observed; elsewhere L if S is free there, L - clip(L) if S is shrunk there,

    so S and Z are never formed. A, U and L are in single precision while its rounding cannot be seen beside
    the residual.

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
        self._seen_places = np.zeros(observations.data.shape)
        self._seen_places.ravel()[observations.places] = 1
        self.argument = np.array(self.upright.windows(observations.data), order="C").reshape(
            self.upright.shape
        )
        self.multiplier = np.zeros(self.upright.shape, lift.dtype)
        self._shrinkage = Shrinkage(lift.dtype)
        self._residual = self._change = self._clip = np.inf
        self._set_precision(lift.dtype)

    def _set_precision(self, dtype: np.dtype) -> None:
        self.argument = self.argument.astype(dtype, copy=False)
        self.multiplier = self.multiplier.astype(dtype, copy=False)
        self.low_rank = np.empty(self.upright.shape, dtype)
        self._known = self.upright.windows(self._observations.data.astype(dtype))
        self._seen = self.upright.windows(self._seen_places.astype(self.low_rank.real.dtype))

    def shrink(self, threshold: float) -> int:
        """Set L = D(A): singular values lowered by `threshold`, or dropped; return how many are left."""
        precision = self._shrinkage.precision(self._residual, threshold, self._clip)
        if precision != self.argument.dtype:
            self._set_precision(precision)
        sigma, right, image = self._shrinkage.triplets(self.argument, threshold, self._change, self._residual)
        factors = (1 - threshold / sigma).astype(right.real.dtype)
        if image is None:
            kernel = dense.lower_gram(np.ascontiguousarray((right * np.sqrt(factors)).conj().T))
            kernel += np.tril(kernel, -1).conj().T
            np.matmul(self.argument, kernel, out=self.low_rank)
        else:
            np.matmul(image * factors, right.conj().T, out=self.low_rank)
        return sigma.size

    def exchange(self, threshold: float) -> float:
        """Update A and U from L, clipping at `threshold`; return the Frobenius norm of Z."""
        fold = self.upright.fold
        low_rank, multiplier = self.low_rank.reshape(fold), self.multiplier.reshape(fold)
        argument = self.argument.reshape(fold)
        step = max(1, BLOCK // (fold[1] * fold[2])), max(1, BLOCK // fold[2])
        size = step[0] * min(step[1], fold[1]) * fold[2]
        dtype = self.argument.dtype
        room = [np.empty(size, dtype) for _ in range(3)] + [np.empty(size, self._seen.dtype)]
        residual = change = 0.0
        for first in range(0, fold[0], step[0]):
            for second in range(0, fold[1], step[1]):
                part = np.s_[first : first + step[0], second : second + step[1]]
                old, known = multiplier[part], self._known[part]
                clipped, new, target, moduli = (array[: known.size].reshape(known.shape) for array in room)
                np.subtract(known, low_rank[part], out=clipped)
                clipped += old
                np.maximum(np.abs(clipped, out=moduli), threshold, out=moduli)
                clipped *= np.divide(threshold, moduli, out=moduli)
                np.multiply(clipped, self._seen[part], out=new)
                np.subtract(low_rank[part], old, out=target)
                target += new
                target += new if self._free else clipped
                np.subtract(new, old, out=clipped)
                residual += float(np.vdot(clipped, clipped).real)
                np.subtract(target, argument[part], out=clipped)
                change += float(np.vdot(clipped, clipped).real)
                argument[part] = target
                multiplier[part] = new
        self._residual, self._change = float(np.sqrt(residual)), float(np.sqrt(change))
        self._clip = threshold
        return self._residual

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
