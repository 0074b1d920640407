"""Numbers of a size that norms can hold, and channels of like size."""

import numpy as np

UNLIKE = 100.0
"""Channels whose sizes differ by more than this factor deserve a remark."""


def channel_sizes(values: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the root mean square of what each channel observed, shape (n_channels,)."""
    return np.array([size(row[seen]) for row, seen in zip(values, mask, strict=True)])


def size(values: np.ndarray) -> float:
    """Return the root mean square of numbers of any size."""
    largest = np.abs(values).max(initial=0)
    # A power of two divides without error, and leaves numbers whose squares neither overflow nor vanish.
    unit = 2.0 ** np.floor(np.log2(largest)) if largest > 0 else 0
    return float(np.sqrt(np.mean(np.abs(values / unit) ** 2)) * unit) if unit else 0.0
