import numpy as np
import pandas as pd
import pytest

from nonconvex.claims.values import last_iterates, reached, values


@pytest.fixture
def iterates():
    rows = [
        ("a", 0.5, trial, "converged" if trial < 2 else "diverged", k, 0.1 * k, 0.1 * k, 10.0**-k)
        for trial in range(3)
        for k in range(4 + trial)
    ]
    columns = ["algorithm", "p", "trial", "status", "iteration", "seconds", "cpu_seconds", "error"]
    return pd.DataFrame(rows, columns=columns)


def test_the_last_iterate_is_the_outcome(iterates):
    last = last_iterates(iterates.sample(frac=1, random_state=0))
    assert last["iterations"].tolist() == [3, 4, 5]
    assert last["reached"].tolist() == [True, True, False]
    assert last_iterates(last) is last


@pytest.mark.parametrize(
    "until, iterations, there",
    [
        ({"error": 1e-2}, [2, 2, 2], [True, True, True]),
        ({"error": 1e-4}, [3, 4, 4], [False, True, True]),
        ({"iterations": 4}, [3, 4, 4], [False, True, True]),
    ],
)
def test_a_goal_is_reached_at_its_first_iterate(iterates, until, iterations, there):
    found = reached(iterates, until).sort_values("trial")
    assert found["iterations"].tolist() == iterations
    assert found["reached"].tolist() == there


def test_trials_that_are_lost_and_trials_that_do_not_count(iterates):
    table = last_iterates(iterates)
    found, levels = values(table, "a", "error", range(3))
    np.testing.assert_array_equal(found, [[1e-3, 1e-4, np.inf]])
    assert levels[0].tolist() == [0.5]
    found, _ = values(iterates, "a", "error", range(1, 3), given="converged")
    np.testing.assert_array_equal(found, [[1e-4, np.nan]])


def test_limits_leave_no_cell(iterates):
    found, _ = values(iterates, "a", "error", range(3), limits={"p": {"max": 0.1}})
    assert found.size == 0
