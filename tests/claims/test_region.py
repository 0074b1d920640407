"""Regions of values in words, and that no interval that says nothing lies in one."""

import subprocess
import sys
from math import inf, nan

import pytest

from nonconvex.claims.region import NOWHERE, Region, Span, region, regions
from nonconvex.errors import UserError

EVERYTHING = (-inf, inf)


@pytest.mark.parametrize(
    "words, inside, beyond",
    [
        ("> 1.1", (1.2, 9), (1.1, 9)),
        (">= 1.1", (1.1, 9), (1.09, 9)),
        ("< 0.9", (-5, 0.8), (-5, 0.9)),
        ("<= 0.9", (-5, 0.9), (-5, 0.91)),
        ("-1 to 1", (-1, 1), (-1.01, 1)),
        ("-1 to 1", (0, 0), (0, 1.01)),
        ("outside -1 to 1", (1.01, 2), (1, 2)),
        ("outside -1 to 1", (-2, -1.01), (-2, -1)),
        ("> 8.3/2", (4.2, 5), (4.15, 5)),
        ("1/1.1 to 1.1", (1 / 1.1, 1.1), (0.9, 1.1)),
        ("< 1/1.1", (0.2, 0.9), (0.2, 0.91)),
        ("outside 1e-6 to 1.5E2", (151, 152), (2, 150)),
        (">= .5", (0.5, 1), (0.4, 1)),
        (">1", (2, 3), (0, 3)),
    ],
)
def test_an_interval_lies_inside_or_it_does_not(words, inside, beyond):
    assert region(words).holds(*inside)
    assert not region(words).holds(*beyond)
    assert region(words).words == words


def test_an_interval_over_the_gap_lies_in_neither_span():
    assert not region("outside -1 to 1").holds(-2, 2)
    assert region("outside -1 to 1").holds(-3, -2)


@pytest.mark.parametrize(
    "words",
    [
        "> 3 %",
        "3",
        "",
        "about 3",
        "1 to",
        "1 - 2",
        "outside 3",
        "=> 3",
        "> 1,1",
        "> inf",
        "> nan",
        "> 1/0",
        None,
    ],
)
def test_what_is_no_region_is_told_in_one_sentence(words):
    with pytest.raises(UserError, match=r"^here: '.*' is no region; write '> 1.1', ") as error:
        region(words, "here")
    assert "\n" not in str(error.value)


def test_a_number_is_no_region():
    with pytest.raises(UserError, match="'3' is no region"):
        region(3)


def test_ends_in_the_wrong_order_are_told():
    with pytest.raises(UserError, match="here: '2 to 1' is empty, because 2 is above 1"):
        region("2 to 1", "here")
    with pytest.raises(UserError, match="'outside 1 to -1' is empty, because 1 is above -1"):
        region("outside 1 to -1")
    assert region("1 to 1").holds(1, 1)


@pytest.mark.parametrize(
    "holds, fails, bounds, message",
    [
        ("> 1", "< 2", EVERYTHING, "here: holds '> 1' and fails '< 2' overlap"),
        (">= 1", "<= 1", EVERYTHING, "overlap"),
        ("0 to 2", "outside 1 to 3", EVERYTHING, "overlap"),
        ("outside 0 to 1", "outside 2 to 3", EVERYTHING, "overlap"),
        (
            "> 1",
            "< 1",
            (0, 1),
            "here: holds '> 1' has no value that the quantity can take, which lies from 0 to 1",
        ),
        (">= 0.5", "< 0", (0, 1), "here: fails '< 0' has no value"),
        ("> 3 %", "< 3", EVERYTHING, "here, holds: '> 3 %' is no region"),
        ("> 3", "below 3", EVERYTHING, "here, fails: 'below 3' is no region"),
    ],
)
def test_two_regions_that_can_tell_nothing_are_refused(holds, fails, bounds, message):
    with pytest.raises(UserError, match=message) as error:
        regions(holds, fails, bounds, "here")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "holds, fails, bounds",
    [
        ("> 0.03", "< 0.03", EVERYTHING),
        (">= 1", "< 1", (0, 1)),  # a share of 1 is possible
        ("-1 to 1", "outside -1 to 1", (-1, inf)),
        ("0.3 to 0.4", "outside 0.25 to 0.45", EVERYTHING),
        ("outside -0.5 to 2", "0 to 1", (0, inf)),
    ],
)
def test_two_regions_that_touch_or_leave_a_gap_are_fine(holds, fails, bounds):
    pair = regions(holds, fails, bounds, "here")
    assert [one.words for one in pair] == [holds, fails]
    assert not pair[1].overlaps(pair[0])


@pytest.mark.parametrize(
    "words", ["> 0", "< 0", ">= 0", "<= 0", "-1 to 1", "outside -1 to 1", "outside 0 to 0"]
)
@pytest.mark.parametrize(
    "low, high",
    [
        (-inf, inf),
        (2.0, inf),
        (-inf, -2.0),
        (nan, nan),
        (nan, 2.0),
        (-2.0, nan),
        (2.0, 1.0),
        (inf, inf),
        (inf, -inf),
    ],
)
def test_an_infinite_an_empty_and_a_swapped_interval_lie_nowhere(words, low, high):
    assert not region(words).holds(low, high)


def test_nothing_lies_in_the_region_of_what_is_only_shown():
    assert not NOWHERE.holds(0, 0)
    assert not NOWHERE.overlaps(region("> 0"))


def test_spans():
    assert Span(1, 1).empty
    assert not Span(1, 1, True, True).empty
    assert Span(0, 2, True, False).common(Span(1, 2, False, True)) == Span(1, 2, False, False)
    assert Span(0, 2, True, True).common(Span(-1, 3)) == Span(0, 2, True, True)
    assert not Region("", (Span(0, 1),)).overlaps(Region("", (Span(1, 2),)))


LIGHT = ["check", "names", "entries", "region", "looks", "words.catalogue", "words.conditions", "words.limits",
         "words.quantity"]  # fmt: skip


@pytest.mark.parametrize("module", LIGHT)
def test_what_the_main_process_reads_loads_nothing_heavy(module):
    code = f"import sys, nonconvex.claims.{module}; print({{'numpy', 'scipy', 'pandas'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
