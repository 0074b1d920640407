"""Which warm-started truncation to use for signals of a given shape."""

from __future__ import annotations

from nonconvex.hankel.warm_fourier import FourierTruncation
from nonconvex.hankel.warm_gram import GramTruncation

# Measured CPU times cross where n_channels (rank + 4) n_samples is this times n2^2, within a factor of 1.5.
CROSSING = 0.5
# Above this the n x n buffers of the Gram matrix no longer fit beside other work.
MOST_SAMPLES = 2000


def choose_truncation(lift, rank):
    """Return the faster truncation for signals of the shape of `lift` and ranks up to `rank`."""
    transforms = lift.n_channels * (rank + 4) * lift.n_samples
    if lift.n_samples > MOST_SAMPLES or transforms < CROSSING * lift.n2**2:
        return FourierTruncation(lift, rank)
    return GramTruncation(lift, rank)
