"""Small pruned networks, and plain versions of what is computed on them, from the formulas."""

import numpy as np

from nonconvex.networks.models.mean import mean_outputs
from nonconvex.networks.supports import draw_supports, draw_uniform, start_at


def pruned_instance(n_trials, n_samples, d, sizes, kind="random", *, distance=0.3, seed=1):
    """x, y, masks, truth and start of several noiseless trials, stacked; starts are on the masks."""
    rows = []
    for trial in range(n_trials):
        streams = [np.random.default_rng([seed, trial, stream]) for stream in range(4)]
        mask = draw_supports(d, sizes, kind, rng=streams[0])
        truth = draw_uniform(mask, rng=streams[1])
        x = streams[2].standard_normal((n_samples, d))
        start = start_at(distance, truth, mask, rng=streams[3])
        rows.append((x, mean_outputs(x, truth), mask, truth, start))
    return [np.stack(column) for column in zip(*rows, strict=True)]


def dense_gradient(x, y, w):
    """Gradient of 1/(2N) sum_n (mean_k relu(w_k'x_n) - y_n)^2, sample by sample."""
    k, gradient = w.shape[1], np.zeros_like(w)
    for sample, label in zip(x, y, strict=True):
        hidden = w.T @ sample
        residual = np.maximum(hidden, 0).mean() - label
        gradient += residual * np.outer(sample, hidden > 0) / k
    return gradient / len(x)


def masked_heavy_ball(x, y, mask, start, eta, beta, count):
    """Last iterate of Algorithm 1 with all samples in every iteration, in full matrices."""
    newer, older = start, start
    for _ in range(count):
        gradient = mask * dense_gradient(x, y, newer)
        newer, older = newer - eta * gradient + beta * (newer - older), newer
    return newer
