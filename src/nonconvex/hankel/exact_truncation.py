"""Best rank-k approximation of H(Z) by singular vectors computed afresh every time."""

import numpy as np

from nonconvex.hankel.leading import leading_factors
from nonconvex.hankel.lift import HankelLift


class ExactTruncation:
    """The reference for the warm-started ones, which have the same `truncate`.

    Parameters
    ----------
    lift : HankelLift
        Of the shape and kind of the signals.
    """

    def __init__(self, lift: HankelLift) -> None:
        self._lift = lift

    def truncate(self, z: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return H^dagger(Q_k(H(z))) and the singular values.

        Parameters
        ----------
        z : ndarray, shape (n_channels, n_samples)
            Signal.
        k : int
            Rank, at most that of the Hankel matrix's shorter side.

        Returns
        -------
        x : ndarray, shape (n_channels, n_samples)
        sigma : ndarray, shape (k + 1,)
            The k + 1 largest singular values of H(z), the last one 0 when there are only k.
        """
        lift = self._lift
        left, values, right = leading_factors(lift, z, min(k + 1, *lift.shape))
        sigma = np.zeros(k + 1)
        sigma[: len(values)] = values
        left = left[:k] * values[:k, None, None]
        return lift.pseudoinverse(lift.left_spectrum(left), lift.right_spectrum(right[:k])), sigma
