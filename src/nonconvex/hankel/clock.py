"""The clock of a solver run, which stands still while the user's callback runs."""

import time
from collections.abc import Callable

import numpy as np

Callback = Callable[[int, np.ndarray], None]
"""What a user may hand to a solver: called with the number of an iterate and the iterate."""


class Clock:
    """Read the seconds spent in a solver at every iterate, and show the iterates to the user.

    Parameters
    ----------
    callback : callable or None
        Called as ``callback(iteration, x)``.

    Attributes
    ----------
    elapsed : list of float
        Wall-clock seconds since the start at each reading, callbacks left out.
    """

    def __init__(self, callback: Callback | None = None) -> None:
        self.elapsed: list[float] = []
        self._callback = callback
        self._paused = 0.0
        self._start = time.perf_counter()

    def read(self, iterate: Callable[..., np.ndarray], *arguments: object) -> None:
        """Take a reading, then show the user ``iterate(*arguments)``; without a callback it is not called."""
        now = time.perf_counter()
        self.elapsed.append(now - self._start - self._paused)
        if self._callback is not None:
            self._callback(len(self.elapsed) - 1, iterate(*arguments))
            self._paused += time.perf_counter() - now
