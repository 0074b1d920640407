"""CPU time of AM-FIHT and RAM-FIHT against their plain explicit-matrix versions, on one BLAS thread.

Run with ``python benchmarks/hankel_completion.py``. CPU milliseconds per iteration are medians (and
minima) over the iterations of one run; the plain version forms the Hankel matrix and takes its full SVD.
"""

# ruff: noqa: E402 - the number of BLAS threads must be set before numpy is imported.
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import resource
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from hankel.explicit import iterates

from nonconvex.hankel import am_fiht, incoherence, loss_mask, ram_fiht, spectrally_sparse_signal

# label, n_channels, n_samples, rank, iterations of the plain version
SIZES = [
    ("preview", 10, 100, 4, 10),
    ("preview", 10, 100, 16, 10),
    ("Figures 2.2 to 2.4", 30, 300, 15, 3),
    ("Figures 2.5 to 2.7", 20, 600, 15, 2),
]
FAST_ITERATIONS = 60
REPEATS = 5


def per_iteration(solver, x, mask, **options):
    """Median and minimum CPU milliseconds of an iteration, start excluded."""
    clock = []
    solver(
        x,
        mask,
        tolerance=0.0,
        max_iterations=FAST_ITERATIONS,
        callback=lambda *_: clock.append(time.process_time()),
        **options,
    )
    steps = 1e3 * np.diff(clock)[3:]
    return np.median(steps), steps.min()


def whole_run(solver, x, mask, **options):
    """Smallest CPU seconds of a whole recovery, and its outcome."""
    seconds = []
    for _ in range(REPEATS):
        begin = time.process_time()
        recovery = solver(x, mask, **options)
        seconds.append(time.process_time() - begin)
    return min(seconds), recovery


def plain_per_iteration(x, mask, rank, count):
    """CPU milliseconds per iteration of the plain version, the start excluded."""
    seconds = []
    for iterations in (0, count):
        begin = time.process_time()
        iterates(x, mask, rank, x.shape[1] // 2, 0.05, iterations)
        seconds.append(time.process_time() - begin)
    return 1e3 * (seconds[1] - seconds[0]) / count


def main():
    print(f"{'size':>20} {'method':>22} {'ms/it median':>12} {'min':>7} {'run s':>7} {'its':>4} {'error':>8}")
    for label, n_channels, n_samples, rank, count in SIZES:
        rng = np.random.default_rng(1)
        x = spectrally_sparse_signal(n_channels, n_samples, rank, rng=rng)
        mask = loss_mask(1, n_channels, n_samples, 0.5, rng)
        mu = incoherence(x, rank=rank)
        name = f"{n_channels}x{n_samples}, r={rank}"
        medians = {}
        for method, solver, options in (
            ("AM-FIHT, beta = 0", am_fiht, {"beta": 0.0}),
            ("AM-FIHT", am_fiht, {}),
            ("RAM-FIHT, true mu", ram_fiht, {"incoherence": mu}),
        ):
            median, least = per_iteration(solver, x, mask, rank=rank, **options)
            seconds, recovery = whole_run(solver, x, mask, rank=rank, **options)
            error = np.linalg.norm((recovery.x - x)[~mask]) / np.linalg.norm(x[~mask])
            medians[method] = median
            print(
                f"{name:>20} {method:>22} {median:12.2f} {least:7.2f} {seconds:7.3f} "
                f"{recovery.iterations:4d} {error:8.1e}"
            )
        plain = plain_per_iteration(x, mask, rank, count)
        print(
            f"{name:>20} {'plain AM-FIHT':>22} {plain:12.1f}"
            f"   = {plain / medians['AM-FIHT']:.0f} x fast   [{label}]"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of this process, plain versions included: {peak:.0f} MB")


if __name__ == "__main__":
    main()
