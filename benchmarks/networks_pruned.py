"""Trial-iterations a CPU second on pruned networks beside plain loops, on one BLAS thread, in one run.

Run with ``python benchmarks/networks_pruned.py``. Both plain loops take one trial at a time in full matrices,
multiply the gradient by the mask and check the error in every iteration; "samples" keeps a sample's inputs
together, as the data come, "columns" keeps one input of all samples together, which is the faster layout.
`descend_masked` runs in double precision ("double") and with products in single precision ("single"). The
runs alternate, and the best of each counts. "/ " columns are over the plain loop "samples" and "columns".
"""

# ruff: noqa: E402 - the number of BLAS threads must be set before numpy is imported.
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import time

import numpy as np

from nonconvex.networks import (
    draw_supports,
    draw_uniform,
    mean_outputs,
    pruned_step,
    pruned_trials,
    start_at,
)
from nonconvex.networks.solvers.descend import descend

ROUNDS = 5
# figure, kind of supports, K, r, d, samples, trials of a batch
SIZES = [
    ("6.2", "shared_index", 10, 50, 500, 5000, 2),
    ("6.2", "shared_index", 10, 100, 500, 5000, 2),
    ("6.2", "shared_index", 10, 200, 500, 5000, 1),
    ("6.2", "shared_index", 10, 350, 500, 5000, 1),
    ("6.3", "shared_index", 10, 20, 300, 5000, 2),
    ("6.3", "shared_index", 10, 60, 300, 5000, 2),
    ("6.3", "shared_index", 10, 150, 300, 5000, 1),
    ("6.3", "identical", 10, 60, 300, 5000, 2),
    ("6.4", "shared_index", 5, 20, 100, 140, 25),
    ("6.4", "shared_index", 5, 60, 100, 420, 25),
    ("6.6", "shared_index", 10, 30, 300, 1000, 10),
    ("6.7", "random", 5, 20, 100, 200, 40),
    ("6.7", "random", 5, 50, 100, 200, 40),
]


def by_samples(x, y, mask, start, truth, eta, beta, count):
    """Plain loop; x is (N, d), weights (d, K)."""
    newer, older, norm = start, start, np.linalg.norm(truth)
    for _ in range(count):
        hidden = x @ newer
        residual = np.maximum(hidden, 0).mean(axis=1) - y
        gradient = mask * (x.T @ ((hidden > 0) * residual[:, None])) / hidden.size
        newer, older = newer - eta * gradient + beta * (newer - older), newer
        if not 1e-9 < np.linalg.norm(newer - truth) / norm < 1e3:
            break


def by_columns(x, y, mask, start, truth, eta, beta, count):
    """The same with x (d, N) and weights (K, d)."""
    newer, older, norm = start, start, np.linalg.norm(truth)
    for _ in range(count):
        hidden = newer @ x
        residual = np.maximum(hidden, 0).mean(axis=0) - y
        gradient = mask * (((hidden > 0) * residual) @ x.T) / hidden.size
        newer, older = newer - eta * gradient + beta * (newer - older), newer
        if not 1e-9 < np.linalg.norm(newer - truth) / norm < 1e3:
            break


def cpu(call, *arguments, **options):
    """CPU seconds of a call."""
    begin = time.process_time()
    call(*arguments, **options)
    return time.process_time() - begin


def main():
    print(
        f"{'figure':>6} {'supports':>12} {'K':>2} {'r':>3} {'d':>3} {'N':>4} {'samples':>8} {'columns':>8}"
        f" {'double':>8} {'single':>8} {'double / ':>12} {'single / ':>12}"
    )
    for figure, kind, k, r, d, n_samples, n_trials in SIZES:
        rng = np.random.default_rng(1)
        masks = np.stack([draw_supports(d, [r] * k, kind, rng=rng) for _ in range(n_trials)])
        truth = np.stack([draw_uniform(mask, rng=rng) for mask in masks])
        x = rng.standard_normal((n_trials, n_samples, d))
        y = np.stack([mean_outputs(*one) for one in zip(x, truth, strict=True)])
        start = np.stack([start_at(0.1, *one, rng=rng) for one in zip(truth, masks, strict=True)])
        step = pruned_step(n_neurons=k, eta=3.0 * k, beta=0.5)
        count = min(200, max(20, int(3e8 / (k * d * n_samples))))
        rows = x[0], y[0], masks[0], start[0], truth[0], step.eta, step.beta, count
        columns = (x[0].T.copy(), y[0], *(one[0].T.copy() for one in (masks, start, truth)), *rows[5:])
        batches = [pruned_trials(x, y, masks, single=single) for single in (False, True)]
        seconds = []
        for _ in range(ROUNDS):
            ours = [
                cpu(
                    descend,
                    one,
                    one.compact(start),
                    one.compact_truth(truth),
                    step=step,
                    max_iterations=count,
                )
                for one in batches
            ]
            plain = cpu(by_samples, *rows), cpu(by_columns, *columns)
            seconds.append([*plain, *(one / n_trials for one in ours)])
        speed = count / np.min(seconds, axis=0)
        ratios = " ".join(f"{one / speed[0]:6.2f}{one / speed[1]:6.2f}" for one in speed[2:])
        print(
            f"{figure:>6} {kind:>12} {k:2d} {r:3d} {d:3d} {n_samples:4d}"
            f" {speed[0]:8.0f} {speed[1]:8.0f} {speed[2]:8.0f} {speed[3]:8.0f} {ratios}"
        )


if __name__ == "__main__":
    main()
