"""Rank-r Hankel approximations and their tangent spaces: lines 5 to 7 of the thesis's Algorithm 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonconvex.hankel import dense

# Singular values below this fraction of the largest one are not divided by.
DIVISIBLE = 1e-3


@dataclass(frozen=True, eq=False)
class Factored:
    """A matrix A C B^H by its factors, stored as rows.

    Attributes
    ----------
    left : ndarray, shape (a, n_channels * n1)
        Columns of A.
    core : ndarray, shape (a, b)
        C.
    right : ndarray, shape (b, n2)
        Columns of B.
    """

    left: np.ndarray
    core: np.ndarray
    right: np.ndarray

    def left_times(self, basis):
        """Return U^H A C B^H, shape (r, n2), for a left basis U given as rows (r, n_channels * n1)."""
        return dense.inner(basis, self.left) @ self.core @ self.right.conj()

    def add_times_right(self, out, weight, basis):
        """Add weight A C B^H V to `out`, rows (r, n_channels * n1), for a right basis V, rows (r, n2)."""
        dense.add_combination(out, weight * (self.core @ dense.inner(self.right, basis)), self.left)


class TangentPoint:
    """A rank-r matrix L = U diag(sigma) V^H, its H^dagger, and the tangent space S at it.

    Parameters
    ----------
    lift : HankelLift
        The Hankel lift of the signal.
    stack : ndarray, shape (2 r, n_channels, n1)
        The first r rows hold the orthonormal columns of U; the rest is room for the projection.
    sigma : ndarray, shape (r,)
        Singular values.
    right : ndarray, shape (r, n2)
        Orthonormal columns of V.
    """

    def __init__(self, lift, stack, sigma, right):
        self.lift = lift
        self.rank = sigma.size
        self.stack = stack
        self.left = stack[: self.rank]
        self.sigma = sigma
        self.right = right
        self.left_spectrum = lift.spectrum(self.left)
        self.right_spectrum = lift.right_spectrum(right)

    def signal(self):
        """Return X = H^dagger(L), shape (n_channels, n_samples)."""
        return self.lift.pseudoinverse(self.left_spectrum, self.sigma[:, None] * self.right_spectrum)

    def project(self, x, own=0.0, others=()):
        """Return P_S(H(x) + own L + sum of weight W over `others`) (thesis, Eq. eqn: projection of matrix).

        Parameters
        ----------
        x : ndarray, shape (n_channels, n_samples)
            Signal to lift.
        own : float
            Weight of L itself, which the projection leaves alone.
        others : sequence of (float, Factored)
            Weighted matrices to add.

        Returns
        -------
        TangentMatrix
        """
        rank, rows = self.rank, self.stack.reshape(2 * self.rank, -1)
        left, complement = rows[:rank], rows[rank:]
        signal_spectrum = self.lift.spectrum(x)
        self.stack[rank:] = self.lift.times_right(signal_spectrum, self.right_spectrum)
        from_left = self.lift.left_times(self.left_spectrum, signal_spectrum)
        for weight, matrix in others:
            matrix.add_times_right(complement, weight, self.right)
            from_left += weight * matrix.left_times(left)
        # Z stands for the sum to project: from_left is U^H Z and complement becomes (I - U U^H) Z V.
        core = from_left @ self.right.T
        dense.add_combination(complement, -core, left)
        right_complement = from_left.conj() - core.conj() @ self.right
        core[np.diag_indices(rank)] += own * self.sigma
        return TangentMatrix(self.lift, self.stack, core, self.right, right_complement)


class TangentMatrix:
    """A matrix W = U C V^H + U T^H + Y V^H of a tangent space, with Y orthogonal to U and T to V.

    Parameters
    ----------
    lift : HankelLift
        The Hankel lift of the signal.
    stack : ndarray, shape (2 r, n_channels, n1)
        Columns of U, then of Y.
    core : ndarray, shape (r, r)
        C.
    right, right_complement : ndarray, shape (r, n2)
        Columns of V and of T.
    """

    def __init__(self, lift, stack, core, right, right_complement):
        self.lift = lift
        self.stack = stack
        self.core = core
        self.right = np.concatenate([right, right_complement])

    def factored(self):
        """Return W as [U Y] [[C, I], [I, 0]] [V T]^H."""
        rank = len(self.core)
        identity = np.eye(rank)
        core = np.block([[self.core, identity], [identity, np.zeros((rank, rank))]])
        return Factored(self.stack.reshape(2 * rank, -1), core, self.right)

    def truncate(self):
        """Return Q_r(W), the best rank-r approximation, by one SVD of size 2 r.

        With triangular factors R of Y and T, the SVD of [[C, R_T^H], [R_Y, 0]] = P S O^H gives the left singular
        vectors U P_1 + Y O_1 / S and the right ones V O_1 + T P_1 / S, so that no basis of Y or T is needed.
        Where a wanted singular value is too small to divide by, the bases are formed.
        """
        rank = len(self.core)
        rows = self.stack.reshape(2 * rank, -1)
        left_factor = dense.triangular_factor(rows[rank:])
        right_factor = dense.triangular_factor(self.right[rank:])
        small = np.zeros((rank + len(left_factor), rank + len(right_factor)), self.core.dtype)
        small[:rank, :rank] = self.core
        small[:rank, rank:] = right_factor.conj().T
        small[rank:, :rank] = left_factor
        u, sigma, vh = dense.svd(small)
        if not sigma[rank - 1] > DIVISIBLE * sigma[0]:
            return self._truncate_by_bases()
        sigma = sigma[:rank]
        p, o = u[:rank, :rank], vh[:rank, :rank].conj().T
        stack = np.empty_like(self.stack)
        dense.set_combination(
            stack[:rank].reshape(rank, -1), np.concatenate([p, o / sigma]), rows
        )
        right = np.concatenate([o, p / sigma]).T @ self.right
        return TangentPoint(self.lift, stack, sigma, right)

    def _truncate_by_bases(self):
        rank = len(self.core)
        w = self.factored()
        left, left_factor = np.linalg.qr(w.left.T)
        right, right_factor = np.linalg.qr(w.right.T)
        u, sigma, vh = dense.svd(left_factor @ w.core @ right_factor.conj().T)
        stack = np.empty_like(self.stack)
        stack[:rank] = (left @ u[:, :rank]).T.reshape(rank, *self.stack.shape[1:])
        return TangentPoint(self.lift, stack, sigma[:rank], (right @ vh[:rank].conj().T).T.copy())
