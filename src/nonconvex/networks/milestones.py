"""Watching a running batch: error levels reached, divergence, stalls."""

import numpy as np


class Milestones:
    """First iteration at which each trial's error is below each of some levels.

    Parameters
    ----------
    levels : ndarray, shape (n_levels,)
        Relative errors in descending order.
    squared_norms : ndarray, shape (n_trials,)
        ||W*||_F^2 of every trial.

    Attributes
    ----------
    reached : ndarray, shape (n_trials, n_levels), int64
        -1 where a level was not reached.
    """

    def __init__(self, levels: np.ndarray, squared_norms: np.ndarray) -> None:
        self.reached = np.full((len(squared_norms), len(levels)), -1)
        # No squared error is below 0: the sentinel stands for "nothing left to reach".
        self._bounds = np.append(np.square(levels), 0.0) * squared_norms[:, None]

    def next_bounds(self, trials: np.ndarray) -> np.ndarray:
        """Return the squared error that each of `trials` has to fall below next."""
        return self._bounds[trials, self._count(trials)]

    def mark(self, trials: np.ndarray, squared_errors: np.ndarray, iteration: int) -> None:
        """Record the levels that `trials` have reached at `iteration`."""
        below = squared_errors < self.next_bounds(trials)
        while below.any():
            lucky = trials[below]
            self.reached[lucky, self._count(lucky)] = iteration
            below = squared_errors < self.next_bounds(trials)

    def _count(self, trials: np.ndarray) -> np.ndarray:
        return np.count_nonzero(self.reached[trials] >= 0, axis=1)


class Stall:
    """A trial has stalled when its error is above 95 % of what it was 1000 iterations before.

    Checked every 100 iterations. It looks at the error against the truth, so it saves computing in success
    maps and is no stopping rule of an algorithm.
    """

    EVERY = 100
    WINDOW = 1000
    SHARE = 0.95

    def __init__(self) -> None:
        self._past: list[np.ndarray] = []

    def check(self, squared_errors: np.ndarray, iteration: int) -> np.ndarray:
        """Return which trials have stalled, shape (n_trials,), bool."""
        stalled = np.zeros(len(squared_errors), dtype=bool)
        if iteration % self.EVERY:
            return stalled
        if len(self._past) == self.WINDOW // self.EVERY:
            stalled = squared_errors > self.SHARE**2 * self._past.pop(0)
        self._past.append(squared_errors.copy())
        return stalled

    def keep(self, index: np.ndarray) -> None:
        """Go on with the trials `index` only."""
        self._past = [past[index] for past in self._past]
