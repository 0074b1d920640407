"""Instances of phasor recovery: one recorded block, with other losses in each trial (thesis, Section 2.6.2).

A place that the recording lacks is never observed and never scored. Rank and n1 are the algorithms' own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nonconvex.problems.completion.data import check_loss
from nonconvex.problems.contract import Data


@dataclass(frozen=True)
class PmuInstance:
    """One completion problem.

    Attributes
    ----------
    truth : ndarray, shape (n_channels, n_samples), complex128
        The recorded phasors; NaN where the recording lacks them.
    mask : ndarray of bool, same shape
        True = observed.
    """

    truth: np.ndarray
    mask: np.ndarray

    @property
    def observed(self) -> np.ndarray:
        """The truth at observed places and zero elsewhere."""
        return np.where(self.mask, self.truth, 0)


def check(cell: Mapping) -> None:
    """Raise ValueError when no instance of this cell can exist."""
    if cell["mode"] == 3 and cell["n_channels"] < 2:
        raise ValueError("mode 3 loses entries in half of the channels, and the recording has only one")
    check_loss(cell["mode"], cell["n_channels"], cell["n_samples"], cell["p"])


def read(paths: Sequence[Path], parameters: Mapping) -> dict[str, np.ndarray]:
    """Return the recorded phasors (n_channels, n_samples), which all trials share."""
    from nonconvex.problems.phasors.recording import read_phasors

    return {"phasors": read_phasors(paths[0], parameters.get("missing", "")).values}


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw one mask (n_channels, n_samples), True = observed, by the rule that synthetic data follow."""
    from nonconvex.hankel.masks import loss_mask

    shape = cell["n_channels"], cell["n_samples"]
    return {"mask": loss_mask(cell["mode"], *shape, cell["p"], streams["mask"])}


def build(cell: Mapping, stored: Mapping[str, np.ndarray]) -> PmuInstance:
    """Rebuild an instance exactly from what `read` and `draw` stored."""
    return PmuInstance(stored["phasors"], stored["mask"] & ~np.isnan(stored["phasors"]))


DATA = Data(check, draw, build, streams={"mask": ("mode", "p")}, read=read)
