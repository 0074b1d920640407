"""Spreads among trials, the place of a fall, and numbers that no trial changes."""

import numpy as np
import pytest
from scipy import stats

from claims.drawn import outcome
from nonconvex.claims.quantities.numbers import extremes, median
from nonconvex.claims.quantities.points import means
from nonconvex.claims.quantities.spreads import relative_spread, spreads_in_band, steepest_fall

X = np.array([0.5, 1, 1.5, 2, 4])


def drawn(spread, levels=3, trials=40, seed=5):
    return 1 + spread * np.random.default_rng(seed).standard_normal((levels, trials))


def test_a_spread_is_the_standard_deviation_over_the_mean_at_the_widest_level():
    values = np.vstack([drawn(0.05, 2), drawn(0.2, 1, seed=6)])
    found = relative_spread(values).at(0.05)
    assert found.estimate == pytest.approx(values[2].std(ddof=1) / values[2].mean())
    alone = relative_spread(values[2:]).at(0.05)
    assert found.low <= alone.low
    assert found.high == pytest.approx(alone.high, rel=0.01)


@pytest.mark.parametrize("spread, decided", [(0.1, "R"), (0.35, "I"), (0.9, "N")])
def test_trials_that_vary_slightly(spread, decided):
    assert outcome(relative_spread(drawn(spread)), "<= 0.25", "> 0.5") == decided


def test_one_level_that_varies_much_is_enough():
    values = np.vstack([drawn(0.05, 3, 100), drawn(0.9, 1, 100, seed=6)])
    assert outcome(relative_spread(values), "<= 0.25", "> 0.5") == "N"


@pytest.mark.parametrize("moving, none", [(0, True), (1, True), (2, False)])
def test_a_level_that_rests_on_one_trial_decides_nothing(moving, none):
    alone = np.zeros((1, 20))
    alone[0, :moving] = 1
    found = relative_spread(np.vstack([drawn(0.05, 2, 20), alone]))
    assert bool(found.short) == none
    assert outcome(found, "<= 0.25", "> 0.5") == ("I" if none else "N")


@pytest.mark.parametrize(
    "spreads, outcomes", [([0.05] * 6, "R"), ([0.05] * 5 + [0.4], "R"), ([0.05] * 3 + [0.4] * 3, "N")]
)
def test_spreads_in_a_band_are_counted(spreads, outcomes):
    values = np.vstack([drawn(one, 1, 200, seed) for seed, one in enumerate(spreads)])
    found = spreads_in_band(values, (0.03, 0.08))
    assert found.at(0.05) == pytest.approx((np.mean(np.array(spreads) < 0.3),) * 3)
    assert outcome(found, ">= 0.8", "< 0.8") == outcomes
    # With few trials a spread near the edge may lie on both sides of it.
    near = spreads_in_band(np.vstack([drawn(0.07, 1, 20, seed) for seed in range(6)]), (0.03, 0.08))
    assert near.at(0.05).low == 0 and near.at(0.05).high == 1


def test_a_band_counts_what_is_lost_as_the_largest():
    values = drawn(0.05, 1, 50)
    lost = np.where(np.arange(50) == 7, np.inf, values)
    filled = np.where(np.arange(50) == 7, np.delete(values, 7).max(), values)
    assert spreads_in_band(lost, (0, 1)).detail == spreads_in_band(filled, (0, 1)).detail
    assert spreads_in_band(np.full((2, 10), np.inf), (0, 1)).short


def test_what_has_no_spread_or_no_trials():
    assert outcome(relative_spread(np.ones((3, 20))), "<= 0.25", "> 0.5") == "R"
    for none in (
        np.zeros((2, 10)),
        drawn(0.1, 0),
        drawn(0.1, 3, 4),
        np.full((2, 10), np.nan),
        np.full((2, 10), np.inf),
        np.full((2, 10), -1.0),
    ):
        assert relative_spread(none).short
        assert outcome(relative_spread(none), "<= 0.25", "> 0.5") == "I"


@pytest.mark.parametrize("trials", [10, 40])
def test_a_spread_is_covered(trials):
    hits = 0
    for seed in range(200):
        _, low, high = relative_spread(drawn(0.2, 1, trials, seed)).at(0.05)
        hits += low <= 0.2 <= high
    assert hits >= stats.binom.ppf(0.001, 200, 0.92)  # the jackknife's error of a deviation is rough


def fall(middle, trials=30, spread=0.1):
    noise = np.exp(spread * np.random.default_rng(5).standard_normal((len(X), trials)))
    return steepest_fall(means(np.array(middle)[:, None] * noise, X, 3, geometric=True))


def test_the_fall_is_where_it_is_steepest():
    found = fall([1, 1, 0.1, 0.08, 0.03])
    assert found.at(0.05) == pytest.approx((np.sqrt(1.5), 1.0, 1.5))
    assert outcome(found, "0.8 to 1.7", "outside 0.8 to 1.7") == "R"
    assert outcome(found, "2 to 4", "outside 2 to 4") == "N"
    assert outcome(found, "1.2 to 4", "outside 1.2 to 4") == "I"


def test_two_falls_alike_leave_open_where_it_is():
    found = fall([1, 0.25, 0.25, 0.25, 0.0625], spread=0.3)
    assert found.at(0.05).low == 0.5
    assert found.at(0.05).high == 4


def test_a_fall_needs_levels_and_trials():
    assert fall([1, 1, 0.1, 0.08, 0.03], trials=4).short == "5 levels and 4 trials; 3 and 5 are needed"
    two = means(np.ones((2, 10)), X[:2], 1, geometric=True)
    assert steepest_fall(two).short


def test_every_value_lies_between_the_least_and_the_largest():
    values = np.array([0.3, -0.5, 0.2])
    assert extremes(values).at(0.05) == (0.2, -0.5, 0.3)
    assert [extremes(values, pick).at(0.05)[1:] for pick in ("least", "largest", "largest size")] == [
        (-0.5, -0.5),
        (0.3, 0.3),
        (0.5, 0.5),
    ]
    assert outcome(extremes(values), "-1 to 1", "outside -1 to 1") == "R"
    assert outcome(extremes(values), "0 to 1", "outside 0 to 1") == "I"
    assert outcome(extremes(values + 5), "0 to 1", "outside 0 to 1") == "N"
    assert outcome(extremes(values, "largest"), "<= 0.01", "> 0.05") == "N"


@pytest.mark.parametrize("values", [[], [np.nan], [1.0, np.nan], [1.0, np.inf]])
def test_a_number_that_is_none_decides_nothing(values):
    for pick in ("all", "least", "largest", "largest size"):
        found = extremes(np.array(values), pick)
        assert found.short
        assert outcome(found, "> 0", "<= 0") == "I"


def test_what_is_shown_for_context():
    values = np.array([[1.0, 2, 3, np.inf, np.nan]])
    found = median(values, 2.5)
    assert found.at(0.05) == (2, 1.5, 2.5)
    assert found.detail == "median and quartiles of 3 values; the thesis states 2.5"
    assert median(values, None).detail == "median and quartiles of 3 values"
    assert median(values[:, 3:], None).short
