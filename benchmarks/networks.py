"""Trial-iterations a CPU second of `descend` beside plain per-trial loops, on one BLAS thread, in one run.

Run with ``python benchmarks/networks.py``. Both plain loops take one trial at a time and check the error in
every iteration; "samples" keeps a sample's inputs together, as the data come, "columns" keeps one input of
all samples together, which is the faster layout. The runs alternate, and the best of each counts. The same
for `self_train`, at the sizes of Figure 7.5: steps of one trial, with the pseudo-labels of every tenth.
"""

# ruff: noqa: E402 - the number of BLAS threads must be set before numpy is imported.
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import time

import numpy as np

from nonconvex.networks import (
    Step,
    convolutional_outputs,
    convolutional_step,
    convolutional_trials,
    descend,
    draw_start,
    draw_weights,
    graph_outputs,
    graph_step,
    graph_trials,
    labelled_weight,
    mean_outputs,
    self_train,
)

ROUNDS = 9
# label, K, M, d, samples, trials of a batch
SIZES = [
    ("convolutional", 5, 5, 10, 60, 30),
    ("convolutional", 5, 5, 10, 200, 20),
    ("convolutional", 5, 5, 20, 250, 10),
    ("convolutional", 5, 5, 40, 200, 10),
    ("convolutional", 5, 5, 60, 300, 4),
    ("convolutional", 5, 5, 60, 600, 2),
    ("convolutional", 5, 5, 60, 1500, 1),
    ("regression", 5, 1, 40, 250, 20),
    ("regression", 5, 1, 40, 500, 10),
    ("regression", 5, 1, 10, 2000, 10),
    ("classification", 3, 1, 20, 2000, 5),
]

# batches, N, M, trials of a batch; K = 10, d = 50, T = 10
SELF_TRAINING = [
    ("mini", 400, 0, 64),
    ("mini", 400, 500, 32),
    ("mini", 550, 1000, 16),
    ("mini", 550, 4000, 8),
    ("mini", 700, 8000, 4),
    ("full", 400, 0, 16),
    ("full", 550, 1000, 4),
    ("full", 700, 8000, 2),
]


def by_samples(x, y, v, start, truth, eta, beta, count):
    """Plain loop for convolutional networks and graph regression; x is (N, M, d), weights (d, K)."""
    n_samples, n_patches, d = x.shape
    x = x.reshape(-1, d)
    newer, older, norm = start, start, np.linalg.norm(truth)
    for _ in range(count):
        hidden = x @ newer
        residual = (np.maximum(hidden, 0) @ v).reshape(n_samples, n_patches).sum(axis=1) - y
        active = (hidden > 0) * (np.repeat(residual, n_patches)[:, None] * v)
        newer, older = newer - eta / n_samples * (x.T @ active) + beta * (newer - older), newer
        if not 1e-6 < np.linalg.norm(newer - truth) / norm < 1e3:
            break


def by_columns(x, y, v, start, truth, eta, beta, count):
    """The same with x (d, M N), patch by patch, and weights (K, d)."""
    n_neurons, n_samples = len(v), len(y)
    n_patches = x.shape[1] // n_samples
    pool = np.repeat(v, n_patches)
    factor = eta / n_samples * v[:, None]
    newer, older, norm = start, start, np.linalg.norm(truth)
    for _ in range(count):
        hidden = newer @ x
        residual = pool @ np.maximum(hidden, 0).reshape(-1, n_samples) - y
        active = (hidden > 0).reshape(n_neurons, n_patches, n_samples) * residual
        gradient = active.reshape(n_neurons, -1) @ x.T
        newer, older = newer - factor * gradient + beta * (newer - older), newer
        if not 1e-6 < np.linalg.norm(newer - truth) / norm < 1e3:
            break


def sigmoid_by_samples(h, y, start, truth, eta, beta, count):
    """Plain loop for graph classification; h is (N, d), weights (d, K)."""
    newer, older, norm = start, start, np.linalg.norm(truth)
    for _ in range(count):
        sigmoid = 1 / (1 + np.exp(-np.clip(h @ newer, -500, 500)))
        g = np.clip(sigmoid.mean(axis=1), 1e-12, 1 - 1e-12)
        pull = (g - y) / (g * (1 - g)) / (g.size * newer.shape[1])
        gradient = h.T @ (pull[:, None] * sigmoid * (1 - sigmoid))
        newer, older = newer - eta * gradient + beta * (newer - older), newer
        if not 1e-6 < np.linalg.norm(newer - truth) / norm < 1e3:
            break


def sigmoid_by_columns(h, y, start, truth, eta, beta, count):
    """The same with h (d, N) and weights (K, d)."""
    newer, older, norm = start, start, np.linalg.norm(truth)
    for _ in range(count):
        sigmoid = 1 / (1 + np.exp(-np.clip(newer @ h, -500, 500)))
        g = np.clip(sigmoid.mean(axis=0), 1e-12, 1 - 1e-12)
        pull = (g - y) / (g * (1 - g)) / (g.size * len(newer))
        gradient = (pull * sigmoid * (1 - sigmoid)) @ h.T
        newer, older = newer - eta * gradient + beta * (newer - older), newer
        if not 1e-6 < np.linalg.norm(newer - truth) / norm < 1e3:
            break


