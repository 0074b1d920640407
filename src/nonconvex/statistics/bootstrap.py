"""The bootstrap of whole trials, with a stream of its own for each judgement."""

import hashlib

import numpy as np

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
