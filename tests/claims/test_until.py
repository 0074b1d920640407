"""From tables of outcomes and iterates to the value of each trial."""

import numpy as np
import pandas as pd
import pytest

from nonconvex.claims.quantities.laws import FUNCTIONS
from nonconvex.claims.samples.values import last_iterates, reached, valued
from nonconvex.claims.samples.work import OPERATIONS
from nonconvex.claims.words.quantity import FUNCTION_NAMES, OPERATION_NAMES

ITERATES = ["algorithm", "p", "trial", "status", "iteration", "seconds", "cpu_seconds", "error"]


@pytest.fixture
def iterates():
    """Trial k makes 3 + k iterations, each a decade and .1 seconds; the last trial diverges."""
    rows = [
        ("a", 0.5, trial, "converged" if trial < 2 else "diverged", k, 0.1 * k, 0.1 * k, 10.0**-k)
        for trial in range(3)
        for k in range(4 + trial)
    ]
    return pd.DataFrame(rows, columns=ITERATES)


@pytest.fixture
def outcomes():
    return pd.DataFrame(
        {
            "algorithm": ["agd"] * 4 + ["gd"],
            "trial": [0, 1, 2, 3, 0],
            "status": ["converged", "iteration limit", "diverged", "failed", "stalled"],
            "success": [True, False, False, False, False],
            "error": [1e-6, 0.1, 1e9, np.nan, 0.1],
            "iterations": [300, 4000, 12, 0, 50],
            "iterations_1e-3": [120.0, np.nan, np.nan, np.nan, np.nan],
            "seconds": [3.0, 40.0, 0.1, 0.0, 1.0],
        }
    )


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
        ({"error": 1e-9}, [3, 4, 5], [False, False, False]),
        ({"iterations": 4}, [3, 4, 4], [False, True, True]),
        ({"iterations": 2}, [2, 2, 2], [True, True, True]),
        ({"seconds": 0.25}, [2, 2, 2], [True, True, True]),
        ({"seconds": 0.45}, [3, 4, 4], [False, False, True]),
        ({"seconds": 0.001}, [0, 0, 0], [True, True, True]),
        ({"stop": True}, [3, 4, 5], [True, True, False]),
    ],
)
def test_where_a_trial_is_read(iterates, until, iterations, there):
    found = reached(iterates, until).sort_values("trial")
    assert found["iterations"].tolist() == iterations
    assert found["reached"].tolist() == there


def test_a_level_of_error_that_is_left_again_was_reached(iterates):
    back = iterates.copy()
    back.loc[(back["trial"] == 0) & (back["iteration"] == 3), "error"] = 0.5
    assert reached(back, {"error": 1e-2})["iterations"].tolist() == [2, 2, 2]


def test_a_trial_that_never_comes_there_counts_no_less_than_those_that_do(iterates):
    iterates.loc[iterates["trial"] == 2, "status"] = "converged"
    found = valued(iterates, "iterations", until={"error": 1e-4})
    assert found["value"].tolist() == [4, 4, 4]  # the first made 3, and did not come there
    found = valued(iterates, "seconds", until={"error": 1e-4})
    assert found["value"].tolist() == pytest.approx([0.4, 0.4, 0.4])
    found = valued(iterates, "iterations", until={"error": 1e-9})
    assert found["value"].tolist() == [3, 4, 5]
    found = valued(iterates, "error", until={"iterations": 4})
    assert found["value"].tolist() == pytest.approx([1e-3, 1e-4, 1e-4])  # an error is what it is


def test_a_diverged_trial_is_lost_and_one_that_a_condition_leaves_out_has_no_value(iterates):
    assert valued(iterates, "error")["value"].tolist() == [1e-3, 1e-4, np.inf]
    found = valued(iterates, "error", given="converged")["value"].to_numpy()
    np.testing.assert_array_equal(found, [1e-3, 1e-4, np.nan])


def test_what_is_lost_and_what_does_not_count(outcomes):
    assert valued(outcomes, "error")["value"].tolist() == [1e-6, 0.1, np.inf, np.inf, 0.1]
    found = valued(outcomes, "error", given="ended below 1")["value"].to_numpy()
    np.testing.assert_array_equal(found, [1e-6, 0.1, np.nan, np.nan, 0.1])
    found = valued(outcomes, "iterations", given="recovered")["value"].to_numpy()
    np.testing.assert_array_equal(found, [300, np.nan, np.nan, np.nan, np.nan])


def test_a_level_that_is_not_reached_counts_with_all_iterations_made(outcomes):
    """A stalled trial is no better off for having stalled early: the cap is that of all methods."""
    assert valued(outcomes, "iterations_1e-3")["value"].tolist() == [120, 4000, 4000, 4000, 4000]


def test_rates_of_iterates():
    iteration = np.arange(0, 101, 10)
    falling = pd.DataFrame({"iteration": iteration, "error": 0.5 * 0.9**iteration, "status": "converged"})
    parts = [
        falling.assign(trial=0),
        falling.assign(trial=1, error=0.5),
        falling.assign(trial=2, status="diverged"),
    ]
    table = pd.concat(parts).assign(algorithm="agd", n_neurons=2)
    table = table[["algorithm", "n_neurons", "trial", "status", "iteration", "error"]]
    assert valued(table, "rate")["value"].to_numpy() == pytest.approx([0.9, 1.0, 1.0])
    assert valued(table, "speed")["value"].to_numpy() == pytest.approx([0.1, 0.0, 0.0])
    found = valued(table, "iterations per decade")["value"].to_numpy()
    assert found == pytest.approx([-1 / np.log10(0.9), np.inf, np.inf])


def test_work(outcomes):
    assert valued(outcomes, "seconds per iteration")["value"].tolist() == pytest.approx(
        [0.01, 0.01, np.inf, np.inf, 0.02]
    )
    sized = outcomes.assign(n_samples=2000, loss=0.5)
    found = valued(sized, "operations", work="full decomposition")["value"]
    assert found.iloc[0] == 300 * 40 * 1000.0**3


def test_operations_grow_as_the_methods_do():
    n = np.array([2000.0, 4000.0])
    growth = {name: law(n, 0.5)[1] / law(n, 0.5)[0] for name, law in OPERATIONS.items()}
    assert growth["fast Hankel products"] == pytest.approx(2 * np.log(4000) / np.log(2000))
    assert growth["products with observed entries"] == 4
    assert growth["full decomposition"] == 8
    dense, sparse = (OPERATIONS["products with observed entries"](n, loss)[0] for loss in (0.5, 0.95))
    assert sparse == pytest.approx(dense / 10)
    assert set(OPERATION_NAMES) == set(OPERATIONS)


def test_functions_that_claims_may_name_are_those_there_are():
    assert set(FUNCTION_NAMES) == set(FUNCTIONS)
