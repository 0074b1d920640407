"""The cells that a claim is about: limits on axes, in numbers, words and lists."""

import numpy as np
import pandas as pd
import pytest

from nonconvex.claims.words.conditions import CONDITIONS, OPPOSITE
from nonconvex.claims.words.limits import LARGEST, allows, check_limit, limits, meets, within
from nonconvex.errors import UserError

P = np.arange(1, 10) * 0.05  # .15 is not exactly 3 * .05


@pytest.fixture
def table():
    rows = [(kind, p, k) for kind in ("cycle", "grid") for p in P for k in (1, 10)]
    return pd.DataFrame(rows, columns=["graph", "p", "rank"])


@pytest.mark.parametrize(
    "limit, kept",
    [
        (0.15, [3]),
        ("<= 0.15", [1, 2, 3]),
        ("< 0.15", [1, 2]),
        (">= 0.4", [8, 9]),
        ("> 0.4", [9]),
        ("0.15 to 0.25", [3, 4, 5]),
        ("outside 0.1 to 0.4", [1, 9]),
        ([0.05, 0.45], [1, 9]),
        ([0.05, ">= 0.4"], [1, 8, 9]),
        ("1/4 to 1/3", [5, 6]),
        (LARGEST, [9]),
        (0.151, []),
    ],
)
def test_limits_on_numbers(table, limit, kept):
    rows = table[within(table, {"p": limit})]
    assert [round(p / 0.05) for p in sorted(set(rows["p"]))] == kept
    assert len(rows) == 4 * len(kept)


def test_limits_on_words_and_on_several_axes(table):
    assert set(table[within(table, {"graph": "grid"})]["graph"]) == {"grid"}
    assert len(table[within(table, {"graph": ["grid", "cycle"]})]) == len(table)
    both = table[within(table, {"graph": "grid", "rank": 10, "p": "< 0.1"})]
    assert both.to_numpy().tolist() == [["grid", 0.05, 10]]
    assert within(table, {}).all()
    assert not within(table, {"graph": "star"}).any()


def test_the_largest_is_that_of_the_cells_that_are_left(table):
    """Levels of one axis may end sooner at some levels of another."""
    uneven = table[(table["graph"] == "grid") | (table["p"] < 0.2)]
    rows = uneven[within(uneven, {"graph": "cycle", "p": LARGEST})]
    assert set(rows["p"]) == {P[2]}
    # Whole numbers of a table are not Python's own.
    assert set(table[within(table, {"rank": LARGEST})]["rank"]) == {10}


@pytest.mark.parametrize(
    "asked, kept",
    [
        ({"p": "0.15 to 0.25"}, [3, 4, 5]),
        ({"p": "< 0.15", "rank": 1}, [1, 2]),
        ({"p": [0.05, "> 0.4"]}, [1, 9]),
        ({"p": "outside 0.1 to 0.4"}, [1, 9]),
        ({}, list(range(1, 10))),
    ],
)
def test_values_meet_limits_as_levels_do(table, asked, kept):
    rows = table[meets(table, asked)]
    assert [round(p / 0.05) for p in sorted(set(rows["p"]))] == kept
    assert (meets(table, asked) == within(table, asked)).all()


def test_a_missing_or_infinite_value_meets_no_limit():
    made = pd.DataFrame({"accuracy": [0.85, np.nan, np.inf, 0.9]})
    assert meets(made, {"accuracy": ">= 0"}).tolist() == [True, False, False, True]
    assert meets(made, {"accuracy": "outside 1 to 2"}).tolist() == [True, False, False, True]
    assert meets(made, {"accuracy": "0.85 to 0.9"}).tolist() == [True, False, False, True]


@pytest.mark.parametrize("level", [0.3, 0.1 * 3, 1 - 0.7, 0.3 - 1e-12])
def test_a_level_is_the_one_that_was_typed_whatever_its_rounding(level):
    for words in (0.3, "0.3 to 1", ">= 0.3", "<= 0.3", "0 to 0.3"):
        assert allows(limits(words)[0], level)
    for words in ("> 0.3", "< 0.3", "outside 0 to 0.3", 0.301):
        assert not allows(limits(words)[0], level)


