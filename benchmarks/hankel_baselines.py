"""CPU time of FIHT and SVT beside AM-FIHT and beside plain versions, on one BLAS thread, in one run.

Run with ``python benchmarks/hankel_baselines.py``. The plain versions run AM-FIHT on one channel after the
other (FIHT), and take the full SVD of the explicit matrix (both).
"""

# ruff: noqa: E402 - the number of BLAS threads must be set before numpy is imported.
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from hankel.explicit import iterates

from nonconvex.hankel import am_fiht, fiht, hankel_matrix, loss_mask, spectrally_sparse_signal, svt

# label, n_channels, n_samples, n1, rank, repeats
SIZES = [
    ("preview of Figures 2.5 to 2.7", 10, 150, 75, 4, 5),
    ("Figures 2.10 and 2.11", 11, 300, 8, 2, 5),
    ("Figures 2.5 to 2.7", 20, 600, 300, 15, 3),
]
OBSERVED = (0.5, 0.35)
PLAIN_ITERATIONS = 2


def cpu(function, *arguments, repeats=1, **options):
    """Smallest CPU seconds of a call, and what it returned."""
    seconds = []
    for _ in range(repeats):
        begin = time.process_time()
        result = function(*arguments, **options)
        seconds.append(time.process_time() - begin)
    return min(seconds), result


def one_by_one(x, mask, **options):
    """AM-FIHT without heavy ball on each channel."""
    return [am_fiht(x[channel], mask[channel], beta=0.0, **options) for channel in range(len(x))]


def plain_fiht(x, mask, rank, n1, count):
    """The first iterations of FIHT on each channel, by explicit matrices and full SVDs."""
    for channel in range(len(x)):
        iterates(x[channel : channel + 1], mask[channel : channel + 1], rank, n1, 0.0, count)


def plain_svt(x, mask, n1, count):
    """The first iterations of SVT by full SVDs of the explicit matrix."""
    known, seen = hankel_matrix(np.where(mask, x, 0), n1), hankel_matrix(mask, n1)
    tau, delta = 5 * np.sqrt(known.size), 1.2 / seen.mean()
    y = np.ceil(tau / (delta * np.linalg.norm(known, 2))) * delta * known
    for _ in range(count):
        u, sigma, vh = np.linalg.svd(y, full_matrices=False)
        y = y + delta * np.where(seen, known - (u * np.maximum(sigma - tau, 0)) @ vh, 0)


def per_iteration(plain, *arguments):
    """CPU milliseconds of an iteration of a plain version, its start excluded."""
    start, _ = cpu(plain, *arguments, 0)
    return 1e3 * (cpu(plain, *arguments, PLAIN_ITERATIONS)[0] - start) / PLAIN_ITERATIONS


def main():
    columns = f"{'method':>24} {'s / trial':>9} {'its':>5} {'ms / it':>8}  error, status"
    for label, n_channels, n_samples, n1, rank, repeats in SIZES:
        for p in OBSERVED:
            rng = np.random.default_rng(1)
            x = spectrally_sparse_signal(n_channels, n_samples, rank, rng=rng)
            mask = loss_mask(1, n_channels, n_samples, p, rng)
            print(f"\n{n_channels} x {n_samples}, n1 = {n1}, r = {rank}, p = {p}   [{label}]\n{columns}")
            for name, solver, options in (
                ("AM-FIHT", am_fiht, {"rank": rank, "n1": n1}),
                ("FIHT", fiht, {"rank": rank, "n1": n1}),
                ("SVT on X", svt, {"n1": 1}),
                ("SVT on H(X)", svt, {"n1": n1}),
            ):
                seconds, answer = cpu(solver, x, mask, repeats=1 if name[0] == "S" else repeats, **options)
                error = np.linalg.norm((answer.x - x)[~mask]) / np.linalg.norm(x[~mask])
                count = answer.iterations
                print(
                    f"{name:>24} {seconds:9.3f} {count:5d} {1e3 * seconds / count:8.2f}"
                    f"  {error:.1e}, {answer.status}"
                )
            seconds, answers = cpu(one_by_one, x, mask, rank=rank, n1=n1, repeats=repeats)
            count = max(answer.iterations for answer in answers)
            print(f"{'FIHT channel by channel':>24} {seconds:9.3f} {count:5d} {1e3 * seconds / count:8.2f}")
        print(f"{'plain FIHT':>24} {per_iteration(plain_fiht, x, mask, rank, n1):24.1f}")
        print(f"{'plain SVT on X':>24} {per_iteration(plain_svt, x, mask, 1):24.1f}")
        print(f"{'plain SVT on H(X)':>24} {per_iteration(plain_svt, x, mask, n1):24.1f}")


if __name__ == "__main__":
    main()
