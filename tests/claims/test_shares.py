"""Shares, differences of shares, even decay: what they say, and when they say nothing."""

import numpy as np
import pytest
from scipy import stats

from claims.drawn import outcome
from nonconvex.claims.quantities.decay import even_decay
from nonconvex.claims.quantities.shares import difference_of_shares, share


def marks(*counts, trials=20):
    """Cells in which the first trials meet the condition."""
    return np.arange(trials) < np.array(counts, dtype=int)[:, None]


@pytest.mark.parametrize("alpha", [0.05, 0.0079])
@pytest.mark.parametrize("k, n", [(0, 10), (10, 10), (7, 10), (20, 20), (55, 100)])
def test_a_share_of_one_cell_is_the_exact_one(k, n, alpha):
    expected = stats.binomtest(k, n).proportion_ci(1 - alpha, method="exact")
    found = share(marks(k, trials=n)).at(alpha)
    assert found == pytest.approx((k / n, expected.low, expected.high), abs=1e-12)


def test_a_share_of_several_cells_is_that_of_whole_trials():
    # All cells say the same of each trial: three cells tell no more than one.
    assert share(marks(7, 7, 7)).at(0.05) == share(marks(7)).at(0.05)
    found = share(np.random.default_rng(0).random((6, 100)) < 0.4)
    narrow, one = found.at(0.05), share(marks(40, trials=100)).at(0.05)
    assert narrow.high - narrow.low < 0.55 * (one.high - one.low)
    assert "in 6 cells, 100 trials each; in a cell" in found.detail


@pytest.mark.parametrize(
    "k, n, decided",
    [
        (20, 20, "R"),
        (18, 20, "I"),
        (10, 20, "I"),
        (5, 20, "N"),
        (10, 10, "I"),
        (30, 30, "R"),
        (3, 3, "I"),
        (1, 1, "I"),
    ],
)
def test_what_counts_of_successes_decide(k, n, decided):
    assert outcome(share(marks(k, trials=n)), "> 0.75", "< 0.5") == decided


@pytest.mark.parametrize("shape", [(0, 20), (3, 0)])
def test_no_cell_and_no_trial_say_nothing(shape):
    none = np.zeros(shape, dtype=bool)
    for found in (share(none), difference_of_shares(none, none)):
        assert found.short
        assert outcome(found, "< 2", "> 2") == "I"


def test_one_cell_of_another_share_withholds_all_cells():
    names = ["p = 0.1", "p = 0.2", "p = 0.3", "p = 0.4"]
    found = share(marks(0, 0, 0, 10), names)
    assert outcome(found, "< 0.15", "> 0.15", guarded=True) == "I"
    assert list(found.rows) == names
    assert outcome(share(marks(0, 0, 0, 0), names), "< 0.15", "> 0.15", guarded=True) == "I"
    assert outcome(share(marks(0, 0, 0, 0, trials=30), names), "< 0.15", "> 0.15", guarded=True) == "R"


def pair(seed=0, cells=6, trials=100, good=0.6, other=0.4):
    rng = np.random.default_rng(seed)
    a, b = rng.random((cells, trials)) < good, rng.random((cells, trials)) < other
    return a & ~b, b & ~a


def test_a_difference_is_that_of_the_two_shares():
    more, less = pair()
    found = difference_of_shares(more, less).at(0.05)
    assert found.estimate == pytest.approx(more.mean() - less.mean())
    each = more.mean(axis=0) - less.mean(axis=0)
    plain = stats.ttest_1samp(each, 0).confidence_interval(0.95)
    assert found[1:] == pytest.approx((plain.low, plain.high), abs=0.01)


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_exchanged_sides_mirror(seed, mixed):
    more, less = pair(seed, 3, 12)
    there, back = (
        difference_of_shares(*sides, mixed=mixed).at(0.02) for sides in ((more, less), (less, more))
    )
    assert (back.estimate, back.low, back.high) == pytest.approx((-there.estimate, -there.high, -there.low))


