"""Masks alone: the modes of missing data as the experiments draw them."""

from collections.abc import Mapping

import numpy as np

from nonconvex.study.completion_data import check_loss

STREAMS = {"mask": ("n_channels", "n_samples", "mode", "p")}


def check(cell: Mapping) -> None:
    """Raise ValueError when the loss mode cannot leave a fraction p observed."""
    check_loss(cell["mode"], cell["n_channels"], cell["n_samples"], cell["p"])


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw one mask (n_channels, n_samples), True = observed."""
    from nonconvex.hankel.masks import loss_mask

    return {
        "mask": loss_mask(cell["mode"], cell["n_channels"], cell["n_samples"], cell["p"], streams["mask"])
    }


def build(cell: Mapping, stored: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the stored mask."""
    return stored["mask"]
