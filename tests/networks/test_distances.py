import numpy as np
import pytest

from nonconvex.networks.distances import align, aligned_error, relative_error, spectral_error


@pytest.fixture
def pair():
    rng = np.random.default_rng(0)
    truth = rng.standard_normal((6, 3))
    return truth[:, [2, 0, 1]] + 0.01 * rng.standard_normal((6, 3)), truth


def test_one_pair_and_many_give_the_same(pair):
    weights, truth = pair
    for error in (relative_error, spectral_error, aligned_error):
        one, many = error(weights, truth), error(weights[None], truth[None])
        assert np.shape(one) == ()
        np.testing.assert_array_equal(many, [one])


def test_the_aligned_error_is_that_of_the_nearest_order(pair):
    weights, truth = pair
    assert aligned_error(weights, truth) == relative_error(align(weights, truth), truth)
    assert aligned_error(weights, truth) < 0.03 < relative_error(weights, truth)
    # Neurons with other output weights keep their places.
    assert aligned_error(weights, truth, [1, 1, -1]) > 0.03


@pytest.mark.parametrize("error", [relative_error, spectral_error, aligned_error])
def test_matrices_of_other_shapes_are_refused(error, pair):
    weights, truth = pair
    for other in (truth[:5], truth[:, :2], truth[0]):
        with pytest.raises(ValueError, match="hold matrices"):
            error(weights, other)
