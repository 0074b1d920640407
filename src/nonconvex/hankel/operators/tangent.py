"""Rank-r Hankel approximations and their tangent spaces: lines 5 to 7 of the thesis's Algorithm 1."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import nonconvex.hankel.operators.dense as dense
from nonconvex.hankel.operators.leading import leading_factors
from nonconvex.hankel.operators.lift import HankelLift

# Singular values below this fraction of the largest one are not divided by.
DIVISIBLE = 1e-3


@dataclass(frozen=True, eq=False)
class Lifted:
    """The matrix H(signal); a signal of 0.0 stands for the zero matrix."""

    signal: np.ndarray | float


def best_approximation(lift: HankelLift, x: np.ndarray, rank: int) -> "TangentPoint":
    """Return Q_r(H(x)), the best rank-r approximation of the lift of a signal, as a TangentPoint."""
    left, sigma, right = leading_factors(lift, x, rank)
    stack = np.empty((2 * rank, *left.shape[1:]), left.dtype)
    stack[:rank] = left
    return TangentPoint(lift, stack, sigma, right)


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

    def __init__(self, lift: HankelLift, stack: np.ndarray, sigma: np.ndarray, right: np.ndarray) -> None:
        self.lift = lift
        self.rank = sigma.size
        self.stack = stack
        self.left = stack[: self.rank]
        self.sigma = sigma
        self.right = right
        self.left_spectrum = lift.left_spectrum(self.left)
        self.right_spectrum = lift.right_spectrum(right)

    def signal(self) -> np.ndarray:
        """Return X = H^dagger(L), shape (n_channels, n_samples)."""
        return self.lift.pseudoinverse(self.left_spectrum, self.sigma[:, None] * self.right_spectrum)

    def project(
        self, x: np.ndarray, own: float = 0.0, others: "Sequence[tuple[float, Lifted | TangentMatrix]]" = ()
    ) -> "TangentMatrix":
        """Return P_S(H(x) + own L + sum of weight W over `others`) (thesis, Eq. eqn: projection of matrix).

        Parameters
        ----------
        x : ndarray, shape (n_channels, n_samples)
            Signal to lift.
        own : float
            Weight of L itself, which the projection leaves alone.
        others : sequence of (float, Lifted or TangentMatrix)
            Weighted matrices to add, of any tangent space.

        Returns
        -------
        TangentMatrix
            It shares `stack` with this point, which can project once only.
        """
        lifted = [(weight, w) for weight, w in others if isinstance(w, Lifted)]
        factored = [(weight, w) for weight, w in others if isinstance(w, TangentMatrix) and weight != 0]
        spectrum = self.lift.spectrum(x + sum(weight * w.signal for weight, w in lifted))
        rows = dense.as_rows(self.stack)
        left, complement = rows[: self.rank], rows[self.rank :]
        # Z is the matrix to project: from_left becomes U^H Z, complement Z V and then (I - U U^H) Z V.
        self.lift.times_right(spectrum, self.right_spectrum, out=self.stack[self.rank :])
        from_left = self.lift.left_times(self.left_spectrum, spectrum)
        for weight, w in factored:
            w.add_times_right(complement, weight, self.right)
            from_left += weight * w.left_times(left)
        core = from_left @ self.right.T
        dense.add_combination(complement, -core, left)
        right_complement = from_left.conj() - core.conj() @ self.right
        core.flat[:: self.rank + 1] += own * self.sigma
        return TangentMatrix(self.lift, self.stack, core, np.concatenate([self.right, right_complement]))


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
    right : ndarray, shape (2 r, n2)
        Columns of V, then of T.
    """

    def __init__(self, lift: HankelLift, stack: np.ndarray, core: np.ndarray, right: np.ndarray) -> None:
        self.lift = lift
        self.rank = len(core)
        self.stack = stack
        self.core = core
        self.right = right

    def left_times(self, basis: np.ndarray) -> np.ndarray:
        """Return B^H W, shape (r, n2), for columns B given as rows (r, n_channels * n1)."""
        products = dense.inner(basis, dense.as_rows(self.stack))
        with_u, with_y = products[:, : self.rank], products[:, self.rank :]
        return np.hstack([with_u @ self.core + with_y, with_u]) @ self.right.conj()

    def add_times_right(self, out: np.ndarray, weight: float, basis: np.ndarray) -> None:
        """Add weight W B to `out`, rows (r, n_channels * n1), for columns B given as rows (r, n2)."""
        products = weight * dense.inner(self.right, basis)
        with_v, with_t = products[: self.rank], products[self.rank :]
        dense.add_combination(
            out, np.vstack([self.core @ with_v + with_t, with_v]), dense.as_rows(self.stack)
        )

    def truncate(self) -> TangentPoint:
        """Return Q_r(W), the best rank-r approximation, by one SVD of size 2 r.

        With triangular factors R of Y and T, the SVD of [[C, R_T^H], [R_Y, 0]] = P S O^H gives the left
        singular vectors U P_1 + Y O_1 / S and the right ones V O_1 + T P_1 / S, so that no basis of Y or T is
        needed. Where a wanted singular value is too small to divide by, the bases are formed.
        """
        rank, rows = self.rank, dense.as_rows(self.stack)
        left_factor = dense.triangular_factor(rows[rank:])
        right_factor = dense.triangular_factor(self.right[rank:])
        small = np.zeros((rank + len(left_factor), rank + len(right_factor)), self.core.dtype)
        small[:rank, :rank] = self.core
        small[:rank, rank:] = right_factor.conj().T
        small[rank:, :rank] = left_factor
        u, sigma, vh = dense.svd(small)
        if not sigma[rank - 1] > DIVISIBLE * sigma[0]:
            return self._truncate_by_bases()
        p, sigma, o = u[:rank, :rank], sigma[:rank], vh[:rank, :rank].conj().T
        stack = np.empty_like(self.stack)
        dense.set_combination(dense.as_rows(stack[:rank]), np.vstack([p, o / sigma]), rows)
        return TangentPoint(self.lift, stack, sigma, np.vstack([o, p / sigma]).T @ self.right)

    def _truncate_by_bases(self) -> TangentPoint:
        rank = self.rank
        left, left_factor = np.linalg.qr(dense.as_rows(self.stack).T)
        right, right_factor = np.linalg.qr(self.right.T)
        identity = np.eye(rank)
        small = (
            left_factor @ np.block([[self.core, identity], [identity, 0 * identity]]) @ right_factor.conj().T
        )
        u, sigma, vh = dense.svd(small)
        stack = np.empty_like(self.stack)
        stack[:rank] = (left @ u[:, :rank]).T.reshape(rank, *self.stack.shape[1:])
        return TangentPoint(self.lift, stack, sigma[:rank], (right @ vh[:rank].conj().T).T.copy())
