"""What a solver returns for a batch of training problems."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Descent:
    """The outcome of every trial of a batch.

    Attributes
    ----------
    weights : ndarray, shape (n_trials, n_features, n_neurons), float64
        Last iterate W^(T); may hold NaN or infinity after divergence.
    error : ndarray, shape (n_trials,), float64
        Relative error ``||W^(T) - W*||_F / ||W*||_F`` of the last iterate.
    iterations : ndarray, shape (n_trials,), int64
        Number of updates made.
    status : ndarray of str, shape (n_trials,)
        "converged" (the error fell below `target`), "iteration limit", "diverged" (error of 1000 or more, or
        NaN) or "stalled".
    reached : ndarray, shape (n_trials, n_levels), int64
        First iteration with an error below each of `levels`; -1 where the trial ended before (censored at
        `iterations`).
    history : ndarray, shape (n_trials, n_recorded), float64
        Relative error at the iterations `record`; NaN after the trial ended.
    """

    weights: np.ndarray
    error: np.ndarray
    iterations: np.ndarray
    status: np.ndarray
    reached: np.ndarray
    history: np.ndarray
