import warnings

import numpy as np
import pytest
from networks.reference import (
    convolutional_gradient,
    convolutional_instance,
    graph_gradient,
    graph_instance,
    heavy_ball,
    problem,
)

from nonconvex.networks import (
    Step,
    convolutional_step,
    convolutional_trials,
    descend,
    graph_step,
    graph_trials,
    relative_error,
)
from nonconvex.networks.models import pooled_relu as pooled_relu_module
from nonconvex.networks.solvers import descend as descend_module

OVER_K = convolutional_step("over_k", n_neurons=5, n_patches=5)
FIELDS = ("weights", "error", "iterations", "status", "reached", "history")


def test_agrees_with_a_plain_loop_on_convolutional_trials():
    x, y, v, truth, start = convolutional_instance(3, 40, 4, 3, 2, mixed=True)
    step = convolutional_step("over_k", n_neurons=3, n_patches=2, factor=1.0)
    found = descend(
        convolutional_trials(x, y, v),
        start,
        truth,
        step=step,
        max_iterations=60,
        record=range(61),
        levels=[0.1],
    )
    for i in range(3):
        errors, last = heavy_ball(
            lambda w, i=i: convolutional_gradient(x[i], y[i], v[i], w),
            *(start[i], truth[i], step.eta, step.beta, 60),
        )
        np.testing.assert_allclose(found.history[i], errors, rtol=1e-9)
        np.testing.assert_allclose(found.weights[i], last, rtol=1e-9)
        below = np.flatnonzero(errors < 0.1)
        assert found.reached[i, 0] == (below[0] if below.size else -1)
    assert set(found.status) == {"iteration limit"}
    assert set(found.iterations) == {60}


@pytest.mark.parametrize("task", ["regression", "classification"])
def test_agrees_with_a_plain_loop_on_graph_trials(task):
    h, y, truth, start = graph_instance(2, 40, 4, 3, 2, task)
    step = graph_step("chosen", n_neurons=3, degree=2, task=task)
    trials = graph_trials(h, y, 3, task=task)
    found = descend(trials, start, truth, step=step, max_iterations=40, record=range(41))
    for i in range(2):
        errors, last = heavy_ball(
            lambda w, i=i: graph_gradient(h[i], y[i], w, task),
            *(start[i], truth[i], step.eta, step.beta, 40),
        )
        np.testing.assert_allclose(found.history[i], errors, rtol=1e-9)
        np.testing.assert_allclose(found.weights[i], last, rtol=1e-9)


def outcomes(build, arrays, order, size, **options):
    """Run the trials `order` in batches of `size`; outcomes back in the order of the trials."""
    parts = []
    for first in range(0, len(order), size):
        index = order[first : first + size]
        *data, truth, start = (array[index] for array in arrays)
        parts.append(descend(build(*data), start, truth, **options))
    back = np.argsort(order)
    return {name: np.concatenate([getattr(part, name) for part in parts])[back] for name in FIELDS}


@pytest.mark.parametrize("kind", ["convolutional", "pieces", "regression", "classification"])
def test_outcome_of_a_trial_does_not_depend_on_its_batch(kind, monkeypatch):
    if kind == "pieces":
        monkeypatch.setattr(pooled_relu_module, "SLAB_BYTES", 25_000)
    if kind in ("convolutional", "pieces"):
        # At this size trials end at different times and in different ways.
        arrays = convolutional_instance(7, 150, 10)
        build, step, target, cap = convolutional_trials, OVER_K, 1e-6, 700
    else:
        arrays = graph_instance(7, 90, 9, 5, 4, kind)
        build = lambda h, y: graph_trials(h, y, 5, task=kind)  # noqa: E731
        step, target, cap = graph_step(n_neurons=5, degree=4, task=kind), 1e-3, 1200
    options = {"step": step, "max_iterations": cap, "target": target, "stall_exit": True}
    options |= {"levels": [0.3, 0.1, 1e-2], "record": [0, 10, 333, 650]}
    everything = outcomes(build, arrays, np.arange(7), 7, **options)
    shuffled = np.random.default_rng(5).permutation(7)
    for order, size in ((np.arange(7), 1), (np.arange(7), 3), (shuffled, 7), (shuffled, 3)):
        other = outcomes(build, arrays, order, size, **options)
        for name in FIELDS:
            assert everything[name].tobytes() == other[name].tobytes(), (name, size)
    monkeypatch.setattr(descend_module, "CHUNK_BYTES", 1)
    other = outcomes(build, arrays, np.arange(7), 7, **options)
    assert all(everything[name].tobytes() == other[name].tobytes() for name in FIELDS)
    if kind == "convolutional":
        assert len(set(everything["status"])) > 1
        assert len(set(everything["iterations"])) > 3


