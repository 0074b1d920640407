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
        self.trimmed, self.left_change, self.right_change = from_factors(
            point.lift, point.left * left_scale, point.sigma, right
        )

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

    def seen(self, w: Lifted | TangentMatrix) -> Lifted | Factored:
        """Return the matrix W of which L = Q_r(W), with products with U' and V' that use L where they can."""
        if isinstance(w, Lifted) or self.left_change is None or self.right_change is None:
            return w
        return _Untruncated(self, w, self.left_change, self.right_change)


class _Untruncated:
    """W of which L = Q_r(W), so that U^H W = Sigma V^H and W V = U Sigma, as seen from L'."""

    def __init__(
        self, trimming: Trimming, w: TangentMatrix, left_change: np.ndarray, right_change: np.ndarray
    ) -> None:
        self.trimming = trimming
        self.w = w
        self.left_change = left_change
        self.right_change = right_change

    def left_times(self, basis: np.ndarray) -> np.ndarray:
        """Return U'^H W, with U' = A K and A = U - (U - A), which is zero but in few rows."""
        point, scale = self.trimming.point, self.trimming.left_scale.ravel()
        places = np.flatnonzero(scale < 1)
        lost = dense.as_rows(point.left).take(places, axis=1) * (1 - scale[places])
        kept = point.sigma[:, None] * point.right.conj() - self.w.left_times(lost, places)
        return self.left_change.conj().T @ kept

    def add_times_right(self, out: np.ndarray, weight: float, basis: np.ndarray) -> None:
        """Add weight W V' to `out`, with V' = V K where no row of V was shortened."""
        if self.trimming.keeps_right:
            coefficients = weight * self.trimming.point.sigma[:, None] * self.right_change
            dense.add_combination(out, coefficients, dense.as_rows(self.trimming.point.left))
        else:
            self.w.add_times_right(out, weight, basis)


def _row_scale(factor: np.ndarray, limit: float) -> np.ndarray:
    norms = np.sqrt(np.sum(factor.real**2 + factor.imag**2, axis=0))
    return limit / np.maximum(norms, limit)
