"""Success curves along an axis: monotone fit, the place where they cross one half, cell widths.

Everything here takes shares of shape (..., n_x) along increasing `x`, and whether success falls along it.
"""

import numpy as np


def cell_widths(x: np.ndarray) -> np.ndarray:
    """Return the width of each cell: half the gap on each side, and at both ends the whole inner gap.

    With equal steps h every width is h. With these widths ``sum(share * width)`` moves by the same amount
    as the place of the crossing, also where the steps differ.
    """
    gaps = np.diff(x)
    return (np.concatenate([gaps[:1], gaps]) + np.concatenate([gaps, gaps[-1:]])) / 2


def isotonic(shares: np.ndarray, falls: bool) -> np.ndarray:
    """Return the least-squares monotone fit of each curve, cells weighing the same.

    What the pool-adjacent-violators algorithm gives, written as its max-min formula over the means of all
    runs of cells, so that thousands of resampled curves are fitted at once.
    """
    fit = np.array(shares, dtype=float)
    rising = fit[..., ::-1] if falls else fit
    bent = (np.diff(rising, axis=-1) < 0).any(axis=-1)
    # A view: what is written to it arrives in `fit`.
    rising[bent] = _max_min(rising[bent])
    return fit


def _max_min(rising: np.ndarray) -> np.ndarray:
    m = rising.shape[-1]
    sums = np.concatenate([np.zeros((*rising.shape[:-1], 1)), np.cumsum(rising, axis=-1)], axis=-1)
    fit = np.empty(rising.shape)
    # best[j] = min over k >= i of the mean of cells j..k; going down in i it only takes in the mean up to i.
    best = np.full((*rising.shape[:-1], m), np.inf)
    for i in range(m - 1, -1, -1):
        means = (sums[..., i + 1 : i + 2] - sums[..., : i + 1]) / np.arange(i + 1, 0, -1)
        best[..., : i + 1] = np.minimum(best[..., : i + 1], means)
        fit[..., i] = best[..., : i + 1].max(axis=-1)
    return fit


def crossing(shares: np.ndarray, x: np.ndarray, falls: bool) -> np.ndarray:
    """Return where the monotone fit of each curve crosses one half, by linear interpolation.

    A curve that stays above (or below) one half has no crossing inside the window: the result is then
    +inf or -inf, whichever side the crossing is on.
    """
    if falls:
        return -crossing(shares[..., ::-1], -x[::-1], False)
    fit = isotonic(shares, False)
    above = fit >= 0.5
    first = np.argmax(above, axis=-1)
    last = np.maximum(first - 1, 0)
    low = np.take_along_axis(fit, last[..., None], -1)[..., 0]
    high = np.take_along_axis(fit, first[..., None], -1)[..., 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        inside = x[last] + (x[first] - x[last]) * (0.5 - low) / (high - low)
    everywhere, nowhere = above.all(axis=-1), ~above.any(axis=-1)
    # The first cell may sit exactly on one half: the crossing is then known, not censored.
    at_edge = everywhere & (high == 0.5)
    return np.where(at_edge, x[0], np.where(everywhere, -np.inf, np.where(nowhere, np.inf, inside)))


def bracket(shares: np.ndarray, x: np.ndarray, falls: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the cells on both sides of each crossing; -inf or +inf beyond the window."""
    place = crossing(shares, x, falls)
    edges = np.concatenate([[-np.inf], x, [np.inf]])
    index = np.clip(np.searchsorted(x, place, side="right"), 0, len(x))
    # A curve that comes to one half in the last cell itself is known to the step before it.
    index = np.where(place == x[-1], len(x) - 1, index)
    return edges[index], edges[index + 1]


def clipped(place: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return crossings with the censored ones put at the end of the window they left by."""
    return np.clip(place, x[0], x[-1])


def interior(shares: np.ndarray) -> np.ndarray:
    """Return which cells are neither white nor black: a share inside (.05, .95)."""
    return (shares > 0.05) & (shares < 0.95)
