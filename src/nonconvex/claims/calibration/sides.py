"""The truths on which the tests of Chapter 3's comparisons are calibrated, on its declared grids."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from nonconvex.claims.calibration.simulated import success_pair, value_grid
from nonconvex.claims.calibration.state import Draw, DrawPair, Pair, State, alone, both
from nonconvex.claims.decision import Decision
from nonconvex.claims.quantities.farther import far_beyond, slightly_farther
from nonconvex.claims.quantities.flat import threshold_is_flat
from nonconvex.claims.quantities.grid import gain, gain_is, gain_over
from nonconvex.claims.quantities.growth import grows_less
from nonconvex.claims.quantities.level import handles_up_to
from nonconvex.claims.quantities.share import share_holds
from nonconvex.claims.quantities.threshold import thresholds_equal
from nonconvex.claims.quantities.timing import Arm, slower
from nonconvex.claims.quantities.value_order import values_smaller

BAD = np.arange(1, 10) * 0.05
SAP_BAD = np.arange(1, 11) * 0.03
RANKS = np.arange(1, 34, 4)
OBSERVED = np.array([0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.2, 0.25, 0.3])
FACTORS = np.array([1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0])
LOSSES = np.arange(1, 10) / 10
SIZES = np.arange(2000, 8001, 1000)


def side_states() -> Iterator[State]:
    """Yield every one of these tests in every state."""
    yield from _grids()
    yield from _lines()
    yield from _farther()
    yield from _flat()
    yield from _shares()
    yield from _levels()
    yield from _growths()
    yield from _times()


def _gained(size: float, trials: int = 100, together: bool = False) -> DrawPair:
    """Return a draw of two methods on 9 x 9 cells whose shares differ by `size` over the whole grid."""
    place = np.linspace(0.24, 0.16, 9)

    def draw(rng: np.random.Generator) -> Pair:
        shift = size * len(BAD) * 0.05
        widths = np.full(9, 0.02)
        a, b = success_pair(place + shift, place, widths, BAD, True, trials, rng, together=together)
        return a.reshape(-1, trials), b.reshape(-1, trials)

    return draw


def _grids() -> Iterator[State]:
    def test(a: np.ndarray, b: np.ndarray, seed: int, **bounds: Any) -> Decision:
        return gain_is(gain(a, b), seed=seed, **bounds)

    def one_way(size: float, **bounds: Any) -> Draw:
        draw = _gained(size)
        return alone(lambda rng, seed: test(*draw(rng), seed=seed, **bounds))

    name = "T-GRID, 9 x 9 cells, 100 trials"
    yield State(name, "true: gain .05", "N", both(test, _gained(0.05)))
    yield State(name, "no effect", "R", both(test, _gained(0.0)))
    yield State(name, "no effect, a row's cells share their trials", "R", both(test, _gained(0.0, 100, True)))
    yield State(name, "false: gain -.05", "R", both(test, _gained(-0.05)))
    name = "T-GRID, 9 x 9 cells, 10 trials"
    yield State(name, "true: gain .05", "N", both(test, _gained(0.05, 10)))
    yield State(name, "no effect", "R", both(test, _gained(0.0, 10)))
    yield State(name, "no effect, a row's cells share their trials", "R", both(test, _gained(0.0, 10, True)))
    name = "T-GRID up to .2, 9 x 9 cells, 100 trials"
    yield State(name, "true: gain .1", "N", both(test, _gained(0.1), largest=0.2))
    yield State(name, "no effect", "R", both(test, _gained(0.0), largest=0.2))
    yield State(name, "false by the margin: gain .2", "R", one_way(0.2, largest=0.2))
    yield State(name, "false: gain .3", "R", one_way(0.3, largest=0.2))
    name = "T-GRID at least .2, 9 x 9 cells, 100 trials"
    much = {"much": 0.2, "little": 0.1}
    yield State(name, "true: gain .3", "N", both(test, _gained(0.3), **much))
    yield State(name, "true at the margin: gain .2", "N", both(test, _gained(0.2), **much))
    yield State(name, "false by the margin: gain .1", "R", one_way(0.1, **much))
    yield State(name, "no effect", "R", one_way(0.0, **much))

    def over(here: float, there: float) -> Draw:
        def draw(rng: np.random.Generator) -> Pair:
            return gain(*_gained(here)(rng)), gain(*_gained(there)(rng))

        return both(lambda a, b, seed: gain_is(gain_over(a, b), seed=seed), draw)

    name = "T-GRID beside, 9 x 9 cells, 100 trials"
    yield State(name, "true: gain .2 here and .1 there", "N", over(0.2, 0.1))
    yield State(name, "no effect", "R", over(0.1, 0.1))


def _apart(shift: float) -> DrawPair:
    """Return a draw of two lines, `shift` apart, from two experiments that share no streams."""
    line = 0.26 - 0.006 * RANKS

    def draw(rng: np.random.Generator) -> Pair:
        widths = np.full(len(RANKS), 0.01)
        a, _ = success_pair(line + shift, line, widths, SAP_BAD, True, 100, rng)
        _, b = success_pair(line, line, widths, SAP_BAD, True, 100, rng)
        return a, b

    return draw


def _lines() -> Iterator[State]:
    threshold = float((0.26 - 0.006 * RANKS).mean())

    def equal(shift: float, **margin: Any) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            return thresholds_equal(*_apart(shift)(rng), SAP_BAD, falls=True, seed=seed, **margin)

        return alone(test)

    for words, margin, size in (
        # A tenth of the mean of both thresholds, of which one has moved.
        ("a tenth", {"relative": 0.1}, 0.1 / 0.95 * threshold),
        ("one step", {"steps": 1.0}, 0.03),
    ):
        name = f"T-EQ sides, margin {words}, 9 rows, two experiments, 100 trials"
        yield State(name, "true: no effect", "N", equal(0.0, **margin))
        yield State(name, "false by the margin", "R", equal(size, **margin))
        yield State(name, "false: twice the margin", "R", equal(2 * size, **margin))

    def slightly(shift: float, exchange: bool = True) -> Draw:
        settings: dict[str, Any] = {"x": SAP_BAD, "falls": True, "relative": 0.25}
        if exchange:
            return both(slightly_farther, _apart(shift), **settings)
        return alone(lambda rng, seed: slightly_farther(*_apart(shift)(rng), seed=seed, **settings))

    name = "T-GAP sides, up to a quarter, 9 rows, 100 trials"
    yield State(name, "true: a tenth", "N", slightly(0.1 * threshold))
    yield State(name, "no effect", "R", slightly(0.0))
    yield State(name, "false: a tenth less", "R", slightly(-0.1 * threshold))
    yield State(name, "false by the margin: a quarter", "R", slightly(0.25 / 0.875 * threshold, False))
    yield State(name, "false: a half", "R", slightly(0.5 * threshold, False))


def _farther() -> Iterator[State]:
    def needs(shift: float) -> DrawPair:
        place = np.array([0.11])

        def draw(rng: np.random.Generator) -> Pair:
            return success_pair(place, place + shift, np.full(1, 0.008), OBSERVED, False, 100, rng)

        return draw

    settings = {"x": OBSERVED, "falls": False, "much": 0.05, "or_success": True}
    name = "T-FAR, 5 points or .3 of successes, 100 trials"
    yield State(name, "true: 6 points", "N", both(far_beyond, needs(0.06), **settings))
    yield State(name, "no effect", "R", both(far_beyond, needs(0.0), **settings))
    yield State(name, "false: half a point", "R", both(far_beyond, needs(0.005), **settings))

    def limits(shift: float) -> DrawPair:
        place = np.array([0.3])

        def draw(rng: np.random.Generator) -> Pair:
            return success_pair(place + shift, place, np.full(1, 0.02), LOSSES, True, 10, rng)

        return draw

    settings = {"x": LOSSES, "falls": True, "much": 0.1}
    name = "T-FAR, 10 points, 10 trials"
    yield State(name, "true: 30 points", "N", both(far_beyond, limits(0.3), **settings))
    yield State(name, "no effect", "R", both(far_beyond, limits(0.0), **settings))


def _flat() -> Iterator[State]:
    def changes(change: float, **margin: Any) -> Draw:
        place = 0.11 + change * np.log(FACTORS) / np.log(100)

        def test(rng: np.random.Generator, seed: int) -> Decision:
            # The factor changes no draw: an instance is the same at every factor.
            shape = (1, len(OBSERVED), 100)
            instance = rng.logistic(size=shape)
            own = rng.logistic(size=(len(FACTORS), *shape[1:]))
            distance = (OBSERVED[None, :, None] - place[:, None, None]) / 0.008
            success = distance + 0.7 * instance + 0.5 * own > 0
            return threshold_is_flat(success, FACTORS, OBSERVED, falls=False, seed=seed, **margin)

        return alone(test)

    for words, margin, size in (
        ("a tenth", {"relative": 0.1}, 0.011),
        ("one step", {"steps": 1.0}, 0.02),
    ):
        name = f"T-FLAT, margin {words}, 7 factors, 100 trials"
        yield State(name, "true: no change", "N", changes(0.0, **margin))
        yield State(name, "false by the margin", "R", changes(size, **margin))
        yield State(name, "false: three times the margin", "R", changes(3 * size, **margin))


def _shares() -> Iterator[State]:
    for trials, at_least, below, true, edge in (
        (20, 0.9, 0.5, 0.97, 0.9),
        (20, 1.0, 0.8, 1.0, 1.0),
        (12, 1.0, 0.7, 1.0, 1.0),
        (100, 0.5, 0.05, 0.7, 0.5),
    ):
        name = f"T-SHARE {at_least:g}, not below {below:g}, {trials} trials"

        def holds(share: float, n: int = trials, high: float = at_least, low: float = below) -> Draw:
            def test(rng: np.random.Generator, seed: int) -> Decision:
                return share_holds(rng.binomial(n, share), n, at_least=high, below=low)

            return alone(test)

        yield State(name, f"true: share {true:g}", "N", holds(true))
        if edge < true:
            yield State(name, f"true at the margin: share {edge:g}", "N", holds(edge))
        yield State(name, f"false by the margin: share {below:g}", "R", holds(below))
        yield State(name, f"false: share {below / 2:g}", "R", holds(below / 2))


def _levels() -> Iterator[State]:
    def up_to(limit: float, width: float) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            share = 1 / (1 + np.exp(np.clip((LOSSES - limit) / width, -50, 50)))
            success = rng.random((len(LOSSES), 10)) < share[:, None]
            return handles_up_to(success, LOSSES, band=(0.2, 0.4), outer=(0.0, 0.5))

        return alone(test)

    name = "T-LEVEL .2 to .4, 10 trials at 9 levels"
    yield State(name, "true: limit .35", "N", up_to(0.35, 0.01))
    yield State(name, "true at the margin: limit .35, a wide transition", "N", up_to(0.35, 0.1))
    yield State(name, "false by the margin: limit .5", "R", up_to(0.5, 0.05))
    yield State(name, "false: limit .15", "R", up_to(0.15, 0.02))
    yield State(name, "false: limit .7", "R", up_to(0.7, 0.01))


def _growths() -> Iterator[State]:
    def growing(exponent: float, than: float, sizes: np.ndarray, trials: int) -> Draw:
        def draw(rng: np.random.Generator) -> Pair:
            arms = []
            for power in (exponent, than):
                steps = np.round(50 * np.exp(0.1 * rng.standard_normal((len(sizes), trials))))
                noise = np.exp(0.1 * rng.standard_normal(steps.shape))
                arms.append((1e-6 * sizes[:, None] ** power * steps * noise, steps))
            return arms[0], arms[1]

        return both(lambda a, b, seed: grows_less(a, b, sizes), draw)

    for sizes, trials in ((SIZES, 3), (SIZES[:3], 4)):
        name = f"T-GROW, {len(sizes)} sizes, {trials} trials"
        yield State(name, "true: exponents 1 and 2", "N", growing(1.0, 2.0, sizes.astype(float), trials))
        yield State(name, "no effect", "R", growing(1.0, 1.0, sizes.astype(float), trials))
        yield State(name, "false: exponents 2 and 1", "R", growing(2.0, 1.0, sizes.astype(float), trials))


def _times() -> Iterator[State]:
    def times(seconds: float, work: float, runs: int, **settings: Any) -> Draw:
        def draw(rng: np.random.Generator) -> Pair:
            arms = []
            for longer, more in ((1.0, 1.0), (seconds, work)):
                count = 60 * more * np.exp(0.15 * rng.standard_normal(runs))
                took = longer * np.exp(0.15 * rng.standard_normal(runs))
                arms.append(Arm(took, count, np.ones(runs, dtype=bool)))
            return arms[0], arms[1]

        if "stated" in settings:
            return alone(lambda rng, seed: slower(*draw(rng), seed=seed, **settings))
        return both(slower, draw, **settings)

    for runs in (3, 12):
        name = f"T-TIME sides, at least 3, {runs} runs"
        yield State(name, "true: 8 times, 4 times the operations", "N", times(8.0, 4.0, runs, smallest=3.0))
        yield State(name, "true at the margin: 3 times", "N", times(3.0, 4.0, runs, smallest=3.0))
        yield State(name, "false: 1.5 times, as many operations", "R", times(1.5, 1.0, runs, smallest=3.0))
        yield State(name, "no effect", "R", times(1.0, 1.0, runs, smallest=3.0))
    name = "T-TIME sides 5.7, 3 runs"
    yield State(name, "true: 5.7 times, 4 times the operations", "N", times(5.7, 4.0, 3, stated=5.7))
    yield State(name, "false by the margin: 1.25 times", "R", times(1.25, 4.0, 3, stated=5.7))
    yield State(name, "no effect", "R", times(1.0, 1.0, 3, stated=5.7))

    def ordered(ratio: float, cells: int, trials: int) -> Draw:
        draw = lambda rng: value_grid(np.full(cells, ratio), 0.15, trials, rng)  # noqa: E731
        return both(values_smaller, draw)

    for cells, trials in ((7, 3), (3, 3)):
        name = f"T-ORD sides, {cells} sizes, {trials} trials"
        yield State(name, "true: ratio 3", "N", ordered(3.0, cells, trials))
        yield State(name, "no effect", "R", ordered(1.0, cells, trials))
        yield State(name, "false: ratio 1/1.5", "R", ordered(1 / 1.5, cells, trials))
