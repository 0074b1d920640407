"""Telling whether a random stream that is drawn again still gives the numbers a dataset was made with."""

import numpy as np

FIRST = 4
"""How many numbers of a redrawn stream a dataset stores."""


def check_first(name: str, stored: np.ndarray, drawn: np.ndarray) -> None:
    """Raise ValueError when a stream no longer begins with the numbers that a dataset has stored of it."""
    count = min(len(stored), len(drawn))
    if not np.array_equal(stored[:count], drawn[:count]):
        raise ValueError(
            f"the random stream '{name}' begins with {drawn[0]!r} here, but with {stored[0]!r} when the "
            "dataset was drawn: another numpy; use the locked environment, or delete the datasets folder"
        )
