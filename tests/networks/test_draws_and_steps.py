import itertools

import numpy as np
import pytest

from nonconvex.networks import (
    align,
    aligned_error,
    convolutional_step,
    draw_classes,
    draw_node_features,
    draw_noise,
    draw_patches,
    draw_signs,
    draw_start,
    draw_weights,
    graph_step,
    relative_error,
    spectral_error,
)


def test_weights_signs_and_inputs_follow_their_laws(rng):
    weights = draw_weights(200, 50, rng=rng, deviation=5.0)
    assert abs(weights.std() - 5) < 0.1
    signs = draw_signs(2000, rng=rng)
    assert set(signs) == {-1.0, 1.0}
    assert abs(signs.mean()) < 0.1
    assert abs(draw_patches(100, 5, 20, rng=rng).std() - 1) < 0.03
    assert draw_node_features(7, 3, rng=rng).shape == (7, 3)


def test_fewer_samples_are_the_first_of_more():
    few, more = (draw_patches(n, 5, 4, rng=np.random.default_rng(3)) for n in (6, 9))
    np.testing.assert_array_equal(few, more[:6])


def test_start_is_uniform_in_the_ball(rng):
    truth = draw_weights(3, 1, rng=rng)
    starts = np.stack([draw_start(truth, rng=rng) for _ in range(4000)])
    distances = relative_error(starts, truth)
    assert distances.max() <= 0.5
    # Uniform in volume: (distance / radius) ** 3 is uniform on (0, 1).
    shares = np.sort((distances / 0.5) ** 3)
    assert abs(shares - np.arange(0.5, 4000) / 4000).max() < 0.03
    assert abs((starts - truth).mean(axis=0)).max() < 0.02 * np.linalg.norm(truth)


def test_noise_has_the_level_asked_for_and_levels_share_their_draws(rng):
    outputs = rng.standard_normal(20000) + 3
    noise = draw_noise(outputs, 0.1, rng=np.random.default_rng(1))
    assert abs(noise.std() / np.sqrt(np.mean(outputs**2)) - 0.1) < 0.003
    np.testing.assert_allclose(noise, 2 * draw_noise(outputs, 0.05, rng=np.random.default_rng(1)))
    assert not draw_noise(outputs, 0.0, rng=rng).any()


def test_classes_have_their_probabilities(rng):
    assert abs(draw_classes(np.full(20000, 0.3), rng=rng).mean() - 0.3) < 0.02
    np.testing.assert_array_equal(draw_classes([0.0, 1.0], rng=rng), [0.0, 1.0])


def test_aligned_error_is_the_best_over_all_permutations(rng):
    truth = rng.standard_normal((3, 6, 4))
    weights = truth[:, :, [2, 0, 3, 1]] + 0.8 * rng.standard_normal((3, 6, 4))
    best = [
        min(relative_error(w[:, list(p)], t) for p in itertools.permutations(range(4)))
        for w, t in zip(weights, truth, strict=True)
    ]
    np.testing.assert_allclose(aligned_error(weights, truth), best)
    v = np.array([1.0, -1.0, 1.0, -1.0])
    allowed = [p for p in itertools.permutations(range(4)) if (v[list(p)] == v).all()]
    best = min(relative_error(weights[0][:, list(p)], truth[0]) for p in allowed)
    np.testing.assert_allclose(relative_error(align(weights[0], truth[0], v), truth[0]), best)


def test_errors_of_diverged_weights(rng):
    truth = rng.standard_normal((2, 4, 3))
    weights = truth.copy()
    weights[1, 0, 0] = np.inf
    assert relative_error(weights, truth).tolist() == [0.0, np.inf]
    for error in (aligned_error(weights, truth), spectral_error(weights, truth)):
        assert error[0] == 0
        assert np.isnan(error[1])


def test_spectral_error(rng):
    truth, weights = rng.standard_normal((2, 2, 5, 3))
    expected = [np.linalg.norm(w - t, 2) / np.linalg.norm(t, 2) for w, t in zip(weights, truth, strict=True)]
    np.testing.assert_allclose(spectral_error(weights, truth), expected)


def test_convolutional_steps():
    def eta(rule, k=5, m=5, **options):
        return convolutional_step(rule, n_neurons=k, n_patches=m, **options).eta

    assert eta("as_printed") == pytest.approx(0.4)
    assert eta("over_k") == pytest.approx(0.08)
    assert eta("over_k", factor=3.0) == pytest.approx(0.12)
    assert eta("chosen") == pytest.approx(eta("over_k"))
    assert eta("chosen", k=10) == pytest.approx(0.04)
    assert eta("theorem", k=3, m=2) == pytest.approx(1 / 144)
    assert convolutional_step(n_neurons=5, n_patches=5).beta == pytest.approx(0.64)
    assert convolutional_step(n_neurons=5, n_patches=5, beta=0.0).beta == 0


def test_graph_steps():
    assert graph_step("theorem", n_neurons=4).eta == 0.5
    assert graph_step("chosen", n_neurons=5, degree=4).eta == 25
    assert graph_step("chosen", n_neurons=5, degree=4, factor=2.0, beta=0.6).eta == 50
    assert graph_step("common", n_neurons=5).eta == 5
    assert graph_step("row_norm", n_neurons=5, row_norm=0.2).eta == pytest.approx(25)
    assert graph_step("theorem", n_neurons=3, task="classification").eta == 0.5
    assert graph_step("chosen", n_neurons=3, task="classification").beta == 0.8


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: convolutional_step("printed", n_neurons=5, n_patches=5), "rule must be one of as_printed"),
        (lambda: convolutional_step(n_neurons=0, n_patches=5), "n_neurons must be a positive integer, got 0"),
        (lambda: convolutional_step(n_neurons=5, n_patches=5, beta=1.0), "beta must be below 1, got 1"),
        (lambda: graph_step("chosen", n_neurons=5), "degree must be a finite number of at least 0, got None"),
        (lambda: graph_step("row_norm", n_neurons=5), "row_norm must be a finite number"),
        (
            lambda: graph_step("common", n_neurons=5, task="classification"),
            "rule for classification must be one",
        ),
        (lambda: draw_start(np.zeros(3), rng=None), r"truth must have shape \(n_features, n_neurons\)"),
        (lambda: draw_noise([1.0], -1.0, rng=None), "level must be a finite number of at least 0, got -1.0"),
        (lambda: draw_classes([0.5, 1.5], rng=None), "outputs must be probabilities, got 0.5 to 1.5"),
        (lambda: draw_weights(4, True, rng=None), "n_neurons must be a positive integer, got True"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
