"""How far values go over some levels, beside how far over others."""

import numpy as np
import pytest

from claims.drawn import outcome
from nonconvex.claims.quantities.points import means
from nonconvex.claims.quantities.ranges import ratio_of_ranges

LEVELS = np.array([0.25, 0.5, 0.75, 1.0])
HOLDS, FAILS = "<= 0.2", "> 0.2"


def points(middle, trials=50, spread=0.02, seed=0, shared=0.0, levels=LEVELS):
    rng = np.random.default_rng(seed)
    noise = spread * rng.standard_normal((len(middle), trials)) + shared * rng.standard_normal((1, trials))
    return means(np.asarray(middle)[:, None] + noise, levels[: len(middle)], 3, geometric=False)


FALLS = [1.0, 0.9, 0.75, 0.5]


@pytest.mark.parametrize(
    "here, expected", [([1.0, 1.0, 1.01, 1.0], "R"), ([1.0, 0.9, 1.1, 1.0], "N"), (FALLS, "N")]
)
def test_almost_constant_is_a_small_part_of_the_change_elsewhere(here, expected):
    found = ratio_of_ranges(points(here), points(FALLS, seed=1))
    assert outcome(found, HOLDS, FAILS) == expected
    exact = ratio_of_ranges(points(here, spread=0), points(FALLS, spread=0)).at(0.05)
    assert exact.estimate == pytest.approx(np.ptp(here) / 0.5)
    assert exact.low == pytest.approx(exact.high, rel=1e-6)


def test_what_a_trial_has_at_all_levels_is_no_range():
    low, high = ratio_of_ranges(points([1.0] * 4, shared=0.3), points(FALLS, shared=0.3)).at(0.05)[1:]
    assert low == 0
    assert high < 0.1


def test_where_nothing_changes_for_certain_nothing_is_decided():
    flat = points([1.0] * 4, spread=0.3)
    found = ratio_of_ranges(flat, flat)
    assert found.at(0.05).high == np.inf
    assert outcome(found, HOLDS, FAILS) == "I"


@pytest.mark.parametrize("trials", [1, 2])
def test_few_trials_or_levels_say_nothing(trials):
    assert "fewer than 3" in ratio_of_ranges(points(FALLS, trials), points(FALLS, 50)).short
    assert ratio_of_ranges(points(FALLS), points([1.0])).short == "1 levels with a value, fewer than 2"
