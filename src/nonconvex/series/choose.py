"""Rank, and n1, chosen by recoveries of samples that were hidden."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nonconvex.errors import UserError
from nonconvex.hankel.operators.lift import choose_n1
from nonconvex.series.check import relative_error
from nonconvex.series.gaps import lost_in_all
from nonconvex.series.hidden import draw_hidden
from nonconvex.series.methods import CHANNEL_BY_CHANNEL, Options, solve

RANKS = (*range(1, 11), 12, 15)
SMALL_N1 = 20
"""Leans on the other channels; tried beside half the samples where it is much smaller than that."""
DRAWS = 3
AS_GOOD = 1.05
"""A smaller rank whose error is within this factor of the least is preferred."""
WORSE = 2.0
HOPELESS = 3
"""So many ranks in a row that err this many times as much as the best so far end the search upwards."""
TOLERANCE = 1e-4
ITERATIONS = 100
"""To compare, runs need not be exact."""
WITH_OUTLIERS = ("sap",)
"""Methods that are judged by medians, as hidden samples may be outliers."""
MOST_VALUES = 20_000
SHORTEST = 200
"""A longer series is judged by a stretch of this many values, but not by fewer samples."""


@dataclass(frozen=True)
class Candidate:
    """A rank and n1 with their error on hidden samples: the median over draws, inf where runs diverge."""

    rank: int
    n1: int
    error: float


def candidates(
    values: np.ndarray, mask: np.ndarray, method: str, settings: Options, n1: int | None, seed: int
) -> list[Candidate]:
    """Try ranks, the best first.

    Three sets of samples are hidden, in pieces like the gaps, and recovered by the ranks of `RANKS`, upwards
    until three in a row err more than twice as much as the best. First comes the smallest rank whose error is
    within 5 % of the least, then the others by their errors.

    Parameters
    ----------
    values : ndarray, shape (n_channels, n_samples)
        Samples.
    mask : ndarray of bool, same shape
        True where observed.
    method : str
        Of `nonconvex.series.methods.METHODS`, one that takes a rank.
    settings : dict
        Its other options.
    n1 : int or None
        Time blocks; None tries half the samples, and 20.
    seed : int
        Of the draws, which are others than those of the check.

    Returns
    -------
    list of Candidate
        Empty where no sample can be hidden, or where a long series has no stretch that observed each channel.
    """
    n_samples = values.shape[1]
    part = _stretch(mask)
    if part is None:
        return []
    values, mask = values[:, part], mask[:, part]
    try:
        hidden = [draw_hidden(mask, [seed, draw + 1]) for draw in range(DRAWS)]
    except UserError:
        return []
    loose = {
        **settings,
        "tolerance": max(TOLERANCE, settings.get("tolerance", 0)),
        "max_iterations": min(ITERATIONS, settings.get("max_iterations", ITERATIONS)),
    }
    found = []
    for blocks in _blocks(n1, n_samples):
        here = min(blocks, choose_n1(None, values.shape[1]))
        least, worse = np.inf, 0
        for rank in ranks(values, mask, here, method):
            settings = {**loose, "rank": rank, "n1": here}
            error = float(np.median([_error(values, mask, chosen, method, settings) for chosen in hidden]))
            found.append(Candidate(rank, blocks, error))
            worse = worse + 1 if error > WORSE * least else 0
            least = min(least, error)
            if worse == HOPELESS:
                break
    return _ordered(found)


def ranks(values: np.ndarray, mask: np.ndarray, n1: int, method: str) -> list[int]:
    """Return the ranks that can be tried: those that cannot keep zeros at lost instants."""
    n2 = values.shape[1] + 1 - n1
    alone = method in CHANNEL_BY_CHANNEL
    most = min(n1 if alone else n1 * len(values), n2)
    if not mask.all() if alone else lost_in_all(mask).any():
        most = min(most, n1 - 1, n2 - 1)
    return [rank for rank in RANKS if rank <= most]


def _blocks(n1: int | None, n_samples: int) -> list[int]:
    if n1 is not None:
        return [n1]
    half = choose_n1(None, n_samples)
    return [half, SMALL_N1] if half >= 2 * SMALL_N1 else [half]


def _ordered(found: Sequence[Candidate]) -> list[Candidate]:
    by_error = sorted(found, key=lambda one: (one.error, one.rank))
    good = [one for one in by_error if one.error <= AS_GOOD * by_error[0].error]
    first = min(good, key=lambda one: (one.rank, one.error), default=None)
    return [first, *(one for one in by_error if one is not first)] if first else []


def _error(values: np.ndarray, mask: np.ndarray, hidden: np.ndarray, method: str, settings: Options) -> float:
    with contextlib.suppress(UserError):
        answer, _ = solve(method, values, mask & ~hidden, settings)
        if answer.status != "diverged":
            if method in WITH_OUTLIERS:
                return _median_error(answer.x[hidden], values[hidden])
            return relative_error(answer.x, values, hidden)
    return np.inf


def _median_error(estimate: np.ndarray, truth: np.ndarray) -> float:
    error, size = float(np.median(np.abs(estimate - truth))), float(np.median(np.abs(truth)))
    return error / size if size > 0 else (np.inf if error > 0 else 0.0)


def _stretch(mask: np.ndarray) -> slice | None:
    """Return the instants to judge by: all, or a stretch that lost a share like that of the whole."""
    n_channels, n_samples = mask.shape
    length = max(SHORTEST, MOST_VALUES // n_channels)
    if n_samples <= length:
        return slice(None)
    stretches = [slice(start, start + length) for start in range(0, n_samples - length + 1, length)]
    share = mask.mean()
    usable = [one for one in stretches if mask[:, one].any(axis=1).all() and not mask[:, one].all()]
    return min(usable, key=lambda one: abs(mask[:, one].mean() - share), default=None)
