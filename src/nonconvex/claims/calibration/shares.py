"""States of shares, of their differences, and of decays."""

from collections.abc import Iterator

import numpy as np

from nonconvex.claims.calibration.state import State
from nonconvex.claims.quantities.decay import even_decay
from nonconvex.claims.quantities.measure import Measure, less
from nonconvex.claims.quantities.shares import difference_of_shares, share


def _marks(rng: np.random.Generator, n: int, cells: int, p: float, shared: bool) -> np.ndarray:
    """Return successes of some cells; with shared streams all cells of a trial see the same draw."""
    draws = rng.random((1 if shared else cells, n))
    return np.broadcast_to(draws < p, (cells, n))


def share_states() -> Iterator[State]:
    """Yield the states of a share."""
    cases = [
        ("one cell", 0.9, 1, False, "> 0.75", "< 0.5", "true"),
        ("one cell, at the border", 0.75, 1, False, "> 0.75", "< 0.75", "neither"),
        ("one cell, near the end", 0.98, 1, False, "> 0.95", "< 0.95", "true"),
        ("all equal", 1.0, 1, False, "> 0.95", "< 0.95", "true"),
        ("six cells", 0.6, 6, False, "> 0.5", "< 0.5", "true"),
        ("six cells of shared streams", 0.6, 6, True, "> 0.5", "< 0.5", "true"),
        ("six cells, near the end", 0.97, 6, False, "> 0.9", "< 0.9", "true"),
    ]
    for words, p, cells, shared, holds, fails, statement in cases:

        def draw(
            rng: np.random.Generator,
            n: int,
            seed: int,
            p: float = p,
            cells: int = cells,
            shared: bool = shared,
        ) -> Measure:
            return share(_marks(rng, n, cells, p, shared))

        yield State("share", words, p, holds, fails, draw, statement)


def _pair(
    rng: np.random.Generator, n: int, gains: np.ndarray, p: float, shared: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return where only the first side succeeds, and only the second, at shares p + gain and p."""
    cells = len(gains)
    common = rng.random((1 if shared else cells, n))
    own = rng.random((2, 1 if shared else cells, n))
    # Half of a side's luck is the trial's, which both see.
    luck = (common + own) / 2
    order = np.where(luck < 0.5, 2 * luck**2, 1 - 2 * (1 - luck) ** 2)
    a = np.broadcast_to(order[0], (cells, n)) < (p + gains)[:, None]
    b = np.broadcast_to(order[1], (cells, n)) < p
    return a & ~b, b & ~a


def difference_states() -> Iterator[State]:
    """Yield the states of a difference of shares."""
    equal, gain = np.zeros(6), np.full(6, 0.2)
    dissenting = np.array([0.3, 0.3, 0.3, 0.3, 0.3, -0.35])
    cases = [
        ("one cell", np.array([0.3]), 0.5, False, "> 0.05", "< 0.02", "true", False),
        ("one cell, no effect", np.array([0.0]), 0.5, False, "> 0", "< 0", "neither", False),
        ("six cells", gain, 0.4, False, "> 0.05", "< 0.02", "true", False),
        ("six cells of shared streams", gain, 0.4, True, "> 0.05", "< 0.02", "true", False),
        ("six cells, no effect", equal, 0.4, False, "> 0", "< 0", "neither", False),
        ("six cells of shared streams, no effect", equal, 0.4, True, "> 0", "< 0", "neither", False),
        ("one dissenting cell of six", dissenting, 0.4, False, "> 0.05", "< 0.02", "neither", True),
        ("slightly more, at the border", np.full(6, 0.2), 0.4, False, "0 to 0.2", "outside 0 to 0.2",
        "neither", False),
    ]  # fmt: skip
    for words, gains, p, shared, holds, fails, statement, guarded in cases:

        def draw(
            rng: np.random.Generator,
            n: int,
            seed: int,
            gains: np.ndarray = gains,
            p: float = p,
            shared: bool = shared,
        ) -> Measure:
            return difference_of_shares(*_pair(rng, n, gains, p, shared), [f"{k}" for k in range(len(gains))])

        truth = float(gains.mean())
        yield State("difference of shares", words, truth, holds, fails, draw, statement, guarded)

    def identical(rng: np.random.Generator, n: int, seed: int) -> Measure:
        return difference_of_shares(np.zeros((6, n), dtype=bool), np.zeros((6, n), dtype=bool))

    yield State("difference of shares", "all equal", 0.0, "> 0.05", "< 0.02", identical, "false")

    def gains_apart(rng: np.random.Generator, n: int, seed: int) -> Measure:
        return less(*(difference_of_shares(*_pair(rng, n, g, 0.4, False)) for g in (np.full(6, 0.3), gain)))

    yield State("difference of gains", "six cells each", 0.1, "> 0", "< 0", gains_apart, "true")


def decay_states() -> Iterator[State]:
    """Yield the states of an even decay."""

    def decays(rng: np.random.Generator, n: int, even: float, capped: float) -> tuple[np.ndarray, np.ndarray]:
        steps = np.where(rng.random(n) < even, 2.0, 5.0)
        reached = 100.0 + np.cumsum(
            np.stack([np.zeros(n), 20 * np.ones(n), 20 * steps, 20 * np.ones(n)]), axis=0
        )
        reached[:, rng.random(n) < capped] = np.nan
        return reached[:, None], np.zeros((1, n), dtype=bool)

    for words, capped in (("nine in ten", 0.0), ("nine in ten, a fifth at the cap", 0.2)):

        def draw(rng: np.random.Generator, n: int, seed: int, capped: float = capped) -> Measure:
            return even_decay(*decays(rng, n, 0.9, capped))

        yield State("even decay", words, 0.9, "> 0.75", "< 0.5", draw, "true")
