"""The truths on which the tests that Chapters 4 and 5 add are calibrated, on their declared grids."""

from collections.abc import Callable, Iterator

import numpy as np

from nonconvex.claims.calibration.simulated import success_pair
from nonconvex.claims.calibration.state import Draw, State, alone
from nonconvex.claims.decision import Decision
from nonconvex.claims.quantities.exponential import falls_geometrically
from nonconvex.claims.quantities.linearity import linear_means, linear_thresholds
from nonconvex.claims.quantities.plateau import drops_in, levels_off
from nonconvex.claims.quantities.share import shares_equal
from nonconvex.claims.quantities.spread import varies_little
from nonconvex.claims.quantities.trend import rises, threshold_rises

SIZES = np.arange(10, 61, 10.0)
RATIOS = np.array([0.8, 0.9, 1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 1.4, 1.45, 1.5, 2, 3])
DEGREES = np.arange(2, 17, 2.0)
LABELS = np.arange(200, 801, 50.0)
NEURONS = np.arange(1, 9.0)
BEYOND = np.array([3.3, 5, 10])
NOISY = np.array([0.33, 0.5, 0.67, 0.83, 1, 1.17, 1.33, 1.5, 2, 2.5, 3.3, 5, 10])


def network_states() -> Iterator[State]:
    """Yield every one of these tests in every state."""
    yield from _trends()
    yield from _threshold_trends()
    yield from _exponential()
    yield from _means()
    yield from _ratio_thresholds()
    yield from _plateaus()
    yield from _drops()
    yield from _spreads()
    yield from _shares()


def _trends() -> Iterator[State]:
    def trend(change: float, levels: int, trials: int, spread: float, together: bool = False) -> Draw:
        """Change is the ratio of the last level's mean to the first's."""

        def outcomes(rng: np.random.Generator, seed: int) -> tuple[str, str]:
            mean = np.log(change) * np.linspace(0, 1, levels)[:, None]
            own = rng.standard_normal((levels, trials))
            both = rng.standard_normal(trials) if together else 0.0
            values = np.exp(mean + spread * (own + both))
            return rises(values, seed=seed).outcome, rises(values[::-1], seed=seed).outcome

        return outcomes

    for name, shape in (
        ("T-MONO, 4 levels, 20 trials", (4, 20, 0.3)),
        ("T-MONO, 6 levels, 100 trials", (6, 100, 0.3)),
    ):
        yield State(name, "true: twice", "N", trend(2.0, *shape))
        yield State(name, "true at the margin: 1.1 times", "N", trend(1.1, *shape))
        yield State(name, "no effect", "R", trend(1.0, *shape))
        yield State(name, "no effect, levels share their trials", "R", trend(1.0, *shape, True))
        yield State(name, "false by the margin: 1/1.1 times", "R", trend(1 / 1.1, *shape))

    def dips(depth: float) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            mean = np.log(2) * np.linspace(0, 1, 6) - np.log(depth) * (np.arange(6) == 3)
            return rises(np.exp(mean[:, None] + 0.3 * rng.standard_normal((6, 100))), seed=seed)

        return alone(test)

    yield State(name, "false: one level falls back by a third", "R", dips(1.5))


def _threshold_trends() -> Iterator[State]:
    def line(change: float) -> Draw:
        place = 300 * change ** np.linspace(0, 1, len(DEGREES))

        def outcomes(rng: np.random.Generator, seed: int) -> tuple[str, str]:
            widths = np.full(len(place), 15.0)
            success, _ = success_pair(place, place, widths, LABELS, False, 100, rng)
            up = threshold_rises(success, DEGREES, LABELS, seed=seed)
            down = threshold_rises(success[::-1], DEGREES, LABELS, seed=seed)
            return up.outcome, down.outcome

        return outcomes

    name = "T-MONO lines, 8 rows, 100 trials"
    yield State(name, "true: 1.5 times", "N", line(1.5))
    yield State(name, "true at the margin: 1.1 times", "N", line(1.1))
    yield State(name, "no effect", "R", line(1.0))
    yield State(name, "false by the margin: 1/1.1 times", "R", line(1 / 1.1))


def _exponential() -> Iterator[State]:
    def decades(even: float, rest: str, n: int) -> Draw:
        """`rest` is what the other trials do: bend, or come to the cap."""

        def test(rng: np.random.Generator, seed: int) -> Decision:
            steps = 60 * np.exp(0.15 * rng.standard_normal((4, n)))
            other = rng.random(n) >= even
            if rest == "bend":
                steps[3, other] *= 8
            reached = np.cumsum(steps, axis=0)
            if rest == "cap":
                reached[3, other] = np.nan
            return falls_geometrically(np.round(reached), np.zeros(n, dtype=bool))

        return alone(test)

    for n in (80, 100):
        name = f"T-EXP, {n} trials"
        yield State(name, "true: all of them", "N", decades(1.0, "bend", n))
        yield State(name, "true at the margin: nine in ten", "N", decades(0.9, "bend", n))
        yield State(name, "false by the margin: half bend", "R", decades(0.5, "bend", n))
        yield State(name, "false: nine in ten bend", "R", decades(0.1, "bend", n))
        yield State(name, "unknown: nine in ten at the cap", "R", decades(0.1, "cap", n))


