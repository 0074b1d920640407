"""Scores, masks and the two ways to a mask, beside plain versions."""

import numpy as np
import pytest
from networks.pruned_problems import dense_gradient, masked_heavy_ball, pruned_instance

from nonconvex.networks import (
    hessian_product,
    iterative_pruning,
    keep_largest,
    mask_accuracy,
    population_risk,
    prune_and_train,
    pruning_scores,
    start_at,
)


@pytest.fixture
def network(rng):
    x, y, _, truth, _ = pruned_instance(1, 80, 12, (4, 5, 3))
    return x[0], y[0], start_at(0.4, truth[0], rng=rng)


def test_hessian_product_is_the_derivative_of_the_gradient(network, rng):
    x, y, w = network
    direction = rng.standard_normal(w.shape)
    step = 1e-6
    change = dense_gradient(x, y, w + step * direction) - dense_gradient(x, y, w - step * direction)
    np.testing.assert_allclose(hessian_product(x, w, direction), change / (2 * step), rtol=1e-5, atol=1e-9)


def test_scores_are_those_of_a_plain_hessian(network):
    x, y, w = network
    d, k = w.shape
    active = x @ w > 0
    jacobian = (active[:, :, None] * x[:, None, :] / k).reshape(len(x), -1)
    hessian, g = jacobian.T @ jacobian / len(x), dense_gradient(x, y, w)
    flow = (hessian @ g.T.ravel()).reshape(k, d).T
    np.testing.assert_allclose(pruning_scores(x, y, w), w * flow, rtol=1e-10, atol=1e-16)
    np.testing.assert_allclose(pruning_scores(x, y, w, "abs"), np.abs(w * flow), rtol=1e-10, atol=1e-16)
    np.testing.assert_array_equal(pruning_scores(x, y, w, "magnitude"), np.abs(w))


def test_signed_score_is_what_removal_takes_from_the_gradient_flow(network):
    x, y, w = network
    scores = pruning_scores(x, y, w)
    i, j = np.unravel_index(np.abs(scores).argmax(), w.shape)
    share = 1e-5
    less = w.copy()
    less[i, j] *= 1 - share
    change = (dense_gradient(x, y, less) ** 2).sum() - (dense_gradient(x, y, w) ** 2).sum()
    assert change / share == pytest.approx(-2 * scores[i, j], rel=1e-3)


def test_the_largest_are_kept_and_each_neuron_keeps_one(rng):
    scores = rng.standard_normal((10, 4))
    for ratio in (0, 0.3, 0.75):
        mask = keep_largest(scores, ratio)
        assert mask.sum() == round((1 - ratio) * 40)
        assert scores[mask].min() >= scores[~mask].max(initial=-np.inf) or not mask.any(axis=0).all()
    scores[:, 2] -= 100
    mask = keep_largest(scores, 0.8)
    assert mask.sum() == 8 and mask[:, 2].sum() == 1 and mask[scores[:, 2].argmax(), 2]
    by_neuron = keep_largest(scores, 0.7, "neuron")
    assert (by_neuron.sum(axis=0) == 3).all()
    for j in range(4):
        assert scores[by_neuron[:, j], j].min() > scores[~by_neuron[:, j], j].max()


def test_mask_accuracy_is_the_share_of_true_weights():
    true = np.array([[1, 1], [1, 0], [0, 1]], dtype=bool)
    mask = np.array([[1, 0], [0, 1], [1, 1]], dtype=bool)
    assert mask_accuracy(mask, true) == 0.5


def plain_path(x, y, w, truth, score, ratio, count):
    """Twenty iterations, scores, a mask, and `count` more on it."""
    whole = np.ones(w.shape, dtype=bool)
    early = masked_heavy_ball(x, y, whole, w, 3.0, 0.5, 20)
    mask = keep_largest(pruning_scores(x, y, early, score), ratio)
    return mask, early * mask, masked_heavy_ball(x, y, mask, early * mask, 3.0, 0.5, count)


@pytest.mark.parametrize("score", ["signed", "abs", "magnitude"])
def test_pruning_early_is_the_plain_path(score, rng):
    x, y, _, truth, _ = pruned_instance(2, 50, 12, (3, 4, 3))
    start = np.stack([start_at(0.2, w, rng=rng) for w in truth])
    options = {"ratio": 0.6, "levels": [0.1, 0.02], "score": score, "eta": 3.0, "max_iterations": 15}
    run = prune_and_train(x, y, start, truth, **options)
    for i in range(2):
        mask, begin, end = plain_path(x[i], y[i], start[i], truth[i], score, 0.6, 15)
        np.testing.assert_array_equal(run.masks[i], mask)
        np.testing.assert_allclose(run.weights[i], end, atol=1e-12)
        risks = [population_risk(one, truth[i]) ** 0.5 for one in (begin, end)]
        np.testing.assert_allclose([run.start_test_error[i], run.test_error[i]], risks, rtol=1e-9)
        for level, reached in zip((0.1, 0.02), run.reached[i], strict=True):
            paths = [plain_path(x[i], y[i], start[i], truth[i], score, 0.6, t)[2] for t in range(16)]
            below = [t for t, w in enumerate(paths) if population_risk(w, truth[i]) ** 0.5 < level]
            assert reached == (below[0] if below else -1)
        path = np.array([population_risk(w, truth[i]) ** 0.5 for w in paths])
        excess = path - path[-1]
        for share, halved in zip((2, 4, 8), run.halved[i], strict=True):
            first = np.flatnonzero(excess <= excess[0] / share)[0]
            assert halved == (first if excess[0] > 0 else -1)
    rewound = prune_and_train(x, y, start, truth, **options, resume="start")
    np.testing.assert_array_equal(rewound.masks, run.masks)
    expected = masked_heavy_ball(x[0], y[0], run.masks[0], start[0] * run.masks[0], 3.0, 0.5, 15)
    np.testing.assert_allclose(rewound.weights[0], expected, atol=1e-12)


