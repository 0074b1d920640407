"""A problem so small that any solver runs on it in a moment: to try its options, and to warm it up."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

TINY = {"rank": 1, "n1": 16, "incoherence": 1.0}
"""What a solver is told of it."""


def tiny_problem() -> tuple[np.ndarray, np.ndarray]:
    """Return a sinusoid with a gap, (1, 32), complex128, and its mask, True = observed."""
    signal = np.exp(0.5j * np.arange(32))[None]
    mask = np.ones(signal.shape, dtype=bool)
    mask[:, 5] = False
    return signal, mask


def tiny_options(tell: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a solver is told there, and its options with sizes that the problem allows."""
    given = {**options, **{name: TINY[name] for name in tell}}
    if "rank" in given:
        given["rank"] = TINY["rank"]
    if given.get("n1") is not None:
        given["n1"] = min(given["n1"], TINY["n1"])
    return given
