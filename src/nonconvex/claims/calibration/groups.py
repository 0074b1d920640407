"""States of means and thresholds of groups of trials, whose sizes are chance, and of spreads in a band."""

from collections.abc import Iterator

import numpy as np

from nonconvex.claims.calibration.state import State
from nonconvex.claims.quantities.decay import even_decay
from nonconvex.claims.quantities.groups import chained_means, group_means, group_thresholds
from nonconvex.claims.quantities.laws import change
from nonconvex.claims.quantities.measure import Measure, nothing
from nonconvex.claims.quantities.spreads import spreads_in_band


def group_states() -> Iterator[State]:
    """Yield the states of changes from group to group."""
    levels = np.arange(3.0)

    def noisy(rng: np.random.Generator, middle: np.ndarray, n: int) -> np.ndarray:
        """Return values around `middle`, skewed, that share half of their luck within a trial."""
        own = rng.gamma(2.0, 0.5, size=(*middle.shape, n)) + rng.gamma(2.0, 0.5, size=n)
        return middle[..., None] * own / 2

    def bins(rng: np.random.Generator, n: int, seed: int) -> Measure:
        found = noisy(rng, 0.5**levels, n)
        inside = rng.integers(3, size=n) == np.arange(3)[:, None]
        points = group_means(np.where(inside, found, np.nan), levels, seed, geometric=False)
        return change(points) if len(points.levels) == len(levels) else nothing("not all levels", n)

    yield State("change", "means of a group each", 0.25, "< 1/1.1", "> 1/1.1", bins, "true", True)

    for told, factor, statement in (("halves", 0.5, "true"), ("no effect", 1.0, "false")):

        def strata(rng: np.random.Generator, n: int, seed: int, factor: float = factor) -> Measure:
            # Strata differ twofold, and a level has more trials in some of them than in others.
            middle = factor ** levels[:, None] * np.array([1.0, 2.0])
            place = (rng.random((3, 1, n)) < np.array([0.3, 0.5, 0.7])[:, None, None]).astype(int)
            inside = place == np.arange(2)[:, None]
            found = np.where(inside, noisy(rng, middle, n), np.nan)
            points, _ = chained_means(found, levels, seed, strata=["low", "high"], geometric=False)
            return change(points) if len(points.levels) == len(levels) else nothing("not all levels", n)

        truth = factor**2
        holds = ("< 1/1.1", "> 1/1.1") if factor < 1 else ("< 1/2", "> 1/1.5")
        yield State("change", f"means within strata, {told}", truth, *holds, strata, statement, True)

    x = np.arange(0.05, 0.96, 0.1)

    def needed(rng: np.random.Generator, n: int, seed: int) -> Measure:
        places = np.array([0.72, 0.36])
        luck = (rng.standard_normal((2, 1, n)) + rng.standard_normal((2, len(x), n))) / np.sqrt(2)
        won = (x[:, None] - places[:, None, None]) / 0.08 > luck
        inside = rng.random((2, 1, n)) < 0.6
        return change(group_thresholds(np.where(inside, won, np.nan), np.arange(2.0), x, seed, falls=False))

    yield State("change", "thresholds of a group", 0.5, "< 1/1.5", "> 1/1.5", needed, "true")


def band_states() -> Iterator[State]:
    """Yield the states of spreads in a band."""
    for words, scales, statement in (
        ("all of six in it", np.full(6, 0.3), "true"),
        ("two of six far out of it", np.array([0.3, 0.3, 0.3, 0.3, 1.0, 1.0]), "false"),
        ("one of six on its edge", np.array([0.3, 0.3, 0.3, 0.3, 0.3, 0.599]), "true"),
    ):

        def draw(rng: np.random.Generator, n: int, seed: int, scales: np.ndarray = scales) -> Measure:
            shape = 1 / scales[:, None] ** 2
            return spreads_in_band(rng.gamma(shape, 1 / shape, size=(len(scales), n)), (0.1, 0.6))

        truth = float(np.mean((scales >= 0.1) & (scales <= 0.6)))
        yield State("spreads in a band", words, truth, ">= 0.8", "< 0.8", draw, statement)


def group_decay_states() -> Iterator[State]:
    """Yield the state of a decay of those trials that are in a group."""

    def draw(rng: np.random.Generator, n: int, seed: int) -> Measure:
        last = np.where(rng.random((3, n)) < 0.9, 20.0, 100.0)
        reached = np.stack([np.zeros((3, n)), np.full((3, n), 20.0), np.full((3, n), 40.0), 40 + last])
        inside = rng.random((3, n)) < 0.5
        return even_decay(reached, np.zeros((3, n), dtype=bool), inside)

    yield State("even decay", "nine in ten of a group", 0.9, "> 0.75", "< 0.5", draw, "true")
