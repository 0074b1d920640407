"""States of thresholds, of their differences, and of laws that thresholds follow."""

from collections.abc import Iterator

import numpy as np
from scipy import special

from nonconvex.claims.calibration.state import State
from nonconvex.claims.quantities.laws import change, deviation
from nonconvex.claims.quantities.measure import Measure
from nonconvex.claims.quantities.points import thresholds
from nonconvex.claims.quantities.thresholds import difference_of_thresholds, threshold
from nonconvex.statistics.curves import cell_widths

GRID = np.arange(0.05, 0.96, 0.1)
WIDTH = 0.08


def _success(
    rng: np.random.Generator, n: int, places: np.ndarray, x: np.ndarray, shared: bool = False
) -> np.ndarray:
    """Return successes that rise along x, (n_rows, n_x, n_trials); a trial has a threshold of its own."""
    own = rng.standard_normal((1 if shared else len(places), 1, n))
    cell = rng.standard_normal((len(places), len(x), n))
    luck = (own + cell) / np.sqrt(2)
    return (x[None, :, None] - places[:, None, None]) / WIDTH > luck


def _area(places: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return how much of the window lies beyond the thresholds, by the areas of the true success curves."""
    shares = special.ndtr((x[None, :] - places[:, None]) / WIDTH)
    return (shares * cell_widths(x)).sum(axis=1)


def threshold_states() -> Iterator[State]:
    """Yield the states of a threshold."""
    cases = [
        ("a steep curve", 0.42, "0.2 to 0.6", "> 0.7", "true"),
        ("a curve through one half at a cell", 0.45, "0.2 to 0.7", "> 0.8", "true"),
        ("beyond the window (censored)", 1.2, "> 0.7", "< 0.5", "true"),
    ]
    for words, place, holds, fails, statement in cases:

        def draw(rng: np.random.Generator, n: int, seed: int, place: float = place) -> Measure:
            return threshold(_success(rng, n, np.array([place]), GRID)[0], GRID, falls=False)

        yield State("threshold", words, place, holds, fails, draw, statement)


def difference_states() -> Iterator[State]:
    """Yield the states of a difference of thresholds."""
    rows = np.linspace(0.25, 0.75, 6)
    at_end = np.linspace(0.6, 1.1, 6)
    dissent = rows + np.array([-0.15, 0.05, 0.05, 0.05, 0.05, 0.05])
    alike, beyond, sign = ("-0.1 to 0.1", "outside -0.1 to 0.1"), ("> 0.015", "< 0.015"), ("> 0", "< 0")
    last = np.array([0.95])
    cases: list[tuple[str, np.ndarray, np.ndarray, bool, tuple[str, str], str]] = [
        ("six rows, coincide", rows, rows, False, alike, "true"),
        ("six rows of shared streams, coincide", rows, rows, True, alike, "true"),
        ("six rows, at the border", rows, rows + 0.1, False, alike, "neither"),
        ("six rows, beyond", rows, rows + 0.06, False, beyond, "true"),
        ("six rows, no effect", rows, rows, False, sign, "neither"),
        ("rows censored at the end", at_end, at_end + 0.06, False, beyond, "true"),
        ("one dissenting row of six", rows, dissent, False, sign, "neither"),
        ("one row", rows[2:3], rows[2:3] + 0.1, False, beyond, "true"),
        ("one row, one half in the last cell", last, last, False, alike, "true"),
    ]
    for words, first, second, shared, (holds, fails), statement in cases:

        def draw(
            rng: np.random.Generator,
            n: int,
            seed: int,
            first: np.ndarray = first,
            second: np.ndarray = second,
            shared: bool = shared,
        ) -> Measure:
            a, b = (_success(rng, n, places, GRID, shared) for places in (first, second))
            return difference_of_thresholds(a, b, GRID, [f"{p:g}" for p in first], falls=False)

        truth = float(np.mean(_area(first, GRID) - _area(second, GRID)))
        guarded = len(first) > 1
        yield State("difference of thresholds", words, truth, holds, fails, draw, statement, guarded)


def law_states() -> Iterator[State]:
    """Yield the states of laws that thresholds follow."""
    levels = np.arange(1.0, 9.0)
    x = np.arange(0.05, 1.0, 0.05)
    t = (levels - levels.mean()) / np.ptp(levels)
    arch = t**2 - np.mean(t**2)

    def bent(size: float) -> np.ndarray:
        """Return places whose distance from a straight line is a part of the range: a parabola."""
        return 0.2 + 0.6 * ((levels - 1) / np.ptp(levels) + size * arch / np.abs(arch).max())

    plateau = 0.2 + 0.6 * np.minimum((levels - 1) / 3.0, 1.0)
    cases = [
        ("a straight line", bent(0.0), "true"),
        ("5 % from a straight line", bent(0.051), "true"),
        ("20 % from a straight line", bent(0.2), "false"),
        ("a plateau", plateau, "false"),
    ]

    def measured(rng: np.random.Generator, n: int, seed: int, places: np.ndarray) -> Measure:
        success = _success(rng, n, places, x)
        return deviation(thresholds(success, levels, x, seed, falls=False, times_level=False), "x")

    for words, places, statement in cases:

        def draw(rng: np.random.Generator, n: int, seed: int, places: np.ndarray = places) -> Measure:
            return measured(rng, n, seed, places)

        fitted = np.polyval(np.polyfit(levels, places, 1), levels)
        truth = float(np.max(np.abs(places - fitted)) / np.ptp(fitted))
        told = f"thresholds, {words}"
        yield State("distance from a line", told, truth, "<= 0.08", "> 0.08", draw, statement)

    for words, places, truth, statement in (
        ("thresholds, four times", bent(0.0), 4.0, "true"),
        ("thresholds, none", np.full(8, 0.5), 1.0, "false"),
    ):

        def grows(rng: np.random.Generator, n: int, seed: int, places: np.ndarray = places) -> Measure:
            success = _success(rng, n, places, x)
            return change(thresholds(success, levels, x, seed, falls=False, times_level=False))

        yield State("change", words, truth, "> 1.1", "< 1.1", grows, statement, True)
