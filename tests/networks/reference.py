"""Plain versions, one trial at a time and straight from the thesis's formulas, and small instances."""

import numpy as np

from nonconvex.networks import (
    aggregate,
    connected_cycle,
    convolutional_outputs,
    convolutional_trials,
    draw_classes,
    draw_node_features,
    draw_patches,
    draw_signs,
    draw_start,
    draw_weights,
    graph_outputs,
    graph_trials,
    normalise,
)


def streams(seed, trial, count=4):
    return [np.random.default_rng([seed, trial, stream]) for stream in range(count)]


def convolutional_instance(n_trials, n_samples, d, k=5, m=5, *, mixed=False, seed=1):
    """x, y, v, truth and start of several noiseless trials, stacked."""
    rows = []
    for trial in range(n_trials):
        truth_rng, inputs_rng, start_rng, _ = streams(seed, trial)
        truth = draw_weights(d, k, rng=truth_rng)
        v = draw_signs(k, rng=truth_rng) if mixed else np.ones(k)
        x = draw_patches(n_samples, m, d, rng=inputs_rng)
        y = convolutional_outputs(x, truth, v)
        rows.append((x, y, v, truth, draw_start(truth, rng=start_rng)))
    return [np.stack(column) for column in zip(*rows, strict=True)]


def graph_instance(n_trials, n_nodes, d, k, degree, task, *, seed=1):
    """Aggregated inputs, labels, truth and start of several trials on a fully labelled cycle, stacked."""
    adjacency = normalise(connected_cycle(n_nodes, degree))
    rows = []
    for trial in range(n_trials):
        truth_rng, inputs_rng, start_rng, noise_rng = streams(seed, trial)
        truth = draw_weights(d, k, rng=truth_rng, deviation=5.0)
        h = aggregate(adjacency, draw_node_features(n_nodes, d, rng=inputs_rng))
        z = graph_outputs(h, truth, task=task)
        y = z if task == "regression" else draw_classes(z, rng=noise_rng)
        rows.append((h, y, truth, draw_start(truth, rng=start_rng)))
    return [np.stack(column) for column in zip(*rows, strict=True)]


def problem(kind, n_trials, *, seed=1):
    """(trials, start, truth) of a small batch of each kind."""
    if kind == "convolutional":
        x, y, v, truth, start = convolutional_instance(n_trials, 30, 4, 3, 2, mixed=True, seed=seed)
        return convolutional_trials(x, y, v), start, truth
    h, y, truth, start = graph_instance(n_trials, 40, 4, 3, 2, kind, seed=seed)
    return graph_trials(h, y, 3, task=kind), start, truth


def convolutional_gradient(x, y, v, w):
    """Gradient of the loss of Eq. sample_risk, shape (d, K)."""
    n_samples, n_patches, _ = x.shape
    gradient = np.zeros_like(w)
    for n in range(n_samples):
        residual = sum(v @ np.maximum(w.T @ x[n, i], 0) for i in range(n_patches)) - y[n]
        for i in range(n_patches):
            gradient += residual * np.outer(x[n, i], v * (w.T @ x[n, i] > 0))
    return gradient / n_samples


def graph_gradient(h, y, w, task):
    """Gradient of the losses of Eqs. linear_regression and classification, shape (d, K)."""
    k, gradient = w.shape[1], np.zeros_like(w)
    for row, label in zip(h, y, strict=True):
        product = w.T @ row
        if task == "regression":
            outer, slope = np.maximum(product, 0).mean() - label, 1.0 * (product > 0)
        else:
            sigmoid = 1 / (1 + np.exp(-product))
            g, slope = sigmoid.mean(), sigmoid * (1 - sigmoid)
            outer = (g - label) / (g * (1 - g))
        gradient += outer * np.outer(row, slope) / k
    return gradient / len(h)


def heavy_ball(gradient, start, truth, eta, beta, count):
    """Iterates' relative errors, shape (count + 1,), and the last iterate."""
    newer, older, errors = start, start, []
    for iteration in range(count + 1):
        errors.append(np.linalg.norm(newer - truth) / np.linalg.norm(truth))
        if iteration < count:
            newer, older = newer - eta * gradient(newer) + beta * (newer - older), newer
    return np.array(errors), newer
