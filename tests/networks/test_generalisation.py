"""The closed form of the test error, beside samples."""

import numpy as np
import pytest

from nonconvex.networks import population_risk


def sampled(weights, truth, n, rng):
    x = rng.standard_normal((n, len(truth)))
    difference = np.maximum(x @ weights, 0).mean(axis=1) - np.maximum(x @ truth, 0).mean(axis=1)
    squares = difference**2
    return squares.mean(), squares.std() / np.sqrt(n)


def test_risk_is_what_samples_say(rng):
    for scale in (0.01, 0.3, 1.0, 3.0):
        truth = rng.standard_normal((7, 3))
        weights = truth + scale * rng.standard_normal((7, 3))
        mean, error = sampled(weights, truth, 100_000, rng)
        assert population_risk(weights, truth) == pytest.approx(mean, abs=4 * error)


def test_one_neuron_in_one_dimension_is_known():
    # E relu(ax)^2 = a^2/2; relu(x) and relu(-x) are never both positive.
    assert population_risk([[3.0]], [[1.0]]) == pytest.approx(2.0)
    assert population_risk([[-3.0]], [[1.0]]) == pytest.approx(5.0)
    assert population_risk([[0.0]], [[1.0]]) == pytest.approx(0.5)


def test_equal_networks_have_no_risk_whatever_their_order(rng):
    truth = rng.standard_normal((20, 5))
    assert population_risk(truth, truth) < 1e-14
    assert population_risk(truth[:, ::-1], truth) < 1e-14
    # Two halves of a neuron are the neuron.
    assert population_risk(np.repeat(truth, 2, axis=1), truth) < 1e-14


def test_small_distances_are_told_from_none(rng):
    truth = rng.standard_normal((20, 5))
    direction = rng.standard_normal((20, 5))
    risks = [population_risk(truth + t * direction, truth) for t in (1e-2, 1e-3, 1e-4)]
    assert risks[0] / risks[1] == pytest.approx(100, rel=0.05)
    assert risks[1] / risks[2] == pytest.approx(100, rel=0.01)


def test_batches_broadcast_and_agree_with_single_networks(rng):
    weights, truth = rng.standard_normal((2, 3, 6, 4)), rng.standard_normal((3, 6, 2))
    found = population_risk(weights, truth)
    assert found.shape == (2, 3)
    assert found[1, 2] == population_risk(weights[1, 2], truth[2])
    assert np.isnan(population_risk(np.full((6, 2), np.nan), truth[0]))


def test_matrices_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"n_features, got \(3, 2\) and \(4, 2\)"):
        population_risk(np.ones((3, 2)), np.ones((4, 2)))
    with pytest.raises(ValueError, match="must hold matrices"):
        population_risk(np.ones(3), np.ones((3, 2)))
