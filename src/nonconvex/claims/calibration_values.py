"""The truths on which the tests of shares, errors, iterations and seconds are calibrated."""

from collections.abc import Callable, Iterator

import numpy as np

from nonconvex.claims.band import in_band
from nonconvex.claims.best import smallest_of_all
from nonconvex.claims.decision import Decision
from nonconvex.claims.failing import fails_everywhere
from nonconvex.claims.gap import slightly_more
from nonconvex.claims.much import much_better, much_larger, much_larger_than_elsewhere
from nonconvex.claims.ordering import order_success
from nonconvex.claims.proportion import most_of, proportion
from nonconvex.claims.proportional import proportional
from nonconvex.claims.simulated import success_pair, value_grid
from nonconvex.claims.state import State
from nonconvex.claims.state import alone as _alone
from nonconvex.claims.state import both as _both
from nonconvex.claims.threshold import thresholds_equal
from nonconvex.claims.timing import Arm, slower
from nonconvex.claims.value_equal import values_equal, values_within
from nonconvex.claims.value_order import values_smaller

TRIALS = 30
LEVELS = np.array([0.01, 0.02, 0.04, 0.08, 0.12, 0.16, 0.2])
LOSSES = np.arange(1, 17) * 0.05
SPREAD = 0.3


def value_states() -> Iterator[State]:
    """Yield every one of these tests in every state."""
    yield from _shares()
    yield from _success()
    yield from _orders()
    yield from _equals()
    yield from _bests()
    yield from _much()
    yield from _bands()
    yield from _laws()
    yield from _times()
    yield from _limits()
    yield from _curves()


def _grid(ratio: float, cells: int = 7, together: bool = False, trials: int = TRIALS) -> Callable:
    return lambda rng: value_grid(np.full(cells, ratio), SPREAD, trials, rng, together=together)


def _shares() -> Iterator[State]:
    def interior(share: float, stated: float, n: int, stated_n: int) -> Callable:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            theirs = 0
            while not 0 < theirs < stated_n:
                theirs = rng.binomial(stated_n, stated)
            return proportion(rng.binomial(n, share), n, theirs / stated_n, stated_n, fewest=30)

        return _alone(test)

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
    for truth, wrong, share in (
        ("true: share 0.7", "N", 0.7),
        ("no effect: share 0.5", "R", 0.5),
        ("false by the margin: 0.4", "R", 0.4),
    ):
        test = _alone(lambda rng, seed, share=share: most_of(rng.binomial(100, share), 100))
        yield State('T-PROP "most", 100 trials', truth, wrong, test)


def _success() -> Iterator[State]:
    def cell(better: float, than: float) -> Callable:
        shift = np.array([np.log(share / (1 - share)) for share in (better, than)])

        def draw(rng: np.random.Generator) -> tuple:
            return success_pair(shift[:1], shift[1:], np.ones(1), np.zeros(1), True, TRIALS, rng)

        def test(a: np.ndarray, b: np.ndarray, seed: int) -> Decision:
            a, b = (array.reshape(-1, TRIALS) for array in (a, b))
            return order_success(a, ~a, b, ~b, seed=seed)

        return _both(test, draw)

    name = "T-ORD success, one cell, 30 trials"
    yield State(name, "true: shares 0.98 and 0.50", "N", cell(0.98, 0.5))
    yield State(name, "no effect", "R", cell(0.75, 0.75))
    yield State(name, "false by the margin: 0.70 and 0.75", "R", cell(0.7, 0.75))


def _orders() -> Iterator[State]:
    name = "T-ORD values, 7 cells, 30 trials"
    yield State(name, "true: ratio 1.3", "N", _both(values_smaller, _grid(1.3)))
    yield State(name, "true at the margin: ratio 1.1", "N", _both(values_smaller, _grid(1.1)))
    yield State(name, "no effect", "R", _both(values_smaller, _grid(1.0)))
    yield State(
        name, "no effect, cells share their trials", "R", _both(values_smaller, _grid(1.0, together=True))
    )
    yield State(name, "false by the margin: ratio 1/1.1", "R", _both(values_smaller, _grid(1 / 1.1)))
    name = "T-ORD values, factor 1 to 3, 7 cells, 30 trials"
    slight = {"smallest": 1.0, "largest": 3.0}
    yield State(name, "true: ratio 1.5", "N", _both(values_smaller, _grid(1.5), **slight))
    yield State(name, "no effect", "R", _both(values_smaller, _grid(1.0), **slight))
    together = _both(values_smaller, _grid(1.0, together=True), **slight)
    yield State(name, "no effect, cells share their trials", "R", together)
    far = _alone(lambda rng, seed: values_smaller(*_grid(3.0)(rng), seed=seed, **slight))
    yield State(name, "false by the margin: ratio 3", "R", far)
    further = _alone(lambda rng, seed: values_smaller(*_grid(4.0)(rng), seed=seed, **slight))
    yield State(name, "false: ratio 4", "R", further)


