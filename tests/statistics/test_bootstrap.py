import numpy as np
import pytest

from nonconvex.statistics.bootstrap import judging_seed, trial_weights


def test_weights_are_those_of_whole_trials_and_depend_on_nothing_but_the_seed():
    seed = judging_seed("C001", "mode 1")
    weights = trial_weights(30, seed)
    assert weights.shape == (2000, 30)
    assert weights.sum(axis=1) == pytest.approx(np.ones(2000))
    np.testing.assert_array_equal(weights, trial_weights(30, seed))
    assert (weights != trial_weights(30, judging_seed("C001", "mode 2"))).any()
