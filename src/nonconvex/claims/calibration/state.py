"""One truth about one test, to draw outcomes from."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonconvex.claims.decision import Decision

Draw = Callable[[np.random.Generator, int], tuple[str, str | None]]
"""Takes a generator and a seed; gives the outcome, and the one with the methods exchanged.

The latter is None where the statement has no direction.
"""

Pair = tuple[Any, Any]
"""The data of two methods."""

DrawPair = Callable[[np.random.Generator], Pair]


@dataclass(frozen=True)
class State:
    """One truth about one test. `wrong` is the outcome that would be an error, if any."""

    test: str
    truth: str
    wrong: str
    draw: Draw


def alone(test: Callable[[np.random.Generator, int], Decision]) -> Draw:
    """Return the `draw` of a statement without a direction; `test` draws its own data."""
    return lambda rng, seed: (test(rng, seed).outcome, None)


def both(test: Callable[..., Decision], draw: DrawPair, **settings: object) -> Draw:
    """Return the `draw` of a statement about two methods, whose data `draw` gives."""

    def outcomes(rng: np.random.Generator, seed: int) -> tuple[str, str]:
        a, b = draw(rng)
        return test(a, b, seed=seed, **settings).outcome, test(b, a, seed=seed, **settings).outcome

    return outcomes
