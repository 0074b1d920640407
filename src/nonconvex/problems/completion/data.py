"""Instances of multi-channel Hankel matrix completion (thesis, Section 2.6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nonconvex.problems.contract import Data
from nonconvex.problems.sizes import check_sizes

STREAMS = {
    "truth": ("n_channels", "n_samples", "rank", "amplitude_exponent"),
    "mask": ("n_channels", "n_samples", "mode", "p"),
    "noise": ("n_channels", "n_samples", "noise_kind"),
}
NOISE_KINDS = ("real", "circular")


@dataclass(frozen=True)
class Instance:
    """One completion problem.

    Attributes
    ----------
    truth : ndarray, shape (n_channels, n_samples), complex128
    mask : ndarray of bool, same shape
        True = observed.
    rank, n1 : int
    noise : ndarray, same shape, or None
        What is added to the truth where it is observed.
    """

    truth: np.ndarray
    mask: np.ndarray
    rank: int
    n1: int
    noise: np.ndarray | None = None

    @cached_property
    def observed(self) -> np.ndarray:
        """What is measured at observed places and zero elsewhere."""
        measured = self.truth if self.noise is None else self.truth + self.noise
        return np.where(self.mask, measured, 0)


def check(cell: Mapping) -> None:
    """Raise ValueError when no instance of this cell can exist."""
    channels, samples, n1, rank, p = (cell[k] for k in ("n_channels", "n_samples", "n1", "rank", "p"))
    check_sizes(channels, samples, n1, rank)
    if not cell["amplitude_exponent"] >= 0:
        raise ValueError(f"amplitude_exponent = {cell['amplitude_exponent']} must not be negative")
    if cell.get("noise", 0) < 0:
        raise ValueError(f"noise = {cell['noise']} must not be negative; it is sigma / E_x")
    if "noise" in cell and cell.get("noise_kind") not in NOISE_KINDS:
        raise ValueError(f"noise_kind = {cell.get('noise_kind')!r} is none of {', '.join(NOISE_KINDS)}")
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
    """Draw what determines an instance.

    Frequencies (rank,), amplitudes (n_channels, rank), mask (n_channels, n_samples); where the cell has
    noise, its standard normal draws of the mask's shape, real, or circular with variance one (thesis, Section
    2.6.1: N(0, sigma^2), without saying which).
    """
    from nonconvex.hankel.masks import loss_mask
    from nonconvex.hankel.signals import draw_parameters

    frequencies, amplitudes = draw_parameters(
        cell["n_channels"],
        cell["rank"],
        amplitude_exponent=cell["amplitude_exponent"],
        rng=streams["truth"],
    )
    mask = loss_mask(cell["mode"], cell["n_channels"], cell["n_samples"], cell["p"], streams["mask"])
    stored = {"frequencies": frequencies, "amplitudes": amplitudes, "mask": mask}
    if "noise" in cell:
        stored["noise"] = _standard_noise(cell["noise_kind"], mask.shape, streams["noise"])
    return stored


def _standard_noise(kind: str, shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    if kind == "real":
        return rng.standard_normal(shape)
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)) / np.sqrt(2)


def build(cell: Mapping, stored: Mapping[str, np.ndarray]) -> Instance:
    """Rebuild an instance exactly from what `draw` stored."""
    from nonconvex.hankel.signals import synthesise

    truth = synthesise(stored["frequencies"], stored["amplitudes"], cell["n_samples"])
    noise = None
    if "noise" in stored:
        energy = np.linalg.norm(truth) / np.sqrt(truth.size)  # E_x, a root mean square
        noise = cell["noise"] * energy * stored["noise"]
    return Instance(truth, stored["mask"], cell["rank"], cell["n1"], noise)


DATA = Data(check, draw, build, streams=STREAMS)
