"""A line on stderr every few seconds, so that a long recovery is seen to move."""

import contextlib
import sys
import time

import numpy as np

EVERY = 5.0


class Progress:
    """A solver's callback that prints the iteration and the relative change on the observed set.

    Parameters
    ----------
    label : str
        Begins each line.
    mask : ndarray of bool
        True where observed.
    every : float
        Seconds between lines.
    """

    def __init__(self, label: str, mask: np.ndarray, every: float = EVERY) -> None:
        self.label = label
        self.mask = mask
        self.every = every
        self.printed = time.monotonic()
        self.previous: np.ndarray | None = None

    def __call__(self, iteration: int, x: np.ndarray) -> None:
        """Print a line when it is time."""
        now = time.monotonic()
        current = x[self.mask]
        if self.previous is not None and now - self.printed >= self.every:
            size = np.linalg.norm(self.previous)
            change = np.linalg.norm(current - self.previous) / size if size else np.inf
            with contextlib.suppress(BrokenPipeError):
                print(
                    f"{self.label}: iteration {iteration}, relative change {change:.1e}",
                    file=sys.stderr,
                    flush=True,
                )
            self.printed = now
        self.previous = current
