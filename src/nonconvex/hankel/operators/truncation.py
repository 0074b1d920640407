"""Best rank-k approximation of H(Z): singular vectors computed afresh, or followed as Z changes."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from scipy.linalg import blas

from nonconvex.hankel.operators.diagonal_sums import DiagonalSums, times_hermitian
from nonconvex.hankel.operators.leading import leading_factors
from nonconvex.hankel.operators.lift import HankelLift

# Measured CPU times cross where n_channels (rank + 4) n_samples is this times n2^2, within a factor of 1.5.
CROSSING = 0.4
# Above this the n x n buffers of the Gram matrix no longer fit beside other work.
MOST_SAMPLES = 2000
# Vectors kept beyond the singular values asked for: they speed up the last of those where gaps are small.
SPARE = 3
# Power steps for each Z. With one, a stage now and then ends an iteration early; with two, hardly ever.
STEPS = 2
# The first Z of all has no subspace to start from: steps until ||G v - sigma^2 v|| is this times sigma^2.
SETTLED = 1e-2
MOST_FIRST_STEPS = 60
# G has the squares of singular values: single precision is for those of at least this times the largest.
SINGLE = 0.03
# Cholesky factors of scaled rows with a smaller diagonal are not trusted to make orthonormal ones.
INDEPENDENT = 0.03
_TRSM = {"f": blas.strsm, "F": blas.ctrsm, "d": blas.dtrsm, "D": blas.ztrsm}


class Truncation(Protocol):
    """What finds the best rank-k approximation of H(Z)."""

    def truncate(self, z: np.ndarray, k: int, rough: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Return H^dagger(Q_k(H(z))) and the first k + 1 singular values, as `ExactTruncation.truncate`."""
        ...


def choose_truncation(lift: HankelLift, rank: int) -> Truncation:
    """Return the faster truncation for signals of the shape of `lift` and ranks up to `rank`."""
    transforms = lift.n_channels * (rank + 4) * lift.n_samples
    if lift.n_samples > MOST_SAMPLES or transforms < CROSSING * lift.n2**2:
        return FourierTruncation(lift, rank)
    return GramTruncation(lift, rank)


