import numpy as np
import pytest

from nonconvex.networks import deep_outputs, generalisation_function, mean_outputs, population_risk


def networks_at(distance, rng, d=20, k=4):
    truth = rng.uniform(-2.5, 2.5, (d, k))
    away = rng.standard_normal((d, k))
    return truth + distance * np.linalg.norm(truth) / np.linalg.norm(away) * away, truth


def in_long_double(weights, truth):
    """The printed formula, neuron by neuron, with more digits."""
    columns = [*weights.T.astype(np.longdouble), *truth.T.astype(np.longdouble)]
    signs = [1] * weights.shape[1] + [-1] * truth.shape[1]
    pi = 4 * np.arctan(np.longdouble(1))
    total = np.longdouble(0)
    for u, of_u in zip(columns, signs, strict=True):
        for v, of_v in zip(columns, signs, strict=True):
            sizes = np.sqrt(u @ u) * np.sqrt(v @ v)
            cosine = min(np.longdouble(1), max(np.longdouble(-1), u @ v / sizes))
            angle = np.arccos(cosine)
            total += of_u * of_v * sizes * (np.sin(angle) + (pi - angle) * cosine) / (2 * pi)
    return total / weights.shape[1] ** 2


def test_population_risk_agrees_with_a_sample(rng):
    inputs = rng.standard_normal((200_000, 20))
    for distance in (0.1, 1.0):
        weights, truth = networks_at(distance, rng)
        squares = (mean_outputs(inputs, weights) - mean_outputs(inputs, truth)) ** 2
        error = squares.std() / np.sqrt(len(squares))
        assert abs(population_risk(weights, truth) - squares.mean()) < 4 * error
        assert error < 0.01 * squares.mean()


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="no longer numbers here")
@pytest.mark.parametrize(
    ("distance", "tolerance"), [(1.0, 1e-13), (1e-1, 1e-12), (1e-2, 1e-10), (1e-3, 1e-8)]
)
def test_population_risk_is_accurate_near_the_truth(rng, distance, tolerance):
    weights, truth = networks_at(distance, rng)
    expected = in_long_double(weights, truth)
    assert abs(population_risk(weights, truth) / expected - 1) < tolerance


def test_population_risk_is_zero_for_the_same_network(rng):
    _, truth = networks_at(0.1, rng)
    assert 0 <= population_risk(truth, truth) < 1e-14
    assert 0 <= population_risk(truth[:, [2, 0, 1, 3]], truth) < 1e-14


def test_population_risk_takes_batches_and_networks_of_other_widths(rng):
    weights, truth = rng.standard_normal((3, 5, 2)), rng.standard_normal((5, 4))
    together = population_risk(weights, truth)
    assert together.shape == (3,)
    np.testing.assert_allclose(together, [population_risk(one, truth) for one in weights])
    # A neuron that is there twice has the weight of two.
    np.testing.assert_allclose(population_risk(np.repeat(weights, 2, axis=2), truth), together)


def test_a_neuron_of_zeros_gives_nothing(rng):
    truth = rng.standard_normal((5, 2))
    alone = population_risk(np.zeros((5, 1)), truth)
    sample = mean_outputs(rng.standard_normal((100_000, 5)), truth)
    np.testing.assert_allclose(alone, np.mean(sample**2), rtol=0.02)
    assert np.isnan(population_risk(truth * np.nan, truth))


def test_it_grows_with_the_square_of_the_distance_near_the_truth(rng):
    distances = np.array([1e-3, 2e-3, 5e-3, 1e-2])
    seed = rng.integers(2**31)
    exact = [population_risk(*networks_at(e, np.random.default_rng(seed))) for e in distances]
    assert np.polyfit(np.log(distances), np.log(exact), 1)[0] == pytest.approx(2, abs=0.01)


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_so_it_does_with_more_layers(rng, depth):
    truth = [rng.uniform(-2.5, 2.5, shape) for shape in [(8, 4)] + [(4, 4)] * (depth - 1)]
    away = [rng.standard_normal(layer.shape) for layer in truth]
    inputs = rng.standard_normal((20_000, 8))
    distances = np.array([1e-3, 2e-3, 5e-3])
    values = [
        generalisation_function(inputs, [w + e * a for w, a in zip(truth, away, strict=True)], truth)
        for e in distances
    ]
    assert np.polyfit(np.log(distances), np.log(values), 1)[0] == pytest.approx(2, abs=0.05)


def test_one_layer_is_the_network_of_the_chapter(rng):
    weights, truth = networks_at(0.3, rng)
    inputs = rng.standard_normal((100_000, 20))
    np.testing.assert_allclose(deep_outputs(inputs, [weights]), mean_outputs(inputs, weights))
    sampled = generalisation_function(inputs, [weights], [truth])
    assert sampled == pytest.approx(population_risk(weights, truth), rel=0.03)


def test_deep_outputs_agree_with_plain_loops(rng):
    x, layers = rng.standard_normal((3, 4)), [rng.standard_normal((4, 3)), rng.standard_normal((3, 2))]
    for one, output in zip(x, deep_outputs(x, layers), strict=True):
        first = [max(0.0, sum(one[i] * layers[0][i, j] for i in range(4))) for j in range(3)]
        last = [max(0.0, sum(first[i] * layers[1][i, j] for i in range(3))) for j in range(2)]
        assert output == pytest.approx(sum(last) / 2)


def test_bad_input():
    x = np.zeros((3, 4))
    with pytest.raises(ValueError, match=r"same number of rows.*\(4, 2\) and \(3, 2\)"):
        population_risk(np.zeros((4, 2)), np.zeros((3, 2)))
    with pytest.raises(ValueError, match=r"must hold matrices.*\(4,\)"):
        population_risk(np.zeros(4), np.zeros((4, 2)))
    with pytest.raises(ValueError, match=r"layers\[1\] must have 2 rows.* got 3"):
        deep_outputs(x, [np.zeros((4, 2)), np.zeros((3, 2))])
    with pytest.raises(ValueError, match="layers must hold one matrix at least"):
        deep_outputs(x, [])
    with pytest.raises(ValueError, match=r"layers\[0\] must be finite, got nan at index \(0, 1\)"):
        deep_outputs(x, [np.array([[0, np.nan]] * 4)])
