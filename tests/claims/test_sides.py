"""From tables to arrays with a dimension for each axis, and the two sides of a comparison."""

import numpy as np
import pandas as pd
import pytest

from nonconvex.claims.samples.arrays import array_of, axes_of, cell_names, common_trials, scaled
from nonconvex.claims.samples.sides import common_axes, first_side, second_side, shared, side
from nonconvex.errors import UserError


def table(axes, trials=4, algorithms=("a", "b"), **columns):
    """A row for each algorithm, cell and trial, in a drawn order; `iterations` counts the rows."""
    mesh = np.meshgrid(np.arange(len(algorithms)), *axes.values(), range(trials), indexing="ij")
    names = np.array(algorithms)[mesh[0].ravel()]
    cells = dict(zip([*axes, "trial"], (part.ravel() for part in mesh[1:]), strict=True))
    made = pd.DataFrame({"algorithm": names, **cells, "status": "converged", "success": True, "error": 0.1})
    made = made.assign(iterations=np.arange(len(made)), **columns)
    return made.sample(frac=1, random_state=1)


def test_axes_stand_between_the_algorithm_and_the_trial():
    assert axes_of(table({"p": [1, 2], "rank": [3]})) == ["p", "rank"]
    assert axes_of(table({})) == []


def test_every_value_finds_its_cell_and_trial_whatever_the_order_of_rows():
    made = table({"p": [0.1, 0.3], "rank": [1, 4, 9]})
    rows = made[made["algorithm"] == "b"]
    found, levels = array_of(rows, rows["iterations"].to_numpy(), ["p", "rank"], range(4))
    np.testing.assert_array_equal(found, 24 + np.arange(24).reshape(2, 3, 4))
    assert [level.tolist() for level in levels] == [[0.1, 0.3], [1, 4, 9]]
    turned, _ = array_of(rows, rows["iterations"].to_numpy(), ["rank", "p"], range(4))
    np.testing.assert_array_equal(turned, found.transpose(1, 0, 2))


def test_words_are_axes_as_well():
    made = table({"graph": np.array(["grid", "cycle"])}, algorithms=("a",))
    found, levels = array_of(made, made["iterations"].to_numpy(), ["graph"], range(4))
    assert levels[0].tolist() == ["cycle", "grid"]
    assert found[1].tolist() == [0, 1, 2, 3]


def test_an_axis_that_is_none_and_a_table_with_holes_are_told():
    made = table({"p": [0.1, 0.3]}, algorithms=("a",))
    values = made["iterations"].to_numpy()
    with pytest.raises(UserError, match="reads the axis 'rnak', which its table lacks; did you mean 'rank'"):
        array_of(made.assign(rank=1)[["algorithm", "rank", "trial"]], values, ["rnak"], range(4))
    with pytest.raises(
        UserError, match=r"has 7 outcomes, not one per trial and cell of the axes p \(2 x 4\); rebuild"
    ):
        array_of(made.iloc[1:], values[1:], ["p"], range(4))
    with pytest.raises(UserError, match="has 8 outcomes, not one per trial and cell"):
        array_of(made, values, [], range(4))


def test_a_trial_counts_when_it_has_every_cell_of_every_algorithm():
    made = table({"p": [0.1, 0.3]})
    assert common_trials(made, ["a", "b"], 2) == 4
    hole = made[~((made["algorithm"] == "b") & (made["p"] == 0.3) & (made["trial"] == 2))]
    assert common_trials(hole, ["a", "b"], 2) == 2
    assert common_trials(hole, ["a"], 2) == 4
    assert common_trials(made, ["a", "c"], 2) == 0
    # Trials 0, 1, ... of every run are the same draws: a run without the first has none in common.
    assert common_trials(made[made["trial"] > 0], ["a"], 2) == 0


def test_facts_have_trials_without_algorithms_or_none_at_all():
    facts = pd.DataFrame({"trial": [0, 0, 1, 1, 2], "order": [3, 4, 3, 4, 3], "score": 1.0})
    assert common_trials(facts, [], 2) == 2
    assert common_trials(facts.drop(columns="trial"), [], 5) == 1
    assert common_trials(facts.drop(columns="trial"), [], 6) == 0


