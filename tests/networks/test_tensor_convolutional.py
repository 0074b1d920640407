import numpy as np
import pytest
from networks.tensor_problems import aligned_error, best_order, convolutional

from nonconvex.networks.tensor.convolutional import tensor_initialisation
from nonconvex.networks.tensor.moments import first_moment, fourth_moment, second_moment
from nonconvex.networks.tensor.polish import MomentFit
from nonconvex.networks.tensor.start import TensorStart, renumber


@pytest.mark.parametrize("mixed", [False, True])
def test_start_is_local_and_v_exact_at_20000_samples(mixed):
    """All of 20 such trials are within .5, with a median of .07; eight are run here."""
    for seed in range(8):
        x, y, weights, v = convolutional(seed, 20_000, mixed=mixed)
        start = tensor_initialisation(x, y, 3, rng=np.random.default_rng(seed))
        assert start.weights.shape == weights.shape
        assert aligned_error(start.weights, weights) < 0.5
        np.testing.assert_array_equal(start.second_layer[best_order(start.weights, weights)], v)


def test_error_falls_with_the_samples_and_bears_noise():
    errors = {}
    for n_samples in (4_000, 64_000):
        x, y, weights, _ = convolutional(3, n_samples)
        y = y + 0.1 * y.std() * np.random.default_rng(9).standard_normal(n_samples)
        start = tensor_initialisation(x, y, 3, positive=True, rng=np.random.default_rng(3))
        errors[n_samples] = aligned_error(start.weights, weights)
    assert errors[64_000] < 0.5 * errors[4_000]
    assert errors[64_000] < 0.1


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_gained_by_starting_the_fit_at_the_truth(seed):
    """The error left is the moments' own: the search over decompositions finds the best fit."""
    x, y, weights, v = convolutional(seed, 5_000, mixed=True)
    start = tensor_initialisation(x, y, 3, rng=np.random.default_rng(seed))
    patches = x.reshape(-1, 10)
    sample_weights = np.repeat(y - y.mean(), 5) / len(patches)
    basis = np.linalg.qr(start.weights)[0]
    reduced = patches @ basis
    fit = MomentFit(
        {
            0: np.array(y.mean() / 5),
            1: first_moment(reduced, sample_weights),
            2: second_moment(reduced, sample_weights),
            4: fourth_moment(reduced, sample_weights),
        }
    )
    _, from_truth = fit.polish(basis.T @ weights, v)
    _, from_start = fit.polish(basis.T @ start.weights, start.second_layer)
    assert from_start <= from_truth * (1 + 1e-6)


def test_renumbered_neurons_keep_their_output_weights():
    truth = np.random.default_rng(0).standard_normal((5, 4))
    v, order = np.array([1.0, -1.0, 1.0, -1.0]), [2, 0, 3, 1]
    ordered = renumber(TensorStart(1.1 * truth[:, order], v[order]), truth)
    np.testing.assert_array_equal(ordered.weights, 1.1 * truth)
    np.testing.assert_array_equal(ordered.second_layer, v)


def test_units_of_y_only_scale_the_weights():
    x, y, _, _ = convolutional(1, 3_000)
    start = tensor_initialisation(x, y, 3, rng=np.random.default_rng(0))
    larger = tensor_initialisation(x, 2.0**20 * y, 3, rng=np.random.default_rng(0))
    np.testing.assert_array_equal(larger.weights, 2.0**20 * start.weights)


def test_one_neuron_and_as_many_neurons_as_inputs():
    for n_neurons, d in ((1, 4), (3, 3)):
        x, y, weights, _ = convolutional(5, 30_000, n_neurons, d)
        start = tensor_initialisation(x, y, n_neurons, rng=np.random.default_rng(1))
        assert aligned_error(start.weights, weights) < 0.5


def test_few_samples_give_a_bounded_start():
    """Near-singular decompositions must not give neurons 1e2 times too long."""
    for seed in range(4):
        x, y, weights, _ = convolutional(seed, 60)
        start = tensor_initialisation(x, y, 3, rng=np.random.default_rng(seed))
        assert np.linalg.norm(start.weights) < 10 * np.linalg.norm(weights)
        assert set(np.abs(start.second_layer)) == {1.0}


def test_known_second_layer_is_kept():
    x, y, _, _ = convolutional(2, 100)
    start = tensor_initialisation(x, y, 3, positive=True, rng=np.random.default_rng(2))
    np.testing.assert_array_equal(start.second_layer, np.ones(3))


def test_the_generator_decides():
    x, y, _, _ = convolutional(7, 500)
    first, again = (tensor_initialisation(x, y, 3, rng=np.random.default_rng(4)) for _ in range(2))
    np.testing.assert_array_equal(first.weights, again.weights)
