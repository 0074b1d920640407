"""What a run of self-training returns."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class SelfTraining:
    """The end of every trial, B of them.

    Attributes
    ----------
    weights : ndarray, shape (B, n_features, n_neurons), float64
        W(L), the last model; it may not be finite where a trial has diverged.
    status : ndarray, shape (B,), str
        "converged": a round changed W by at most the tolerance; "diverged"; or "iteration limit".
    rounds : ndarray, shape (B,), int64
        Rounds made.
    change : ndarray, shape (B,), float64
        Relative change of W in the last round.
    recorded : ndarray, shape (B, n_recorded, n_features, n_neurons), float64
        Models after the rounds asked for; nan after the end of a trial.
    """

    weights: np.ndarray
    status: np.ndarray
    rounds: np.ndarray
    change: np.ndarray
    recorded: np.ndarray
