"""CPU time and error of SAP beside exact and plain versions of it, on one BLAS thread, in one run.

Run with ``python benchmarks/hankel_robust.py``. "exact" is SAP with singular vectors computed afresh in every
iteration (Gram matrix and eigh, or PROPACK); "plain" forms the Hankel matrix and takes its full SVD.
"""

# ruff: noqa: E402 - the number of BLAS threads must be set before numpy is imported.
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import importlib
import time
from unittest import mock

import numpy as np

from nonconvex.hankel import hankel_matrix, loss_mask, sap, spectrally_sparse_signal
from nonconvex.hankel.corruption import corruption_places
from nonconvex.hankel.operators.truncation import ExactTruncation

MODULE = importlib.import_module("nonconvex.hankel.solvers.sap")

# label, n_channels, n_samples, rank, loss, fraction corrupted, modes of loss and corruption, plain too
CASES = [
    ("preview of Figure 3.4", 10, 100, 3, 0.5, 0.1, (1, 1), True),
    ("Figure 3.3", 30, 300, 5, 0.5, 0.1, (1, 1), True),
    ("Figure 3.4", 30, 300, 17, 0.5, 0.09, (2, 3), True),
    ("preview of Figure 3.8", 1, 1000, 5, 0.5, 0.2, (1, 1), True),
    ("Figure 3.8", 1, 2000, 5, 0.5, 0.2, (1, 1), False),
    ("Figure 3.8", 1, 2000, 5, 0.95, 0.2, (1, 1), False),
    ("Figure 3.8", 1, 4000, 5, 0.5, 0.2, (1, 1), False),
    ("Figure 3.8", 1, 8000, 5, 0.5, 0.2, (1, 1), False),
]
PLAIN_ITERATIONS = 3


def draw(n_channels, n_samples, rank, loss, share, modes):
    """The truth, the mask, and the data with outliers added."""
    rng = np.random.default_rng(1)
    x = spectrally_sparse_signal(n_channels, n_samples, rank, amplitude_exponent=0.5, rng=rng)
    mask = loss_mask(modes[0], n_channels, n_samples, 1 - loss, rng)
    bad = corruption_places(modes[1], n_channels, n_samples, share, rng)
    size = np.linalg.norm(x) / np.sqrt(x.size)
    outliers = rng.uniform(size, 5 * size, x.shape) * np.exp(2j * np.pi * rng.random(x.shape))
    return x, mask, x + bad * outliers


def cpu(function, *arguments, **options):
    """CPU seconds of a call, and what it returned."""
    begin = time.process_time()
    result = function(*arguments, **options)
    return time.process_time() - begin, result


def plain(x, n1):
    """What a plain iteration spends its time on."""
    for _ in range(PLAIN_ITERATIONS):
        np.linalg.svd(hankel_matrix(x, n1), full_matrices=False)


def main():
    print(f"{'size':>22} {'loss':>5} {'method':>7} {'s / trial':>9} {'its':>5} {'ms / it':>8}  error, status")
    for label, n_channels, n_samples, rank, loss, share, modes, with_plain in CASES:
        x, mask, data = draw(n_channels, n_samples, rank, loss, share, modes)
        size = f"{n_channels} x {n_samples}, r = {rank}"
        for method, choose in (
            ("sap", MODULE.choose_truncation),
            ("exact", lambda lift, rank: ExactTruncation(lift)),
        ):
            with mock.patch.object(MODULE, "choose_truncation", choose):
                seconds, answer = cpu(sap, data, mask, rank=rank)
            error = np.linalg.norm((answer.x - x)[~mask]) / np.linalg.norm(x[~mask])
            count = answer.iterations
            print(
                f"{size:>22} {loss:5g} {method:>7} {seconds:9.3f} {count:5d} {1e3 * seconds / count:8.2f}"
                f"  {error:.1e}, {answer.status}   [{label}]"
            )
        if with_plain:
            seconds, _ = cpu(plain, data, n_samples // 2)
            print(f"{size:>22} {loss:5g} {'plain':>7} {1e3 * seconds / PLAIN_ITERATIONS:24.1f}")


if __name__ == "__main__":
    main()