def _equals() -> Iterator[State]:
    def equal(ratio: float, together: bool = False) -> Callable:
        draw = _grid(ratio, together=together)
        return _alone(lambda rng, seed: values_equal(*draw(rng), seed=seed, margin=1.1))

    name = "T-EQ values, margin 1.1, 7 cells, 30 trials"
    yield State(name, "true: no effect", "N", equal(1.0))
    yield State(name, "false by the margin: ratio 1.1", "R", equal(1.1))
    yield State(name, "false by the margin, cells share their trials", "R", equal(1.1, True))
    yield State(name, "false: ratio 1.25", "R", equal(1.25))

    def within(ratio: float) -> Callable:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            best, a = _grid(ratio, 1, trials=100)(rng)
            others = np.stack([best, 1.3 * best, 2 * best])
            return values_within(a, others, seed=seed, margin=1.5)

        return _alone(test)

    name = "T-WITHIN 1.5 times the best, 100 trials"
    yield State(name, "true: as good as the best", "N", within(1.0))
    yield State(name, "false by the margin: ratio 1.5", "R", within(1.5))
    yield State(name, "false: ratio 2", "R", within(2.0))


def _bests() -> Iterator[State]:
    def best(ratios: np.ndarray) -> Callable:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            a, rival = value_grid(ratios, SPREAD, TRIALS, rng)
            _, worse = value_grid(np.full(len(ratios), 2.0), SPREAD, TRIALS, rng)
            return smallest_of_all(a, {"rival": rival, "worse": worse}, seed=seed)

        return _alone(test)

    name = "T-BEST, 7 levels, 30 trials"
    yield State(name, "true: ratio 1.5 to the next", "N", best(np.full(7, 1.5)))
    yield State(name, "no effect: one other is as good", "R", best(np.ones(7)))
    yield State(name, "false: worse at 2 of 7 levels", "R", best(np.repeat([1.5, 0.67], [5, 2])))
    yield State(
        name, "false by the margin: as good at 2 of 7 levels", "R", best(np.array([1.5] * 5 + [1.0] * 2))
    )


def _much() -> Iterator[State]:
    name = "T-MUCH, 10 times, 7 cells, 30 trials"
    ten = {"much": 10.0, "little": 2.0}
    for truth, wrong, ratio in (
        ("true: ratio 15", "N", 15.0),
        ("true at the margin: ratio 10", "N", 10.0),
        ("false by the margin: ratio 2", "R", 2.0),
        ("no effect", "R", 1.0),
    ):
        yield State(name, truth, wrong, _both(much_larger, _grid(ratio), **ten))

    def elsewhere(here: float, there: float) -> Callable:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            return much_larger_than_elsewhere(_grid(here)(rng), _grid(there)(rng), seed=seed, much=2.0)

        return _alone(test)

    name = "T-MUCH beside, twice, 7 cells, 30 trials"
    yield State(name, "true: 6 here and 2 there", "N", elsewhere(6.0, 2.0))
    yield State(name, "false by the margin: 1.41 times", "R", elsewhere(2.82, 2.0))
    yield State(name, "no effect", "R", elsewhere(3.0, 3.0))

    def better(difference: float) -> Callable:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            a, b = _grid(1.0)(rng)
            good = [rng.random(a.shape) < share for share in (0.5 + difference, 0.5)]
            return much_better(a, b, *good, seed=seed, **ten)

        return _alone(test)

    name = "T-MUCH or success, 7 cells, 30 trials"
    yield State(name, "true: shares 0.9 and 0.5", "N", better(0.4))
    yield State(name, "false by the margin: 0.6 and 0.5", "R", better(0.1))
    yield State(name, "no effect", "R", better(0.0))


