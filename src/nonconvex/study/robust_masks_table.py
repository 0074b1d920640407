"""The table of an experiment that only draws masks of lost and of bad entries: one row per entry."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np


def columns(axes: Sequence[str]) -> list[str]:
    """Return the table's column names."""
    return [*axes, "trial", "channel", "sample", "observed", "corrupted"]


def rows(axes: Sequence[str], cell: Mapping, trial: int, masks: Mapping[str, np.ndarray]) -> Iterator[tuple]:
    """Yield one row per entry of a trial's masks."""
    point = [cell[axis] for axis in axes]
    for (channel, sample), observed in np.ndenumerate(masks["mask"]):
        yield (*point, trial, channel, sample, bool(observed), bool(masks["bad"][channel, sample]))
