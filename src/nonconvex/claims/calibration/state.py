"""A state of simulated data: what a quantity is measured on, and its true value there."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nonconvex.claims.decision import Judged
from nonconvex.claims.quantities.measure import Measure
from nonconvex.claims.region import region
from nonconvex.statistics.bootstrap import judging_seed

LOOKS = (10, 25, 50, 100)


@dataclass(frozen=True)
class State:
    """A quantity in one state.

    Attributes
    ----------
    quantity, words : str
        As the table names it.
    truth : float
        The quantity's true value.
    holds, fails : str
        Regions of a claim as claims files have them; the truth lies in one of them, or at their border.
    draw : callable
        From a generator, a number of trials and a seed to the measure.
    guarded : bool
        Whether the claim asks `in: every ...`.
    statement : str
        "true", "false", or "neither": what is right about the statement, also where a row dissents.
    """

    quantity: str
    words: str
    truth: float
    holds: str
    fails: str
    draw: Callable[[np.random.Generator, int, int], Measure]
    statement: str
    guarded: bool = False


@dataclass(frozen=True)
class Coverage:
    """What many simulations of a state gave at one look.

    `covered`, `decided` and `wrong` are shares: of intervals that hold the true value, of outcomes, and of
    outcomes that say the contrary of what is right. A measure that decides nothing by itself, because it has
    too few trials or rows, is not `told`; it counts as covered.
    """

    simulations: int
    covered: float
    decided: float
    wrong: float
    told: float


def coverage(state: State, trials: int, alpha: float, simulations: int) -> Coverage:
    """Simulate a state; the numbers depend on nothing but its name, the look and how many."""
    rng = np.random.default_rng(judging_seed("calibration", state.quantity, state.words, str(trials)))
    holds, fails = region(state.holds), region(state.fails)
    counts = np.zeros(4)
    contrary = {"true": "N", "false": "R", "neither": "RN"}[state.statement]
    hair = 1e-9 * max(1.0, abs(state.truth))
    for k in range(simulations):
        measure = state.draw(rng, trials, judging_seed(state.words, str(k)))
        judged = Judged(measure, holds, fails, alpha, state.guarded)
        found, outcome = judged.interval, judged.outcome()
        covers = bool(measure.short) or found.low - hair <= state.truth <= found.high + hair
        counts += (covers, outcome != "I", outcome in contrary, not measure.short)
    return Coverage(simulations, *(float(count) for count in counts / simulations))
