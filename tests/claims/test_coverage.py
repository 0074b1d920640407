"""Intervals hold the true value as often as they say, in every state; wrong verdicts are rare."""

import numpy as np
import pytest

from nonconvex.claims.calibration.state import LOOKS, coverage
from nonconvex.claims.calibration.table import states, table
from nonconvex.claims.words.catalogue import QUANTITIES
from nonconvex.statistics.spending import look_levels

SIMULATIONS = 60
LEVELS = dict(zip(LOOKS, look_levels(LOOKS), strict=True))
STATES = list(states())


def rare(share, alpha):
    """Whether a share of so many simulations may be due to a probability of `alpha`, by five standard errors."""
    return share <= alpha + 5 * np.sqrt(alpha * (1 - alpha) / SIMULATIONS)


@pytest.mark.parametrize("state", STATES, ids=lambda state: f"{state.quantity}: {state.words}")
def test_intervals_hold_the_truth_and_verdicts_do_not_contradict_it(state):
    for trials in (LOOKS[0], LOOKS[-1]):
        found = coverage(state, trials, LEVELS[trials], SIMULATIONS)
        assert rare(1 - found.covered, LEVELS[trials]), found
        # A row that dissents is found with more trials, not with few.
        if not state.guarded or state.statement != "neither" or trials == LOOKS[-1]:
            assert rare(found.wrong, LEVELS[trials]), found


def test_every_judged_quantity_is_calibrated():
    judged = {name for name, quantity in QUANTITIES.items() if quantity.judged}
    assert judged - {state.quantity for state in STATES} == {"every value"}  # which has no chance


def test_clear_cases_are_decided():
    decided = {(s.quantity, s.words): coverage(s, 100, LEVELS[100], 40).decided for s in STATES}
    for case in (
        ("share", "all equal"),
        ("difference of shares", "six cells"),
        ("threshold", "a steep curve"),
        ("difference of thresholds", "six rows, beyond"),
        ("ratio of values", "six cells, logarithms normal, 2 times"),
        ("distance from a line", "thresholds, a plateau"),
        ("change", "thresholds, four times"),
    ):
        assert decided[case] > 0.9, case
    assert decided["threshold", "beyond the window (censored)"] == 0
    assert decided["difference of shares", "one dissenting cell of six"] < 0.1


def test_the_table_has_a_row_for_every_state(monkeypatch):
    monkeypatch.setattr("nonconvex.claims.calibration.table.states", lambda: STATES[:2])
    rows = table(3).splitlines()
    assert rows[0].count("trials") == len(LOOKS)
    assert [row.split(" | ")[0] for row in rows[2:]] == [f"| {state.quantity}" for state in STATES[:2]]
