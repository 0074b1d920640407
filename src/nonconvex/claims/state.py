"""One truth about one test, to draw outcomes from."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nonconvex.claims.decision import Decision


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


def alone(test: Callable[[np.random.Generator, int], Decision]) -> Callable:
    """Return the `draw` of a statement without a direction; `test` draws its own data."""
    return lambda rng, seed: (test(rng, seed).outcome, None)


def both(test: Callable, draw: Callable[[np.random.Generator], tuple], **settings: object) -> Callable:
    """Return the `draw` of a statement about two methods, whose data `draw` gives."""

    def outcomes(rng: np.random.Generator, seed: int) -> tuple[str, str]:
        a, b = draw(rng)
        return test(a, b, seed=seed, **settings).outcome, test(b, a, seed=seed, **settings).outcome

    return outcomes
