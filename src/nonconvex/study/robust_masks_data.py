"""Masks alone: the modes of missing data and of bad data as the robust experiments draw them."""

from collections.abc import Mapping

import numpy as np

from nonconvex.study import robust_data
from nonconvex.study.robust_data import check_corruption, check_loss, draw_mask, draw_places

STREAMS = {name: robust_data.STREAMS[name] for name in ("mask", "corruption")}


def check(cell: Mapping) -> None:
    """Raise ValueError when a mode cannot lose or corrupt the fraction asked for."""
    check_loss(cell)
    check_corruption(cell)


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw which entries are observed and which are corrupted, both (n_channels, n_samples)."""
    return {"mask": draw_mask(cell, streams["mask"]), "bad": draw_places(cell, streams["corruption"])}


def build(cell: Mapping, stored: Mapping[str, np.ndarray]) -> Mapping[str, np.ndarray]:
    """Return the stored masks."""
    return stored
