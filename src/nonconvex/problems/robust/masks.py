"""Masks alone: modes of missing and of bad data as the robust experiments draw them; one row per entry."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.problems.contract import Data, Table
from nonconvex.problems.robust.data import STREAMS, check_corruption, check_loss, draw_mask, draw_places


def check(cell: Mapping[str, Any]) -> None:
    """Raise ValueError when a mode cannot lose or corrupt the fraction asked for."""
    check_loss(cell)
    check_corruption(cell)


def draw(cell: Mapping[str, Any], streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw which entries are observed and which are corrupted, both (n_channels, n_samples)."""
    return {"mask": draw_mask(cell, streams["mask"]), "bad": draw_places(cell, streams["corruption"])}


def build(cell: Mapping[str, Any], stored: Mapping[str, np.ndarray]) -> Mapping[str, np.ndarray]:
    """Return the stored masks."""
    return stored


def columns(axes: Sequence[str]) -> list[str]:
    """Return the table's column names."""
    return [*axes, "trial", "channel", "sample", "observed", "corrupted"]


def rows(
    axes: Sequence[str], cell: Mapping[str, Any], trial: int, masks: Mapping[str, np.ndarray]
) -> Iterator[tuple]:
    """Yield one row per entry of a trial's masks."""
    point = [cell[axis] for axis in axes]
    for (channel, sample), observed in np.ndenumerate(masks["mask"]):
        yield (*point, trial, channel, sample, bool(observed), bool(masks["bad"][channel, sample]))


DATA = Data(check, draw, build, streams={name: STREAMS[name] for name in ("mask", "corruption")})
TABLE = Table(columns, rows)