class ExactTruncation:
    """The reference for the warm-started ones, which have the same `truncate`.

    Parameters
    ----------
    lift : HankelLift
        Of the shape and kind of the signals.
    """

    def __init__(self, lift: HankelLift) -> None:
        self._lift = lift

    def truncate(self, z: np.ndarray, k: int, rough: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Return H^dagger(Q_k(H(z))) and the singular values.

        Parameters
        ----------
        z : ndarray, shape (n_channels, n_samples)
            Signal.
        k : int
            Rank, at most that of the Hankel matrix's shorter side.
        rough : bool
            Whether an error of 1e-5 is small enough, so that single precision may be used.

        Returns
        -------
        x : ndarray, shape (n_channels, n_samples)
        sigma : ndarray, shape (k + 1,)
            The k + 1 largest singular values of H(z), the last one 0 when there are only k.
        """
        lift = self._lift
        left, values, right = leading_factors(lift, z, min(k + 1, *lift.shape))
        sigma = np.zeros(k + 1)
        sigma[: len(values)] = values
        left = left[:k] * values[:k, None, None]
        return lift.pseudoinverse(lift.left_spectrum(left), lift.right_spectrum(right[:k])), sigma


class FourierTruncation:
    """Truncation at a cost that grows with the rank, but as n log n: no n2 x n2 matrix is formed.

    Inexact, as its subspace is; `ExactTruncation` is the reference. It takes no heed of `rough`.

    Parameters
    ----------
    lift : HankelLift
        Of the shape and kind of the signals.
    rank : int
        Largest k that will be asked for.
    """

    def __init__(self, lift: HankelLift, rank: int) -> None:
        self._lift = lift
        self._subspace = WarmSubspace(lift, rank)

    def truncate(self, z: np.ndarray, k: int, rough: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Return H^dagger(Q_k(H(z))) and the first k + 1 singular values, as `ExactTruncation.truncate`."""
        lift, spectrum = self._lift, self._lift.spectrum(z)

        def times_gram(rows: np.ndarray) -> np.ndarray:
            left = lift.times_right(spectrum, lift.spectrum(rows).conj())
            return lift.left_times(lift.left_spectrum(left), spectrum)

        sigma = self._subspace.follow(times_gram, k)
        right = lift.spectrum(self._subspace.rows[:k]).conj()
        return lift.pseudoinverse(lift.left_spectrum(lift.times_right(spectrum, right)), right), sigma


class GramTruncation:
    """Truncation at a cost that hardly depends on the rank: the Gram matrix of H(Z) is formed.

    Inexact, as its subspace is; `ExactTruncation` is the reference.

    Parameters
    ----------
    lift : HankelLift
        Of the shape and kind of the signals.
    rank : int
        Largest k that will be asked for.
    """

    def __init__(self, lift: HankelLift, rank: int) -> None:
        self._double, self._single = DiagonalSums(lift), DiagonalSums(lift, single=True)
        self._subspace = WarmSubspace(lift, rank)
        self._even = False  # Whether the singular values that count were all of about one size the last time.

    def truncate(self, z: np.ndarray, k: int, rough: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Return H^dagger(Q_k(H(z))) and the first k + 1 singular values, as `ExactTruncation.truncate`."""
        subspace = self._subspace
        gram = (self._single if rough and self._even else self._double).gram(z)
        subspace.rows = subspace.rows.astype(gram.dtype, copy=False)
        sigma = subspace.follow(lambda rows: times_hermitian(rows, gram), k)
        self._even = bool(sigma[k] >= SINGLE * sigma[0])
        # Nothing is squared here, so that single precision does even where it does not for G.
        x = (self._single if rough else self._double).projected(z, subspace.rows[:k])
        return x.astype(z.dtype, copy=False), sigma


class WarmSubspace:
    """Block power steps with the Gram matrix G = H^H H, from where the Z before left off.

    Starts from fixed random vectors, so that equal data give equal bits.

    Parameters
    ----------
    lift : HankelLift
        Of the shape and kind of the signals.
    rank : int
        Largest k that will be asked for.

    Attributes
    ----------
    rows : ndarray, shape (d, n2)
        V^H, for orthonormal columns of V: the singular vectors, the first one first.
    """

    def __init__(self, lift: HankelLift, rank: int) -> None:
        size = min(rank + 1 + SPARE, *lift.shape)
        fixed = np.random.default_rng(0)
        self.rows = _orthonormal(fixed.standard_normal((size, lift.n2)).astype(lift.dtype))
        self._settled = False

    def follow(self, times_gram: Callable[[np.ndarray], np.ndarray], k: int) -> np.ndarray:
        """Improve the subspace for a new G.

        Parameters
        ----------
        times_gram : callable
            Returns ``rows @ G``.
        k : int
            Number of singular vectors that count.

        Returns
        -------
        ndarray, shape (k + 1,)
            The first singular values, 0 beyond the last one.
        """
        if not self._settled:
            self._settle(times_gram, k)
        sigma = np.zeros(k + 1)
        image = times_gram(self.rows)
        if image.any():
            for _ in range(STEPS):
                self.rows = _orthonormal(image)
                image = times_gram(self.rows)
            values, vectors = self._ritz_pairs(image)
            self.rows = vectors @ self.rows
            sigma[: len(values)] = np.sqrt(np.maximum(values[: k + 1], 0.0))
        return sigma

    def _settle(self, times_gram: Callable[[np.ndarray], np.ndarray], k: int) -> None:
        for _ in range(MOST_FIRST_STEPS):
            image = times_gram(self.rows)
            values, vectors = self._ritz_pairs(image)
            residual = vectors[:k] @ image - values[:k, None] * (vectors[:k] @ self.rows)
            if np.linalg.norm(residual, axis=1).max() <= SETTLED * values[k - 1]:
                break
            self.rows = _orthonormal(image)
        self._settled = True

    def _ritz_pairs(self, image: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return eigenvalues and eigenvectors (as rows) of V^H G V, from the largest eigenvalue on."""
        values, vectors = np.linalg.eigh(image @ self.rows.conj().T)
        return values[::-1], vectors[:, ::-1].conj().T


def _orthonormal(rows: np.ndarray) -> np.ndarray:
    """Return orthonormal rows with the span of `rows`: by Cholesky where that is accurate, else by QR."""
    sizes = np.linalg.norm(rows, axis=1)
    if sizes.min() > 0:
        scaled = rows / sizes[:, None]
        try:
            lower = np.linalg.cholesky(scaled @ scaled.conj().T)
        except np.linalg.LinAlgError:
            pass
        else:
            if lower.diagonal().real.min() > INDEPENDENT:
                return _TRSM[rows.dtype.char](1.0, lower.T, scaled.T, side=1, overwrite_b=True).T
    return np.ascontiguousarray(np.linalg.qr(rows.T)[0].T)
