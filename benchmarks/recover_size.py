"""Seconds and peak memory of `recover` on large series, each in a process of its own.

Run with ``python benchmarks/recover_size.py``. Shared oscillations, two for rank 4, 1 % noise, a tenth lost
in runs of 2 to 20 samples.
"""

# ruff: noqa: E402 - the number of BLAS threads must be set before numpy is imported.
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import resource
import subprocess
import sys
import time

import numpy as np
from recover_cases import runs

from nonconvex.errors import UserError
from nonconvex.series.memory import needed_bytes
from nonconvex.series.recover import recover
from nonconvex.series.series import Series

# channels, samples, n1 (0: half the samples), rank (0: auto)
SIZES = [(1, 1_000_000, 0, 4), (64, 100_000, 0, 4), (64, 100_000, 0, 0), (64, 100_000, 20, 4)]
OSCILLATIONS = 2


def large(n_channels, n_samples, oscillations):
    """Return the whole values of a series of that size, and the series."""
    rng = np.random.default_rng(1)
    turns = 2 * np.pi * np.outer(rng.uniform(0.01, 0.2, oscillations), np.arange(n_samples))
    x = rng.uniform(-1, 1, (n_channels, 2 * oscillations)) @ np.vstack([np.cos(turns), np.sin(turns)])
    x += 0.01 * rng.standard_normal(x.shape)
    mask = runs(x.shape, 0.1, rng)
    names = tuple(f"channel {number}" for number in range(n_channels))
    return x, Series(np.where(mask, x, np.nan), mask, np.arange(n_samples) / 100, 100.0, names, "real")


def one(n_channels, n_samples, n1, rank):
    """Recover one series and print what it took."""
    x, series = large(n_channels, n_samples, rank // 2 or OSCILLATIONS)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    begin = time.process_time()
    try:
        answer = recover(series, rank=rank or None, n1=n1 or None)
    except UserError as refusal:
        sys.exit(f"{n_channels} x {n_samples}: {refusal}")
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    lost = ~series.mask
    error = np.linalg.norm((answer.values - x)[lost]) / np.linalg.norm(x[lost])
    expected = needed_bytes(x.shape, answer.options["n1"], answer.recovery.rank, "am_fiht", 8) / 2**30
    print(
        f"{n_channels:4d} x {n_samples:8d}, n1 = {answer.options['n1']:6d}, rank {answer.recovery.rank:2d}: "
        f"{seconds:6.1f} s, {peak:5.2f} GB ({before:.2f} GB before, "
        f"{expected:.2f} GB expected on top), error {error:.2g}, "
        f"{answer.recovery.status}, {answer.recovery.iterations} iterations",
        flush=True,
    )


def main():
    """Measure each size in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sizes", nargs="*", type=int, help="channels, samples, n1 (0: half), rank (0: auto)")
    arguments = parser.parse_args()
    if arguments.sizes:
        one(*arguments.sizes)
        return
    for size in SIZES:
        subprocess.run([sys.executable, __file__, *map(str, size)], check=False)


if __name__ == "__main__":
    main()
