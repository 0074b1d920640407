"""Each quantity of claims files, from a table and settings to its number."""

import numpy as np
import pandas as pd
import pytest

from nonconvex.claims.quantities.laws import FUNCTIONS
from nonconvex.claims.samples.measured import MEASURES, Sample
from nonconvex.claims.words.catalogue import QUANTITIES
from nonconvex.claims.words.quantity import FUNCTION_NAMES

X = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
SIZES = np.array([1.0, 2, 4, 8, 16])


def table(axes, laws, trials=20):
    """A table without chance; `laws`: algorithm -> function of the cells that returns a dict of columns."""
    mesh = np.meshgrid(*axes.values(), range(trials), indexing="ij")
    cells = dict(zip([*axes, "trial"], (part.ravel() for part in mesh), strict=True))
    parts = []
    for name, law in laws.items():
        made = {"status": "converged", "success": True, "error": 0.1, "iterations": 40} | law(**cells)
        parts.append(pd.DataFrame({"algorithm": name, **cells, **made}))
    return pd.concat(parts, ignore_index=True)


def measured(quantity, made, beside=None, trials=20, **settings):
    return MEASURES[quantity](Sample(made, beside, range(trials), 11), settings)


def estimate(*args, **settings):
    return measured(*args, **settings).at(0.05).estimate


def up_to(limits):
    """Success up to a place along x, by algorithm; the place may be a function of y."""
    return {
        name: lambda x, limit=limit, **cells: {
            "success": x < (limit(cells["y"]) if callable(limit) else limit)
        }
        for name, limit in limits.items()
    }


def test_every_quantity_of_the_words_is_measured():
    assert set(MEASURES) == set(QUANTITIES)
    assert set(FUNCTIONS) == set(FUNCTION_NAMES)


def test_shares_and_their_differences():
    made = table({"x": X}, up_to({"a": 0.45, "b": 0.25}))
    assert estimate("share", made, of="a", condition="recovered") == pytest.approx(0.8)
    assert estimate("share", made, of="a", condition="not recovered", cells={"x": ">= 0.4"}) == 0.5
    assert next(iter(measured("share", made, of="b", condition="recovered").rows)) == "x = 0.1"
    sides = {"of": "a", "over": "b"}
    assert estimate("difference of shares", made, **sides) == pytest.approx(0.4)
    assert estimate("difference of shares", made, mixed_only=True, **sides) == 1.0
    assert estimate("difference of shares", made, of="b", over="a") == pytest.approx(-0.4)
    assert estimate("difference of shares", made, cells={"x": "< 0.25"}, **sides) == 0.0


def test_a_difference_counts_what_the_claim_sets_against_success():
    made = table({"x": X}, up_to({"a": 0.45, "b": 0.25}))
    made.loc[(made["algorithm"] == "b") & (made["x"] > 0.35), "status"] = "diverged"
    sides = {"of": "a", "over": "b", "condition": "recovered"}
    assert estimate("difference of shares", made, against="diverged", **sides) == pytest.approx(0.2)
    assert estimate("difference of shares", made, **sides) == pytest.approx(0.4)


def test_a_difference_of_gains():
    here = table({"x": X}, up_to({"a": 0.45, "b": 0.25}))
    there = table({"x": X[:4]}, up_to({"a": 0.35, "b": 0.25}))
    found = measured("difference of gains", here, there, of="a", over="b")
    assert found.at(0.05).estimate == pytest.approx(0.4 - 0.25)
    back = measured("difference of gains", there, here, of="a", over="b").at(0.05)
    assert back == pytest.approx([-value for value in (found.at(0.05).estimate, *found.at(0.05)[:0:-1])])
    assert estimate("difference of gains", here, there, of="a", over="b", mixed_only=True) == 0


def test_thresholds_and_their_differences():
    made = table({"x": X, "y": SIZES}, up_to({"a": lambda y: 0.25 + 0.1 * (y > 3), "b": 0.25}))
    along = {"along": "x", "success": "falls"}
    one = {"of": "b", "cells": {"y": 1}, **along}
    assert measured("threshold", made, **one).at(0.05) == pytest.approx((0.25, 0.2, 0.3))
    found = measured("difference of thresholds", made, of="a", over="b", rows="y", **along)
    assert found.at(0.05).estimate == pytest.approx(0.06)
    assert list(found.rows) == [f"y = {y:g}" for y in SIZES]
    assert estimate("difference of thresholds", made, of="a", over="b", rows="y", unit="steps", **along) == (
        pytest.approx(0.6)
    )
    cells = {"cells": {"y": 8}, "over_cells": {"y": 1}}
    assert estimate("difference of thresholds", made, of="a", **cells, **along) == pytest.approx(0.1)


def test_what_is_left_is_one_less_what_is_lost():
    made = table({"x": X, "y": SIZES}, up_to({"a": lambda y: 0.25 + 0.1 * (y > 3), "b": 0.25}))
    along = {"along": "x", "success": "falls", "complement": True}
    # The first one succeeds with a tenth less than .7, on average over its rows .06; it needs less.
    sides = {"of": "a", "over": "b", "rows": "y"}
    assert estimate("difference of thresholds", made, **sides, **along) == pytest.approx(0.06)
    relative = estimate("difference of thresholds", made, unit="relative", **sides, **along)
    assert relative == pytest.approx(0.06 / (0.75 - 0.03))
    assert estimate("change", made, of="a", rows="y", **along) == pytest.approx(0.65 / 0.75)


