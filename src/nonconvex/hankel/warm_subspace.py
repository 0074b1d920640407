"""A subspace that follows the leading right singular vectors of H(Z) as Z changes."""

from collections.abc import Callable

import numpy as np

from nonconvex.hankel.lift import HankelLift

# Vectors kept beyond the singular values asked for: they speed up the last of those where gaps are small.
SPARE = 3
# Power steps for each Z. With one, a stage now and then ends an iteration early; with two, hardly ever.
STEPS = 2
# The first Z of all has no subspace to start from: steps until ||G v - sigma^2 v|| is this times sigma^2.
SETTLED = 1e-2
MOST_FIRST_STEPS = 60


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
        V^H, for orthonormal columns of V that span the subspace.
    """

    def __init__(self, lift: HankelLift, rank: int) -> None:
        size = min(rank + 1 + SPARE, *lift.shape)
        fixed = np.random.default_rng(0)
        self.rows = _orthonormal(fixed.standard_normal((size, lift.n2)).astype(lift.dtype))
        self._settled = False

    def follow(self, times_gram: Callable[[np.ndarray], np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
        """Improve the subspace for a new G.

        Parameters
        ----------
        times_gram : callable
            Returns ``rows @ G``; its last call is with the new `rows`.
        k : int
            Number of singular vectors that count.

        Returns
        -------
        sigma : ndarray, shape (k + 1,)
            The first singular values, 0 beyond the last one.
        vectors : ndarray, shape (k, d)
            Their vectors, as the rows of ``vectors @ self.rows``.
        """
        if not self._settled:
            self._settle(times_gram, k)
        image = times_gram(self.rows)
        for _ in range(STEPS if image.any() else 0):
            self.rows = _orthonormal(image)
            image = times_gram(self.rows)
        values, vectors = self._ritz_pairs(image)
        sigma = np.zeros(k + 1)
        sigma[: len(values)] = np.sqrt(np.maximum(values[: k + 1], 0.0))
        return sigma, vectors[:k]

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
    return np.ascontiguousarray(np.linalg.qr(rows.T)[0].T)