@pytest.mark.parametrize("kind", ["convolutional", "regression", "classification"])
def test_gradients_do_not_depend_on_the_batch_or_on_memory(kind):
    trials, start, _ = problem(kind, 7)
    together = trials.gradient(start)
    for i in range(7):
        alone = trials.take(np.array([i])).gradient(start[i : i + 1])
        assert alone.tobytes() == together[i].tobytes()
        assert trials.take(slice(i, i + 1)).gradient(start[i : i + 1]).tobytes() == alone.tobytes()


def test_success_levels_and_history_of_a_run_that_ends_early():
    x, y, v, truth, start = convolutional_instance(4, 200, 10)
    found = descend(
        convolutional_trials(x, y, v),
        *(start, truth),
        step=OVER_K,
        max_iterations=6000,
        target=1e-6,
        levels=[1e-4, 1e-1, 1e-6],
        record=[0, 50, 5999],
    )
    assert set(found.status) == {"converged"}
    assert (found.error < 1e-6).all()
    np.testing.assert_allclose(found.error, relative_error(found.weights, truth))
    np.testing.assert_array_equal(found.reached[:, 2], found.iterations)
    assert (np.diff(found.reached[:, [1, 0, 2]], axis=1) > 0).all()
    np.testing.assert_allclose(found.history[:, 0], relative_error(start, truth))
    assert np.isnan(found.history[:, 2]).all()
    # One iteration fewer, and the target has not been reached.
    slowest = found.iterations.argmax()
    short = descend(
        *(convolutional_trials(x, y, v), start, truth),
        **{"step": OVER_K, "target": 1e-6, "max_iterations": found.iterations[slowest] - 1},
    )
    assert short.status[slowest] == "iteration limit"
    assert short.error[slowest] >= 1e-6


def test_censored_levels_are_minus_one():
    trials, start, truth = problem("convolutional", 2)
    found = descend(
        trials, start, truth, step=Step("small", 1e-9, 0.0), max_iterations=3, levels=[10.0, 1e-3]
    )
    np.testing.assert_array_equal(found.reached, [[0, -1], [0, -1]])


