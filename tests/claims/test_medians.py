"""Medians at each level of an axis, which a few trials that are lost do not move far."""

import numpy as np
import pytest

from claims.drawn import outcome
from nonconvex.claims.quantities.laws import change, deviation
from nonconvex.claims.quantities.points import medians
from nonconvex.statistics.bootstrap import trial_weights

LEVELS = np.array([1.0, 2, 4, 8, 16])


def drawn(law, trials=50, spread=0.2, seed=0):
    rng = np.random.default_rng(seed)
    return np.array([[law(level)] for level in LEVELS]) * np.exp(spread * rng.standard_normal((5, trials)))


@pytest.mark.parametrize("trials", [9, 10, 50])
def test_medians_and_their_resamples_are_those_of_the_trials(trials):
    values = drawn(lambda x: x, trials)
    found = medians(values, LEVELS, 3)
    np.testing.assert_allclose(found.values, np.median(values, axis=1))
    for weights, row in zip(trial_weights(trials, 3)[:20], found.drawn, strict=False):
        resample = np.repeat(np.arange(trials), np.rint(weights * trials).astype(int))
        np.testing.assert_allclose(row, np.median(values[:, resample], axis=1))


@pytest.mark.parametrize("fill", [np.inf, np.nan])
def test_lost_trials_count_as_the_largest_and_do_not_move_the_median_far(fill):
    values = drawn(lambda x: x, 50)
    values[:, 5:9] = fill
    found = medians(values, LEVELS, 3)
    most = np.where(np.isfinite(values), values, 1e9)
    np.testing.assert_allclose(found.values, np.median(most, axis=1))
    assert np.isfinite(found.drawn).all()
    assert "at 5 of 5 levels, 20 values lost" in found.detail
    assert outcome(change(found), "> 1.1", "< 1.1") == "R"


@pytest.mark.parametrize("lost, kept", [(15, True), (24, False), (25, False), (40, False), (50, False)])
def test_a_level_where_half_of_the_trials_are_lost_is_left_out(lost, kept):
    values = drawn(lambda x: x, 50)
    values[0, :lost] = np.inf
    found = medians(values, LEVELS, 3)
    assert (1.0 in found.levels) == kept
    assert f"at {4 + kept} of 5 levels" in found.detail
    assert bool(deviation(found, "x").short) == (not kept)


@pytest.mark.parametrize("shape", [(5, 0), (0, 20), (5, 1), (5, 2)])
def test_too_little_says_nothing(shape):
    found = medians(np.ones(shape), LEVELS[: shape[0]], 3)
    for quantity in (change(found), deviation(found, "x")):
        assert quantity.short


def test_levels_without_a_finite_value_say_nothing():
    assert change(medians(np.full((5, 20), np.inf), LEVELS, 3)).short == "0 levels with a value, fewer than 2"
