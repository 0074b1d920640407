"""States of medians, of ratios of ranges, and of how far curves are straight."""

from collections.abc import Iterator

import numpy as np

from nonconvex.claims.calibration.state import State
from nonconvex.claims.quantities.laws import change, deviation
from nonconvex.claims.quantities.measure import Measure
from nonconvex.claims.quantities.points import means, medians
from nonconvex.claims.quantities.ranges import ratio_of_ranges
from nonconvex.claims.quantities.reach import reaches, straight_up_to

LEVELS = np.array([1.0, 2.0, 3.0, 4.0, 6.0, 8.0])


def median_states() -> Iterator[State]:
    """Yield the states of laws that medians follow; at each level a tenth of the trials lie far away."""

    def lost(rng: np.random.Generator, values: np.ndarray) -> np.ndarray:
        return np.where(rng.random(values.shape) < 0.1, np.inf, values)

    def grows(rng: np.random.Generator, n: int, seed: int) -> Measure:
        noise = 0.5 * (rng.standard_normal((6, n)) + rng.standard_normal((1, n)))
        return change(medians(lost(rng, LEVELS[:, None] * np.exp(noise)), LEVELS, seed))

    yield State("change", "medians, a tenth of the trials lost", 8.0, "> 1.1", "< 1.1", grows, "true", True)

    for told, bend, statement in (
        ("a straight line", 0.0, "true"),
        ("15 % from a straight line", 0.4, "false"),
    ):
        middle = 5 + LEVELS + bend * (LEVELS - LEVELS.mean()) ** 2
        fitted = np.polyval(np.polyfit(LEVELS, middle, 1), LEVELS)
        truth = float(np.abs(middle - fitted).max() / np.ptp(fitted))

        def bends(rng: np.random.Generator, n: int, seed: int, middle: np.ndarray = middle) -> Measure:
            # Lost, or far below, as often: that does not move the median.
            found = middle[:, None] + 0.5 * rng.standard_normal((6, n))
            found = np.where(rng.random((6, n)) < 0.1, rng.choice([0.0, np.inf], (6, n)), found)
            return deviation(medians(found, LEVELS, seed), "x")

        yield State("distance from a line", f"medians, {told}", truth, "<= 0.08", "> 0.08", bends, statement)


def range_states() -> Iterator[State]:
    """Yield the states of a ratio of ranges."""
    steep = np.array([0.0, 1.0, 2.5, 4.0])
    for words, part, statement in (
        ("a twentieth", 0.05, "true"),
        ("none here", 0.0, "true"),
        ("at the border", 0.2, "neither"),
        ("as much", 1.0, "false"),
    ):

        def draw(rng: np.random.Generator, n: int, seed: int, part: float = part) -> Measure:
            own = rng.standard_normal((1, n))  # a trial's own place, at all levels
            flat = 10 - part * steep[:, None] + own + 0.2 * rng.standard_normal((4, n))
            falls = 10 - steep[:, None] + own + 0.2 * rng.standard_normal((4, n))
            one, other = (means(found, LEVELS[:4], seed, geometric=False) for found in (flat, falls))
            return ratio_of_ranges(one, other)

        yield State("ratio of ranges", words, part, "<= 0.2", "> 0.2", draw, statement)


def reach_states() -> Iterator[State]:
    """Yield the states of a change of reach, of curves x + c x² that bend more and more, or alike."""
    x, levels = np.arange(1, 13) / 12, np.arange(1.0, 6.0)
    for words, bends, statement in (
        ("bend more and more", np.array([1.5, 2.0, 3.0, 4.0, 6.0]), "true"),
        ("bend alike", np.full(5, 3.0), "false"),
    ):

        def draw(rng: np.random.Generator, n: int, seed: int, bends: np.ndarray = bends) -> Measure:
            each = bends[:, None, None] * rng.gamma(10, 0.1, (5, 1, n))
            curves = (x[:, None] + each * x[:, None] ** 2) * np.exp(0.2 * rng.standard_normal((5, 1, n)))
            return change(reaches(curves, levels, x, seed, "x"))

        ends = [float(straight_up_to(x + bend * x**2, x, "x")) for bend in bends[[0, -1]]]
        truth = ends[1] / ends[0]
        yield State("change of reach", words, truth, "< 1/1.1", "> 1/1.1", draw, statement, True)
