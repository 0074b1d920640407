"""Rank-r Hankel approximations and their tangent spaces: lines 5 to 7 of the thesis's Algorithm 1."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

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

    def cast(self, lift: HankelLift) -> "Lifted":
        """Return the matrix itself: a signal has double precision always."""
        return self


class Factored(Protocol):
    """A matrix W of low rank, known by its products with the bases of a tangent space."""

    def left_times(self, basis: np.ndarray) -> np.ndarray:
        """Return B^H W, shape (r, n2), for columns B given as rows (r, n_channels * n1)."""

    def add_times_right(self, out: np.ndarray, weight: float, basis: np.ndarray) -> None:
        """Add weight W B to `out`, rows (r, n_channels * n1), for columns B given as rows (r, n2)."""


def best_approximation(lift: HankelLift, x: np.ndarray, rank: int) -> "TangentPoint":
    """Return Q_r(H(x)), the best rank-r approximation of the lift of a signal, as a TangentPoint."""
    left, sigma, right = leading_factors(lift, x, rank)
    stack = np.empty((2 * rank, *left.shape[1:]), left.dtype)
    stack[:rank] = left
    return TangentPoint(lift, stack, sigma, right)


def from_factors(
    lift: HankelLift, a: np.ndarray, sigma: np.ndarray, b: np.ndarray
) -> tuple["TangentPoint", np.ndarray | None, np.ndarray | None]:
    """Return A diag(sigma) B^H as a TangentPoint, for any factors A (r, n_channels, n1) and B (r, n2).

    Returned with it are K with U = A K, or None where A is ill-conditioned, and the same of V and B.
    """
    rank, rows = sigma.size, dense.as_rows(a)
    spanning, to_basis, a_factor = dense.orthonormalise(rows)
    b_spanning, b_to_basis, b_factor = dense.orthonormalise(b)
    u, sigma, vh = dense.svd((a_factor * sigma) @ b_factor.conj().T)
    change, b_change = to_basis @ u, b_to_basis @ vh.conj().T
    stack = np.empty((2 * rank, *a.shape[1:]), a.dtype)
    dense.set_combination(dense.as_rows(stack[:rank]), change, spanning)
    point = TangentPoint(lift, stack, sigma, b_change.T @ b_spanning)
    return point, change if spanning is rows else None, b_change if b_spanning is b else None


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

    @cached_property
    def left_spectrum(self) -> np.ndarray:
        """The transform of U."""
        return self.lift.left_spectrum(self.left)

    @cached_property
    def right_spectrum(self) -> np.ndarray:
        """The transform of V."""
        return self.lift.right_spectrum(self.right)

    def signal(self, channels: np.ndarray | None = None) -> np.ndarray:
        """Return X = H^dagger(L), shape (n_channels, n_samples), or those of its rows that are asked for."""
        left = self.left_spectrum if channels is None else self.lift.left_spectrum(self.left[:, channels])
        return self.lift.pseudoinverse(left, self.sigma[:, None] * self.right_spectrum)

    def cast(self, lift: HankelLift) -> "TangentPoint":
        """Return the matrix in the precision of `lift`, its factors orthonormal to that precision."""
        if lift is self.lift:
            return self
        sigma, right = self.sigma.astype(lift.real_dtype), self.right.astype(lift.dtype)
        if not lift.single:
            return from_factors(lift, self.left.astype(lift.dtype), sigma, right)[0]
        stack = np.empty(self.stack.shape, lift.dtype)
        stack[: self.rank] = self.left
        return TangentPoint(lift, stack, sigma, right)

    def project(
        self, x: np.ndarray, own: float = 0.0, others: "Sequence[tuple[float, Lifted | Factored]]" = ()
    ) -> "TangentMatrix":
        """Return P_S(H(x) + own L + sum of weight W over `others`) (thesis, Eq. eqn: projection of matrix).

        Parameters
        ----------
        x : ndarray, shape (n_channels, n_samples)
            Signal to lift.
        own : float
            Weight of L itself, which the projection leaves alone.
        others : sequence of (float, Lifted or Factored)
            Weighted matrices to add, of any tangent space.

        Returns
        -------
        TangentMatrix
            It shares `stack` with this point, which can project once only.
        """
        lifted = [(weight, w) for weight, w in others if isinstance(w, Lifted)]
        factored = [(weight, w) for weight, w in others if not isinstance(w, Lifted) and weight != 0]
        total = x + sum(weight * w.signal for weight, w in lifted)
        spectrum = self.lift.spectrum(total.astype(self.lift.dtype, copy=False))
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

    def cast(self, lift: HankelLift) -> "TangentMatrix":
        """Return the matrix in the precision of `lift`."""
        if lift is self.lift:
            return self
        stack, core, right = (factor.astype(lift.dtype) for factor in (self.stack, self.core, self.right))
        return TangentMatrix(lift, stack, core, right)

    def left_times(self, basis: np.ndarray, places: np.ndarray | None = None) -> np.ndarray:
        """Return B^H W, shape (r, n2), for columns B given as rows (r, n_channels * n1).

        With `places`, B is given at these places of its columns only, and zero elsewhere.
        """
        rows = dense.as_rows(self.stack)
        products = dense.inner(basis, rows if places is None else rows.take(places, axis=1))
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
        # In double precision always: in single one it would cost as much.
        small = np.zeros(
            (rank + len(left_factor), rank + len(right_factor)), np.promote_types(self.core.dtype, float)
        )
        small[:rank, :rank] = self.core
        small[:rank, rank:] = right_factor.conj().T
        small[rank:, :rank] = left_factor
        u, sigma, vh = dense.svd(small)
        if not sigma[rank - 1] > DIVISIBLE * sigma[0]:
            return self._truncate_by_bases()
        p, sigma, o = u[:rank, :rank], sigma[:rank], vh[:rank, :rank].conj().T
        left_change = np.vstack([p, o / sigma]).astype(self.lift.dtype, copy=False)
        right_change = np.vstack([o, p / sigma]).astype(self.lift.dtype, copy=False)
        stack = np.empty_like(self.stack)
        dense.set_combination(dense.as_rows(stack[:rank]), left_change, rows)
        sigma = sigma.astype(self.lift.real_dtype, copy=False)
        return TangentPoint(self.lift, stack, sigma, right_change.T @ self.right)

    def _truncate_by_bases(self) -> TangentPoint:
        rank = self.rank
        left, left_factor = np.linalg.qr(dense.as_rows(self.stack).T)
        right, right_factor = np.linalg.qr(self.right.T)
        identity = np.eye(rank, dtype=self.core.dtype)
        small = (
            left_factor @ np.block([[self.core, identity], [identity, 0 * identity]]) @ right_factor.conj().T
        )
        u, sigma, vh = dense.svd(small)
        stack = np.empty_like(self.stack)
        stack[:rank] = (left @ u[:, :rank]).T.reshape(rank, *self.stack.shape[1:])
        return TangentPoint(self.lift, stack, sigma[:rank], (right @ vh[:rank].conj().T).T.copy())
