"""Best rank-k approximation of H(Z) by its Gram matrix, for signals of several channels."""

import numpy as np

from nonconvex.hankel.diagonal_sums import DiagonalSums, times_hermitian
from nonconvex.hankel.lift import HankelLift
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

    def __init__(self, lift: HankelLift, rank: int) -> None:
        self._sums = DiagonalSums(lift)
        self._subspace = WarmSubspace(lift, rank)

    def truncate(self, z: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return H^dagger(Q_k(H(z))) and the first k + 1 singular values, as `ExactTruncation.truncate`."""
        gram = self._sums.gram(z)
        sigma, vectors = self._subspace.follow(lambda rows: times_hermitian(rows, gram), k)
        return self._sums.projected(z, vectors @ self._subspace.rows), sigma
