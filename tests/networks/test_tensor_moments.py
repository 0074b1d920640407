import numpy as np
import pytest
from networks.tensor_problems import relu, sigmoid

import nonconvex.networks.tensor.moments as tensor_moments
from nonconvex.networks.tensor.hermite import hermite, hermite_coefficient, relu_coefficient
from nonconvex.networks.tensor.moments import first_moment, fourth_moment, second_moment, third_moment


def hermite_tensor(h, order):
    """Entry by entry: the product over the coordinates of He of how often each occurs."""
    result = np.empty((len(h),) * order)
    for place in np.ndindex(*result.shape):
        counts = np.bincount(place, minlength=len(h))
        result[place] = np.prod([hermite(count, value) for count, value in zip(counts, h, strict=True)])
    return result


def by_order(order):
    return (None, first_moment, second_moment, third_moment, fourth_moment)[order]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("d", [1, 3])
def test_moments_are_weighted_sums_of_hermite_tensors(order, d):
    rng = np.random.default_rng(order)
    inputs, weights = rng.standard_normal((5, d)), rng.standard_normal(5)
    expected = sum(w * hermite_tensor(h, order) for h, w in zip(inputs, weights, strict=True))
    np.testing.assert_allclose(by_order(order)(inputs, weights), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("order", [2, 3, 4])
def test_the_moment_of_reduced_inputs_is_the_contracted_moment(order):
    rng = np.random.default_rng(3)
    inputs, weights = rng.standard_normal((7, 4)), rng.standard_normal(7)
    basis = np.linalg.qr(rng.standard_normal((4, 2)))[0]
    whole = by_order(order)(inputs, weights)
    for _ in range(order):
        whole = np.tensordot(whole, basis, axes=(0, 0))
    np.testing.assert_allclose(by_order(order)(inputs @ basis, weights), whole, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("order", [2, 3, 4])
def test_chunks_add_up(order, monkeypatch):
    rng = np.random.default_rng(4)
    inputs, weights = rng.standard_normal((50, 4)), rng.standard_normal(50)
    whole = by_order(order)(inputs, weights)
    monkeypatch.setattr(tensor_moments, "_CHUNK", 70)
    np.testing.assert_allclose(by_order(order)(inputs, weights), whole, rtol=1e-12, atol=1e-12)


def test_relu_coefficients_against_quadrature():
    for order in range(5):
        assert relu_coefficient(order) == pytest.approx(hermite_coefficient(relu, order), abs=1e-6)
    assert relu_coefficient(3) == 0
    with pytest.raises(ValueError, match="order must be an integer from 0 to 4, got 5"):
        relu_coefficient(5)


@pytest.mark.parametrize(
    ("scale", "first", "third"), [(1, 0.2066, -0.0624), (5, 0.3757, -0.3344), (13, 0.3951, -0.3877)]
)
def test_sigmoid_coefficients(scale, first, third):
    def activation(z):
        return sigmoid(scale * z)

    assert hermite_coefficient(activation, 1) == pytest.approx(first, abs=6e-5)
    assert hermite_coefficient(activation, 3) == pytest.approx(third, abs=6e-5)
    assert hermite_coefficient(activation, 2) == pytest.approx(0, abs=1e-12)
    assert hermite_coefficient(activation, 4) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_expectation_of_a_neuron_by_monte_carlo(order):
    """E[relu(w'h) He_k(h)] = c_k |w| wbar^(tensor k), entry by entry within 4.5 standard errors."""
    rng = np.random.default_rng(5)
    weights, h = np.array([1.5, -2.0]), rng.standard_normal((200_000, 2))
    norm = np.linalg.norm(weights)
    expected = np.array(relu_coefficient(order) * norm)
    for _ in range(order):
        expected = np.multiply.outer(expected, weights / norm)
    outputs = relu(h @ weights)
    estimate = by_order(order)(h, outputs / len(h))
    for place in np.ndindex(*expected.shape):
        ones = sum(place)
        terms = outputs * hermite(order - ones, h[:, 0]) * hermite(ones, h[:, 1])
        assert estimate[place] == pytest.approx(terms.mean(), abs=1e-9)
        assert abs(terms.mean() - expected[place]) < 4.5 * terms.std() / np.sqrt(len(h))