def _means() -> Iterator[State]:
    def law(f: Callable) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            values = f(NEURONS)[:, None] + 0.02 * rng.standard_normal((len(NEURONS), 20))
            rivals = ["inverse", "inverse square"]
            return linear_means(values, NEURONS, function="inverse sqrt", rivals=rivals, sign=-1)

        return alone(test)

    name = "T-LIN values, 8 levels, 20 trials"
    yield State(name, "true: 1/sqrt(K)", "N", law(lambda k: 1 - 0.4 / np.sqrt(k)))
    yield State(name, "false: 1/K", "R", law(lambda k: 1 - 0.4 / k))
    yield State(name, "false: 1/K^2", "R", law(lambda k: 1 - 0.4 / k**2))
    yield State(name, "no effect", "R", law(lambda k: 0.9 + 0 * k))
    yield State(name, "false: rising", "R", law(lambda k: 0.5 + 0.4 / np.sqrt(k)))


def _ratio_thresholds() -> Iterator[State]:
    def law(places: np.ndarray) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            widths = np.full(len(SIZES), 0.04)
            success, _ = success_pair(places, places, widths, RATIOS, False, 100, rng)
            rivals = ["sqrt", "square", "log"]
            return linear_thresholds(success, SIZES, RATIOS, falls=False, seed=seed, function="x",
                                     rivals=rivals, ratio=True)  # fmt: skip

        return alone(test)

    name = "T-LIN of ratios, 6 levels, 100 trials"
    yield State(name, "true: linear", "N", law(np.full(len(SIZES), 1.2)))
    yield State(name, "true: linear, not through the origin", "N", law(1.15 + 2 / SIZES))
    yield State(name, "false: square root", "R", law(2.8 * np.sqrt(10 / SIZES)))
    yield State(name, "false: square", "R", law(0.9 + 1.2 * SIZES / 60 - 0.1))


def _plateaus() -> Iterator[State]:
    def law(first: float, slope: float) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            instance = rng.standard_normal(100)
            mean = 0.05 * first * (BEYOND[:, None] / 3.3) ** slope
            values = mean * np.exp(0.2 * instance + 0.1 * rng.standard_normal((3, 100)))
            return levels_off(values, BEYOND, of=0.05, seed=seed)

        return alone(test)

    name = "T-PLATEAU, 3 levels, 100 trials"
    yield State(name, "true: flat at the level", "N", law(1.0, 0.0))
    yield State(name, "true at the margin: slope -.2", "N", law(1.0, -0.2))
    yield State(name, "false by the margin: slope -.3", "R", law(1.0, -0.3))
    yield State(name, "false: slope -.5", "R", law(1.5, -0.5))
    yield State(name, "false: flat at 5 times the level", "R", law(5.0, 0.0))


def _drops() -> Iterator[State]:
    def at(place: float, size: float) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            mean = np.where(place > NOISY, np.log(size), 0.0) - 0.3 * np.log(NOISY)
            values = np.exp(mean[:, None] + 0.3 * rng.standard_normal((len(NOISY), 100)))
            return drops_in(values, NOISY, band=(0.9, 1.67), seed=seed)

        return alone(test)

    name = "T-STEEP, 13 levels, 100 trials"
    yield State(name, "true: tenfold at 1.2", "N", at(1.2, 10))
    yield State(name, "true: a factor 2 at 1.2", "N", at(1.2, 2))
    yield State(name, "false: tenfold at 3", "R", at(3.0, 10))
    yield State(name, "false: tenfold at .6", "R", at(0.6, 10))


def _spreads() -> Iterator[State]:
    def law(spread: float) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            size = np.sqrt(np.log1p(spread**2))
            return varies_little(np.exp(size * rng.standard_normal((4, 20))), seed=seed)

        return alone(test)

    name = "T-SPREAD, 4 levels, 20 trials"
    yield State(name, "true: .12", "N", law(0.12))
    yield State(name, "true at the margin: .25", "N", law(0.25))
    yield State(name, "false by the margin: .5", "R", law(0.5))
    yield State(name, "false: 1", "R", law(1.0))


def _shares() -> Iterator[State]:
    def pair(one: float, other: float) -> Draw:
        def test(rng: np.random.Generator, seed: int) -> Decision:
            return shares_equal((rng.binomial(20, one), 20), (rng.binomial(20, other), 20))

        return alone(test)

    name = "T-EQ shares, margin .25, 20 trials"
    yield State(name, "true: shares 0.98 and 0.98", "N", pair(0.98, 0.98))
    yield State(name, "true at few trials: shares 0.7 and 0.7", "N", pair(0.7, 0.7))
    yield State(name, "false by the margin: 0.95 and 0.7", "R", pair(0.95, 0.7))
    yield State(name, "false: 0.95 and 0.2", "R", pair(0.95, 0.2))
