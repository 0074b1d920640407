"""The table of docs/judging-calibration.md: how often each test errs in each state.

Each test is run on simulated data, at the declared number of trials, with its statement true, false by the
margin and without any effect. Reproduced when it is false, and not reproduced when it is true, may happen in
at most 5 % of the cases; exchanging the two methods must turn every "reproduced" into "not reproduced".
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nonconvex.claims.calibration.networks import network_states
from nonconvex.claims.calibration.phases import phase_states
from nonconvex.claims.calibration.sides import side_states
from nonconvex.claims.calibration.state import State
from nonconvex.claims.calibration.values import value_states
from nonconvex.statistics.bootstrap import judging_seed

LIMIT = 0.05
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
    yield from phase_states()
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