def test_over_the_cells_where_the_sides_differ_or_over_all():
    more = marks(20, 20, 0, 0)
    found = difference_of_shares(more, np.zeros_like(more), ["a", "b", "c", "d"], mixed=True)
    assert found.at(0.05).estimate == 1
    assert list(found.rows) == ["a", "b"]
    found = difference_of_shares(more, np.zeros_like(more), ["a", "b", "c", "d"])
    assert found.at(0.05).estimate == 0.5
    assert "40 pairs for, 0 against, of 80; 2 of 4 cells have any" in found.detail


def test_sides_that_never_differ():
    none = np.zeros((5, 100), dtype=bool)
    assert difference_of_shares(none, none, mixed=True).short == "the sides never differ"
    found = difference_of_shares(none, none)
    assert outcome(found, "> 0", "< 0") == "I"
    assert outcome(found, "-0.1 to 0.1", "outside -0.1 to 0.1") == "R"
    assert (
        outcome(difference_of_shares(none[:, :10], none[:, :10]), "-0.1 to 0.1", "outside -0.1 to 0.1") == "I"
    )


def test_a_clearly_reversed_cell_is_not_reproduced_in_every_cell():
    """Eleven cells gain .3, and one loses .6: the mean gain is large, and the statement is not true."""
    rng = np.random.default_rng(1)
    more, less = rng.random((12, 100)) < 0.3, np.zeros((12, 100), dtype=bool)
    more[4], less[4] = False, rng.random(100) < 0.6
    found = difference_of_shares(more, less, [f"cell {k}" for k in range(12)])
    assert outcome(found, "> 0", "< 0") == "R"
    assert outcome(found, "> 0", "< 0", guarded=True) == "I"


@pytest.mark.parametrize("seed", range(10))
def test_a_gap_at_the_border_of_slightly_more_is_open(seed):
    """The true difference is 0, or .1, the ends of "slightly more": .05 of all runs may say otherwise."""
    for border in (0.0, 0.1):
        rng = np.random.default_rng(seed)
        luck = rng.random((1, 100))
        more, less = luck < 0.1 + border, (luck > 0.8) & (luck < 0.9)
        assert outcome(difference_of_shares(more, less), "0 to 0.1", "outside 0 to 0.1") == "I"


def test_a_share_that_is_never_decided_against_the_truth_at_one_trial():
    one = np.ones((4, 1), dtype=bool)
    assert outcome(share(one), "> 0.5", "< 0.5") == "I"
    assert outcome(difference_of_shares(one, ~one), "> 0", "< 0") == "I"


EVEN = np.array([[100.0], [150], [205], [250]])


def decay(reached, ended, cells=1, trials=40):
    reached = np.repeat(np.repeat(reached[:, None], cells, axis=1), trials, axis=2)
    return even_decay(reached, np.full((cells, trials), ended))


def test_decades_that_take_alike_are_even():
    assert outcome(decay(EVEN, False), "> 0.75", "< 0.5") == "R"
    uneven = np.array([[100.0], [110], [150], [310]])
    assert outcome(decay(uneven, False), "> 0.75", "< 0.5") == "N"
    at_once = np.array([[1.0], [1], [1], [1]])
    assert outcome(decay(at_once, False), "> 0.75", "< 0.5") == "R"


def test_a_cap_before_the_last_decade_says_neither_and_a_divergence_does():
    capped = EVEN.copy()
    capped[3] = np.nan
    found = decay(capped, False)
    assert outcome(found, "> 0.75", "< 0.5") == "I"
    assert found.at(0.05)[1:] == (0, 1)
    assert "40 at the cap before 1e-5" in found.detail
    assert outcome(decay(capped, True), "> 0.75", "< 0.5") == "N"


def test_even_decay_needs_trials():
    assert outcome(decay(EVEN, False, trials=3), "> 0.75", "< 0.5") == "I"
    assert even_decay(np.empty((4, 0, 20)), np.empty((0, 20), dtype=bool)).short
