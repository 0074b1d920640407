"""The error of a recovery, measured on observed samples that were hidden from it."""

from dataclasses import dataclass

import numpy as np

from nonconvex.series.gaps import longest_gap
from nonconvex.series.hidden import draw_hidden
from nonconvex.series.methods import Options, solve
from nonconvex.series.progress import Progress
from nonconvex.series.series import Series


@dataclass(frozen=True, eq=False)
class HiddenCheck:
    """What the recovery without the hidden samples made of them.

    Attributes
    ----------
    hidden : ndarray of bool, shape (n_channels, n_samples)
        The samples hidden.
    longest : int
        Length of the longest gap that hiding made or joined.
    error : float
        ``||recovered - observed|| / ||observed||`` over the hidden samples.
    channel_errors : ndarray, shape (n_channels,)
        The same by channel; NaN where nothing was hidden.
    interpolation_error : float
        The error of straight lines in time between the samples not hidden.
    channel_interpolation_errors : ndarray, shape (n_channels,)
        The same by channel.
    status, iterations
        Of the solver.
    outliers : int
        How many of the hidden samples were left out of the errors, because they are outliers.
    """

    hidden: np.ndarray
    longest: int
    error: float
    channel_errors: np.ndarray
    interpolation_error: float
    channel_interpolation_errors: np.ndarray
    status: str
    iterations: int
    outliers: int


def check_on_hidden(
    series: Series, method: str, settings: Options, seed: int, outliers: np.ndarray
) -> HiddenCheck:
    """Hide samples, recover from the others, and compare; what is flagged in `outliers` is no standard."""
    hidden = draw_hidden(series.mask, seed)
    mask = series.mask & ~hidden
    compared = hidden & ~outliers
    answer, _ = solve(method, series.values, mask, settings, Progress("check", mask))
    lines = np.array([_straight_lines(row, seen) for row, seen in zip(series.values, mask, strict=True)])
    return HiddenCheck(
        hidden=hidden,
        longest=longest_gap(mask, touching=hidden),
        error=relative_error(answer.x, series.values, compared),
        channel_errors=_by_channel(answer.x, series.values, compared),
        interpolation_error=relative_error(lines, series.values, compared),
        channel_interpolation_errors=_by_channel(lines, series.values, compared),
        status=answer.status,
        iterations=answer.iterations,
        outliers=int((hidden & outliers).sum()),
    )


def _straight_lines(row: np.ndarray, seen: np.ndarray) -> np.ndarray:
    samples = np.arange(row.size)
    return np.interp(samples, samples[seen], row[seen])


def _by_channel(estimate: np.ndarray, truth: np.ndarray, where: np.ndarray) -> np.ndarray:
    return np.array([relative_error(*rows) for rows in zip(estimate, truth, where, strict=True)])


def relative_error(estimate: np.ndarray, truth: np.ndarray, where: np.ndarray) -> float:
    """Return ``||estimate - truth|| / ||truth||`` over the places in `where`; NaN if there are none."""
    if not where.any():
        return np.nan
    truth, estimate = truth[where], estimate[where]
    if not np.isfinite(estimate).all():
        return np.inf
    wrong, size = np.linalg.norm(estimate - truth), np.linalg.norm(truth)
    return float(wrong / size) if size > 0 else (np.inf if wrong > 0 else 0.0)