def test_a_level_of_words_is_in_no_region():
    (limit,) = limits(">= 1")
    assert not allows(limit, "cycle")
    assert allows(limit, np.int64(1))
    assert allows("cycle", "cycle")
    assert not allows("cycle", 1)


@pytest.mark.parametrize(
    "given, levels, message",
    [
        ("half", [0.1, 0.5], "here is 'half', but it holds numbers"),
        ("> 3 %", [0.1, 0.5], "here is '> 3 %', but it holds numbers"),
        ("cycel", ["cycle", "grid"], "here is 'cycel': no such level; did you mean 'cycle'"),
        (3, ["cycle", "grid"], "here is '3', but its levels are words: cycle, grid"),
        (["cycle", "> 1"], ["cycle", "grid"], "here is '> 1', but its levels are words"),
        (LARGEST, ["cycle", "grid"], "here is 'largest': no such level"),
    ],
)
def test_a_limit_that_is_no_level_is_told(given, levels, message):
    with pytest.raises(UserError, match=message) as error:
        check_limit(given, levels, "here")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "given, levels",
    [
        (0.3, [0.1, 0.3]),
        ("> 1", [0.1, 2]),
        (LARGEST, [1, 2]),
        ("grid", ["grid"]),
        (["grid", "cycle"], ["grid", "cycle"]),
    ],
)
def test_a_limit_that_a_scale_may_not_draw_is_fine(given, levels):
    check_limit(given, levels, "here")


@pytest.mark.parametrize("given", [0.36, 65, "> 0.9", [0.36, 65]])
def test_a_limit_that_no_level_of_any_scale_meets_is_refused(given):
    with pytest.raises(UserError, match=r"holds none of its levels at any scale \(0.1 to 0.5\)"):
        check_limit(given, [0.1, 0.5], "here")


ENDS = pd.DataFrame(
    {
        "status": ["converged", "converged", "converged", "iteration limit", "stalled", "diverged", "failed"],
        "success": [True, False, "False", "true", 0.0, False, None],
        "error": [1e-5, 1.0, 0.02, 5e-4, 2.0, np.inf, np.nan],
        "test_error": [0.01, 0.1, 0.03, 0.08, np.nan, 0.01, np.nan],
        "mask_accuracy": [0.9, 0.85, 0.84, 1.0, 0.2, 0.5, np.nan],
    }
)


@pytest.mark.parametrize(
    "condition, met",
    [
        ("recovered", [1, 0, 0, 1, 0, 0, 0]),
        ("not recovered", [0, 1, 1, 0, 1, 1, 1]),
        ("diverged", [0, 0, 0, 0, 0, 1, 0]),
        ("converged", [1, 0, 1, 0, 0, 0, 0]),
        ("not converged", [0, 1, 0, 1, 1, 1, 1]),
        ("stopped", [1, 1, 1, 0, 0, 0, 0]),
        ("not stopped", [0, 0, 0, 1, 1, 1, 1]),
        ("no blow-up", [1, 1, 1, 1, 1, 0, 0]),
        ("blown up or failed", [0, 0, 0, 0, 0, 1, 1]),
        ("ended below 1", [1, 0, 1, 1, 0, 0, 0]),
        ("stopped at zeros", [0, 1, 0, 0, 0, 0, 0]),
        ("error below 1e-3", [1, 0, 0, 1, 0, 0, 0]),
        ("stopped wrong", [0, 1, 1, 0, 0, 0, 0]),
        ("test error below 0.1", [1, 0, 1, 1, 0, 0, 0]),
        ("test error below 0.05", [1, 0, 1, 0, 0, 0, 0]),
        ("mask accuracy from 0.85 on", [1, 1, 0, 1, 0, 0, 0]),
    ],
)
def test_conditions(condition, met):
    found = CONDITIONS[condition]
    assert found.met(ENDS).astype(int).tolist() == met
    assert found.met(ENDS[list(found.columns)]).astype(int).tolist() == met  # it needs no other columns
    if condition in OPPOSITE:
        assert (CONDITIONS[OPPOSITE[condition]].met(ENDS) == ~found.met(ENDS)).all()


def test_every_condition_is_tried_here():
    assert len(CONDITIONS) == 16
