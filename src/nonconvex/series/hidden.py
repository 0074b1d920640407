"""Which observed samples to hide, so that the error of a recovery can be measured.

Hiding must look like losing: single samples hidden among neighbours say nothing about a recovery across long
gaps or lost instants. So each hidden piece is a copy of one of the series' own gaps, moved to another time.
"""

from collections.abc import Sequence

import numpy as np

from nonconvex.errors import UserError
from nonconvex.series.gaps import Gap, find_gaps

SHARE = 0.05
MOST = 10_000
"""Above this number of hidden samples the error is known well enough."""


def draw_hidden(mask: np.ndarray, seed: int | Sequence[int]) -> np.ndarray:
    """Draw the observed samples to hide: 5 % of them, 10 000 at most.

    A gap is drawn at random (a single sample where nothing is lost) and copied to a random time, in its own
    channels, cut when it exceeds what is still to be hidden. A channel keeps at least half of its observed
    samples, and only a copy of a lost instant hides an instant's last sample.

    Parameters
    ----------
    mask : ndarray of bool, shape (n_channels, n_samples)
        True where observed.
    seed : int or sequence of int
        Of the draw.

    Returns
    -------
    ndarray of bool, same shape
        True where hidden.

    Raises
    ------
    UserError
        When there is no sample that may be hidden.
    """
    rng = np.random.default_rng(seed)
    n_channels, n_samples = mask.shape
    gaps = find_gaps(mask) or [Gap((k,), 0, 1, n_channels == 1) for k in range(n_channels)]
    wanted = min(MOST, max(1, round(SHARE * np.count_nonzero(mask))))
    spare = mask.sum(axis=1) // 2
    left = mask.copy()
    missing = wanted
    for _ in range(50 * wanted):
        gap = gaps[rng.integers(len(gaps))]
        channels = np.array(gap.channels)
        length = min(gap.length, max(1, missing // len(channels)))
        start = rng.integers(n_samples - length + 1)
        window = left[:, start : start + length]
        taken = window[channels].sum(axis=1)
        if not taken.any() or (taken > spare[channels]).any():
            continue
        if not gap.whole and _empties(window, channels):
            continue
        window[channels] = False
        spare[channels] -= taken
        missing -= int(taken.sum())
        if missing <= 0:
            break
    if missing == wanted:
        raise UserError(
            "no observed sample can be hidden to measure the error: channels need at least two each, and "
            "instants that several of them observed"
        )
    return mask & ~left


def _empties(window: np.ndarray, channels: np.ndarray) -> bool:
    after = window.copy()
    after[channels] = False
    return bool((window.any(axis=0) & ~after.any(axis=0)).any())
