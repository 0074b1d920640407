"""Instances of robust matrix completion: entries are lost, others corrupted (thesis, Section 3.6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nonconvex.problems.contract import Data
from nonconvex.problems.sizes import check_sizes

STREAMS = {
    "truth": ("n_channels", "n_samples", "rank", "amplitude_exponent"),
    "mask": ("n_channels", "n_samples", "missing_mode", "loss"),
    "corruption": ("n_channels", "n_samples", "bad_mode", "bad"),
}
"""Neither the factor of the first sinusoid nor the kind of angles changes a draw, so variants are paired."""

HALF = "half"
"""The value of n1 that stands for half of n_samples."""

_ANGLES = ("any", "quadrant")


@dataclass(frozen=True, eq=False)
class Instance:
    """One problem of robust completion.

    Attributes
    ----------
    truth, outliers : ndarrays, shape (n_channels, n_samples), complex128
        Outliers are added to the truth, observed or not; they are zero where the entry is clean.
    mask, bad : ndarrays of bool, same shape
        Which entries are observed, and which are corrupted.
    rank, n1 : int
    """

    truth: np.ndarray
    mask: np.ndarray
    outliers: np.ndarray
    bad: np.ndarray
    rank: int
    n1: int

    @cached_property
    def observed(self) -> np.ndarray:
        """What is measured at observed places and zero elsewhere."""
        return np.where(self.mask, self.truth + self.outliers, 0)


def check(cell: Mapping) -> None:
    """Raise ValueError when no instance of this cell can exist."""
    check_sizes(cell["n_channels"], cell["n_samples"], rows_of(cell), cell["rank"])
    check_loss(cell)
    check_corruption(cell)
    if not cell["amplitude_exponent"] >= 0:
        raise ValueError(f"amplitude_exponent = {cell['amplitude_exponent']} must not be negative")
    if not cell.get("first_factor", 1) > 0:
        raise ValueError(f"first_factor = {cell['first_factor']} must be above 0")
    if cell["angle"] not in _ANGLES:
        raise ValueError(f"angle = {cell['angle']!r} is none of {', '.join(_ANGLES)}")


def check_loss(cell: Mapping) -> None:
    """Raise ValueError when the mode of missing data cannot lose the fraction asked for."""
    if cell["missing_mode"] not in (1, 2):
        raise ValueError(
            f"missing_mode = {cell['missing_mode']} is no mode of missing data; there are 1 and 2"
        )
    if not 0 <= cell["loss"] < 1:
        raise ValueError(f"loss = {cell['loss']} is no fraction of lost entries; it lies from 0 to below 1")


def check_corruption(cell: Mapping) -> None:
    """Raise ValueError when the mode of bad data cannot corrupt the fraction asked for."""
    if cell["bad_mode"] not in (1, 2, 3):
        raise ValueError(f"bad_mode = {cell['bad_mode']} is no mode of bad data; there are 1, 2 and 3")
    if not 0 <= cell["bad"] <= 1:
        raise ValueError(f"bad = {cell['bad']} is no fraction of corrupted entries; it lies from 0 to 1")


def rows_of(cell: Mapping) -> int:
    """Return n1, the rows of each channel's Hankel matrix."""
    if isinstance(cell["n1"], str):
        if cell["n1"] != HALF:
            raise ValueError(f"n1 = {cell['n1']!r} is neither a number nor '{HALF}'")
        return cell["n_samples"] // 2
    return cell["n1"]


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw what determines an instance.

    Frequencies (rank,), amplitudes (n_channels, rank), mask and bad (n_channels, n_samples), and for every
    corrupted entry, in row-major order, the uniform draws behind its size and its angle. Those are kept in
    single precision, which they are drawn in: they fill most of a file.
    """
    from nonconvex.hankel.signals import draw_parameters

    frequencies, amplitudes = draw_parameters(
        cell["n_channels"],
        cell["rank"],
        amplitude_exponent=cell["amplitude_exponent"],
        first_factor=cell.get("first_factor", 1.0),
        rng=streams["truth"],
    )
    bad = draw_places(cell, streams["corruption"])
    size, turn = streams["corruption"].random((2, int(bad.sum())), dtype=np.float32)
    return {
        "frequencies": frequencies,
        "amplitudes": amplitudes,
        "mask": draw_mask(cell, streams["mask"]),
        "bad": bad,
        "size": size,
        "turn": turn,
    }


def draw_mask(cell: Mapping, rng: np.random.Generator) -> np.ndarray:
    """Draw which entries are observed."""
    from nonconvex.hankel.masks import loss_mask

    return loss_mask(cell["missing_mode"], cell["n_channels"], cell["n_samples"], 1 - cell["loss"], rng)


def draw_places(cell: Mapping, rng: np.random.Generator) -> np.ndarray:
    """Draw which entries are corrupted, observed or not."""
    from nonconvex.hankel.corruption import corruption_places

    return corruption_places(cell["bad_mode"], cell["n_channels"], cell["n_samples"], cell["bad"], rng)


def build(cell: Mapping, stored: Mapping[str, np.ndarray]) -> Instance:
    """Rebuild an instance exactly from what `draw` stored."""
    from nonconvex.hankel.corruption import outliers_at
    from nonconvex.hankel.signals import synthesise

    truth = synthesise(stored["frequencies"], stored["amplitudes"], cell["n_samples"])
    outliers = outliers_at(stored["bad"], truth, stored["size"], stored["turn"], cell["angle"])
    return Instance(truth, stored["mask"], outliers, stored["bad"], cell["rank"], rows_of(cell))


DATA = Data(check, draw, build, streams=STREAMS)