def test_levels_in_units_of_parameters():
    made = table({"n_neurons": [2, 5], "n_samples": [100, 300]})
    found = scaled(made, {"n_samples": ["n_neurons", "patch_size"]}, {"patch_size": 10, "n_neurons": [2, 5]})
    ratio = made["n_samples"] / made["n_neurons"] / 10
    np.testing.assert_allclose(found["n_samples"], ratio)
    assert scaled(made, {}, {}) is made
    for units in ({"n_samples": ["patch_sizes"]}, {"n_sample": ["patch_size"]}):
        with pytest.raises(UserError, match=r"a claim counts in units of '.*', which is no number"):
            scaled(made, units, {"patch_size": 10})


def test_names_of_cells():
    levels = [np.array([0.1, 0.3]), np.array([2]), np.array(["cycle", "grid"])]
    assert cell_names(["p", "rank", "graph"], levels)[:2] == [
        "p = 0.1, graph = cycle",
        "p = 0.1, graph = grid",
    ]
    assert cell_names(["rank"], [np.array([2])]) == [""]
    assert cell_names([], []) == [""]


def test_two_algorithms_of_one_table():
    made = table({"p": [0.1, 0.3]})
    settings = {"of": "a", "over": "b", "column": "iterations"}
    one, other = first_side(made, settings, range(3)), second_side(made, None, settings, range(3))
    assert one.values(settings, ["p"]).tolist() == [[0, 1, 2], [4, 5, 6]]
    assert other.values(settings, ["p"]).tolist() == [[8, 9, 10], [12, 13, 14]]
    assert one.names(["p"]) == ["p = 0.1", "p = 0.3"]


def test_one_algorithm_on_two_sets_of_cells():
    made = table({"loss": [0.5, 0.95], "n": [1, 2, 3]})
    settings = {"of": "a", "cells": {"loss": 0.5}, "over_cells": {"loss": 0.95}, "column": "iterations"}
    one, other = first_side(made, settings, range(4)), second_side(made, None, settings, range(4))
    axes = common_axes(one, other, settings)
    assert axes == ["n"]
    assert one.values(settings, axes)[:, 0].tolist() == [0, 4, 8]
    assert other.values(settings, axes)[:, 0].tolist() == [12, 16, 20]


def test_two_experiments_are_compared_on_the_cells_that_both_have():
    here, there = table({"n": [1, 2, 3]}), table({"n": [2, 3, 4], "loss": [0.5]})
    settings = {"of": "a", "over": "b", "column": "iterations"}
    one, other = first_side(here, settings, range(4)), second_side(here, there, settings, range(4))
    axes = common_axes(one, other, settings)
    one, other = shared(one, other, axes)
    assert axes == ["n"]
    assert one.levels("n").tolist() == other.levels("n").tolist() == [2, 3]
    assert one.values(settings, axes)[:, 0].tolist() == [4, 8]
    assert other.values(settings, axes)[:, 0].tolist() == [12, 16]


def test_each_side_has_its_own_condition_until_and_work():
    made = table({"n_samples": [2000], "loss": [0.5]}, trials=2, algorithms=("a", "b"))
    made.loc[(made["algorithm"] == "b") & (made["trial"] == 1), "success"] = False
    settings = {"column": "operations", "work": "full decomposition", "over_work": "fast Hankel products",
                "over_given": "recovered", "given": "no blow-up"}  # fmt: skip
    a, b = (side(made, name, {}, range(2)) for name in ("a", "b"))
    one, other = a.values(settings, ["n_samples"]), b.values(settings, ["n_samples"], "over_")
    assert one[0, 1] == 40 * 1000.0**3
    assert other[0, 0] == pytest.approx(2 * 20 * 15 * 2000 * np.log2(2000))
    assert np.isnan(other[0, 1])
    # Where the second side has none of its own, the first one's holds for both.
    given = {"column": "iterations", "given": "recovered"}
    assert np.isnan(b.values(given, ["n_samples"], "over_")[0, 1])


def test_errors_relative_to_a_level():
    made = table({"noise": [0.1, 0.5]}, algorithms=("a",))
    found = side(made, "a", {}, range(4)).values({"column": "error", "relative_to": "noise"}, ["noise"])
    np.testing.assert_allclose(found, np.repeat([[1.0], [0.2]], 4, axis=1))


def test_outcomes_of_iterates_are_those_of_their_last_ones():
    rows = [("a", 0.5, t, "converged" if t else "stalled", k, 10.0**-k) for t in range(2) for k in range(3)]
    made = pd.DataFrame(rows, columns=["algorithm", "p", "trial", "status", "iteration", "error"])
    assert side(made, "a", {}, range(2)).marks("converged", ["p"]).tolist() == [[False, True]]
