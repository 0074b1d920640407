import numpy as np
import pytest

from nonconvex.statistics.bootstrap import inflation, interval, judging_seed, trial_weights


def test_weights_are_those_of_whole_trials_and_depend_on_nothing_but_the_seed():
    seed = judging_seed("C001", "mode 1")
    weights = trial_weights(30, seed)
    assert weights.shape == (2000, 30)
    assert weights.sum(axis=1) == pytest.approx(np.ones(2000))
    np.testing.assert_array_equal(weights, trial_weights(30, seed))
    assert (weights != trial_weights(30, judging_seed("C001", "mode 2"))).any()


def test_an_interval_of_a_mean_is_about_that_of_students_t():
    values = np.random.default_rng(0).standard_normal(20)
    low, high, se = interval(trial_weights(20, 1) @ values, values.mean(), 20)
    expected = values.std(ddof=1) / np.sqrt(20)
    assert se == pytest.approx(expected, rel=0.05)
    assert (high - low) / 2 == pytest.approx(2.093 * expected, rel=0.05)


def test_few_trials_widen_an_interval_and_one_has_none():
    assert inflation(5) > inflation(100) > 1
    assert interval(np.ones(9), 1.0, 1) == (-np.inf, np.inf, np.inf)
    low, high, se = interval(np.ones(9), 1.0, 10, smallest_se=0.1)
    assert (low, high, se) == pytest.approx((1 - 0.2262, 1 + 0.2262, 0.1), abs=1e-4)
