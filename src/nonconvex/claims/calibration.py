"""How often the tests err: ``python -m nonconvex.claims.calibration`` prints the table of docs/judging.md.

Each test is run on simulated data, at the declared number of trials, with its statement true, false by the
margin and without any effect. Reproduced when it is false, and not reproduced when it is true, may happen in
at most 5 % of the cases; exchanging the two methods must turn every "reproduced" into "not reproduced".
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from nonconvex.claims.calibration_networks import network_states
from nonconvex.claims.calibration_sides import side_states
from nonconvex.claims.calibration_values import value_states
from nonconvex.claims.compound import combine_parts
from nonconvex.claims.decision import Decision
from nonconvex.claims.linearity import linear_thresholds
from nonconvex.claims.ordering import order_success, order_values
from nonconvex.claims.proportion import all_of, proportion, some_of
from nonconvex.claims.ratio import equal_ratio
from nonconvex.claims.simulated import (
    FRACTIONS,
    RANKS,
    fraction_law,
    fraction_lines,
    rank_lines,
    success_pair,
    value_pair,
)
from nonconvex.claims.state import State
from nonconvex.claims.threshold import threshold_higher, thresholds_equal
from nonconvex.statistics.bootstrap import judging_seed

TRIALS = 100
LIMIT = 0.05
SIMULATIONS = 1000
CHEAP = ("T-PROP", "T-FAIL", "T-SHARE", "T-LEVEL", "T-EXP", "T-EQ shares")


@dataclass(frozen=True)
class Frequencies:
    """Share of each outcome in a state, and the share of "reproduced" that the exchange turned around."""

    state: State
    simulations: int
    shares: dict[str, float]
    turned: float | None

    @property
    def error(self) -> float:
        """Share of the outcome that is an error in this state."""
        return self.shares[self.state.wrong] if self.state.wrong else 0.0


def states() -> Iterator[State]:
    """Yield every test in every state."""
    yield from _proportions()
    yield from _orderings()
    yield from _lines()
    yield from _laws()
    yield from _compounds()
    yield from value_states()
    yield from side_states()
    yield from network_states()


def frequencies(state: State, simulations: int) -> Frequencies:
    """Run one state's simulations; they depend on nothing but the state's name."""
    rng = np.random.default_rng(judging_seed("calibration", state.test, state.truth))
    outcomes = [state.draw(rng, judging_seed(state.truth, str(k))) for k in range(simulations)]
    shares = {word: sum(o == word for o, _ in outcomes) / simulations for word in "RNI"}
    turned = [exchanged == "N" for o, exchanged in outcomes if o == "R" and exchanged is not None]
    return Frequencies(state, simulations, shares, float(np.mean(turned)) if turned else None)


def table(simulations: int) -> str:
    """Return the calibration of all tests as a Markdown table."""
    lines = [
        "| test | truth | R | N | I | error | R turned to N by exchange |",
        "|---|---|---|---|---|---|---|",
    ]
    for state in states():
        # Counts cost next to nothing to simulate, and some of these tests err in about 4 % of the cases.
        found = frequencies(state, simulations * (10 if state.test.startswith(CHEAP) else 1))
        shares = " | ".join(f"{found.shares[word]:.3f}" for word in "RNI")
        error = f"{found.error:.3f}" if state.wrong else ""
        turned = "" if found.turned is None else f"{found.turned:.3f}"
        lines.append(f"| {state.test} | {state.truth} | {shares} | {error} | {turned} |")
    return "\n".join(lines)


def _proportions() -> Iterator[State]:
    def interior(share: float) -> Callable:
        def draw(rng: np.random.Generator, seed: int) -> tuple[str, None]:
            stated = 0
            while not 0 < stated < 30:
                stated = rng.binomial(30, 2 / 15)
            return proportion(rng.binomial(TRIALS, share), TRIALS, stated / 30, 30).outcome, None

        return draw

    name = "T-PROP, 4 of 30 stated, 100 trials"
    yield State(name, "true: share 0.133 in both", "N", interior(2 / 15))
    yield State(name, "false by the margin: 0.383 here", "R", interior(2 / 15 + 0.25))
    for n, smallest in ((100, 0.95), (30, 0.95), (30, 0.9)):
        name = f'T-PROP "all", {n} trials, bound {smallest}'
        for truth, wrong, share in (
            ("true: share 1", "N", 1.0),
            ("false: share at the bound", "R", smallest),
        ):

            def draw_all(rng: np.random.Generator, seed: int, n=n, smallest=smallest, share=share) -> tuple:
                return all_of(rng.binomial(n, share), n, 30, smallest=smallest).outcome, None

            yield State(name, truth, wrong, draw_all)
    for truth, wrong, share in (("true: share 0.05", "N", 0.05), ("no effect: share 0", "R", 0.0)):
        yield State(
            'T-PROP "some", 100 trials',
            truth,
            wrong,
            lambda rng, seed, share=share: (some_of(rng.binomial(TRIALS, share), TRIALS).outcome, None),
        )


def _both(test: Callable, a: np.ndarray, b: np.ndarray, **settings: object) -> tuple[str, str]:
    return test(a, b, **settings).outcome, test(b, a, **settings).outcome


def _success(a: np.ndarray, b: np.ndarray, seed: int) -> Decision:
    a, b = (array.reshape(-1, array.shape[-1]) for array in (a, b))
    return order_success(a, ~a, b, ~b, seed=seed)


def _orderings() -> Iterator[State]:
    def grid(gain: float, together: bool = False) -> Callable:
        return lambda rng, seed: _both(_success, *rank_lines(TRIALS, gain, rng, together=together), seed=seed)

    name = "T-ORD success, grid of 9 x 19 cells, 100 trials"
    yield State(name, "true: thresholds 1.5 times as high", "N", grid(1.5))
    yield State(name, "true: thresholds 1.15 times as high", "N", grid(1.15))
    yield State(name, "no effect", "R", grid(1.0))
    yield State(name, "no effect, a row's cells share their trials", "R", grid(1.0, True))
    yield State(name, "reversed: thresholds 0.9 times as high", "R", grid(0.9))

    def cell(difference: float) -> Callable:
        def draw(rng: np.random.Generator, seed: int) -> tuple[str, str]:
            shift = np.array([np.log((0.5 + difference) / (0.5 - difference))])
            pair = success_pair(shift, np.zeros(1), np.ones(1), np.zeros(1), True, TRIALS, rng)
            return _both(_success, *pair, seed=seed)

        return draw

    name = "T-ORD success, one cell, 100 trials"
    yield State(name, "true: shares 0.75 and 0.50", "N", cell(0.25))
    yield State(name, "true at the margin: 0.55 and 0.50", "N", cell(0.05))
    yield State(name, "no effect", "R", cell(0.0))
    yield State(name, "false by the margin: 0.45 and 0.50", "R", cell(-0.05))

    def values(ratio: float) -> Callable:
        return lambda rng, seed: _both(order_values, *value_pair(ratio, 0.3, TRIALS, rng), seed=seed)

    name = "T-ORD values, 100 trials"
    yield State(name, "true: ratio 1.3", "N", values(1.3))
    yield State(name, "true at the margin: ratio 1.1", "N", values(1.1))
    yield State(name, "no effect", "R", values(1.0))
    yield State(name, "false by the margin: ratio 1/1.1", "R", values(1 / 1.1))


def _higher(a: np.ndarray, b: np.ndarray, seed: int) -> Decision:
    return threshold_higher(a, b, RANKS, falls=True, seed=seed)


def _lines() -> Iterator[State]:
    def grid(gain: float, together: bool = False) -> Callable:
        return lambda rng, seed: _both(_higher, *rank_lines(TRIALS, gain, rng, together=together), seed=seed)

    name = "T-BND, 9 rows, 100 trials"
    yield State(name, "true: 1.5 times as high", "N", grid(1.5))
    yield State(name, "true: 1.1 times as high", "N", grid(1.1))
    yield State(name, "true at the margin: 1.03 times", "N", grid(1.03))
    yield State(name, "no effect", "R", grid(1.0))
    yield State(name, "no effect, a row's cells share their trials", "R", grid(1.0, True))
    yield State(name, "false by the margin: 0.97 times", "R", grid(0.97))

    def apart(shift: float, **margin: float) -> Callable:
        def draw(rng: np.random.Generator, seed: int) -> tuple[str, None]:
            pair = fraction_lines(TRIALS, shift, rng)
            return thresholds_equal(*pair, FRACTIONS, falls=False, seed=seed, **margin).outcome, None

        return draw

    name = "T-EQ, margin one step, 100 trials"
    yield State(name, "true: no effect", "N", apart(0.0, steps=1))
    yield State(name, "true: half a step apart", "N", apart(0.025, steps=1))
    yield State(name, "false by the margin: one step apart", "R", apart(0.05, steps=1))
    yield State(name, "false: two steps apart", "R", apart(0.1, steps=1))
    name = "T-EQ, margin a tenth of the threshold, 100 trials"
    yield State(name, "true: no effect", "N", apart(0.0, relative=0.1))
    yield State(name, "false: one step apart", "R", apart(0.05, relative=0.1))

    def ratio(size: float) -> Callable:
        return lambda rng, seed: (equal_ratio(*value_pair(size, 0.3, TRIALS, rng), seed=seed).outcome, None)

    name = "T-EQ values, margin 1.25, 100 trials"
    yield State(name, "true: no effect", "N", ratio(1.0))
    yield State(name, "false by the margin: ratio 1.25", "R", ratio(1.25))
    yield State(name, "false: ratio 1.5", "R", ratio(1.5))


def _laws() -> Iterator[State]:
    rivals = ["sqrt", "square", "log"]

    def law(values: np.ndarray) -> Callable:
        def draw(rng: np.random.Generator, seed: int) -> tuple[str, None]:
            success = fraction_law(TRIALS, values, rng)
            settings = {"falls": False, "seed": seed, "function": "x", "rivals": rivals}
            return linear_thresholds(success, RANKS, FRACTIONS, **settings).outcome, None

        return draw

    name = "T-LIN, thresholds at 19 ranks, 100 trials"
    bent = 0.013 + 0.0168 * RANKS + 0.0006 * (RANKS - 1) * (RANKS - 25)
    yield State(name, "true: linear", "N", law(0.013 + 0.0168 * RANKS))
    yield State(name, "true: linear, other slope", "N", law(0.04 + 0.012 * RANKS))
    yield State(name, "bent, about 8 % from a line", "", law(bent))
    yield State(name, "false: square root", "R", law(0.085 * np.sqrt(RANKS)))
    yield State(name, "false: square", "R", law(0.06 + 0.0006 * RANKS**2))
    yield State(name, "false: logarithm", "R", law(0.06 + 0.11 * np.log(RANKS)))
    yield State(name, "no effect: the same at every rank", "R", law(np.full(len(RANKS), 0.26)))
    yield State(name, "false: falling", "R", law(0.45 - 0.007 * RANKS))

    def along_rank(values: np.ndarray) -> Callable:
        def draw(rng: np.random.Generator, seed: int) -> tuple[str, None]:
            success, _ = success_pair(values, values, 0.3 + 0.06 * values, RANKS, True, TRIALS, rng)
            settings = {"falls": True, "seed": seed, "function": "x", "rivals": rivals}
            return linear_thresholds(success, low, RANKS, **settings).outcome, None

        return draw

    low = FRACTIONS[:6]
    name = "T-LIN, thresholds at 6 fractions, 100 trials"
    yield State(name, "true: linear", "N", along_rank(54 * low))
    yield State(name, "false: square", "R", along_rank(2 + 180 * low**2))
    yield State(name, "false: square root", "R", along_rank(33 * np.sqrt(low) - 4))


def _compounds() -> Iterator[State]:
    def parts(gains: tuple[float, ...]) -> Callable:
        def draw(rng: np.random.Generator, seed: int) -> tuple[str, str]:
            pairs = [rank_lines(TRIALS, gain, rng) for gain in gains]
            ours = combine_parts([_higher(a, b, seed + k) for k, (a, b) in enumerate(pairs)], "every")
            return ours, combine_parts([_higher(b, a, seed + k) for k, (a, b) in enumerate(pairs)], "every")

        return draw

    name = "T-BND in every of 3 modes, 100 trials"
    yield State(name, "true: 1.5 times as high in each", "N", parts((1.5, 1.5, 1.5)))
    yield State(name, "true: 1.1 times as high in each", "N", parts((1.1, 1.1, 1.1)))
    yield State(name, "false: no effect in one mode", "R", parts((1.5, 1.5, 1.0)))
    yield State(name, "false by the margin: 0.97 times in one mode", "R", parts((1.5, 1.5, 0.97)))


def _main() -> None:
    parser = argparse.ArgumentParser(description="Print the calibration of the tests as a Markdown table.")
    parser.add_argument("--simulations", type=int, default=SIMULATIONS, help="per state")
    print(table(parser.parse_args().simulations))


if __name__ == "__main__":
    _main()
