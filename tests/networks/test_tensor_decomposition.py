import numpy as np
import pytest

from nonconvex.networks.tensor.decomposition import decompose, powers
from nonconvex.networks.tensor.polish import MomentFit


def unit_columns(rng, size):
    columns = rng.standard_normal((size, size))
    return columns / np.linalg.norm(columns, axis=0)


def tensor_of(directions, coefficients, order):
    return (powers(directions, order) @ coefficients).reshape((len(directions),) * order)


def test_powers_are_outer_products():
    q = np.array([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(powers(q, 0), [[1.0, 1.0]])
    np.testing.assert_array_equal(powers(q, 3)[:, 1], np.einsum("a,b,c->abc", *[q[:, 1]] * 3).ravel())


@pytest.mark.parametrize("order", [3, 4])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_exact_tensors_are_taken_apart(order, size):
    rng = np.random.default_rng(size)
    q, coefficients = unit_columns(rng, size), rng.uniform(0.5, 2, size) * rng.choice([-1, 1], size)
    best = decompose(tensor_of(q, coefficients, order), rng=rng)[0]
    assert best.residual < 1e-9
    cosine = best.directions.T @ q
    match = np.abs(cosine).argmax(axis=0)
    assert sorted(match) == list(range(size))
    np.testing.assert_allclose(np.abs(cosine[match, range(size)]), 1, atol=1e-9)
    sign = np.sign(cosine[match, range(size)]) ** order
    np.testing.assert_allclose(best.coefficients[match] * sign, coefficients, rtol=1e-7)


def test_noise_leaves_real_unit_directions_sorted_by_residual():
    rng = np.random.default_rng(8)
    noise = rng.standard_normal((4,) * 3)
    candidates = decompose(noise, rng=rng, draws=20)
    assert len(candidates) == 20
    residuals = [terms.residual for terms in candidates]
    assert residuals == sorted(residuals)
    for terms in candidates:
        assert terms.directions.dtype == float
        np.testing.assert_allclose(np.linalg.norm(terms.directions, axis=0), 1, rtol=1e-12)
        explained = tensor_of(terms.directions, terms.coefficients, 3)
        assert terms.residual == pytest.approx(np.linalg.norm(noise - explained))


def test_the_generator_decides():
    tensor = np.random.default_rng(1).standard_normal((3,) * 4)
    first, again = (decompose(tensor, rng=np.random.default_rng(2))[0] for _ in range(2))
    np.testing.assert_array_equal(first.directions, again.directions)


def test_a_zero_tensor_has_no_terms():
    with pytest.raises(ValueError, match="tensor of side 2 has fewer than 2 independent terms"):
        decompose(np.zeros((2, 2, 2)), rng=np.random.default_rng(0))


def neuron_moments(neurons, signs):
    """Moments of a ReLU network by their formulas."""
    norms = np.linalg.norm(neurons, axis=0)
    constants = {0: 0.3989422804, 1: 0.5, 2: 0.3989422804, 4: -0.3989422804}
    return {k: tensor_of(neurons / norms, c * signs * norms, k) for k, c in constants.items()}


def test_polish_reaches_the_neurons_behind_exact_moments():
    rng = np.random.default_rng(11)
    neurons, signs = rng.standard_normal((4, 4)), np.array([1.0, -1.0, 1.0, 1.0])
    start = neurons + 0.2 * rng.standard_normal((4, 4))
    polished, cost = MomentFit(neuron_moments(neurons, signs)).polish(start, signs)
    np.testing.assert_allclose(polished, neurons, atol=1e-7)
    assert cost < 1e-15


def test_cost_counts_every_entry_of_every_moment():
    rng = np.random.default_rng(12)
    target, fitted, signs = rng.standard_normal((3, 3)), rng.standard_normal((3, 3)), np.ones(3)
    fit = MomentFit(neuron_moments(target, signs))
    polished, cost = fit.polish(fitted, signs)
    away, scale = neuron_moments(polished, signs), {0: 1, 1: 1, 2: 2, 4: 24}
    wanted = neuron_moments(target, signs)
    expected = sum(((away[k] - wanted[k]) ** 2).sum() / scale[k] for k in scale) / 2
    assert cost == pytest.approx(expected, rel=1e-6, abs=1e-15)
