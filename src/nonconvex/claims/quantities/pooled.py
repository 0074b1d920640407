"""Ratios of two methods' values, paired by trial and pooled over cells."""

from dataclasses import dataclass

import numpy as np

from nonconvex.claims.quantities.ordering import wilcoxon
from nonconvex.claims.quantities.ratio import CONVERGENT_SHARE
from nonconvex.statistics.bootstrap import RESAMPLES, interval, trial_weights
from nonconvex.statistics.multiplicity import holm

FEWEST_CELLS = 3
CELL_LEVEL = 0.05


@dataclass(frozen=True)
class Ratios:
    """Log ratios B/A of the cells that count.

    Attributes
    ----------
    logs : ndarray, shape (n_counted_cells, n_trials)
        NaN where a pair has no value.
    detail : str
        The counts.
    """

    logs: np.ndarray
    detail: str

    @property
    def pairs(self) -> np.ndarray:
        """The ratios of all cells together."""
        return self.logs[np.isfinite(self.logs)]

    @property
    def per_trial(self) -> np.ndarray:
        """The mean over the cells of each trial that has a pair."""
        kept = self.logs[:, np.isfinite(self.logs).any(axis=0)]
        return np.nanmean(kept, axis=0)

    def mean_interval(self, seed: int, resamples: int = RESAMPLES) -> tuple[float, float, float, float]:
        """Return the mean, its 95 % interval over whole trials, and the standard error."""
        each = self.per_trial
        mean = float(each.mean())
        return (mean, *interval(trial_weights(len(each), seed, resamples) @ each, mean, len(each)))

    def median_interval(self, seed: int, resamples: int = RESAMPLES) -> tuple[float, float, float]:
        """Return the median over trials and its 95 % interval."""
        return median_interval(self.per_trial, seed, resamples)

    def cells_beyond(self, bound: float, alternative: str) -> int:
        """Return in how many cells the ratio is significantly above ("greater") or below ("less") `bound`."""
        p = [wilcoxon(row[np.isfinite(row)] - bound, alternative) for row in self.logs]
        return int((holm(p) < CELL_LEVEL).sum())


def median_interval(each: np.ndarray, seed: int, resamples: int = RESAMPLES) -> tuple[float, float, float]:
    """Return the median of one value per trial and its 95 % bootstrap interval."""
    n = len(each)
    order = np.argsort(each, kind="stable")
    weights = np.cumsum(trial_weights(n, seed, resamples)[:, order], axis=1)
    samples = each[order][np.argmax(weights >= 0.5 - 1e-12, axis=1)]
    low, high, _ = interval(samples, float(np.median(each)), n)
    return float(np.median(each)), low, high


def ratios(a: np.ndarray, b: np.ndarray, names: tuple[str, str] = ("A", "B")) -> Ratios | str:
    """Return the log ratios B/A of two arrays of positive values, or a sentence on why there are none.

    Parameters
    ----------
    a, b : ndarray, shape (n_cells, n_trials)
        NaN: the trial does not meet the condition that the values are given under. Such a pair has no ratio,
        and a cell counts only if at least 80 % of each method's trials have a value. inf: the trial diverged
        or failed; it counts as the largest finite value of its cell, so that it loses.
    names : tuple of str
        What the detail calls the two.

    Notes
    -----
    At least 3 cells must count, or all cells where there are fewer.
    """
    n_cells = len(a)
    given = np.stack([~np.isnan(a), ~np.isnan(b)])
    counts = "values: " + ", ".join(
        f"{k.sum()} of {a.size} of {name}" for k, name in zip(given, names, strict=True)
    )
    if a.size == 0:
        return "no cell of this run lies within the limits of the claim"
    counted = (given.mean(axis=2) >= CONVERGENT_SHARE).all(axis=0)
    pair = np.stack([a, b])
    finite = np.isfinite(pair)
    counted &= finite.any(axis=(0, 2))
    if counted.sum() < min(FEWEST_CELLS, n_cells):
        return f"{counted.sum()} of {n_cells} cells have values of 80 % of the trials of both; {counts}"
    logs = np.array([_cell_logs(cell) for cell in np.moveaxis(pair, 1, 0)[counted]])
    lost = int((np.isinf(pair) & counted[None, :, None]).sum())
    detail = f"{int(counted.sum())} of {n_cells} cells, {int(np.isfinite(logs).sum())} pairs; {counts}"
    return Ratios(logs, detail + (f"; {lost} count as the largest value" if lost else ""))


def _cell_logs(cell: np.ndarray) -> np.ndarray:
    """Return the log ratio of each pair of one cell, shape (2, n_trials) in."""
    finite = np.isfinite(cell)
    filled = np.where(np.isinf(cell), cell[finite].max(), cell)
    positive = filled[filled > 0]
    # An exact zero (an error of exactly 0) has no logarithm: it counts as the smallest positive value seen.
    least = positive.min() if len(positive) else 1.0
    logs = np.log(np.maximum(filled, least))
    return logs[1] - logs[0]
