"""Pruned networks in compact weights are what full matrices with zeros are."""

import numpy as np
import pytest
from networks.pruned_problems import dense_gradient, masked_heavy_ball, pruned_instance

from nonconvex.networks import Step, descend_masked, pruned_trials
from nonconvex.networks.models.masked_relu import CommonInputs, GatheredInputs
from nonconvex.networks.pruned_batches import batches

# Few of many features for a neuron: gathered; nearly all, or the same ones: common.
SIZES = {"gathered": ((3, 5, 4, 3), 60, "random"), "common": ((9, 10, 7), 14, "random")}
SIZES["identical"] = ((5, 5, 5), 40, "identical")
FORMS = {"gathered": GatheredInputs, "common": CommonInputs, "identical": CommonInputs}


def problem(form, n_trials=3, n_samples=50, **options):
    sizes, d, kind = SIZES[form]
    return pruned_instance(n_trials, n_samples, d, sizes, kind, **options)


@pytest.mark.parametrize("form", FORMS)
def test_outputs_loss_and_gradient_are_those_of_full_matrices(form):
    x, y, masks, _, start = problem(form)
    trials = pruned_trials(x, y, masks)
    assert isinstance(trials, FORMS[form])
    weights = trials.compact(start)
    outputs = np.maximum(x @ start, 0).mean(axis=2)
    np.testing.assert_allclose(trials.outputs(weights), outputs, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(trials.loss(weights), ((outputs - y) ** 2).mean(axis=1) / 2, rtol=1e-11)
    plain = np.stack([m * dense_gradient(*one) for m, *one in zip(masks, x, y, start, strict=True)])
    np.testing.assert_allclose(trials.expand(trials.gradient(weights)), plain, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("form", FORMS)
def test_gradient_and_hessian_are_derivatives_away_from_the_truth(form):
    x, y, masks, _, start = problem(form, 2)
    trials = pruned_trials(x, y, masks)
    weights = trials.compact(start)
    rng = np.random.default_rng(0)
    direction = trials.compact(masks * rng.standard_normal(masks.shape))
    step = 1e-6
    ahead, behind = weights + step * direction, weights - step * direction
    slope = (trials.loss(ahead) - trials.loss(behind)) / (2 * step)
    product = (trials.gradient(weights) * direction).sum(axis=(1, 2))
    np.testing.assert_allclose(product, slope, rtol=1e-6)
    change = (trials.gradient(ahead) - trials.gradient(behind)) / (2 * step)
    flat = direction.transpose(0, 2, 1).reshape(2, -1, 1)
    found = (trials.hessian(weights) @ flat)[:, :, 0]
    np.testing.assert_allclose(found, change.transpose(0, 2, 1).reshape(2, -1), rtol=1e-5, atol=1e-9)
    assert (trials.sharpness(weights) > 0).all()


@pytest.mark.parametrize("form", FORMS)
def test_iterates_are_those_of_full_matrices_with_zeros(form):
    x, y, masks, truth, start = problem(form)
    run = descend_masked(x, y, masks, start, truth, step=Step("", 3.0, 0.5), max_iterations=30)
    for trial in range(3):
        plain = masked_heavy_ball(x[trial], y[trial], masks[trial], start[trial], 3.0, 0.5, 30)
        np.testing.assert_allclose(run.weights[trial], plain, rtol=0, atol=1e-12)
        error = np.linalg.norm(plain - truth[trial]) / np.linalg.norm(truth[trial])
        assert run.error[trial] == pytest.approx(error, rel=1e-11)
    assert not run.weights[~masks].any()


@pytest.mark.parametrize("form", FORMS)
def test_errors_are_from_all_of_the_truth_where_the_mask_lacks_a_part(form):
    x, y, masks, truth, start = problem(form)
    lacking = masks.copy()
    for trial, mask in enumerate(lacking):
        mask[np.flatnonzero(mask[:, 0])[:2], 0] = False
        mask[np.flatnonzero(mask.any(axis=1))[0]] = False
        assert mask.any(axis=0).all(), trial
    begin = np.where(lacking, start, 0)
    options = {"step": Step("", 3.0, 0.5), "max_iterations": 8, "record": [0, 4]}
    run = descend_masked(x, y, lacking, begin, truth, **options)
    norms = np.linalg.norm(truth, axis=(1, 2))
    np.testing.assert_allclose(run.history[:, 0], np.linalg.norm(begin - truth, axis=(1, 2)) / norms)
    np.testing.assert_allclose(run.error, np.linalg.norm(run.weights - truth, axis=(1, 2)) / norms)
    assert (run.error > 0.05).all()


@pytest.mark.parametrize("single", [False, True])
def test_an_outcome_depends_on_no_other_trial_of_the_batch(single):
    # Sizes differ from trial to trial, and with them layouts and widths.
    parts = [
        pruned_instance(2, 45, 60, (3, 2, 3), seed=seed)
        if seed % 2
        else pruned_instance(2, 45, 60, (30, 20, 9))
        for seed in range(4)
    ]
    x, y, masks, truth, start = (np.concatenate(column) for column in zip(*parts, strict=True))
    options = {"step": Step("", 2.0, 0.4), "max_iterations": 60, "target": 0.05, "levels": [0.1]}
    options |= {"record": [0, 10, 20], "single": single}
    together = descend_masked(x, y, masks, start, truth, **options)
    assert len({index.tobytes() for index, _ in batches(x, y, masks)}) > 1
    for i in range(len(x)):
        alone = descend_masked(x[[i]], y[[i]], masks[[i]], start[[i]], truth[[i]], **options)
        for name in ("weights", "error", "iterations", "status", "reached", "history"):
            np.testing.assert_array_equal(getattr(alone, name)[0], getattr(together, name)[i])


def test_single_precision_products_lead_to_the_same_outcome():
    x, y, masks, truth, start = pruned_instance(6, 160, 60, (6, 6, 6, 6), distance=0.5)
    options = {"step": Step("", 12.0, 0.5), "max_iterations": 2000, "target": 1e-4}
    double = descend_masked(x, y, masks, start, truth, **options)
    single = descend_masked(x, y, masks, start, truth, **options, single=True)
    assert (double.status == "converged").all()
    np.testing.assert_array_equal(single.status, double.status)
    np.testing.assert_array_equal(single.iterations, double.iterations)
    np.testing.assert_allclose(single.weights, double.weights, atol=1e-6)


def test_compact_weights_go_back_to_where_they_came_from():
    for form in FORMS:
        x, y, masks, truth, start = problem(form)
        trials = pruned_trials(x, y, masks)
        np.testing.assert_array_equal(trials.expand(trials.compact(start)), start)
        np.testing.assert_array_equal(trials.expand(trials.compact_truth(truth)), truth)
        assert trials.compact(start).shape == (3, trials.n_features, masks.shape[2])
        assert trials.n_features % 8 == 0


def test_what_is_wrong_is_named():
    x, y, masks, truth, start = problem("gathered", 2)
    trials = pruned_trials(x, y, masks)
    outside = start.copy()
    outside[1, np.flatnonzero(~masks[1, :, 2])[0], 2] = 1.0
    with pytest.raises(ValueError, match="neuron 2 of trial 1"):
        trials.compact(outside)
    empty = masks.copy()
    empty[1, :, 3] = False
    with pytest.raises(ValueError, match=r"masks\[1\] must leave every neuron a weight, and neuron 3"):
        pruned_trials(x, y, empty)
    with pytest.raises(ValueError, match=r"masks must have shape \(2, 60, 4\)"):
        pruned_trials(x, y, masks[:, :59])
    with pytest.raises(ValueError, match="one entry per trial, got 2, 2 and 1"):
        pruned_trials(x, y, masks[:1])
    with pytest.raises(ValueError, match="one entry per trial, got 2, 1 and 2"):
        descend_masked(x, y[:1], masks, start, truth, step=Step("", 1.0, 0.0), max_iterations=3)
    with pytest.raises(ValueError, match=r"masks\[0\] must be True or False, got 0.5 at index \(0, 0\)"):
        pruned_trials(x, y, np.full(masks.shape, 0.5))
    bad = x.copy()
    bad[1, 3, 7] = np.nan
    with pytest.raises(ValueError, match=r"inputs\[1\] must be finite, got nan at index \(3, 7\)"):
        pruned_trials(bad, y, masks)
    with pytest.raises(ValueError, match=r"start must have shape \(2, 60, 4\)"):
        descend_masked(x, y, masks, start[:1], truth, step=Step("", 1.0, 0.0), max_iterations=3)
    with pytest.raises(ValueError, match="compact must have shape"):
        trials.expand(start)
