"""The gaps of a series: where samples are lost, and in which pieces."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Gap:
    """Lost samples that follow each other, in some channels at once.

    Attributes
    ----------
    channels : tuple of int
        The channels, all of them for lost instants.
    start, length : int
        First instant, number of instants.
    whole : bool
        Whether all channels are lost.
    """

    channels: tuple[int, ...]
    start: int
    length: int
    whole: bool


def find_gaps(mask: np.ndarray) -> list[Gap]:
    """Cut the lost samples into gaps.

    Instants lost in all channels make gaps of their own. What remains is cut channel by channel; channels
    with the same start and end share a gap.

    Parameters
    ----------
    mask : ndarray of bool, shape (n_channels, n_samples)
        True where observed.

    Returns
    -------
    list of Gap
    """
    lost_instants = lost_in_all(mask)
    everyone = tuple(range(len(mask)))
    gaps = [Gap(everyone, start, stop - start, True) for start, stop in _runs(lost_instants)]
    together: dict[tuple[int, int], list[int]] = {}
    for channel, row in enumerate(~mask & ~lost_instants):
        for run in _runs(row):
            together.setdefault(run, []).append(channel)
    gaps += [Gap(tuple(them), start, stop - start, False) for (start, stop), them in together.items()]
    return gaps


def lost_in_all(mask: np.ndarray) -> np.ndarray:
    """Tell which instants are lost in all channels, shape (n_samples,)."""
    return ~np.any(mask, axis=0)


def longest_gap(mask: np.ndarray, touching: np.ndarray | None = None) -> int:
    """Return the largest number of consecutive samples that one channel lost.

    With `touching`, flags in the shape of `mask`, only gaps count that hold a flagged sample.
    """
    touching = ~mask if touching is None else touching
    return max(
        (
            stop - start
            for row, flags in zip(~mask, touching, strict=True)
            for start, stop in _runs(row)
            if flags[start:stop].any()
        ),
        default=0,
    )


def _runs(flags: np.ndarray) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]
