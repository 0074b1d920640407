import numpy as np
import pytest
from networks.reference import (
    convolutional_gradient,
    convolutional_instance,
    graph_gradient,
    graph_instance,
    problem,
)

from nonconvex.networks import convolutional_outputs, convolutional_trials, graph_outputs, graph_trials
from nonconvex.networks.models import pooled_relu as pooled_relu_module

KINDS = ("convolutional", "regression", "classification")


def numerical_derivative(function, weights, size=1e-6):
    """Central differences of `function` (weights -> (T, ...)), shape (T, ..., d, K) with trials independent."""
    columns = []
    for place in np.ndindex(weights.shape[1:]):
        shift = np.zeros_like(weights)
        shift[(slice(None), *place)] = size
        columns.append((function(weights + shift) - function(weights - shift)) / (2 * size))
    stacked = np.stack(columns, axis=-1)
    return stacked.reshape(*stacked.shape[:-1], *weights.shape[1:])


@pytest.mark.parametrize("kind", KINDS)
def test_gradient_is_the_derivative_of_the_loss(kind):
    trials, start, _ = problem(kind, 3)
    np.testing.assert_allclose(
        trials.gradient(start), numerical_derivative(trials.loss, start), rtol=1e-5, atol=1e-8
    )


@pytest.mark.parametrize("kind", KINDS)
def test_hessian_is_the_derivative_of_the_gradient(kind):
    trials, start, _ = problem(kind, 2)
    rows = numerical_derivative(lambda w: trials.gradient(w).transpose(0, 2, 1).reshape(2, -1), start)
    expected = rows.transpose(0, 1, 3, 2).reshape(2, 12, 12)
    hessian = trials.hessian(start)
    np.testing.assert_allclose(hessian, expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(trials.sharpness(start), [np.linalg.eigvalsh(h)[-1] for h in hessian])


def test_convolutional_outputs_and_gradient_agree_with_plain_sums():
    x, y, v, _, start = convolutional_instance(2, 30, 4, 3, 2, mixed=True)
    trials = convolutional_trials(x, y + 0.1, v)
    for i, gradient in enumerate(trials.gradient(start)):
        np.testing.assert_allclose(gradient, convolutional_gradient(x[i], y[i] + 0.1, v[i], start[i]))
        plain = [
            sum(v[i, j] * max(start[i, :, j] @ x[i, n, m], 0) for j in range(3) for m in range(2))
            for n in range(30)
        ]
        np.testing.assert_allclose(trials.outputs(start)[i], plain)
        np.testing.assert_allclose(convolutional_outputs(x[i], start[i], v[i]), plain)
        np.testing.assert_allclose(trials.loss(start)[i], np.mean((plain - y[i] - 0.1) ** 2) / 2)


@pytest.mark.parametrize("task", KINDS[1:])
def test_graph_outputs_and_gradient_agree_with_plain_sums(task):
    h, y, _, start = graph_instance(2, 40, 4, 3, 2, task)
    trials = graph_trials(h, y, 3, task=task)
    for i, gradient in enumerate(trials.gradient(start)):
        np.testing.assert_allclose(gradient, graph_gradient(h[i], y[i], start[i], task), rtol=1e-9)
        np.testing.assert_allclose(trials.outputs(start)[i], graph_outputs(h[i], start[i], task=task))


def test_pieces_of_the_inputs_do_not_change_the_answer(monkeypatch):
    x, y, v, _, start = convolutional_instance(3, 31, 4, 3, 2, mixed=True)
    whole = convolutional_trials(x, y, v)
    monkeypatch.setattr(pooled_relu_module, "SLAB_BYTES", 500)
    pieces = convolutional_trials(x, y, v)
    for name in ("outputs", "loss", "gradient", "hessian"):
        np.testing.assert_allclose(getattr(pieces, name)(start), getattr(whole, name)(start), rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS[:2])
def test_truth_is_a_minimum_of_the_noiseless_loss(kind):
    trials, _, truth = problem(kind, 3)
    assert trials.loss(truth).max() < 1e-28
    assert abs(trials.gradient(truth)).max() < 1e-13
    assert np.linalg.eigvalsh(trials.hessian(truth))[:, 0].min() > 0


def test_classification_gradient_vanishes_at_the_truth_in_expectation_over_labels():
    h, _, truth, _ = graph_instance(1, 50, 4, 3, 2, "classification")
    # Fifty problems of one sample each: the two labels, weighted by their probabilities, balance in each.
    singles, everywhere = h[0][:, None, :], np.repeat(truth, 50, axis=0)
    z = graph_outputs(h[0], truth[0], task="classification")[:, None, None]
    ones = graph_trials(singles, np.ones((50, 1)), 3, task="classification").gradient(everywhere)
    zeros = graph_trials(singles, np.zeros((50, 1)), 3, task="classification").gradient(everywhere)
    assert abs(ones).max() > 0.1
    np.testing.assert_allclose(z * ones + (1 - z) * zeros, 0, atol=1e-12)


def test_sigmoid_stays_finite_far_out():
    h, y, truth, _ = graph_instance(2, 40, 4, 3, 2, "classification")
    trials = graph_trials(h, 1 - y, 3, task="classification")
    for weights in (1e3 * truth, 1e6 * truth):
        assert np.isfinite(trials.loss(weights)).all()
        assert np.isfinite(trials.gradient(weights)).all()
        assert np.isfinite(trials.hessian(weights)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_weights_of_another_shape_are_refused(kind):
    trials, start, _ = problem(kind, 2)
    with pytest.raises(ValueError, match=r"weights must have shape \(2, 4, 3\), got \(1, 4, 3\)"):
        trials.gradient(start[:1])


def test_bad_convolutional_data_are_refused():
    x, y, v, _, _ = convolutional_instance(2, 30, 4, 3, 2)
    with pytest.raises(ValueError, match=r"one entry per trial, got 2, 1 and 2"):
        convolutional_trials(x, y[:1], v)
    with pytest.raises(ValueError, match=r"outputs\[1\] must have shape \(30,\), got \(29,\)"):
        convolutional_trials(x, [y[0], y[1, :29]], v)
    with pytest.raises(ValueError, match=r"inputs\[0\] must have shape"):
        convolutional_trials(x[:, 0], y, v)
    x[1, 2, 1, 3] = np.nan
    with pytest.raises(ValueError, match=r"inputs\[1\] must be finite, got nan at index \(2, 1, 3\)"):
        convolutional_trials(x, y, v)
    with pytest.raises(ValueError, match=r"weights must have shape \(4, 3\), got \(5, 3\)"):
        convolutional_outputs(x[0], np.ones((5, 3)), v[0])


def test_bad_graph_data_are_refused():
    h, y, _, _ = graph_instance(2, 40, 4, 3, 2, "regression")
    with pytest.raises(ValueError, match=r"labels\[0\] must be 0 or 1"):
        graph_trials(h, y, 3, task="classification")
    with pytest.raises(ValueError, match="task must be one of regression, classification, got 'ranking'"):
        graph_trials(h, y, 3, task="ranking")
    with pytest.raises(ValueError, match="n_neurons must be a positive integer, got 0"):
        graph_trials(h, y, 0)
    with pytest.raises(ValueError, match=r"labels\[1\] must have shape \(40,\), got \(3,\)"):
        graph_trials(h, [y[0], y[1, :3]], 3)
    with pytest.raises(ValueError, match="one entry per trial, got 0 and 0"):
        graph_trials([], [], 3)