def test_two_experiments_are_compared_on_their_common_cells():
    here = table({"x": X, "y": SIZES}, up_to({"a": 0.35}))
    there = table({"x": X[:4], "y": SIZES[1:]}, up_to({"a": 0.15, "b": 0.15}))
    settings = {"rows": "y", "along": "x", "success": "falls"}
    found = measured("difference of thresholds", here, there, of="a", **settings)
    assert found.at(0.05).estimate == pytest.approx(0.2)
    assert list(found.rows) == ["y = 2", "y = 4", "y = 8", "y = 16"]
    assert estimate("difference of thresholds", here, there, of="a", over="b", **settings) == pytest.approx(
        0.2
    )


def errors(middle):
    return lambda y, trial, **_: {"error": middle(y) * (1 + 0.01 * (trial % 3))}


def test_means_ratios_and_ratios_of_ratios():
    made = table({"y": SIZES}, {"a": errors(lambda y: 0.02 * y), "b": errors(lambda y: 0.01 * y)})
    mean = 0.02 * 31 / 5 * (1 + 0.01 * np.mean([0, 1, 2] * 6 + [0, 1]))
    assert estimate("mean", made, of="a", column="error") == pytest.approx(mean)
    assert estimate("mean", made, of="a", column="error", relative_to="y") == pytest.approx(mean * 5 / 31)
    assert estimate("mean", made, of="a", column="error", cells={"y": "largest"}) == pytest.approx(
        mean * 5 / 31 * 16
    )
    assert estimate("ratio of values", made, of="a", over="b", column="error") == pytest.approx(2)
    assert estimate("ratio of values", made, of="b", over=["a", "b"], column="error") == pytest.approx(1)
    sides = {"cells": {"y": 1}, "over_cells": {"y": 8}}
    assert estimate("ratio of values", made, of="a", column="error", **sides) == pytest.approx(1 / 8)
    there = table({"y": SIZES}, {"a": errors(lambda y: 0.06 * y), "b": errors(lambda y: 0.01 * y)})
    assert estimate("ratio of ratios", there, made, of="a", over="b", column="error") == pytest.approx(3)
    assert estimate("ratio of values", there, made, of="a", over="b", column="error") == pytest.approx(6)


def test_laws_of_means():
    made = table({"y": SIZES}, {"a": errors(lambda y: 2 + 0.3 * y), "b": errors(lambda y: 2 + 0.1 * y)})
    spread = 1 + 0.01 * np.mean([0, 1, 2] * 6 + [0, 1])
    per = {"of": "a", "column": "error", "per": "y"}
    assert estimate("change", made, **per) == pytest.approx(6.8 / 2.3)
    assert estimate("slope", made, function="x", **per) == pytest.approx(0.3 * spread)
    assert estimate("slope", made, function="x", over="b", **per) == pytest.approx(0.2 * spread)
    assert estimate("slope", made, made, function="x", over="b", **per) == pytest.approx(0.2 * spread)
    assert estimate("distance from a line", made, function="x", **per) == pytest.approx(0, abs=1e-9)
    square = table({"y": SIZES}, {"a": errors(lambda y: y**2)})
    assert estimate("log-log slope", square, **per) == pytest.approx(2)
    assert estimate("log-log slope", square, cells={"y": ">= 4"}, **per) == pytest.approx(2)
    assert measured("log-log slope", square, cells={"y": ">= 8"}, **per).short
    assert estimate("log-log slope", square, made, over="b", **per) > 1.5


def test_laws_of_thresholds():
    x = np.arange(0.05, 1, 0.05)
    made = table({"x": x, "y": SIZES}, up_to({"a": lambda y: 0.9 - 0.05 * y}), trials=20)
    rows = {"of": "a", "rows": "y", "along": "x", "success": "falls"}
    assert estimate("slope", made, function="x", **rows) == pytest.approx(-0.05, abs=0.005)
    assert estimate("slope", made, function="x", complement=True, **rows) == pytest.approx(0.05, abs=0.005)
    assert estimate("distance from a line", made, function="x", **rows) < 0.05
    ratio = table({"x": x, "y": SIZES}, up_to({"a": 0.6}), trials=20)
    assert estimate("change", ratio, times_level=True, **rows) == pytest.approx(16)


def test_levels_in_units_are_what_limits_and_laws_see():
    made = table({"n_samples": np.array([300, 600, 1500, 3000])}, {
        "agd": lambda n_samples, **_: {"error": 1 / n_samples}}).assign()  # fmt: skip
    scaled = made.assign(n_samples=made["n_samples"] / 300)
    found = measured(
        "log-log slope", scaled, of="agd", column="error", per="n_samples", cells={"n_samples": ">= 2"}
    )
    assert found.at(0.05).estimate == pytest.approx(-1)
    assert "at 3 of 3 levels" in found.detail


