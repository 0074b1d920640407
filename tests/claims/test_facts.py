"""Quantities on tables without algorithms, on a table's own rates, and on two columns of one side."""

import numpy as np
import pytest

from claims.test_measured import estimate, measured, table
from claims.test_names import EXPERIMENTS, check_one
from nonconvex.claims.words.catalogue import QUANTITIES
from nonconvex.errors import UserError

DEPTHS, PLACES = np.array([1, 2, 3]), np.arange(1, 11) / 10


@pytest.fixture
def facts():
    """A curve a depth: y = x², and straight up to a place that shrinks with the depth."""
    made = table({"depth": DEPTHS, "x": PLACES}, {"": lambda depth, x, trial: {"y": x**2}})
    made["bent"] = made["x"] + 5 * np.maximum(made["x"] - 1 / made["depth"], 0)
    return made[["depth", "x", "trial", "y", "bent"]]


def test_laws_go_through_facts(facts):
    one = {"cells": {"depth": 1}, "per": "x"}
    assert estimate("log-log slope", facts, column="y", **one) == pytest.approx(2)
    assert estimate("slope", facts, column="y", function="square", **one) == pytest.approx(1)
    assert estimate("distance from a line", facts, column="y", function="square", **one) == pytest.approx(0)
    assert estimate("change", facts, column="y", **one) == pytest.approx(100)
    assert estimate("change", facts, column="y", cells={"x": 0.5}, per="depth") == pytest.approx(1)
    assert estimate("mean", facts, column="y", cells={"x": 0.5, "depth": 2}) == pytest.approx(0.25)
    more = {"cells": {"depth": 1, "x": "<= 0.5"}, "over_cells": {"depth": 1, "x": ">= 0.5"}}
    assert estimate("ratio of ranges", facts, column="y", per="x", **more) == pytest.approx(0.24 / 0.75)
    reach = measured("change of reach", facts, column="bent", per="depth", along="x", function="x")
    assert reach.at(0.05).estimate < 0.7


def test_algorithms_may_be_left_out_only_where_a_table_has_none():
    facts = {"axes": ["x"], "algorithms": {}, "parameters": {"x": [1, 2, 3]}}
    known = {**EXPERIMENTS, "curve": facts}
    columns = {"curve": ["x", "trial", "y"], "outcomes": ["algorithm", "p", "rank", "trial", "error"]}

    def check(experiment, **more):
        check_one("change", known, columns, part={"experiment": experiment}, **more)

    check("curve", column="y", per="x")
    check("outcomes", column="error", per="rank", of="fiht")
    with pytest.raises(UserError, match=r"the experiment outcomes runs .*fiht.*; say which one: 'of: <algor"):
        check("outcomes", column="error", per="rank")
    with pytest.raises(UserError, match="the experiment curve does not run 'fiht'"):
        check("curve", column="y", per="x", of="fiht")
    columns["curve"] = ["x", "y"]
    with pytest.raises(UserError, match="curve has no trials, and the quantity 'change' is over trials"):
        check("curve", column="y", per="x")
    assert [name for name, quantity in QUANTITIES.items() if quantity.facts] == [
        "mean", "change", "slope", "log-log slope", "distance from a line", "ratio of ranges", "change of reach",
    ]  # fmt: skip


def rates(rate, status="converged"):
    made = table({"x": PLACES}, {"a": lambda x, trial: {}})
    return made.assign(rate=rate, status=status)


def test_a_tables_own_rate_counts_as_a_fitted_one():
    made = rates(0.9)
    assert estimate("mean", made, of="a", column="rate") == pytest.approx(0.9)
    assert estimate("mean", made, of="a", column="speed") == pytest.approx(0.1)
    assert estimate("mean", made, of="a", column="iterations per decade") == pytest.approx(-1 / np.log10(0.9))
    made["rate"] = [0.9, 1.2, np.nan, 0.5] * (len(made) // 4)
    made.loc[made.index % 4 == 3, "status"] = "diverged"
    assert estimate("mean", made, of="a", column="rate") == pytest.approx((0.9 + 3) / 4)
    assert estimate("mean", made, of="a", column="speed") == pytest.approx(0.1 / 4)


def test_what_is_made_of_a_rate_is_known_where_there_is_one():
    columns = {"outcomes": ["algorithm", "p", "rank", "trial", "status", "rate"]}
    for column in ("rate", "speed", "iterations per decade"):
        check_one(
            "change", columns=columns, part={"experiment": "outcomes"}, of="fiht", per="rank", column=column
        )
    with pytest.raises(UserError, match="has no column 'iterations' in its table"):
        check_one(
            "change",
            columns=columns,
            part={"experiment": "outcomes"},
            of="fiht",
            per="rank",
            column="iterations",
        )


def test_the_two_sides_may_be_two_columns():
    made = table({"x": PLACES}, {"a": lambda x, trial: {"error": x, "first": 3 * x}})
    found = measured("ratio of values", made, of="a", column="first", over_column="error")
    assert found.at(0.05) == pytest.approx((3, 3, 3))
    assert next(iter(found.rows)) == "x = 0.1"
    check = {"part": {"experiment": "outcomes"}, "of": "fiht", "column": "error"}
    check_one("ratio of values", over_column="iterations", **check)
    with pytest.raises(UserError, match="no column 'seconds' in its table"):
        check_one("ratio of values", over_column="seconds", **check)


def test_medians_are_asked_for_by_a_word():
    made = rates(0.9)
    made["error"] = made["x"] * np.where(made["trial"] < 4, 1e3, 1)
    made.loc[(made["trial"] < 4) & (made["x"] > 0.5), "error"] = np.inf
    law = {"of": "a", "column": "error", "per": "x", "function": "x"}
    assert estimate("slope", made, median=True, **law) == pytest.approx(1)
    assert estimate("distance from a line", made, median=True, **law) == pytest.approx(0)
    assert estimate("distance from a line", made, **law) > 0.3