def _bands() -> Iterator[State]:
    def band(mean: float) -> Callable:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            each = mean * (1 + 0.1 * rng.standard_normal(TRIALS))
            return in_band(each, (0.3, 0.4), seed=seed, outer=(0.25, 0.45))

        return _alone(test)

    name = "T-BAND 0.3 to 0.4, 30 trials"
    yield State(name, "true: 0.35", "N", band(0.35))
    yield State(name, "true at the margin: 0.4", "N", band(0.4))
    yield State(name, "false by the margin: 0.4 exactly", "R", band(0.4))
    yield State(name, "false: 0.45", "R", band(0.45))
    yield State(name, "false: 0.5", "R", band(0.5))


def _laws() -> Iterator[State]:
    def law(f: Callable[[np.ndarray], np.ndarray]) -> Callable:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            own = np.exp(0.05 * rng.standard_normal(TRIALS))
            noise = np.exp(0.02 * rng.standard_normal((len(LEVELS), TRIALS)))
            return proportional(f(LEVELS)[:, None] * own * noise, LEVELS, seed=seed)

        return _alone(test)

    name = "T-PRO, 7 levels, 30 trials"
    yield State(name, "true: 0.35 x", "N", law(lambda x: 0.35 * x))
    yield State(name, "false by the margin: x to the power 1.1", "R", law(lambda x: x**1.1))
    yield State(name, "false: with a floor of a tenth of the range", "R", law(lambda x: 0.02 + x))
    yield State(name, "false: square root", "R", law(np.sqrt))
    yield State(name, "no effect: the same at every level", "R", law(np.ones_like))


def _times() -> Iterator[State]:
    def times(seconds: float, steps: float, **settings: float) -> Callable:
        def draw(rng: np.random.Generator) -> tuple[Arm, Arm]:
            arms = []
            for longer, more in ((1.0, 1.0), (seconds, steps)):
                count = np.round(60 * more * np.exp(0.15 * rng.standard_normal(10)))
                each = 0.02 * longer / more * np.exp(0.1 * rng.standard_normal(10))
                arms.append(Arm(count * each, count, np.ones(10, dtype=bool)))
            return arms[0], arms[1]

        if "stated" in settings:
            return _alone(lambda rng, seed: slower(*draw(rng), seed=seed, **settings))
        return _both(slower, draw, **settings)

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
    def fails(shares: np.ndarray) -> Callable:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            success = rng.random((len(shares), TRIALS)) < shares[:, None]
            return fails_everywhere(success, np.where(success, 1e-5, 0.6), above=0.1)

        return _alone(test)

    name = "T-FAIL, 12 levels, 30 trials"
    yield State(name, "true: no success", "N", fails(np.zeros(12)))
    yield State(name, "false by the margin: share 0.10 at one level", "R", fails(np.eye(12)[0] * 0.1))
    yield State(name, "false: share 0.05 at every level", "R", fails(np.full(12, 0.05)))
    yield State(name, "false: share 0.5 at one level", "R", fails(np.eye(12)[0] * 0.5))


def _curves() -> Iterator[State]:
    def curves(shift: float) -> Callable:
        place = np.array([0.4])

        def draw(rng: np.random.Generator) -> tuple:
            # A tolerates more losses: its curve rises at a smaller fraction of observations.
            a, b = success_pair(place - shift, place, np.full(1, 0.02), LOSSES, False, 100, rng)
            return a[0], b[0]

        return draw

    slight = {"falls": False, "largest": 0.1}
    name = "T-GAP up to 10 points, 100 trials"
    yield State(name, "true: 5 points", "N", _both(slightly_more, curves(0.05), x=LOSSES, **slight))
    yield State(name, "no effect", "R", _both(slightly_more, curves(0.0), x=LOSSES, **slight))
    reverse = _both(slightly_more, curves(-0.05), x=LOSSES, **slight)
    yield State(name, "false: 5 points less", "R", reverse)
    for truth, shift in (("false by the margin: 12 points", 0.12), ("false: 20 points", 0.2)):
        draw = curves(shift)
        far = _alone(lambda rng, seed, draw=draw: slightly_more(*draw(rng), LOSSES, seed=seed, **slight))
        yield State(name, truth, "R", far)

    def same(shift: float) -> Callable:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            a, b = curves(shift)(rng)
            return thresholds_equal(a[None], b[None], LOSSES, falls=False, seed=seed, steps=1, fewest=1)

        return _alone(test)

    name = "T-EQ curve, margin one step, 100 trials"
    yield State(name, "true: no effect", "N", same(0.0))
    yield State(name, "false by the margin: one step", "R", same(0.05))
    yield State(name, "false: two steps", "R", same(0.1))