def test_the_place_of_a_fall_and_spreads():
    def law(y, trial, **_):
        return {"error": np.where(y < 3, 1.0, 0.1) * (1 + 0.1 * (trial % 2))}

    made = table({"y": SIZES}, {"a": law})
    per = {"of": "a", "column": "error", "per": "y"}
    assert measured("place of the steepest fall", made, **per).at(0.05)[1:] == (2, 4)
    assert estimate("relative spread", made, **per) == pytest.approx(0.05 / 1.05 * np.sqrt(20 / 19))
    lost = made.assign(status=np.where(made["trial"] == 3, "diverged", made["status"]))
    assert estimate("relative spread", lost, **per) > 0.2  # a trial that does not move varies from the others


def iterates(decades, ends, trials=20):
    """Errors fall a decade in so many iterations, decade after decade."""
    at = np.concatenate([[0], np.cumsum(decades)])
    rows = [
        ("a", trial, "converged" if ends else "iteration limit", k, 10.0**-d)
        for trial in range(trials)
        for d, k in enumerate(at)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "trial", "status", "iteration", "error"])


@pytest.mark.parametrize("decades, low", [([10] * 6, True), ([10, 10, 10, 10, 90, 10], False)])
def test_even_decay_from_iterates_and_from_levels(decades, low):
    found = measured("even decay", iterates(decades, True), of="a")
    assert found.at(0.05).estimate == low
    counts = np.cumsum(decades)
    levels = {f"iterations_1e-{k + 1}": float(count) for k, count in enumerate(counts)}
    kept = pd.DataFrame({"algorithm": "a", "trial": range(20), "status": "converged", **levels})
    assert measured("even decay", kept, of="a").at(0.05) == found.at(0.05)


def test_even_decay_that_a_cap_cuts_off_is_open():
    found = measured("even decay", iterates([10] * 3, False), of="a").at(0.05)
    assert found[1:] == (0, 1)
    found = measured("even decay", iterates([10] * 3, True).assign(status="stalled"), of="a").at(0.05)
    assert found.high < 0.2


def test_facts():
    facts = pd.DataFrame({"trial": [0, 0, 1, 1], "order": [3, 4, 3, 4], "score": [0.5, -9.0, -1.0, -8.0]})
    assert (
        measured("every value", facts, column="score", pick="largest", cells={"order": 4}).at(0.05).high == -8
    )
    assert measured(
        "every value", facts, trials=1, column="score", pick="largest size", cells={"order": 3}
    ).at(0.05)[1:] == (0.5, 0.5)
    block = facts.drop(columns="trial")
    assert measured("every value", block, column="score").at(0.05)[1:] == (-9, 0.5)


def test_a_value_for_context_is_the_median_of_what_came_there():
    made = iterates([10] * 6, True).assign(seconds=lambda t: 0.1 * t["iteration"] * (1 + t["trial"]))
    found = measured("value for context", made, of="a", column="seconds", until={"error": 1e-3}, stated=12)
    assert found.at(0.05).estimate == pytest.approx(0.1 * 30 * 10.5)
    assert "the thesis states 12" in found.detail


def test_only_the_first_trials_are_read():
    made = table({"x": X}, {"a": lambda x, trial, **_: {"success": trial < 10}})
    assert estimate("share", made, trials=10, of="a", condition="recovered") == 1
    assert estimate("share", made, trials=20, of="a", condition="recovered") == 0.5


@pytest.mark.parametrize(
    "quantity, settings",
    [
        ("share", {"condition": "recovered"}),
        ("difference of shares", {"over": "b"}),
        ("mean", {"column": "error"}),
        ("ratio of values", {"over": "b", "column": "error"}),
        ("ratio of values", {"over": ["a", "b"], "column": "error"}),
        ("threshold", {"along": "x", "success": "falls"}),
        ("difference of thresholds", {"over": "b", "along": "x", "success": "falls"}),
        ("change", {"column": "error", "per": "x"}),
        ("log-log slope", {"column": "error", "per": "x"}),
        ("distance from a line", {"column": "error", "per": "x", "function": "x"}),
        ("place of the steepest fall", {"column": "error", "per": "x"}),
        ("relative spread", {"column": "error", "per": "x"}),
        ("value for context", {"column": "error"}),
    ],
)
def test_cells_that_no_run_draws_say_nothing(quantity, settings):
    made = table({"x": X}, up_to({"a": 0.45, "b": 0.25}))
    found = measured(quantity, made, of="a", cells={"x": 0.77}, **settings)
    assert found.short


def test_a_side_without_a_cell_leaves_nothing_to_compare():
    """Small scales may not draw the cell that a claim sets against another."""
    made = table({"y": SIZES}, {"a": errors(lambda y: 0.02 * y)})
    for cells, over_cells in (({"y": 1}, {"y": 3}), ({"y": 3}, {"y": 1}), ({"y": 3}, {"y": 5})):
        sides = {"cells": cells, "over_cells": over_cells}
        assert measured("ratio of values", made, of="a", column="error", **sides).short
        assert measured("log-log slope", made, of="a", column="error", per="y", **sides).short
