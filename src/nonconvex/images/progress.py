"""A line every few seconds that says how far training is."""

import time
from collections.abc import Callable

EVERY = 5.0


class Progress:
    """Says lines, not too many.

    Parameters
    ----------
    say : callable or None
        Takes a line; None: nothing is said.
    total : int
        Steps that are to be made, all in all.
    """

    def __init__(self, say: Callable[[str], object] | None, total: int) -> None:
        self.say = say or (lambda line: None)
        self.left = total
        self.made = 0
        self.begun = self.said = time.monotonic()

    def skip(self, steps: int) -> None:
        """Steps that were made by an earlier call, or will not be made."""
        self.left -= steps

    def advance(self, steps: int, line: str) -> None:
        """Count steps, and say the line with the time that is left if it is time for one."""
        self.made += steps
        self.left -= steps
        now = time.monotonic()
        if now - self.said >= EVERY:
            self.said = now
            self.say(f"{line}, {words((now - self.begun) / self.made * self.left)} left")


def words(seconds: float) -> str:
    """Return a time in words: "40 s", "2 min 10 s", "3 h 5 min"."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
