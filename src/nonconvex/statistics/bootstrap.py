"""The bootstrap of whole trials, with a stream of its own for each judgement."""

import hashlib

import numpy as np
from scipy import stats

RESAMPLES = 2000


def judging_seed(*names: str) -> int:
    """Return the seed of a judgement: sha256 of its claim, part, reading and sample.

    It does not depend on the data or on which other claims are judged, so a verdict can be repeated alone.
    """
    return int.from_bytes(hashlib.sha256("/".join(names).encode()).digest(), "big")


def trial_weights(n_trials: int, seed: int, resamples: int = RESAMPLES) -> np.ndarray:
    """Return how often each trial is drawn in each resample, divided by the number of trials.

    Parameters
    ----------
    n_trials : int
        Number of trials in the sample.
    seed : int
        From `judging_seed`.
    resamples : int
        Number of resamples.

    Returns
    -------
    ndarray, shape (resamples, n_trials)
        Rows sum to one: ``weights @ values`` are resampled means. A trial is taken or left with all its
        cells, so that what they share stays together.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    drawn = rng.integers(n_trials, size=(resamples, n_trials))
    # Counting in one flat array is five times as fast as drawing the counts (multinomial) directly.
    flat = (drawn + n_trials * np.arange(resamples)[:, None]).ravel()
    return np.bincount(flat, minlength=drawn.size).reshape(drawn.shape) / n_trials


def inflation(n_trials: int, level: float = 0.95) -> float:
    """Return the factor by which percentile intervals of few trials are widened (1.02 at 100, 1.6 at 5)."""
    if n_trials < 2:
        return np.inf
    tail = (1 + level) / 2
    return float(stats.t.ppf(tail, n_trials - 1) / stats.norm.ppf(tail) * np.sqrt(n_trials / (n_trials - 1)))


def interval(
    samples: np.ndarray, estimate: float, n_trials: int, *, smallest_se: float = 0.0, level: float = 0.95
) -> tuple[float, float, float]:
    """Return the percentile interval of a resampled estimate and its standard error.

    The distances of both ends from the estimate are widened for small numbers of trials, and are at least
    those of `smallest_se`: data in which every trial agrees are not known without error.

    Returns
    -------
    low, high, se : float
    """
    tail = (1 + level) / 2
    if n_trials < 2:
        return -np.inf, np.inf, np.inf
    factor = inflation(n_trials, level)
    low, high = np.quantile(samples, [1 - tail, tail])
    least = smallest_se * stats.t.ppf(tail, n_trials - 1)
    se = max(float(np.std(samples)) * np.sqrt(n_trials / (n_trials - 1)), smallest_se)
    below = max(factor * (estimate - low), least)
    above = max(factor * (high - estimate), least)
    return float(estimate - below), float(estimate + above), se
