"""The incoherence of a Hankel matrix."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.hankel.observations import check_rank, read_observations
from nonconvex.hankel.operators.leading import leading_factors
from nonconvex.hankel.operators.lift import HankelLift

# The leading vectors are not determined when a singular value is below this fraction of the largest one.
NEGLIGIBLE = 1e-7


def incoherence(x: ArrayLike, *, rank: int, n1: int | None = None) -> float:
    """Compute the smallest mu for which H(x) is mu-incoherent (thesis, Eq. mu_1).

    mu is the larger of ``max_i ||e_i^H U||^2 n_channels n1 / rank`` and ``max_j ||e_j^H V||^2 n2 / rank``, U
    and V being the leading singular vectors of H(x). It is at least 1.

    Parameters
    ----------
    x : array_like, shape (n_channels, n_samples) or (n_samples,)
        Complete signal, real or complex.
    rank : int
        Number of leading singular vectors.
    n1 : int, optional
        Number of time blocks of the Hankel matrix; n_samples // 2 when not given.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If `x` is not a finite numeric array, `rank` or `n1` is out of range, or H(x) has a rank below `rank`,
        so that its singular vectors are not determined.

    References
    ----------
    S. Zhang, Y. Hao, M. Wang, J. H. Chow, "Multi-channel Hankel matrix completion through nonconvex
    optimization", IEEE J. Sel. Topics Signal Process. 12(4), 617-632, 2018.
    """
    observations = read_observations(x, np.ones(np.shape(x), dtype=bool))
    rank, n1 = check_rank(rank, n1, observations.data)
    n_channels, n_samples = observations.data.shape
    lift = HankelLift(n_channels, n_samples, n1, real=observations.real)
    left, sigma, right = leading_factors(lift, observations.data, rank)
    if not sigma[-1] > NEGLIGIBLE * sigma[0]:
        found = int(np.count_nonzero(sigma > NEGLIGIBLE * sigma[0]))
        raise ValueError(f"rank must not exceed the numerical rank of H(x), which is {found}, got {rank}")
    rows, columns = lift.shape
    mu_left = row_norms(left).max() ** 2 * rows / rank
    mu_right = row_norms(right).max() ** 2 * columns / rank
    return max(1.0, float(mu_left), float(mu_right))


def row_norms(factor: np.ndarray) -> np.ndarray:
    """Return the Euclidean norms over the first axis: of the rows of U or V, stored as rows of columns."""
    return np.sqrt(np.sum(np.square(np.abs(factor)), axis=0))
