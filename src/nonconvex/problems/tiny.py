"""A problem so small that any solver runs on it in a moment: to try its options, and to warm it up."""

import numpy as np

TINY = {"rank": 1, "n1": 16, "incoherence": 1.0}
"""What a solver is told of it."""


def tiny_problem() -> tuple[np.ndarray, np.ndarray]:
    """Return a sinusoid with a gap, (1, 32), complex128, and its mask, True = observed."""
    signal = np.exp(0.5j * np.arange(32))[None]
    mask = np.ones(signal.shape, dtype=bool)
    mask[:, 5] = False
    return signal, mask
