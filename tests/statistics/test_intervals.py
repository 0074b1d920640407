import numpy as np
import pytest
from scipy import stats

from nonconvex.statistics.intervals import wilson


@pytest.mark.parametrize("level", [0.95, 0.99])
def test_wilson_agrees_with_scipy(level):
    for successes, trials in [(0, 5), (0, 10), (3, 10), (10, 10), (57, 100), (1, 1), (999, 1000)]:
        expected = stats.binomtest(successes, trials).proportion_ci(level, method="wilson")
        found = wilson(successes, trials, level)
        assert found == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_many_shares_at_once_are_each_as_one_alone():
    successes, trials = np.arange(6)[:, None], np.array([5, 20, 300])
    low, high = wilson(successes, trials)
    assert low.shape == high.shape == (6, 3)
    for (i, j), _ in np.ndenumerate(low):
        assert (low[i, j], high[i, j]) == wilson(int(successes[i, 0]), int(trials[j]))


def test_a_share_of_none_or_all_has_its_end_of_the_interval_there_exactly():
    trials = np.arange(1, 200)
    assert (wilson(0 * trials, trials)[0] == 0).all()
    assert (wilson(trials, trials)[1] == 1).all()
    above = wilson(0 * trials, trials)[1]
    assert ((above > 0) & (above < 1)).all()


def test_no_trials_give_no_interval():
    assert np.isnan(wilson(0, 0)).all()
    low, high = wilson(np.array([0, 2]), np.array([0, 2]))
    assert np.isnan([low[0], high[0]]).all()
    assert high[1] == 1
