"""The truths on which the tests of phase diagrams are calibrated: shares, orders, lines and their laws."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from nonconvex.claims.calibration.simulated import (
    FRACTIONS,
    RANKS,
    fraction_law,
    fraction_lines,
    rank_lines,
    success_pair,
    value_pair,
)
from nonconvex.claims.calibration.state import Draw, DrawPair, Pair, State, alone, both
from nonconvex.claims.compound import combine_parts
from nonconvex.claims.decision import Decision
from nonconvex.claims.quantities.linearity import linear_thresholds
from nonconvex.claims.quantities.ordering import order_success, order_values
from nonconvex.claims.quantities.proportion import all_of, proportion, some_of
from nonconvex.claims.quantities.ratio import equal_ratio
from nonconvex.claims.quantities.threshold import threshold_higher, thresholds_equal

TRIALS = 100


def phase_states() -> Iterator[State]:
    """Yield every one of these tests in every state."""
    yield from _proportions()
    yield from _orderings()
    yield from _lines()
    yield from _laws()
    yield from _compounds()


def _proportions() -> Iterator[State]:
    def interior(share: float) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            stated = 0
            while not 0 < stated < 30:
                stated = rng.binomial(30, 2 / 15)
            return proportion(rng.binomial(TRIALS, share), TRIALS, stated / 30, 30)

        return alone(test)

    def every(share: float, n: int, smallest: float) -> Draw:
        return alone(lambda rng, seed: all_of(rng.binomial(n, share), n, 30, smallest=smallest))

    def some(share: float) -> Draw:
        return alone(lambda rng, seed: some_of(rng.binomial(TRIALS, share), TRIALS))

    name = "T-PROP, 4 of 30 stated, 100 trials"
    yield State(name, "true: share 0.133 in both", "N", interior(2 / 15))
    yield State(name, "false by the margin: 0.383 here", "R", interior(2 / 15 + 0.25))
    for n, smallest in ((100, 0.95), (30, 0.95), (30, 0.9)):
        name = f'T-PROP "all", {n} trials, bound {smallest}'
        yield State(name, "true: share 1", "N", every(1.0, n, smallest))
        yield State(name, "false: share at the bound", "R", every(smallest, n, smallest))
    name = 'T-PROP "some", 100 trials'
    yield State(name, "true: share 0.05", "N", some(0.05))
    yield State(name, "no effect: share 0", "R", some(0.0))


def _ranks(gain: float, together: bool = False) -> DrawPair:
    return lambda rng: rank_lines(TRIALS, gain, rng, together=together)


def _success(a: np.ndarray, b: np.ndarray, seed: int) -> Decision:
    a, b = (array.reshape(-1, array.shape[-1]) for array in (a, b))
    return order_success(a, ~a, b, ~b, seed=seed)


def _orderings() -> Iterator[State]:
    def grid(gain: float, together: bool = False) -> Draw:
        return both(_success, _ranks(gain, together))

    name = "T-ORD success, grid of 9 x 19 cells, 100 trials"
    yield State(name, "true: thresholds 1.5 times as high", "N", grid(1.5))
    yield State(name, "true: thresholds 1.15 times as high", "N", grid(1.15))
    yield State(name, "no effect", "R", grid(1.0))
    yield State(name, "no effect, a row's cells share their trials", "R", grid(1.0, True))
    yield State(name, "reversed: thresholds 0.9 times as high", "R", grid(0.9))

    def cell(difference: float) -> Draw:
        shift = np.array([np.log((0.5 + difference) / (0.5 - difference))])

        def draw(rng: np.random.Generator) -> Pair:
            return success_pair(shift, np.zeros(1), np.ones(1), np.zeros(1), True, TRIALS, rng)

        return both(_success, draw)

    name = "T-ORD success, one cell, 100 trials"
    yield State(name, "true: shares 0.75 and 0.50", "N", cell(0.25))
    yield State(name, "true at the margin: 0.55 and 0.50", "N", cell(0.05))
    yield State(name, "no effect", "R", cell(0.0))
    yield State(name, "false by the margin: 0.45 and 0.50", "R", cell(-0.05))

    def values(ratio: float) -> Draw:
        return both(order_values, lambda rng: value_pair(ratio, 0.3, TRIALS, rng))

    name = "T-ORD values, 100 trials"
    yield State(name, "true: ratio 1.3", "N", values(1.3))
    yield State(name, "true at the margin: ratio 1.1", "N", values(1.1))
    yield State(name, "no effect", "R", values(1.0))
    yield State(name, "false by the margin: ratio 1/1.1", "R", values(1 / 1.1))


def _higher(a: np.ndarray, b: np.ndarray, seed: int) -> Decision:
    return threshold_higher(a, b, RANKS, falls=True, seed=seed)


def _lines() -> Iterator[State]:
    def grid(gain: float, together: bool = False) -> Draw:
        return both(_higher, _ranks(gain, together))

    name = "T-BND, 9 rows, 100 trials"
    yield State(name, "true: 1.5 times as high", "N", grid(1.5))
    yield State(name, "true: 1.1 times as high", "N", grid(1.1))
    yield State(name, "true at the margin: 1.03 times", "N", grid(1.03))
    yield State(name, "no effect", "R", grid(1.0))
    yield State(name, "no effect, a row's cells share their trials", "R", grid(1.0, True))
    yield State(name, "false by the margin: 0.97 times", "R", grid(0.97))

    def apart(shift: float, **margin: Any) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            pair = fraction_lines(TRIALS, shift, rng)
            return thresholds_equal(*pair, FRACTIONS, falls=False, seed=seed, **margin)

        return alone(test)

    name = "T-EQ, margin one step, 100 trials"
    yield State(name, "true: no effect", "N", apart(0.0, steps=1))
    yield State(name, "true: half a step apart", "N", apart(0.025, steps=1))
    yield State(name, "false by the margin: one step apart", "R", apart(0.05, steps=1))
    yield State(name, "false: two steps apart", "R", apart(0.1, steps=1))
    name = "T-EQ, margin a tenth of the threshold, 100 trials"
    yield State(name, "true: no effect", "N", apart(0.0, relative=0.1))
    yield State(name, "false: one step apart", "R", apart(0.05, relative=0.1))

    def ratio(size: float) -> Draw:
        return alone(lambda rng, seed: equal_ratio(*value_pair(size, 0.3, TRIALS, rng), seed=seed))

    name = "T-EQ values, margin 1.25, 100 trials"
    yield State(name, "true: no effect", "N", ratio(1.0))
    yield State(name, "false by the margin: ratio 1.25", "R", ratio(1.25))
    yield State(name, "false: ratio 1.5", "R", ratio(1.5))


def _law(success: np.ndarray, levels: np.ndarray, x: np.ndarray, falls: bool, seed: int) -> Decision:
    rivals = ["sqrt", "square", "log"]
    return linear_thresholds(success, levels, x, falls=falls, seed=seed, function="x", rivals=rivals)


def _laws() -> Iterator[State]:
    def along_fraction(law: np.ndarray) -> Draw:
        return alone(lambda rng, seed: _law(fraction_law(TRIALS, law, rng), RANKS, FRACTIONS, False, seed))

    name = "T-LIN, thresholds at 19 ranks, 100 trials"
    bent = 0.013 + 0.0168 * RANKS + 0.0006 * (RANKS - 1) * (RANKS - 25)
    yield State(name, "true: linear", "N", along_fraction(0.013 + 0.0168 * RANKS))
    yield State(name, "true: linear, other slope", "N", along_fraction(0.04 + 0.012 * RANKS))
    yield State(name, "bent, about 8 % from a line", "", along_fraction(bent))
    yield State(name, "false: square root", "R", along_fraction(0.085 * np.sqrt(RANKS)))
    yield State(name, "false: square", "R", along_fraction(0.06 + 0.0006 * RANKS**2))
    yield State(name, "false: logarithm", "R", along_fraction(0.06 + 0.11 * np.log(RANKS)))
    yield State(name, "no effect: the same at every rank", "R", along_fraction(np.full(len(RANKS), 0.26)))
    yield State(name, "false: falling", "R", along_fraction(0.45 - 0.007 * RANKS))

    def along_rank(law: np.ndarray) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            success, _ = success_pair(law, law, 0.3 + 0.06 * law, RANKS, True, TRIALS, rng)
            return _law(success, low, RANKS, True, seed)

        return alone(test)

    low = FRACTIONS[:6]
    name = "T-LIN, thresholds at 6 fractions, 100 trials"
    yield State(name, "true: linear", "N", along_rank(54 * low))
    yield State(name, "false: square", "R", along_rank(2 + 180 * low**2))
    yield State(name, "false: square root", "R", along_rank(33 * np.sqrt(low) - 4))


def _compounds() -> Iterator[State]:
    def parts(gains: tuple[float, ...]) -> Draw:
        def draw(rng: np.random.Generator, seed: int) -> tuple[str, str]:
            pairs = [_ranks(gain)(rng) for gain in gains]
            ours = combine_parts([_higher(a, b, seed + k) for k, (a, b) in enumerate(pairs)], "every")
            return ours, combine_parts([_higher(b, a, seed + k) for k, (a, b) in enumerate(pairs)], "every")

        return draw

    name = "T-BND in every of 3 modes, 100 trials"
    yield State(name, "true: 1.5 times as high in each", "N", parts((1.5, 1.5, 1.5)))
    yield State(name, "true: 1.1 times as high in each", "N", parts((1.1, 1.1, 1.1)))
    yield State(name, "false: no effect in one mode", "R", parts((1.5, 1.5, 1.0)))
    yield State(name, "false by the margin: 0.97 times in one mode", "R", parts((1.5, 1.5, 0.97)))
