"""The fast version of the table in docs/judging-calibration.md."""

import pytest
from scipy import stats

from nonconvex.claims.calibration.networks import network_states
from nonconvex.claims.calibration.sides import side_states
from nonconvex.claims.calibration.table import LIMIT, frequencies, states
from nonconvex.claims.calibration.values import value_states

SIMULATIONS = 25
VALUE_SIMULATIONS = 15
VALUE_STATES = {(state.test, state.truth) for state in (*value_states(), *side_states(), *network_states())}


@pytest.mark.parametrize("state", list(states()), ids=lambda state: f"{state.test}: {state.truth}")
def test_errors_are_rare_and_the_exchange_turns_the_outcome(state):
    simulations = VALUE_SIMULATIONS if (state.test, state.truth) in VALUE_STATES else SIMULATIONS
    found = frequencies(state, simulations)
    # A test that errs in exactly 5 % of all cases errs more often than this in one of a thousand such checks.
    assert found.error <= stats.binom.ppf(0.999, simulations, LIMIT) / simulations
    assert found.turned in (None, 1.0)
    words = state.truth.replace(":", "").split()
    if words[0] == "true" and not {"margin", "bound", "few"} & set(words):
        # A test that never says "reproduced" would pass every check on errors.
        assert found.shares["R"] >= 0.5 or "30 trials, bound 0.95" in state.test


def test_every_state_has_a_name_of_its_own():
    names = [(state.test, state.truth) for state in states()]
    assert len(names) == len(set(names))
