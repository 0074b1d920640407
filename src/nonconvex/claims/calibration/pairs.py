"""The truths on which the tests of two or more methods' values against each other are calibrated."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from nonconvex.claims.calibration.simulated import value_grid
from nonconvex.claims.calibration.state import Draw, DrawPair, State, alone, both
from nonconvex.claims.decision import Decision
from nonconvex.claims.quantities.best import smallest_of_all
from nonconvex.claims.quantities.much import much_better, much_larger, much_larger_than_elsewhere
from nonconvex.claims.quantities.value_equal import values_equal, values_within
from nonconvex.claims.quantities.value_order import values_smaller

TRIALS = 30
SPREAD = 0.3


def pair_states() -> Iterator[State]:
    """Yield every one of these tests in every state."""
    yield from _orders()
    yield from _equals()
    yield from _bests()
    yield from _much()


def _grid(ratio: float, cells: int = 7, together: bool = False, trials: int = TRIALS) -> DrawPair:
    return lambda rng: value_grid(np.full(cells, ratio), SPREAD, trials, rng, together=together)


def _orders() -> Iterator[State]:
    name = "T-ORD values, 7 cells, 30 trials"
    yield State(name, "true: ratio 1.3", "N", both(values_smaller, _grid(1.3)))
    yield State(name, "true at the margin: ratio 1.1", "N", both(values_smaller, _grid(1.1)))
    yield State(name, "no effect", "R", both(values_smaller, _grid(1.0)))
    yield State(
        name, "no effect, cells share their trials", "R", both(values_smaller, _grid(1.0, together=True))
    )
    yield State(name, "false by the margin: ratio 1/1.1", "R", both(values_smaller, _grid(1 / 1.1)))
    name = "T-ORD values, factor 1 to 3, 7 cells, 30 trials"
    slight: dict[str, Any] = {"smallest": 1.0, "largest": 3.0}
    yield State(name, "true: ratio 1.5", "N", both(values_smaller, _grid(1.5), **slight))
    yield State(name, "no effect", "R", both(values_smaller, _grid(1.0), **slight))
    together = both(values_smaller, _grid(1.0, together=True), **slight)
    yield State(name, "no effect, cells share their trials", "R", together)
    far = alone(lambda rng, seed: values_smaller(*_grid(3.0)(rng), seed=seed, **slight))
    yield State(name, "false by the margin: ratio 3", "R", far)
    further = alone(lambda rng, seed: values_smaller(*_grid(4.0)(rng), seed=seed, **slight))
    yield State(name, "false: ratio 4", "R", further)


def _equals() -> Iterator[State]:
    def equal(ratio: float, together: bool = False) -> Draw:
        draw = _grid(ratio, together=together)
        return alone(lambda rng, seed: values_equal(*draw(rng), seed=seed, margin=1.1))

    name = "T-EQ values, margin 1.1, 7 cells, 30 trials"
    yield State(name, "true: no effect", "N", equal(1.0))
    yield State(name, "false by the margin: ratio 1.1", "R", equal(1.1))
    yield State(name, "false by the margin, cells share their trials", "R", equal(1.1, True))
    yield State(name, "false: ratio 1.25", "R", equal(1.25))

    def within(ratio: float) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            best, a = _grid(ratio, 1, trials=100)(rng)
            others = np.stack([best, 1.3 * best, 2 * best])
            return values_within(a, others, seed=seed, margin=1.5)

        return alone(test)

    name = "T-WITHIN 1.5 times the best, 100 trials"
    yield State(name, "true: as good as the best", "N", within(1.0))
    yield State(name, "false by the margin: ratio 1.5", "R", within(1.5))
    yield State(name, "false: ratio 2", "R", within(2.0))


def _bests() -> Iterator[State]:
    def best(ratios: np.ndarray) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            a, rival = value_grid(ratios, SPREAD, TRIALS, rng)
            _, worse = value_grid(np.full(len(ratios), 2.0), SPREAD, TRIALS, rng)
            return smallest_of_all(a, {"rival": rival, "worse": worse}, seed=seed)

        return alone(test)

    name = "T-BEST, 7 levels, 30 trials"
    yield State(name, "true: ratio 1.5 to the next", "N", best(np.full(7, 1.5)))
    yield State(name, "no effect: one other is as good", "R", best(np.ones(7)))
    yield State(name, "false: worse at 2 of 7 levels", "R", best(np.repeat([1.5, 0.67], [5, 2])))
    yield State(
        name, "false by the margin: as good at 2 of 7 levels", "R", best(np.array([1.5] * 5 + [1.0] * 2))
    )


def _much() -> Iterator[State]:
    name = "T-MUCH, 10 times, 7 cells, 30 trials"
    ten: dict[str, Any] = {"much": 10.0, "little": 2.0}
    for truth, wrong, ratio in (
        ("true: ratio 15", "N", 15.0),
        ("true at the margin: ratio 10", "N", 10.0),
        ("false by the margin: ratio 2", "R", 2.0),
        ("no effect", "R", 1.0),
    ):
        yield State(name, truth, wrong, both(much_larger, _grid(ratio), **ten))

    def elsewhere(here: float, there: float) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            return much_larger_than_elsewhere(_grid(here)(rng), _grid(there)(rng), seed=seed, much=2.0)

        return alone(test)

    name = "T-MUCH beside, twice, 7 cells, 30 trials"
    yield State(name, "true: 6 here and 2 there", "N", elsewhere(6.0, 2.0))
    yield State(name, "false by the margin: 1.41 times", "R", elsewhere(2.82, 2.0))
    yield State(name, "no effect", "R", elsewhere(3.0, 3.0))

    def better(difference: float) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            a, b = _grid(1.0)(rng)
            good = [rng.random(a.shape) < share for share in (0.5 + difference, 0.5)]
            return much_better(a, b, *good, seed=seed, **ten)

        return alone(test)

    name = "T-MUCH or success, 7 cells, 30 trials"
    yield State(name, "true: shares 0.9 and 0.5", "N", better(0.4))
    yield State(name, "false by the margin: 0.6 and 0.5", "R", better(0.1))
    yield State(name, "no effect", "R", better(0.0))
