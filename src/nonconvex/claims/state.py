"""One truth about one test, to draw outcomes from."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class State:
    """One truth about one test.

    `draw` takes a generator and a seed and returns the outcome, and the outcome with the methods exchanged
    (None where the statement has no direction). `wrong` is the outcome that would be an error, if any.
    """

    test: str
    truth: str
    wrong: str
    draw: Callable[[np.random.Generator, int], tuple[str, str | None]]
