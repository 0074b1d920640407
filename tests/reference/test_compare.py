"""What counts as a difference between a kept row and the same row computed again."""

import numpy as np
import pandas as pd
import pytest

from nonconvex.commands.audit.compare import COUNTS, DIFFERS, SAME, UNSTABLE, Difference, differences, verdict

ROW = {
    "status": "converged", "success": True, "error": 3e-7, "iterations": 57, "iterations_1e-1": 12.0,
    "iterations_1e-6": np.nan, "rank_data": 4, "seconds": 0.5, "cpu_seconds": 0.4,
}  # fmt: skip


def found(**changes):
    return differences([pd.DataFrame([ROW])], [pd.DataFrame([ROW | changes])])


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"error": 3e-7 * (1 + 1e-8)},
        {"error": 3e-7 + 1e-16},
        {"seconds": 9.0, "cpu_seconds": 8.0},
    ],
)
def test_rounding_and_times_are_no_difference(changes):
    assert found(**changes) == []
    assert verdict(found(**changes)) == SAME


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("status", "diverged"),
        ("success", False),
        ("error", 3e-7 * (1 + 1e-2)),
        ("error", np.nan),
        ("error", np.inf),
        ("rank_data", 5),
    ],
)
def test_what_makes_a_row_differ(column, value):
    (difference,) = found(**{column: value})
    assert difference.column == column
    assert difference.kept == ROW[column]
    assert verdict([difference]) == DIFFERS


@pytest.mark.parametrize(
    ("column", "value"), [("iterations", 58), ("iterations_1e-1", 13.0), ("iterations_1e-6", 9.0)]
)
def test_other_numbers_of_iterations_alone_are_told_apart(column, value):
    assert verdict(found(**{column: value})) == COUNTS
    assert verdict(found(**{column: value}, status="diverged")) == DIFFERS


@pytest.mark.parametrize("status", ["iteration limit", "diverged"])
def test_numbers_of_a_trial_that_did_not_come_to_rest_are_told_apart(status):
    assert verdict(found(error=0.9), status) == UNSTABLE
    assert verdict(found(error=0.9, iterations=58), status) == UNSTABLE
    assert verdict(found(error=0.9, success=False), status) == DIFFERS
    assert verdict(found(error=0.9), "converged") == DIFFERS
    assert verdict(found(error=0.9)) == DIFFERS


def curves(errors, **outcome):
    table = pd.DataFrame({"status": "converged", "iteration": range(len(errors)), "error": errors})
    return [pd.DataFrame([ROW | outcome]), table]


def test_iterates_are_compared_one_by_one():
    assert differences(curves([1.0, 0.1]), curves([1.0, 0.1])) == []
    assert differences(curves([1.0, 0.1, 0.01]), curves([1.0, 0.2, 0.02])) == [
        Difference("error", 0.1, 0.2, "number")
    ]


def test_other_numbers_of_iterates_are_told_apart_too():
    told = differences(curves([1.0, 0.1]), curves([1.0], iterations=1))
    assert [difference.column for difference in told] == ["iterations", "iterates"]
    assert verdict(told) == COUNTS


def test_a_row_that_is_missing_or_there_twice_differs():
    once = pd.DataFrame([ROW])
    for kept in (once.iloc[:0], pd.concat([once, once])):
        (difference,) = differences([kept], [once])
        assert (difference.column, difference.new) == ("rows", 1)
        assert verdict([difference]) == DIFFERS
    assert differences([once.iloc[:0]], [once.iloc[:0]]) == []


def test_a_column_that_is_gone_differs():
    assert verdict(differences([pd.DataFrame([ROW])], [pd.DataFrame([ROW]).drop(columns="error")])) == DIFFERS