def instance(kind, k, m, d, n_samples, n_trials):
    """Trials, start and truth of a batch, a step, and the two plain loops on the first trial."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((n_trials, n_samples, m, d))
    truth = np.stack([draw_weights(d, k, rng=rng) for _ in range(n_trials)])
    start = np.stack([draw_start(w, rng=rng) for w in truth])
    v = np.full((n_trials, k), 1.0 if kind == "convolutional" else 1 / k)
    if kind == "convolutional":
        y = np.stack([convolutional_outputs(*trial) for trial in zip(x, truth, v, strict=True)])
        trials, step = convolutional_trials(x, y, v), convolutional_step(n_neurons=k, n_patches=m)
    else:
        h = x[:, :, 0]
        y = np.stack([graph_outputs(*trial, task=kind) for trial in zip(h, truth, strict=True)])
        y = y if kind == "regression" else (rng.random(y.shape) < y).astype(float)
        trials = graph_trials(h, y, k, task=kind)
        # Half of the step for independent rows, far from any success or divergence in the timed iterations.
        step = Step("timed", graph_step("common", n_neurons=k).eta / 2, 0.5)
    columns = np.ascontiguousarray(x[0].transpose(2, 1, 0)).reshape(d, -1)
    first, second, extra = (sigmoid_by_samples, sigmoid_by_columns, ())
    rows = x[0, :, 0]
    if kind != "classification":
        first, second, extra, rows = by_samples, by_columns, (v[0],), x[0]
    ends = (start[0], truth[0]), (start[0].T.copy(), truth[0].T.copy())
    loops = [
        lambda count: first(rows, y[0], *extra, *ends[0], step.eta, step.beta, count),
        lambda count: second(columns, y[0], *extra, *ends[1], step.eta, step.beta, count),
    ]
    return trials, start, truth, step, loops


def self_training_by_samples(x, y, others, start, weight, eta, parts, rounds):
    """Plain loop for self-training; x is (N, d), others (M, d), weights (d, K)."""
    split = [(x[t::parts], y[t::parts], others[t::parts]) for t in range(parts)]
    split = [(a.copy(), b, c.copy()) for a, b, c in split]
    k, model = start.shape[1], start
    for _ in range(rounds):
        teacher = model
        pseudo = [np.maximum(c @ teacher, 0).mean(axis=1) for *_, c in split]
        for t in range(10):
            a, b, c = split[t % parts]
            gradient = 0
            for inputs, targets, share in ((a, b, weight), (c, pseudo[t % parts], 1 - weight)):
                if len(inputs):
                    hidden = inputs @ model
                    residual = np.maximum(hidden, 0).mean(axis=1) - targets
                    active = (hidden > 0) * residual[:, None]
                    gradient = gradient + share / len(inputs) / k * (inputs.T @ active)
            model = model - eta * gradient
        if np.linalg.norm(model - teacher) <= 1e-4 * np.linalg.norm(teacher):
            break


def self_training():
    """Compare `self_train` with the plain loop."""
    print(f"\n{'batches':>14} {'N':>5} {'M':>5} {'samples':>8} {'self_train':>10} {'/ samples':>9}")
    for batches, n, m, n_trials in SELF_TRAINING:
        rng = np.random.default_rng(1)
        truth = rng.uniform(-2.5, 2.5, (n_trials, 50, 10))
        x, others = (rng.standard_normal((n_trials, count, 50)) for count in (n, m))
        y = np.stack([mean_outputs(*trial) for trial in zip(x, truth, strict=True)])
        start = np.stack([draw_start(w, rng=rng) for w in truth])
        weight, rounds = labelled_weight(n, m, 50, 10), 40 if batches == "mini" else 10
        first = x[0], y[0], others[0], start[0], weight, 20.0, 10 if batches == "mini" else 1, rounds
        options = {"eta": 20.0, "batches": batches, "rounds": rounds, "truth": truth}
        seconds = []
        for _ in range(ROUNDS):
            plain = cpu(self_training_by_samples, *first)
            seconds.append([plain, cpu(self_train, x, y, others, start, **options) / n_trials])
        samples, ours = 10 * rounds / np.min(seconds, axis=0)
        print(f"{batches:>14} {n:5d} {m:5d} {samples:8.0f} {ours:10.0f} {ours / samples:9.2f}")


def cpu(call, *arguments, **options):
    """CPU seconds of a call."""
    begin = time.process_time()
    call(*arguments, **options)
    return time.process_time() - begin


def main():
    print(
        f"{'network':>14} {'K':>2} {'M':>2} {'d':>3} {'N':>5} {'samples':>8} {'columns':>8} {'descend':>8}"
        f" {'/ samples':>9} {'/ columns':>9}"
    )
    for kind, k, m, d, n_samples, n_trials in SIZES:
        trials, start, truth, step, loops = instance(kind, k, m, d, n_samples, n_trials)
        count = min(200, max(100, int(3e8 / (k * m * d * n_samples))))
        seconds = []
        for _ in range(ROUNDS):
            plain = [cpu(loop, count) for loop in loops]
            ours = cpu(descend, trials, start, truth, step=step, max_iterations=count)
            seconds.append([*plain, ours / n_trials])
        samples, columns, ours = count / np.min(seconds, axis=0)
        print(
            f"{kind:>14} {k:2d} {m:2d} {d:3d} {n_samples:5d} {samples:8.0f} {columns:8.0f} {ours:8.0f}"
            f" {ours / samples:9.2f} {ours / columns:9.2f}"
        )
    self_training()


if __name__ == "__main__":
    main()