def test_iterative_pruning_nests_masks_and_rewinds(rng):
    x, y, _, truth, _ = pruned_instance(2, 60, 20, (4, 4, 4))
    start = np.stack([start_at(0.3, w, rng=rng) for w in truth])
    options = {"eta": 3.0, "rounds": 5, "max_iterations": 25}
    run = iterative_pruning(x, y, start, truth, **options)
    assert run.masks.shape == (5, 2, 20, 3)
    for number, masks in enumerate(run.masks):
        assert (masks.sum(axis=(1, 2)) == round(60 * 0.8**number)).all()
        assert not (masks & ~run.masks[max(0, number - 1)]).any()
    for i in range(2):
        mask = keep_largest(np.where(run.masks[2, i], np.abs(run.weights[2, i]), -np.inf), 1 - 0.8**3)
        np.testing.assert_array_equal(mask, run.masks[3, i])
        plain = masked_heavy_ball(x[i], y[i], mask, start[i] * mask, 3.0, 0.5, 25)
        np.testing.assert_allclose(run.weights[3, i], plain, atol=1e-12)
        assert run.test_error[3, i] == pytest.approx(population_risk(plain, truth[i]) ** 0.5)
        assert run.oracle_error[3, i] == pytest.approx(
            np.linalg.norm(plain - truth[i]) / np.linalg.norm(truth[i])
        )
    onward = iterative_pruning(x, y, start, truth, **options, resume="onward")
    begin = onward.weights[0, 1] * onward.masks[1, 1]
    plain = masked_heavy_ball(x[1], y[1], onward.masks[1, 1], begin, 3.0, 0.5, 25)
    np.testing.assert_allclose(onward.weights[1, 1], plain, atol=1e-12)
    each = iterative_pruning(x, y, start, truth, **options, by="neuron")
    assert (each.masks[2].sum(axis=1) == round(20 * 0.64)).all()


@pytest.mark.parametrize("single", [False, True])
def test_trials_depend_on_no_other_trial(single, rng):
    x, y, _, truth, _ = pruned_instance(5, 40, 30, (4, 4, 4))
    start = np.stack([start_at(0.3, w, rng=rng) for w in truth])
    early = {"ratio": 0.7, "levels": [0.1], "eta": 4.0, "max_iterations": 20, "single": single}
    rounds = {"eta": 4.0, "rounds": 4, "max_iterations": 20, "single": single}
    together = prune_and_train(x, y, start, truth, **early), iterative_pruning(x, y, start, truth, **rounds)
    for i in range(5):
        data = x[[i]], y[[i]], start[[i]], truth[[i]]
        alone = prune_and_train(*data, **early)
        for name in ("weights", "masks", "test_error", "start_test_error", "error", "reached", "halved"):
            np.testing.assert_array_equal(getattr(alone, name)[0], getattr(together[0], name)[i])
        alone = iterative_pruning(*data, **rounds)
        for name in ("weights", "masks", "test_error", "oracle_error"):
            np.testing.assert_array_equal(getattr(alone, name)[:, 0], getattr(together[1], name)[:, i])


def test_divergence_is_told_and_does_not_stop_the_others(rng):
    x, y, _, truth, _ = pruned_instance(2, 40, 12, (3, 3, 3))
    start = np.stack([start_at(0.3, w, rng=rng) for w in truth])
    run = prune_and_train(x, y, start, truth, ratio=0.5, eta=1e4, levels=[1e-9])
    assert (run.status == "diverged").all() and (run.reached == -1).all()
    assert (run.halved == -1).all()
    rounds = iterative_pruning(x, y, start, truth, eta=1e4, rounds=3)
    assert (rounds.status == "diverged").all() and np.isnan(rounds.test_error).all()


def test_what_is_wrong_is_named(network):
    x, y, w = network
    for ratio in (1, -0.1, np.nan, "0.5"):
        with pytest.raises(ValueError, match="ratio must be from 0 to below 1"):
            keep_largest(w, ratio)
    with pytest.raises(ValueError, match="leaves 0 of 36 weights"):
        keep_largest(w, 0.99)
    with pytest.raises(ValueError, match="scores must be finite, got nan"):
        keep_largest(np.where(w == w[0, 0], np.nan, w), 0.5)
    with pytest.raises(ValueError, match="kind must be one of signed, abs, magnitude"):
        pruning_scores(x, y, w, "snip")
    with pytest.raises(ValueError, match=r"direction must have shape \(12, 3\)"):
        hessian_product(x, w, w[:, :2])
    with pytest.raises(ValueError, match=r"outputs must have shape \(80,\)"):
        pruning_scores(x, y[:-1], w)
    with pytest.raises(ValueError, match="true_mask must keep a weight"):
        mask_accuracy(np.ones((2, 2)), np.zeros((2, 2)))
    data = x[None], y[None], w[None], w[None]
    with pytest.raises(ValueError, match="ratio must be from 0"):
        prune_and_train(*data, ratio=1.0, eta=1.0)
    with pytest.raises(ValueError, match="resume must be one of early, start"):
        prune_and_train(*data, ratio=0.5, eta=1.0, resume="rewind")
    with pytest.raises(ValueError, match="share must be below 1"):
        iterative_pruning(*data, eta=1.0, share=1)
    with pytest.raises(ValueError, match="rounds must be a positive integer"):
        iterative_pruning(*data, eta=1.0, rounds=0)
    with pytest.raises(ValueError, match="of 36 weights, and some neuron none"):
        iterative_pruning(*data, eta=1.0, rounds=30, max_iterations=1)
