"""Best rank-k approximation of H(Z) by its Gram matrix, for signals of several channels."""

from __future__ import annotations

from nonconvex.hankel.diagonal_sums import DiagonalSums, times_hermitian
from nonconvex.hankel.warm_subspace import WarmSubspace


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

    def __init__(self, lift, rank):
        self._sums = DiagonalSums(lift)
        self._subspace = WarmSubspace(lift, rank)

    def truncate(self, z, k):
        """Return H^dagger(Q_k(H(z))) and the first k + 1 singular values, as `ExactTruncation.truncate`."""
        gram = self._sums.gram(z)
        sigma, vectors = self._subspace.follow(lambda rows: times_hermitian(rows, gram), k)
        return self._sums.projected(z, vectors @ self._subspace.rows), sigma
