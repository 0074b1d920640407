"""Trimming: L = U Sigma V^H with its long rows of U and V shortened (thesis, Algorithm 2, lines 5 to 11)."""

from functools import cached_property

import numpy as np

import nonconvex.hankel.operators.dense as dense
from nonconvex.hankel.operators.tangent import Factored, Lifted, TangentMatrix, TangentPoint, from_factors


def trim(point: TangentPoint, mu: float) -> "Trimming | None":
    """Shorten the long rows of U and V.

    Parameters
    ----------
    point : TangentPoint
        L = U Sigma V^H.
    mu : float
        Incoherence.

    Returns
    -------
    Trimming or None
        None when no row is too long.
    """
    lift, rank = point.lift, point.rank
    left_scale = _row_scale(point.left, float(np.sqrt(mu * rank / lift.shape[0])))
    right_scale = _row_scale(point.right, float(np.sqrt(mu * rank / lift.shape[1])))
    if left_scale.min() == 1 and right_scale.min() == 1:
        return None
    return Trimming(point, left_scale, right_scale)


class Trimming:
    """L' = A Sigma B^H, with A and B the factors of L scaled row by row, as U' Sigma' V'^H.

    Parameters
    ----------
    point : TangentPoint
        L.
    left_scale : ndarray, shape (n_channels, n1)
        Factors for the rows of U, at most 1.
    right_scale : ndarray, shape (n2,)
        Factors for the rows of V.

    Attributes
    ----------
    trimmed : TangentPoint
        L'.
    """

    def __init__(self, point: TangentPoint, left_scale: np.ndarray, right_scale: np.ndarray) -> None:
        self.point = point
        self.left_scale = left_scale
        self.keeps_right = bool(right_scale.min() == 1)
        right = point.right if self.keeps_right else point.right * right_scale
        self.trimmed, k, o = from_factors(point.lift, point.left * left_scale, point.sigma, right)
        self._changes = (k, o) if self.keeps_right and k is not None and o is not None else None

    @cached_property
    def trimmed_signal(self) -> np.ndarray:
        """H^dagger(L')."""
        return self.trimmed.signal()

    def untrimmed_signal(self) -> np.ndarray:
        """Return H^dagger(L), which differs from H^dagger(L') in trimmed channels only."""
        if not self.keeps_right:
            return self.point.signal()
        x = self.trimmed_signal.copy()
        channels = np.flatnonzero(self.left_scale.min(axis=1) < 1)
        x[channels] = self.point.signal(channels)
        return x

    def momentum(
        self, beta: float, w: Lifted | TangentMatrix
    ) -> tuple[float, list[tuple[float, Lifted | Factored]]]:
        """Return beta W, L being Q_r(W), as (weight of L', other matrices and weights), for `project`."""
        if isinstance(w, Lifted) or self._changes is None:
            return 0.0, [(beta, w)]
        return beta, [(beta, _LostByTrimming(self, w, *self._changes))]


class _LostByTrimming:
    """W - L', where L = Q_r(W) and no row of V was shortened: U^H W = Sigma V^H, W V = U Sigma and V' = V O.

    With K such that U' = A K, A differs from U in few rows only.
    """

    def __init__(self, trimming: Trimming, w: TangentMatrix, k: np.ndarray, o: np.ndarray) -> None:
        scale = trimming.left_scale.ravel()
        self.point = trimming.point
        self.trimmed = trimming.trimmed
        self.w = w
        self.k = k
        self.o = o
        self.places = np.flatnonzero(scale < 1)
        self.lost = dense.as_rows(self.point.left).take(self.places, axis=1) * (1 - scale[self.places])

    def left_times(self, basis: np.ndarray) -> np.ndarray:
        """Return U'^H (W - L'); `basis` is U'."""
        untruncated = self.point.sigma[:, None] * self.point.right.conj() - self.w.left_times(
            self.lost, self.places
        )
        return self.k.conj().T @ untruncated - self.trimmed.sigma[:, None] * self.trimmed.right.conj()

    def add_times_right(self, out: np.ndarray, weight: float, basis: np.ndarray) -> None:
        """Add weight (W - L') V' to `out`, which is weight (U - A) Sigma O; `basis` is V'."""
        out[:, self.places] += (weight * self.point.sigma[:, None] * self.o).T @ self.lost


def _row_scale(factor: np.ndarray, limit: float) -> np.ndarray:
    norms = np.sqrt(np.sum(factor.real**2 + factor.imag**2, axis=0))
    return limit / np.maximum(norms, limit)
