"""States of means, ratios, laws of means, spreads and falls."""

from collections.abc import Callable, Iterator

import numpy as np

from nonconvex.claims.calibration.state import State
from nonconvex.claims.quantities import values
from nonconvex.claims.quantities.laws import change, deviation, log_slope, slope
from nonconvex.claims.quantities.measure import Measure, exponential, less
from nonconvex.claims.quantities.points import means
from nonconvex.claims.quantities.spreads import relative_spread, steepest_fall

Noise = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]


def _normal(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return 0.5 * rng.standard_normal(shape)


def _skewed(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Return logarithms of which a tail lies far above: a gamma of shape 2."""
    return 0.35 * (rng.gamma(2.0, size=shape) - 2.0)


def _rounded(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return np.round(3 * _normal(rng, shape)) / 3


NOISES: dict[str, Noise] = {"normal": _normal, "skewed": _skewed, "ties": _rounded}


def mean_states() -> Iterator[State]:
    """Yield the states of a mean."""
    for words, noise in NOISES.items():

        def draw(rng: np.random.Generator, n: int, seed: int, noise: Noise = noise) -> Measure:
            return values.mean(np.exp(1.0 + noise(rng, (1, n))), geometric=True)

        yield State("mean", f"logarithms {words}", float(np.e), "2 to 3.7", "outside 1.5 to 5", draw, "true")

    def constant(rng: np.random.Generator, n: int, seed: int) -> Measure:
        return values.mean(np.full((1, n), 47.0))

    yield State("mean", "all equal", 47.0, "31 to 71", "outside 16 to 142", constant, "true")


def ratio_states() -> Iterator[State]:
    """Yield the states of a ratio of values."""
    for words, noise in NOISES.items():
        for factor, statement in ((2.0, "true"), (1.0, "false")):

            def draw(
                rng: np.random.Generator, n: int, seed: int, noise: Noise = noise, factor: float = factor
            ) -> Measure:
                common = noise(rng, (1, n)) + noise(rng, (6, n)) * 0
                b = np.exp(common + noise(rng, (6, n)))
                return values.ratio(factor * np.exp(common + noise(rng, (6, n))), {"b": b})

            holds, fails = ("> 1.1", "< 1.02") if factor > 1 else ("> 1.3", "< 1.3")
            told = f"six cells, logarithms {words}, {factor:g} times"
            yield State("ratio of values", told, factor, holds, fails, draw, statement)

    def best(rng: np.random.Generator, n: int, seed: int) -> Measure:
        a = np.exp(_normal(rng, (6, n)))
        return values.ratio(
            a, {name: f * np.exp(_normal(rng, (6, n))) for name, f in (("b", 2), ("c", 2), ("d", 3))}
        )

    yield State("ratio of values", "to the best of three", 0.5, "< 1", "> 1", best, "true")

    def dissent(rng: np.random.Generator, n: int, seed: int) -> Measure:
        b = np.exp(_normal(rng, (6, n)))
        factors = np.array([2, 2, 2, 2, 2, 0.5])[:, None]
        return values.ratio(factors * b * np.exp(0.5 * _normal(rng, (6, n))), {"b": b}, list("123456"))

    truth = float(np.exp(np.mean(np.log([2, 2, 2, 2, 2, 0.5]))))
    yield State(
        "ratio of values", "one dissenting cell of six", truth, "> 1.1", "< 1.02", dissent, "neither", True
    )

    def apart(rng: np.random.Generator, n: int, seed: int) -> Measure:
        pair = []
        for factor in (6.0, 2.0):
            b = np.exp(_normal(rng, (6, n)))
            pair.append(values.log_ratio(factor * b * np.exp(_normal(rng, (6, n))), b))
        return exponential(less(*pair))

    yield State("ratio of ratios", "six cells each", 3.0, ">= 2", "< 2", apart, "true")


def law_states() -> Iterator[State]:
    """Yield the states of laws that means follow."""
    levels = np.array([1.0, 2.0, 3.0, 4.0, 6.0, 8.0])
    for words, noise in NOISES.items():

        def decays(rng: np.random.Generator, n: int, seed: int, noise: Noise = noise) -> Measure:
            found = levels[:, None] ** -0.5 * np.exp(noise(rng, (6, n)) + noise(rng, (1, n)))
            return log_slope(means(found, levels, seed, geometric=True))

        yield State("log-log slope", f"logarithms {words}", -0.5, "-0.6 to -0.4", "outside -0.6 to -0.4",
                    decays, "true")  # fmt: skip

        def rises(rng: np.random.Generator, n: int, seed: int, noise: Noise = noise) -> Measure:
            return slope(
                means(5 + levels[:, None] + 3 * noise(rng, (6, n)), levels, seed, geometric=False), "x"
            )

        yield State("slope", words, 1.0, "> 0", "< 0", rises, "true")

        def grows(rng: np.random.Generator, n: int, seed: int, noise: Noise = noise) -> Measure:
            found = levels[:, None] * np.exp(noise(rng, (6, n)) + noise(rng, (1, n)))
            return change(means(found, levels, seed, geometric=True))

        yield State("change", f"means, logarithms {words}", 8.0, "> 1.1", "< 1.1", grows, "true", True)

    for told, bend, statement in (
        ("a straight line", 0.0, "true"),
        ("15 % from a straight line", 0.4, "false"),
    ):
        middle = 5 + levels + bend * (levels - levels.mean()) ** 2
        fitted = np.polyval(np.polyfit(levels, middle, 1), levels)
        truth = float(np.abs(middle - fitted).max() / np.ptp(fitted))

        def bends(rng: np.random.Generator, n: int, seed: int, middle: np.ndarray = middle) -> Measure:
            found = middle[:, None] + _normal(rng, (6, n))
            return deviation(means(found, levels, seed, geometric=False), "x")

        yield State("distance from a line", f"means, {told}", truth, "<= 0.08", "> 0.08", bends, statement)


def spread_states() -> Iterator[State]:
    """Yield the states of a relative spread and of the place of the steepest fall."""
    for words, scale, statement in (("small", 0.1, "true"), ("large", 0.6, "false")):

        def draw(rng: np.random.Generator, n: int, seed: int, scale: float = scale) -> Measure:
            shape = 1 / scale**2
            return relative_spread(rng.gamma(shape, 1 / shape, size=(4, n)))

        yield State("relative spread", f"four levels, {words}", scale, "<= 0.25", "> 0.5", draw, statement)

    levels = np.array([0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0, 3.0])
    for words, falls in (
        ("one steep fall", [0, 0.1, 0.2, 0.4, 3.0, 3.2, 3.3, 3.4]),
        ("two falls, nearly alike", [0, 0.1, 0.2, 1.3, 2.9, 3.2, 3.3, 3.4]),
    ):
        middle = np.exp(-np.array(falls))

        def steep(rng: np.random.Generator, n: int, seed: int, middle: np.ndarray = middle) -> Measure:
            found = middle[:, None] * np.exp(_normal(rng, (8, n)))
            return steepest_fall(means(found, levels, seed, geometric=True))

        place = int(np.argmin(np.diff(-np.array(falls)) / np.diff(np.log(levels))))
        truth = float(np.sqrt(levels[place] * levels[place + 1]))
        yield State(
            "place of the steepest fall", words, truth, "0.8 to 1.7", "outside 0.8 to 1.7", steep, "true"
        )
