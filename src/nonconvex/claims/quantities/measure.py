"""What a quantity hands back: an estimate with an interval at whatever level it is asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


class Interval(NamedTuple):
    """An estimate and the two ends of its confidence interval."""

    estimate: float
    low: float
    high: float


At = Callable[[float], Interval]
"""From the probability, two-sided, that an interval misses the true value, to the interval."""


@dataclass(frozen=True)
class Measure:
    """A quantity, measured on the first trials of a table.

    Attributes
    ----------
    at : callable
        The interval at a level.
    trials : int
        How many trials it is made of.
    detail : str
        One line with the counts behind it.
    rows : mapping of str to callable
        The same quantity of each row, cell or step alone, for the guard `in: every ...`.
    short : str
        Why it can decide nothing: too few trials, rows, crossings. Empty if it can.
    """

    at: At
    trials: int
    detail: str = ""
    rows: Mapping[str, At] = field(default_factory=dict)
    short: str = ""


def nothing(short: str, trials: int = 0, detail: str = "") -> Measure:
    """Return the measure of data that cannot tell."""
    return Measure(lambda alpha: Interval(np.nan, -np.inf, np.inf), trials, detail, short=short)


def exponential(measure: Measure) -> Measure:
    """Return the measure whose logarithm is given."""

    def of(at: At) -> At:
        return lambda alpha: Interval(*(float(np.exp(value)) for value in at(alpha)))

    rows = {name: of(row) for name, row in measure.rows.items()}
    return Measure(of(measure.at), measure.trials, measure.detail, rows, measure.short)


def less(here: Measure, there: Measure) -> Measure:
    """Return how much larger a quantity is here than there, in two samples with trials of their own.

    The distances of both intervals from their estimates add as squares (Zou and Donner's MOVER).
    """

    def at(alpha: float) -> Interval:
        one, other = here.at(alpha), there.at(alpha)
        difference = one.estimate - other.estimate
        low = float(np.hypot(one.estimate - one.low, other.high - other.estimate))
        high = float(np.hypot(one.high - one.estimate, other.estimate - other.low))
        return Interval(difference, difference - low, difference + high)

    short = "; ".join(text for text in (here.short, there.short) if text)
    detail = f"here {here.detail}; there {there.detail}"
    return Measure(at, min(here.trials, there.trials), detail, short=short)
