"""Instances of multi-channel Hankel matrix completion (thesis, Section 2.6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

STREAMS = {
    "truth": ("n_channels", "n_samples", "rank", "amplitude_exponent"),
    "mask": ("n_channels", "n_samples", "mode", "p"),
}


@dataclass(frozen=True)
class Instance:
    """One completion problem: the truth (n_channels, n_samples) complex128 and the mask, True = observed."""

    truth: np.ndarray
    mask: np.ndarray
    rank: int
    n1: int

    @cached_property
    def observed(self) -> np.ndarray:
        """The truth at observed places and zero elsewhere."""
        return np.where(self.mask, self.truth, 0)


def check(cell: Mapping) -> None:
    """Raise ValueError when no instance of this cell can exist."""
    channels, samples, n1, rank, p = (cell[k] for k in ("n_channels", "n_samples", "n1", "rank", "p"))
    if not 1 <= n1 <= samples:
        raise ValueError(f"n1 = {n1} is outside 1..n_samples = {samples}")
    limit = min(channels * n1, samples - n1 + 1)
    if not 1 <= rank <= limit:
        raise ValueError(
            f"rank = {rank} is outside 1..{limit}, all that a Hankel matrix of {channels * n1} x "
            f"{samples - n1 + 1} allows (n_channels = {channels}, n_samples = {samples}, n1 = {n1})"
        )
    if not cell["amplitude_exponent"] >= 0:
        raise ValueError(f"amplitude_exponent = {cell['amplitude_exponent']} must not be negative")
    check_loss(cell["mode"], channels, samples, p)


def check_loss(mode: int, channels: int, samples: int, p: float) -> None:
    """Raise ValueError when the loss mode cannot leave a fraction `p` observed."""
    if mode not in (1, 2, 3):
        raise ValueError(f"mode = {mode} is no loss mode; the modes are 1, 2 and 3")
    if not 0 < p <= 1:
        raise ValueError(f"p = {p} is no fraction of observed entries; it lies above 0 and up to 1")
    if mode == 3 and round((1 - p) * samples * channels / max(channels // 2, 1)) > samples:
        raise ValueError(f"p = {p} is too small for mode 3, which loses entries in half of the channels only")


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw what determines an instance: frequencies (rank,), amplitudes (n_channels, rank), mask."""
    from nonconvex.hankel.masks import loss_mask
    from nonconvex.hankel.signals import draw_parameters

    frequencies, amplitudes = draw_parameters(
        cell["n_channels"],
        cell["rank"],
        amplitude_exponent=cell["amplitude_exponent"],
        rng=streams["truth"],
    )
    mask = loss_mask(cell["mode"], cell["n_channels"], cell["n_samples"], cell["p"], streams["mask"])
    return {"frequencies": frequencies, "amplitudes": amplitudes, "mask": mask}


def build(cell: Mapping, stored: Mapping[str, np.ndarray]) -> Instance:
    """Rebuild an instance exactly from what `draw` stored."""
    from nonconvex.hankel.signals import synthesise

    truth = synthesise(stored["frequencies"], stored["amplitudes"], cell["n_samples"])
    return Instance(truth, stored["mask"], cell["rank"], cell["n1"])
