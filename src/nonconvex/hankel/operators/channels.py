"""Rank-r Hankel approximations of many single channels at once, each with a Hankel matrix of its own.

What `nonconvex.hankel.operators.tangent` does for one matrix is done here for a stack of them: the first axis
runs over channels, and no number of one channel enters those of another.
"""

from typing import Self

import numpy as np

import nonconvex.hankel.operators.dense as dense
from nonconvex.hankel.operators.leading import leading_factors
from nonconvex.hankel.operators.lift import HankelLift
from nonconvex.hankel.operators.tangent import DIVISIBLE, TangentMatrix


class ChannelLift(HankelLift):
    """Products with the Hankel matrices H(x_k) of single channels, by FFT.

    Factors are stored as (n_channels, r, n1) and (n_channels, r, n2), a column of the matrix in each row.

    Parameters
    ----------
    n_samples, n1 : int
        Sizes; n2 = n_samples + 1 - n1.
    real : bool
        True for real signals.
    """

    def __init__(self, n_samples: int, n1: int, *, real: bool = False) -> None:
        super().__init__(1, n_samples, n1, real=real)

    def left_spectrum(self, left: np.ndarray) -> np.ndarray:
        """Transform the left factors."""
        return self.spectrum(left)

    def times_right(
        self, signal_spectrum: np.ndarray, right_spectrum: np.ndarray, out: np.ndarray | None = None
    ) -> np.ndarray:
        """Return H(x_k) V_k, shape (n_channels, r, n1), written to `out` if given."""
        product = self._inverse(signal_spectrum[:, None] * right_spectrum)[..., : self.n1]
        if out is None:
            return product
        out[...] = product
        return out

    def left_times(self, left_spectrum: np.ndarray, signal_spectrum: np.ndarray) -> np.ndarray:
        """Return U_k^H H(x_k), shape (n_channels, r, n2)."""
        return self._inverse(left_spectrum.conj() * signal_spectrum[:, None])[..., : self.n2]

    def pseudoinverse(self, left_spectrum: np.ndarray, right_spectrum: np.ndarray) -> np.ndarray:
        """Return H^dagger(U_k V_k^H), shape (n_channels, n_samples)."""
        total = (left_spectrum * right_spectrum.conj()).sum(axis=1)
        return self._inverse(total)[..., : self.n_samples] / self.weights


class ChannelPoints:
    """Rank-r matrices L_k = U_k diag(sigma_k) V_k^H, one a channel.

    Parameters
    ----------
    lift : ChannelLift
        The Hankel lift of one channel.
    left : ndarray, shape (n_channels, r, n1)
        Orthonormal columns of the U_k.
    sigma : ndarray, shape (n_channels, r)
        Singular values.
    right : ndarray, shape (n_channels, r, n2)
        Orthonormal columns of the V_k.
    """

    def __init__(self, lift: ChannelLift, left: np.ndarray, sigma: np.ndarray, right: np.ndarray) -> None:
        self.lift = lift
        self.left = left
        self.sigma = sigma
        self.right = right
        self.left_spectrum = lift.left_spectrum(left)
        self.right_spectrum = lift.right_spectrum(right)

    @classmethod
    def best(cls, lift: ChannelLift, x: np.ndarray, rank: int) -> Self:
        """Return the Q_r(H(x_k)) of the channels of `x`, shape (n_channels, n_samples)."""
        single = HankelLift(1, lift.n_samples, lift.n1, real=lift.real)
        factors = [leading_factors(single, channel[None], rank) for channel in x]
        left, sigma, right = (np.stack(part) for part in zip(*factors, strict=True))
        return cls(lift, left[:, :, 0], sigma, right)

    def __getitem__(self, chosen: np.ndarray) -> "ChannelPoints":
        """Return the points of some channels only."""
        return ChannelPoints(self.lift, self.left[chosen], self.sigma[chosen], self.right[chosen])

    def signal(self) -> np.ndarray:
        """Return the H^dagger(L_k), shape (n_channels, n_samples)."""
        return self.lift.pseudoinverse(self.left_spectrum, self.sigma[:, :, None] * self.right_spectrum)

    def step(self, x: np.ndarray) -> "ChannelPoints":
        """Return the Q_r(P_S(H(x_k))), S being the tangent space at L_k (see `TangentMatrix.truncate`)."""
        spectrum = self.lift.spectrum(x)
        complement = self.lift.times_right(spectrum, self.right_spectrum)
        from_left = self.lift.left_times(self.left_spectrum, spectrum)
        core = from_left @ _transpose(self.right)
        complement -= _transpose(core) @ self.left
        left = np.concatenate([self.left, complement], axis=1)
        right = np.concatenate([self.right, from_left.conj() - core.conj() @ self.right], axis=1)
        return ChannelPoints(self.lift, *_truncate(self.lift, left, core, right))


def _truncate(
    lift: ChannelLift, left: np.ndarray, core: np.ndarray, right: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (U, sigma, V) of the best rank-r approximations of U C V^H + U T^H + Y V^H.

    `left` holds the columns of U, then of Y; `right` those of V, then of T.
    """
    rank = core.shape[-1]
    y_factor, y_failed = _cholesky(_gram(left[:, rank:]))
    t_factor, t_failed = _cholesky(_gram(right[:, rank:]))
    small = np.zeros((len(core), 2 * rank, 2 * rank), core.dtype)
    small[:, :rank, :rank] = core
    small[:, :rank, rank:] = t_factor
    small[:, rank:, :rank] = _transpose(y_factor).conj()
    u, sigma, vh = _svd(small)
    p, sigma, o = u[:, :rank, :rank], sigma[:, :rank], _transpose(vh[:, :rank, :rank]).conj()
    apart = y_failed | t_failed | ~(sigma[:, -1] > DIVISIBLE * sigma[:, 0])
    divisor = np.where(apart[:, None], 1, sigma)[:, None, :]
    new_left = _transpose(np.concatenate([p, o / divisor], axis=1)) @ left
    new_right = _transpose(np.concatenate([o, p / divisor], axis=1)) @ right
    for channel in np.flatnonzero(apart):
        single = HankelLift(1, lift.n_samples, lift.n1, real=lift.real)
        matrix = TangentMatrix(single, left[channel][:, None], core[channel], right[channel])
        point = matrix.truncate()
        new_left[channel], sigma[channel], new_right[channel] = point.left[:, 0], point.sigma, point.right
    return new_left, sigma, new_right


def _transpose(stack: np.ndarray) -> np.ndarray:
    return stack.transpose(0, 2, 1)


def _gram(rows: np.ndarray) -> np.ndarray:
    return rows.conj() @ _transpose(rows)


def _cholesky(grams: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return lower triangular factors, zero where the factorisation breaks down, and where it does."""
    try:
        return np.linalg.cholesky(grams), np.zeros(len(grams), bool)
    except np.linalg.LinAlgError:
        factors, failed = np.zeros_like(grams), np.zeros(len(grams), bool)
    for channel, gram in enumerate(grams):
        try:
            factors[channel] = np.linalg.cholesky(gram)
        except np.linalg.LinAlgError:
            failed[channel] = True
    return factors, failed


def _svd(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    try:
        return np.linalg.svd(matrices)
    except np.linalg.LinAlgError:
        parts = [dense.svd(matrix) for matrix in matrices]
        u, sigma, vh = (np.stack(part) for part in zip(*parts, strict=True))
        return u, sigma, vh
