"""The truths on which the tests of shares, errors, iterations and seconds are calibrated."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from nonconvex.claims.calibration.pairs import pair_states
from nonconvex.claims.calibration.simulated import success_pair
from nonconvex.claims.calibration.state import Draw, DrawPair, Pair, State, alone, both
from nonconvex.claims.decision import Decision
from nonconvex.claims.quantities.band import in_band
from nonconvex.claims.quantities.failing import fails_everywhere
from nonconvex.claims.quantities.gap import slightly_more
from nonconvex.claims.quantities.ordering import order_success
from nonconvex.claims.quantities.proportion import most_of, proportion
from nonconvex.claims.quantities.proportional import proportional
from nonconvex.claims.quantities.threshold import thresholds_equal
from nonconvex.claims.quantities.timing import Arm, slower

TRIALS = 30
LEVELS = np.array([0.01, 0.02, 0.04, 0.08, 0.12, 0.16, 0.2])
LOSSES = np.arange(1, 17) * 0.05
SPREAD = 0.3


def value_states() -> Iterator[State]:
    """Yield every one of these tests in every state."""
    yield from _shares()
    yield from _success()
    yield from pair_states()
    yield from _bands()
    yield from _laws()
    yield from _times()
    yield from _limits()
    yield from _curves()


def _shares() -> Iterator[State]:
    def interior(share: float, stated: float, n: int, stated_n: int) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            theirs = 0
            while not 0 < theirs < stated_n:
                theirs = rng.binomial(stated_n, stated)
            return proportion(rng.binomial(n, share), n, theirs / stated_n, stated_n, fewest=30)

        return alone(test)

    for name, stated, n, stated_n in (
        ("4 of 30 stated, 30 trials", 4 / 30, 30, 30),
        ("23 of 30 stated, 30 trials", 23 / 30, 30, 30),
        ("95 of 100 stated, 100 trials", 0.95, 100, 100),
    ):
        other = stated + (0.25 if stated < 0.5 else -0.25)
        few = " at few trials" if n < 100 else ""
        for truth, wrong, share in ((f"true{few}", "N", stated), ("false by the margin", "R", other)):
            test = interior(share, stated, n, stated_n)
            yield State(f"T-PROP, {name}", f"{truth}: share {share:.3f}", wrong, test)

    def most(share: float) -> Draw:
        return alone(lambda rng, seed: most_of(rng.binomial(100, share), 100))

    name = 'T-PROP "most", 100 trials'
    yield State(name, "true: share 0.7", "N", most(0.7))
    yield State(name, "no effect: share 0.5", "R", most(0.5))
    yield State(name, "false by the margin: 0.4", "R", most(0.4))


def _success() -> Iterator[State]:
    def cell(better: float, than: float) -> Draw:
        shift = np.array([np.log(share / (1 - share)) for share in (better, than)])

        def draw(rng: np.random.Generator) -> Pair:
            return success_pair(shift[:1], shift[1:], np.ones(1), np.zeros(1), True, TRIALS, rng)

        def test(a: np.ndarray, b: np.ndarray, seed: int) -> Decision:
            a, b = (array.reshape(-1, TRIALS) for array in (a, b))
            return order_success(a, ~a, b, ~b, seed=seed)

        return both(test, draw)

    name = "T-ORD success, one cell, 30 trials"
    yield State(name, "true: shares 0.98 and 0.50", "N", cell(0.98, 0.5))
    yield State(name, "no effect", "R", cell(0.75, 0.75))
    yield State(name, "false by the margin: 0.70 and 0.75", "R", cell(0.7, 0.75))


def _bands() -> Iterator[State]:
    def band(mean: float) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            each = mean * (1 + 0.1 * rng.standard_normal(TRIALS))
            return in_band(each, (0.3, 0.4), seed=seed, outer=(0.25, 0.45))

        return alone(test)

    name = "T-BAND 0.3 to 0.4, 30 trials"
    yield State(name, "true: 0.35", "N", band(0.35))
    yield State(name, "true at the margin: 0.4", "N", band(0.4))
    yield State(name, "false by the margin: 0.4 exactly", "R", band(0.4))
    yield State(name, "false: 0.45", "R", band(0.45))
    yield State(name, "false: 0.5", "R", band(0.5))


def _laws() -> Iterator[State]:
    def law(f: Callable[[np.ndarray], np.ndarray]) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            own = np.exp(0.05 * rng.standard_normal(TRIALS))
            noise = np.exp(0.02 * rng.standard_normal((len(LEVELS), TRIALS)))
            return proportional(f(LEVELS)[:, None] * own * noise, LEVELS, seed=seed)

        return alone(test)

    name = "T-PRO, 7 levels, 30 trials"
    yield State(name, "true: 0.35 x", "N", law(lambda x: 0.35 * x))
    yield State(name, "false by the margin: x to the power 1.1", "R", law(lambda x: x**1.1))
    yield State(name, "false: with a floor of a tenth of the range", "R", law(lambda x: 0.02 + x))
    yield State(name, "false: square root", "R", law(np.sqrt))
    yield State(name, "no effect: the same at every level", "R", law(np.ones_like))


def _times() -> Iterator[State]:
    def times(seconds: float, steps: float, **settings: Any) -> Draw:
        def draw(rng: np.random.Generator) -> tuple[Arm, Arm]:
            arms = []
            for longer, more in ((1.0, 1.0), (seconds, steps)):
                count = np.round(60 * more * np.exp(0.15 * rng.standard_normal(10)))
                each = 0.02 * longer / more * np.exp(0.1 * rng.standard_normal(10))
                arms.append(Arm(count * each, count, np.ones(10, dtype=bool)))
            return arms[0], arms[1]

        if "stated" in settings:
            return alone(lambda rng, seed: slower(*draw(rng), seed=seed, **settings))
        return both(slower, draw, **settings)

    name = "T-TIME 8.3, 10 trials"
    yield State(name, "true: 8.3 times the seconds, 2 times the iterations", "N", times(8.3, 2.0, stated=8.3))
    yield State(name, "false by the margin: 1.8 times", "R", times(1.8, 2.0, stated=8.3))
    yield State(name, "false: 40 times", "R", times(40.0, 2.0, stated=8.3))
    yield State(name, "false: only the seconds", "R", times(8.3, 1.0, stated=8.3))
    yield State(name, "no effect", "R", times(1.0, 1.0, stated=8.3))
    name = "T-TIME at least 3, 10 trials"
    yield State(name, "true: 8 times the seconds, 4 times the iterations", "N", times(8.0, 4.0, smallest=3.0))
    yield State(name, "false: 2 times", "R", times(2.0, 2.0, smallest=3.0))
    yield State(name, "no effect", "R", times(1.0, 1.0, smallest=3.0))


def _limits() -> Iterator[State]:
    def fails(shares: np.ndarray) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            success = rng.random((len(shares), TRIALS)) < shares[:, None]
            return fails_everywhere(success, np.where(success, 1e-5, 0.6), above=0.1)

        return alone(test)

    name = "T-FAIL, 12 levels, 30 trials"
    yield State(name, "true: no success", "N", fails(np.zeros(12)))
    yield State(name, "false by the margin: share 0.10 at one level", "R", fails(np.eye(12)[0] * 0.1))
    yield State(name, "false: share 0.05 at every level", "R", fails(np.full(12, 0.05)))
    yield State(name, "false: share 0.5 at one level", "R", fails(np.eye(12)[0] * 0.5))


def _curves() -> Iterator[State]:
    def curves(shift: float) -> DrawPair:
        place = np.array([0.4])

        def draw(rng: np.random.Generator) -> Pair:
            # A tolerates more losses: its curve rises at a smaller fraction of observations.
            a, b = success_pair(place - shift, place, np.full(1, 0.02), LOSSES, False, 100, rng)
            return a[0], b[0]

        return draw

    slight: dict[str, Any] = {"falls": False, "largest": 0.1}
    name = "T-GAP up to 10 points, 100 trials"
    yield State(name, "true: 5 points", "N", both(slightly_more, curves(0.05), x=LOSSES, **slight))
    yield State(name, "no effect", "R", both(slightly_more, curves(0.0), x=LOSSES, **slight))
    reverse = both(slightly_more, curves(-0.05), x=LOSSES, **slight)
    yield State(name, "false: 5 points less", "R", reverse)

    def far(shift: float) -> Draw:
        draw = curves(shift)
        return alone(lambda rng, seed: slightly_more(*draw(rng), x=LOSSES, seed=seed, **slight))

    yield State(name, "false by the margin: 12 points", "R", far(0.12))
    yield State(name, "false: 20 points", "R", far(0.2))

    def same(shift: float) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            a, b = curves(shift)(rng)
            return thresholds_equal(a[None], b[None], LOSSES, falls=False, seed=seed, steps=1, fewest=1)

        return alone(test)

    name = "T-EQ curve, margin one step, 100 trials"
    yield State(name, "true: no effect", "N", same(0.0))
    yield State(name, "false by the margin: one step", "R", same(0.05))
    yield State(name, "false: two steps", "R", same(0.1))
