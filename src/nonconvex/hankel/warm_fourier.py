"""Best rank-k approximation of H(Z) by FFT, for long signals of few channels."""

from __future__ import annotations

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

    def __init__(self, lift, rank):
        self._lift = lift
        self._subspace = WarmSubspace(lift, rank)
        self._left_spectrum = None  # of H(z) V

    def truncate(self, z, k):
        """Return H^dagger(Q_k(H(z))) and the first k + 1 singular values, as `ExactTruncation.truncate`."""
        lift, spectrum = self._lift, self._lift.spectrum(z)

        def times_gram(rows):
            left = lift.times_right(spectrum, lift.spectrum(rows).conj())
            self._left_spectrum = lift.left_spectrum(left)
            return lift.left_times(self._left_spectrum, spectrum)

        sigma, vectors = self._subspace.follow(times_gram, k)
        # (H V Y)(V Y)^H = (H V)(V Y Y^H)^H: the tall left vectors H V need not be rotated.
        right = lift.spectrum(vectors.conj().T @ (vectors @ self._subspace.rows)).conj()
        return lift.pseudoinverse(self._left_spectrum, right), sigma
