"""Means and thresholds of groups of trials, within strata, and what their tables and settings are."""

import numpy as np
import pytest

from claims.drawn import outcome
from nonconvex.claims.quantities.groups import (
    FEWEST_IN_GROUP,
    chained_means,
    group_means,
    group_thresholds,
)
from nonconvex.claims.quantities.laws import change
from nonconvex.claims.quantities.points import means, thresholds

LEVELS = np.array([1.0, 2, 3])
STRATA = ["low", "high"]


@pytest.fixture
def values(rng):
    return (4 - LEVELS)[:, None] * rng.lognormal(0, 0.3, (3, 60))


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def only(values, inside):
    return np.where(inside, values, np.nan)


@pytest.mark.parametrize("geometric", [False, True])
def test_a_group_of_all_trials_has_the_means_of_all(values, geometric):
    found = group_means(values, LEVELS, 7, geometric=geometric)
    whole = means(values, LEVELS, 7, geometric=geometric)
    np.testing.assert_allclose(found.values, whole.values)
    # What resampling takes from the variance is given back.
    logs, plain = np.log(found.drawn / found.values), np.log(whole.drawn / whole.values)
    np.testing.assert_allclose(logs.std(axis=0), plain.std(axis=0) * np.sqrt(60 / 59), rtol=0.01)
    assert found.trials == 60


def test_means_are_those_of_the_group_and_others_do_not_matter(values, rng):
    inside = rng.random((3, 60)) < 0.5
    found = group_means(only(values, inside), LEVELS, 7, geometric=False)
    expected = [own[marks].mean() for own, marks in zip(values, inside, strict=True)]
    np.testing.assert_allclose(found.values, expected)
    assert found.trials == inside.sum(axis=1).min()
    se = [own[marks].std(ddof=1) / np.sqrt(marks.sum()) for own, marks in zip(values, inside, strict=True)]
    np.testing.assert_allclose(found.drawn.std(axis=0), se, rtol=0.1)


def test_a_group_of_nine_is_left_out_and_ten_are_not(values):
    inside = np.zeros((3, 60), dtype=bool)
    inside[0, :FEWEST_IN_GROUP], inside[1, : FEWEST_IN_GROUP - 1], inside[2] = True, True, True
    found = group_means(only(values, inside), LEVELS, 7, geometric=False)
    assert found.levels.tolist() == [1, 3]
    assert found.trials == FEWEST_IN_GROUP
    assert "1 of 3 levels with fewer than 10 trials" in found.detail
    none = group_means(only(values, inside[[1, 1, 1]]), LEVELS, 7, geometric=False)
    assert len(none.levels) == 0 and change(none).short


def test_a_lost_trial_counts_as_the_largest_of_its_group(values):
    inside = np.ones((3, 60), dtype=bool)
    inside[0, :20] = False
    lost = values.copy()
    lost[0, 30], lost[0, 5] = np.inf, 1e9
    filled = lost.copy()
    filled[0, 30] = values[0, 20:][np.arange(40) != 10].max()
    found, expected = (
        group_means(only(one, inside), LEVELS, 7, geometric=False).values for one in (lost, filled)
    )
    np.testing.assert_allclose(found, expected)
    all_lost = np.where(np.arange(3)[:, None] == 1, np.inf, values)
    assert group_means(all_lost, LEVELS, 7, geometric=False).levels.tolist() == [1, 3]


def stratified(rng, factor, shares, trials=400):
    """Values that change by a factor from level to level and are ten times as large in the second stratum."""
    middle = factor ** np.arange(3)[:, None] * np.array([1.0, 10.0])
    high = rng.random((3, trials)) < np.array(shares)[:, None]
    inside = np.stack([~high, high], axis=1)
    return only(middle[..., None] * rng.lognormal(0, 0.2, (3, 2, trials)), inside)


def test_levels_are_compared_within_strata(rng):
    # Ever more trials lie in the stratum of large values: without strata the means would rise.
    found = stratified(rng, 0.8, (0.1, 0.5, 0.9))
    points, alone = chained_means(found, LEVELS, 7, strata=STRATA, geometric=False)
    assert points.values == pytest.approx([1, 0.8, 0.64], rel=0.05)
    pooled = group_means(np.nanmax(found, axis=1), LEVELS, 7, geometric=False)
    assert pooled.values[-1] > 2 * pooled.values[0]
    assert list(alone) == STRATA
    assert alone["high"].values == pytest.approx([10, 8, 6.4], rel=0.1)
    assert outcome(change(points), "< 1/1.1", "> 1/1.1") == "R"


def test_one_stratum_is_a_group(values):
    points, alone = chained_means(values[:, None], LEVELS, 7, strata=["all"], geometric=True)
    whole = group_means(values, LEVELS, 7, geometric=True)
    np.testing.assert_allclose(points.values, whole.values / whole.values[0])
    np.testing.assert_allclose(alone["all"].drawn, whole.drawn)
    assert change(points).at(0.05) == pytest.approx(change(whole).at(0.05))


@pytest.mark.parametrize(
    "groups, kept",
    [
        ([(1, 0), (1, 1), (0, 1)], [1, 2, 3]),
        ([(1, 0), (0, 1), (0, 1)], [2, 3]),
        ([(1, 1), (1, 0), (0, 1)], [1, 2]),
        ([(1, 0), (0, 0), (1, 0)], [1, 3]),  # a level without any group is passed over
        ([(1, 0), (0, 1), (1, 0)], [3]),
        ([(0, 0), (0, 0), (0, 0)], []),
    ],
)
def test_levels_that_share_no_stratum_are_not_compared(values, groups, kept):
    inside = np.array(groups, dtype=bool)[:, :, None]
    points, _ = chained_means(only(values[:, None], inside), LEVELS, 7, strata=STRATA, geometric=False)
    assert points.levels.tolist() == kept
    assert bool(change(points).short) == (len(kept) < 2)


X = np.arange(0.05, 1, 0.1)


def curve(rng, places, trials=200):
    luck = rng.standard_normal((len(places), len(X), trials))
    return (X[:, None] - np.array(places)[:, None, None]) / 0.08 > luck


def test_thresholds_of_a_group_of_all_trials_are_those_of_all(rng):
    success = curve(rng, [0.3, 0.5, 0.6])
    found = group_thresholds(success.astype(float), LEVELS, X, 7, falls=False)
    whole = thresholds(success, LEVELS, X, 7, falls=False, times_level=False)
    np.testing.assert_allclose(found.values, whole.values)
    np.testing.assert_allclose(found.drawn.std(axis=0), whole.drawn.std(axis=0), rtol=0.15)


def test_thresholds_are_those_of_the_group(rng):
    success = curve(rng, [0.3, 0.5, 0.6])
    # The others succeed everywhere; and in some cells of the second level no one is in the group.
    inside = rng.random((3, 1, 200)) < 0.4
    marks = only(success, np.broadcast_to(inside, success.shape))
    marks[1, 7:] = np.nan
    found = group_thresholds(marks, LEVELS, X, 7, falls=False)
    assert found.values == pytest.approx([0.3, 0.5, 0.6], abs=0.03)
    marks[1, 3:] = np.nan
    found = group_thresholds(marks, LEVELS, X, 7, falls=False)
    assert found.levels.tolist() == [1, 3]
    assert "1 of 3 levels without a crossing in the group" in found.detail
    few = np.where(np.arange(200) < 9, success, np.nan)
    assert len(group_thresholds(few, LEVELS, X, 7, falls=False).levels) == 0
