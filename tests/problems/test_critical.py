"""Outcomes of graph networks that are seen from the critical point near W*."""

import numpy as np
import pytest
from problems.small import CELLS, experiment, instance, table

from nonconvex.networks.solvers.critical_point import critical_point
from nonconvex.networks.solvers.descend import descend
from nonconvex.problems.contract import family
from nonconvex.problems.graph.critical import near_truth

CLASSES = {"task": "classification", "n_labelled": 4000, "degree": 2}
NEWTON = {"start": "truth", "rule": "theorem", "max_iterations": 200, "target": None}


def outcome(kept=""):
    return family(f"graph_critical{kept}").load_outcome()


@pytest.fixture(scope="module")
def made():
    return instance("graph", **CLASSES)


def test_the_critical_point_is_its_own_distance(made):
    row = outcome().one(critical_point, made, [], NEWTON)
    assert row["status"] == "converged"
    assert row["error"] == row["critical_error"] > 0
    assert row["critical_distance"] == 0
    found = near_truth(made)
    assert row["error"] == pytest.approx(np.linalg.norm(found - made.truth) / np.linalg.norm(made.truth))


def test_a_returned_model_has_its_distances_to_both(made):
    options = {"start": "random", "rule": "theorem", "max_iterations": 5, "target": None}
    row = outcome().one(descend, made, [], options)
    (plain,) = (
        family("graph")
        .load_outcome()
        .together(descend, [made], [], {key: value for key, value in options.items() if key != "start"})
    )
    np.testing.assert_equal({name: row[name] for name in plain}, plain)
    assert list(row) == list(outcome().columns)
    # The three distances are sides of a triangle.
    assert abs(row["error"] - row["critical_error"]) < row["critical_distance"]
    assert row["critical_distance"] < row["error"] + row["critical_error"]


def test_where_there_is_none_its_columns_are_nan_and_a_curve_is_a_failure(tmp_path):
    few = instance("graph", **CLASSES | {"n_labelled": 8})
    assert near_truth(few) is None
    row = outcome().one(critical_point, few, [], NEWTON)
    assert row["status"] == "diverged"
    assert np.isnan([row["critical_error"], row["critical_distance"]]).all()
    options = {"rule": "chosen", "max_iterations": 5}
    cell = CELLS["graph"] | CLASSES | {"n_labelled": [8, 4000]}
    curve = experiment("graph_critical_curves", cell, {"agd": {"method": "descend", "options": options}})
    header, *rows = table(curve, tmp_path)
    assert header == "algorithm,n_labelled,trial,status,iteration,error"
    assert {row.split(",")[1] for row in rows} == {"4000"}


def test_the_errors_of_a_curve_are_distances_to_the_critical_point(made):
    options = {"rule": "chosen", "factor": 100.0, "beta": 0.9, "max_iterations": 5000, "target": 1e-5}
    row = outcome("_curves").one(descend, made, [], options)
    found = near_truth(made)
    assert row["history"]["error"][0] == pytest.approx(
        np.linalg.norm(made.start - found) / np.linalg.norm(found)
    )
    assert row["status"] == "converged"
    assert row["history"]["error"][-1] < 1e-5


@pytest.mark.parametrize("start", ["tensor", ""])
def test_an_unknown_start_is_told(start):
    with pytest.raises(ValueError, match="start must be one of random, truth"):
        outcome().check(descend, [], {"start": start}, CELLS["graph"])
    with pytest.raises(ValueError, match="there is none called 'start'"):
        outcome("_curves").check(descend, [], {"start": "random"}, CELLS["graph"])
