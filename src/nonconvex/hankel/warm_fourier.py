"""Best rank-k approximation of H(Z) by FFT, for long signals of few channels."""

import numpy as np

from nonconvex.hankel.lift import HankelLift
from nonconvex.hankel.warm_subspace import WarmSubspace


class FourierTruncation:
    """Truncation at a cost that grows with the rank, but as n log n: no n2 x n2 matrix is formed.

    Inexact, as its subspace is; `ExactTruncation` is the reference.

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
        self._left_spectrum: np.ndarray  # of H(z) V, z being the last signal

    def truncate(self, z: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return H^dagger(Q_k(H(z))) and the first k + 1 singular values, as `ExactTruncation.truncate`."""
        lift, spectrum = self._lift, self._lift.spectrum(z)

        def times_gram(rows: np.ndarray) -> np.ndarray:
            left = lift.times_right(spectrum, lift.spectrum(rows).conj())
            self._left_spectrum = lift.left_spectrum(left)
            return lift.left_times(self._left_spectrum, spectrum)

        sigma, vectors = self._subspace.follow(times_gram, k)
        # (H V Y)(V Y)^H = (H V)(V Y Y^H)^H: the tall left vectors H V need not be rotated.
        right = lift.spectrum(vectors.conj().T @ (vectors @ self._subspace.rows)).conj()
        return lift.pseudoinverse(self._left_spectrum, right), sigma
