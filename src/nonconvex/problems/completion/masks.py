"""Masks alone: the modes of missing data as the experiments draw them; one row per entry."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.problems.completion.data import check_loss
from nonconvex.problems.contract import Data, Table


def check(cell: Mapping[str, Any]) -> None:
    """Raise ValueError when the loss mode cannot leave a fraction p observed."""
    check_loss(cell["mode"], cell["n_channels"], cell["n_samples"], cell["p"])


def draw(cell: Mapping[str, Any], streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw one mask (n_channels, n_samples), True = observed."""
    from nonconvex.hankel.masks import loss_mask

    return {
        "mask": loss_mask(cell["mode"], cell["n_channels"], cell["n_samples"], cell["p"], streams["mask"])
    }


def build(cell: Mapping[str, Any], stored: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the stored mask."""
    return stored["mask"]


def columns(axes: Sequence[str]) -> list[str]:
    """Return the table's column names."""
    return [*axes, "trial", "channel", "sample", "observed"]


def rows(axes: Sequence[str], cell: Mapping[str, Any], trial: int, mask: np.ndarray) -> Iterator[tuple]:
    """Yield one row per entry of a trial's mask."""
    point = [cell[axis] for axis in axes]
    for (channel, sample), observed in np.ndenumerate(mask):
        yield (*point, trial, channel, sample, bool(observed))


DATA = Data(check, draw, build, streams={"mask": ("n_channels", "n_samples", "mode", "p")})
TABLE = Table(columns, rows)
