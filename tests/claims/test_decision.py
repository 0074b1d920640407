"""The one rule: an interval against two regions, rows of their own, parts and readings."""

from math import inf, nan

import numpy as np
import pytest
from scipy import stats

from nonconvex.claims.decision import Judged, combined
from nonconvex.claims.quantities.measure import Interval, Measure, exponential, less, nothing
from nonconvex.claims.readings import combine_readings
from nonconvex.claims.region import region


def fixed(low, high, rows=None, short=""):
    return Measure(lambda alpha: Interval(nan, low, high), 10, "", rows or {}, short)


def judged(measure, holds="> 0", fails="< 0", alpha=0.05, guarded=False):
    return Judged(measure, region(holds), region(fails), alpha, guarded)


@pytest.mark.parametrize(
    "step, dissents, outcome",
    [
        (fixed(-0.9, -0.1).at, None, "I"),
        (fixed(-0.9, -0.1).at, "< -1", "R"),
        (fixed(-3, -2).at, "< -1", "I"),
        (fixed(-3, -0.5).at, "< -1", "R"),
        (fixed(2, 3).at, "< -1", "R"),
    ],
)
def test_a_row_may_be_asked_for_less_than_all_of_them(step, dissents, outcome):
    contrary = None if dissents is None else region(dissents)
    found = Judged(fixed(1, 2, {"a": step}), region("> 0"), region("< 0"), 0.05, True, contrary)
    assert found.outcome() == outcome
    # Where nothing is asked of rows, none is looked at.
    assert (
        Judged(fixed(1, 2, {"a": step}), region("> 0"), region("< 0"), 0.05, False, contrary).outcome() == "R"
    )


def normal(estimate, se=1.0):
    """A measure with the interval of a normal mean: wider at smaller levels."""

    def at(alpha):
        half = stats.norm.isf(alpha / 2) * se
        return Interval(estimate, estimate - half, estimate + half)

    return Measure(at, 10)


@pytest.mark.parametrize(
    "low, high, holds, fails, outcome, why",
    [
        (0.1, 1, "> 0", "< 0", "R", ""),
        (-1, -0.1, "> 0", "< 0", "N", ""),
        (-1, 0.1, "> 0", "< 0", "I", "the interval lies in neither region"),
        (0.0, 1, "> 0", "< 0", "I", "the interval lies in neither region"),
        (1.03, 1.09, "> 1.1", "< 1.02", "I", "the interval lies in neither region"),
        (-0.9, 0.9, "-1 to 1", "outside -1 to 1", "R", ""),
        (1.1, 2, "-1 to 1", "outside -1 to 1", "N", ""),
        (-2, 2, "-1 to 1", "outside -1 to 1", "I", "the interval lies in neither region"),
    ],
)
def test_an_interval_decides_where_it_lies_inside(low, high, holds, fails, outcome, why):
    found = judged(fixed(low, high), holds, fails)
    assert (found.outcome(), found.why) == (outcome, why)
    assert found.interval[1:] == (low, high)


PAIRS = [("> 0", "< 0"), ("< 0", ">= 0"), ("-1 to 1", "outside -1 to 1"), ("outside -1 to 1", "-1 to 1")]


@pytest.mark.parametrize("holds, fails", PAIRS)
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
        (-1.0, -3.0),
        (inf, -inf),
    ],
)
def test_no_broken_interval_decides(holds, fails, low, high):
    for guarded in (False, True):
        rows = {"a row": lambda alpha: Interval(nan, low, high)}
        assert judged(fixed(low, high, rows), holds, fails, guarded=guarded).outcome() == "I"
        # Nor does a row's own break what all of them together show.
        whole = {"> 0": (3, 4), "< 0": (-4, -3), "-1 to 1": (-0.5, 0.5), "outside -1 to 1": (3, 4)}[holds]
        assert judged(fixed(*whole, rows), holds, fails, guarded=guarded).outcome() == "R"


@pytest.mark.parametrize("seed", range(5))
def test_drawn_intervals_are_decided_as_a_plain_reading_of_the_regions_says(seed):
    rng = np.random.default_rng(seed)
    for _ in range(200):
        low, high = rng.choice([*rng.normal(0, 2, 4), inf, -inf, nan], 2)
        found = judged(fixed(low, high), "-1 to 1", "outside -2 to 2").outcome()
        whole = np.isfinite([low, high]).all() and low <= high
        inside, outside = low >= -1 and high <= 1, high < -2 or low > 2
        assert found == ("R" if whole and inside else "N" if whole and outside else "I")


