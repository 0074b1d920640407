"""Which warm-started truncation to use for signals of a given shape."""

from typing import Protocol

import numpy as np

from nonconvex.hankel.lift import HankelLift
from nonconvex.hankel.warm_fourier import FourierTruncation
from nonconvex.hankel.warm_gram import GramTruncation

# Measured CPU times cross where n_channels (rank + 4) n_samples is this times n2^2, within a factor of 1.5.
CROSSING = 0.5
# Above this the n x n buffers of the Gram matrix no longer fit beside other work.
MOST_SAMPLES = 2000


class Truncation(Protocol):
    """What finds the best rank-k approximation of H(Z)."""

    def truncate(self, z: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return H^dagger(Q_k(H(z))) and the first k + 1 singular values, as `ExactTruncation.truncate`."""
        ...


def choose_truncation(lift: HankelLift, rank: int) -> Truncation:
    """Return the faster truncation for signals of the shape of `lift` and ranks up to `rank`."""
    transforms = lift.n_channels * (rank + 4) * lift.n_samples
    if lift.n_samples > MOST_SAMPLES or transforms < CROSSING * lift.n2**2:
        return FourierTruncation(lift, rank)
    return GramTruncation(lift, rank)
