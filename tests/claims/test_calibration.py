"""The fast version of the table in docs/judging.md."""

import pytest
from scipy import stats

from nonconvex.claims.calibration import LIMIT, frequencies, states

SIMULATIONS = 25
# A test that errs in exactly 5 % of all cases errs more often than this in one of a thousand such checks.
MOST = stats.binom.ppf(0.999, SIMULATIONS, LIMIT) / SIMULATIONS


@pytest.mark.parametrize("state", list(states()), ids=lambda state: f"{state.test}: {state.truth}")
def test_errors_are_rare_and_the_exchange_turns_the_outcome(state):
    found = frequencies(state, SIMULATIONS)
    assert found.error <= MOST
    assert found.turned in (None, 1.0)
    if state.truth.startswith("true") and "margin" not in state.truth and "bound" not in state.truth:
        # A test that never says "reproduced" would pass every check on errors.
        assert found.shares["R"] >= 0.5 or "30 trials, bound 0.95" in state.test