def test_too_little_data_decides_nothing_whatever_the_interval():
    found = judged(fixed(5, 6, short="2 trials, fewer than 3"))
    assert (found.outcome(), found.why) == ("I", "2 trials, fewer than 3")
    found = judged(nothing("no cell"))
    assert (found.outcome(), found.why) == ("I", "no cell")


def test_one_dissenting_row_withholds_reproduced():
    rows = {"p = 0.1": lambda alpha: Interval(1, 0.5, 1.5), "p = 0.2": lambda alpha: Interval(-1, -1.5, -0.5)}
    guarded = judged(fixed(0.1, 1, rows), guarded=True)
    assert (guarded.outcome(), guarded.why) == ("I", "it fails at p = 0.2")
    assert judged(fixed(0.1, 1, rows)).outcome() == "R"
    # It does not turn into its opposite either, and never holds back a refutation.
    assert judged(fixed(-1, -0.1, rows), guarded=True).outcome() == "N"


def test_a_row_is_asked_at_the_level_divided_by_their_number():
    asked = []

    def row(alpha):
        asked.append(alpha)
        return Interval(1, 0.5, 1.5)

    judged(fixed(0.1, 1, {"a": row, "b": row, "c": row, "d": row}), guarded=True).outcome(2)
    assert asked == pytest.approx([0.05 / 8] * 4)


R, N, OPEN = normal(5.0), normal(-5.0), normal(0.0)
WEAK_R, WEAK_N = normal(2.1), normal(-2.1)  # decided at .05, and not at .05 / 3


@pytest.mark.parametrize(
    "parts, every, any_part",
    [
        ([R], "R", "R"),
        ([R, R, R], "R", "R"),
        ([WEAK_R, WEAK_R, WEAK_R], "R", "R"),
        ([WEAK_R, OPEN, OPEN], "I", "I"),
        ([R, OPEN, OPEN], "I", "R"),
        ([R, N, R], "N", "R"),
        ([R, WEAK_N, R], "I", "R"),
        ([N, WEAK_R, N], "N", "I"),
        ([N, OPEN, R], "N", "R"),
        ([WEAK_N, WEAK_N, WEAK_N], "N", "N"),
        ([WEAK_N], "N", "N"),
        ([OPEN, OPEN], "I", "I"),
    ],
)
def test_parts_together(parts, every, any_part):
    together = [judged(part) for part in parts]
    assert combined(together, "every") == every
    assert combined(together, "any") == any_part
    assert combined(together[::-1], "every") == every


@pytest.mark.parametrize(
    "outcomes, expected",
    [
        ("RR", "R"),
        ("NN", "N"),
        ("RN", "depends"),
        ("RI", "I"),
        ("RNI", "depends"),
        ("NI", "I"),
        ("II", "I"),
        ("R", "R"),
    ],
)
def test_readings_together(outcomes, expected):
    assert combine_readings(dict(enumerate(outcomes))) == expected


def test_a_difference_of_two_measures_adds_their_errors_as_squares():
    found = less(normal(5.0, 3.0), normal(1.0, 4.0))
    expected = normal(4.0, 5.0)
    assert found.at(0.05) == pytest.approx(expected.at(0.05))
    assert less(normal(1.0, 4.0), normal(5.0, 3.0)).at(0.05).low == pytest.approx(-expected.at(0.05).high)
    assert less(nothing("no cell"), normal(1.0)).short == "no cell"
    assert judged(less(normal(5.0), nothing("no cell"))).outcome() == "I"


def test_what_is_measured_as_a_logarithm_keeps_its_rows_and_shortness():
    rows = {"a": lambda alpha: Interval(1, 0, 2)}
    found = exponential(Measure(lambda alpha: Interval(0, -1, 1), 7, "so", rows, "few"))
    assert found.at(0.05) == pytest.approx((1, np.exp(-1), np.exp(1)))
    assert found.rows["a"](0.05) == pytest.approx((np.e, 1, np.exp(2)))
    assert (found.trials, found.detail, found.short) == (7, "so", "few")
