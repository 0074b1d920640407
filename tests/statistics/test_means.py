"""Intervals of means over trials, against scipy's and by simulation."""

import numpy as np
import pytest
from scipy import stats

from nonconvex.statistics.means import clopper_pearson, effective_trials, share, share_difference, student


@pytest.mark.parametrize("n", [3, 10, 100])
@pytest.mark.parametrize("alpha", [0.05, 0.008])
def test_students_interval_is_scipys(n, alpha):
    values = np.random.default_rng(n).standard_normal(n) + 2
    expected = stats.ttest_1samp(values, 0).confidence_interval(1 - alpha)
    assert student(values, alpha) == pytest.approx((values.mean(), expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_trials_have_infinite_ends(n):
    mean, low, high = student(np.ones(n), 0.05)
    assert (low, high) == (-np.inf, np.inf)
    assert np.isnan(mean) == (n == 0)


def test_equal_values_are_known_to_the_least_error():
    assert student(np.full(5, 2.0), 0.05) == (2, 2, 2)
    mean, low, high = student(np.full(5, 2.0), 0.05, least_se=0.1)
    assert (mean, high - mean, mean - low) == pytest.approx((2, 0.27764, 0.27764), abs=1e-4)


@pytest.mark.parametrize("alpha", [0.05, 0.008])
@pytest.mark.parametrize("k, n", [(0, 10), (10, 10), (3, 10), (57, 100), (1, 1), (0, 1), (29, 30)])
def test_the_exact_interval_is_scipys(k, n, alpha):
    expected = stats.binomtest(k, n).proportion_ci(1 - alpha, method="exact")
    assert clopper_pearson(k, n, alpha) == pytest.approx((expected.low, expected.high), abs=1e-12)
    if n > 1:  # one cell per trial
        values = (np.arange(n) < k).astype(float)
        assert share(values, alpha) == pytest.approx((k / n, expected.low, expected.high), abs=1e-12)


def test_a_share_mirrors_when_success_and_failure_are_exchanged():
    values = np.random.default_rng(0).integers(0, 5, 30) / 4
    mean, low, high = share(values, 0.05)
    assert share(1 - values, 0.05) == pytest.approx((1 - mean, 1 - high, 1 - low), abs=1e-9)


def test_no_trial_says_nothing():
    assert share(np.empty(0), 0.05)[1:] == (-np.inf, np.inf)
    assert share_difference(np.empty(0), np.empty(0), 0.05)[1:] == (-np.inf, np.inf)


def test_cells_that_copy_one_another_count_once():
    one = (np.random.default_rng(1).random(60) < 0.4).astype(float)
    copies = np.tile(one, (8, 1)).mean(axis=0)
    assert effective_trials(copies, 0.05) == 60
    assert share(copies, 0.05) == share(one, 0.05)


def test_independent_cells_count_as_about_so_many_trials():
    rng = np.random.default_rng(2)
    found = [effective_trials((rng.random((8, 100)) < 0.4).mean(axis=0), 0.05) for _ in range(200)]
    # Estimating the variance from 100 trials costs a few per cent.
    assert np.median(found) == pytest.approx(800, rel=0.08)


@pytest.mark.parametrize("fill", [0.0, 1.0])
def test_where_all_trials_agree_a_trial_with_many_cells_counts_once(fill):
    low, high = share(np.full(20, fill), 0.05)[1:]
    assert (low, high) == pytest.approx((0.0, 0.1684) if fill == 0 else (0.8316, 1.0), abs=1e-4)


@pytest.mark.parametrize("n", [1, 2, 10, 20, 25, 100])
@pytest.mark.parametrize("value", [0.1, 0.3, 1 / 3, 0.5, 0.7, 0.8])
def test_the_same_share_in_each_trial_is_not_known_without_error(value, n):
    """The mean of equal numbers is that number but for rounding; so they had a variance of 1e-32."""
    values = np.full(n, value)
    assert share(values, 0.05)[1:] == pytest.approx(clopper_pearson(n * value, n, 0.05))
    assert effective_trials(values, 0.05) == 0
    _, low, high = share_difference(values, np.full(n, 1 / 7), 0.05)
    assert low < value - 1 / 7 - 0.03
    assert high > value - 1 / 7 + 0.03


@pytest.mark.parametrize("seed", range(20))
def test_a_difference_mirrors_when_the_sides_are_exchanged(seed):
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, 3, (rng.integers(1, 5), 12))
    more, less = (drawn == 0).mean(axis=0), (drawn == 1).mean(axis=0)
    difference, low, high = share_difference(more, less, 0.03)
    assert share_difference(less, more, 0.03) == pytest.approx((-difference, -high, -low))
    assert -1 <= low <= difference <= high <= 1
    assert difference == pytest.approx(more.mean() - less.mean())


def test_where_no_trial_is_against_a_difference_is_a_share():
    more = (np.arange(20) < 8).astype(float)
    _, low, high = share_difference(more, np.zeros(20), 0.05)
    whole = share(more, 0.05)
    # The share of trials against may be above 0 as well, which only takes away from the lower end.
    assert low < whole[1]
    assert high == pytest.approx(whole[2], abs=0.01)


def test_equal_sides_have_an_interval_around_zero():
    difference, low, high = share_difference(np.zeros(10), np.zeros(10), 0.05)
    assert difference == 0
    assert low == pytest.approx(-high)
    assert high > 0.2


SHARES = [0.05, 0.5, 0.97]


@pytest.mark.parametrize("n", [5, 10, 100])
@pytest.mark.parametrize("truth", SHARES)
def test_a_share_of_one_cell_is_covered(n, truth):
    rng = np.random.default_rng(n)
    hits = 0
    for _ in range(400):
        _, low, high = share((rng.random(n) < truth).astype(float), 0.05)
        hits += low <= truth <= high
    assert hits >= stats.binom.ppf(0.001, 400, 0.95)


@pytest.mark.parametrize("correlated", [True, False])
@pytest.mark.parametrize("n", [10, 50])
def test_a_share_of_many_cells_is_covered(n, correlated):
    """Cells with chances of their own; a trial's luck may be that of all its cells."""
    rng = np.random.default_rng(3)
    chances = np.array([0.2, 0.5, 0.6, 0.9])
    hits = 0
    for _ in range(400):
        luck = np.repeat(rng.random((1, n)), 4, axis=0) if correlated else rng.random((4, n))
        _, low, high = share((luck < chances[:, None]).mean(axis=0), 0.05)
        hits += low <= chances.mean() <= high
    assert hits >= stats.binom.ppf(0.001, 400, 0.95)


@pytest.mark.parametrize("p, q", [(0.0, 0.0), (0.2, 0.2), (0.3, 0.1), (0.9, 0.05), (0.1, 0.0)])
@pytest.mark.parametrize("n", [10, 50])
def test_a_difference_is_covered(n, p, q):
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(400):
        luck = rng.random((3, n))
        _, low, high = share_difference(
            (luck < p).mean(axis=0), ((luck >= p) & (luck < p + q)).mean(axis=0), 0.05
        )
        hits += low <= p - q <= high
    assert hits >= stats.binom.ppf(0.001, 400, 0.95)


@pytest.mark.parametrize("n", [3, 10])
def test_a_mean_is_covered(n):
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(400):
        _, low, high = student(rng.standard_normal(n), 0.05)
        hits += low <= 0 <= high
    assert hits >= stats.binom.ppf(0.001, 400, 0.95)