def test_step_as_printed_diverges_in_every_trial_without_a_warning():
    x, y, v, truth, start = convolutional_instance(12, 200, 10)
    step = convolutional_step("as_printed", n_neurons=5, n_patches=5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = descend(
            convolutional_trials(x, y, v), start, truth, step=step, max_iterations=100, record=range(101)
        )
    assert set(found.status) == {"diverged"}
    assert found.iterations.max() < 50
    assert (found.error >= 1e3).all()
    for history, end in zip(found.history, found.iterations, strict=True):
        assert np.isfinite(history[: end + 1]).all()
        assert np.isnan(history[end + 1 :]).all()


def test_nan_and_overflow_count_as_divergence_and_leave_the_others_alone():
    trials, start, truth = problem("regression", 3)
    eta = np.array([1.0, np.finfo(float).max, 1.0])
    options = {"max_iterations": 20, "target": 1e-12}
    mixed = descend(trials, start, truth, step=Step("mixed", eta, 0.5), **options)
    calm = descend(trials, start, truth, step=Step("calm", 1.0, 0.5), **options)
    assert list(mixed.status) == ["iteration limit", "diverged", "iteration limit"]
    assert not mixed.error[1] < 1e3
    np.testing.assert_array_equal(mixed.weights[[0, 2]], calm.weights[[0, 2]])


def test_steps_can_differ_by_trial():
    trials, start, truth = problem("convolutional", 3)
    eta, beta = np.array([0.1, 0.2, 0.05]), np.array([0.0, 0.5, 0.9])
    found = descend(trials, start, truth, step=Step("own", eta, beta), max_iterations=30)
    for i in range(3):
        alone = descend(
            trials.take(slice(i, i + 1)),
            start[[i]],
            truth[[i]],
            step=Step("own", eta[i], beta[i]),
            max_iterations=30,
        )
        np.testing.assert_array_equal(alone.weights[0], found.weights[i])


def test_stall_exit_is_off_by_default_and_ends_hopeless_trials_only():
    x, y, v, truth, start = convolutional_instance(8, 40, 10)
    trials, options = convolutional_trials(x, y, v), {"step": OVER_K, "max_iterations": 2500, "target": 1e-6}
    patient = descend(trials, start, truth, **options)
    hasty = descend(trials, start, truth, **options, stall_exit=True)
    assert set(patient.status) == {"iteration limit"}
    assert "stalled" in hasty.status
    assert set(hasty.iterations[hasty.status == "stalled"] % 100) == {0}
    assert hasty.iterations.min() >= 1000


def test_recovery_needs_somewhat_more_samples_than_parameters():
    options = {"step": OVER_K, "max_iterations": 6000, "target": 1e-6, "stall_exit": True}
    success = {}
    for n_samples in (45, 80):
        x, y, v, truth, start = convolutional_instance(10, n_samples, 10)
        success[n_samples] = np.mean(
            descend(convolutional_trials(x, y, v), start, truth, **options).status == "converged"
        )
    assert success[45] == 0
    assert success[80] >= 0.9


def test_graph_regression_recovers_the_truth():
    h, y, truth, start = graph_instance(6, 300, 10, 5, 4, "regression")
    step = graph_step(n_neurons=5, degree=4)
    found = descend(graph_trials(h, y, 5), start, truth, step=step, max_iterations=4000, target=1e-3)
    assert (found.status == "converged").mean() >= 0.8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"max_iterations": 0}, "max_iterations must be a positive integer, got 0"),
        ({"target": 0.0}, "target must be a finite number"),
        ({"target": 1e-3, "levels": [1e-4]}, "levels must not be below target = 0.001, got 0.0001"),
        ({"levels": [np.nan]}, r"levels\[0\] must be a finite number"),
        ({"record": [3, 2]}, "record must be iterations in ascending order"),
        ({"record": [-1]}, "record must be iterations in ascending order"),
        ({"record": [2.5]}, "record must be iterations in ascending order"),
        ({"step": Step("x", -1.0, 0.0)}, r"step.eta must be 0 or more"),
        (
            {"step": Step("x", [1.0, 1.0], 0.0)},
            r"step.eta must be 0 or more, one number or one per trial \(3\)",
        ),
        ({"step": Step("x", 1.0, 1.0)}, "step.beta must be below 1, got 1"),
        ({"step": Step("x", np.nan, 0.0)}, "step.eta must be 0 or more"),
    ],
)
def test_bad_options_are_refused(change, message):
    trials, start, truth = problem("convolutional", 3)
    options = {"step": Step("x", 0.1, 0.0), "max_iterations": 5} | change
    with pytest.raises(ValueError, match=message):
        descend(trials, start, truth, **options)


def test_bad_weights_are_refused():
    trials, start, truth = problem("convolutional", 3)
    options = {"step": Step("x", 0.1, 0.0), "max_iterations": 5}
    with pytest.raises(ValueError, match=r"start must have shape \(3, 4, 3\), got \(2, 4, 3\)"):
        descend(trials, start[:2], truth, **options)
    with pytest.raises(ValueError, match=r"truth\[1\] must not be zero"):
        descend(trials, start, truth * np.array([1, 0, 1])[:, None, None], **options)
    start[2, 1, 0] = np.inf
    with pytest.raises(ValueError, match=r"start must be finite, got inf at index \(2, 1, 0\)"):
        descend(trials, start, truth, **options)


def test_the_example_of_the_package_works():
    import doctest

    from nonconvex import networks

    tried = doctest.testmod(networks)
    assert tried.attempted > 5
    assert tried.failed == 0
