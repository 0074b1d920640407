"""CPU time of R-RMC and ADMM beside plain full-SVD versions of them, on one BLAS thread, in one run.

Run with ``python benchmarks/hankel_robust_baselines.py``. Beyond the smallest size ADMM makes a few
iterations only; with ``--full`` it runs to its own stop. The plain versions take the full SVD of the explicit
matrix.
"""

# ruff: noqa: E402 - the number of BLAS threads must be set before numpy is imported.
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from hankel.robust_explicit import draw, error, plain_admm, plain_r_rmc

from nonconvex.hankel import admm, r_rmc

RANK = 5
# label, n_channels, n_samples, n1, fraction corrupted, losses
SIZES = [
    ("preview of Figure 3.3", 10, 100, 50, 0.1, (0.2, 0.5)),
    ("Figure 3.3", 30, 300, 150, 0.1, (0.2, 0.5)),
    ("preview of Figure 3.8", 1, 500, 250, 0.2, (0.5, 0.95)),
    ("preview of Figure 3.8", 1, 1000, 500, 0.2, (0.5, 0.95)),
]
# Iterations of ADMM at the larger sizes, and of the plain versions.
FEW, PLAIN = 10, 2
NUMBERS = f"{'s / trial':>9} {'its':>5} {'ms / it':>8} {'plain':>8} {'ratio':>6}"


def cpu(function, *arguments, **options):
    """CPU seconds of a call, and what it returned."""
    begin = time.process_time()
    result = function(*arguments, **options)
    return time.process_time() - begin, result


def per_iteration(function, *arguments):
    """CPU milliseconds of an iteration of a plain version, its start excluded."""
    start, _ = cpu(function, *arguments, 0)
    return 1e3 * (cpu(function, *arguments, PLAIN)[0] - start) / PLAIN


def methods(n_channels, n1, limit):
    """Name, solver and options of every run, on H(X) alone where X is a single row."""
    for matrix, blocks in (("X", 1), ("H(X)", n1)):
        if blocks == n_channels == 1:
            continue
        for value in (1.0, 3.0):
            yield f"R-RMC {value:g}, {matrix}", r_rmc, {"rank": RANK, "n1": blocks, "incoherence": value}
        for missing in ("released", "free"):
            yield f"ADMM {missing}, {matrix}", admm, {"n1": blocks, "missing": missing} | limit


def main():
    for label, n_channels, n_samples, n1, bad, losses in SIZES:
        large = n_samples > 100 and "--full" not in sys.argv
        limit = {"max_iterations": FEW} if large else {}
        for loss in losses:
            x, observed, mask = draw(n_channels, n_samples, RANK, loss=loss, bad=bad, seed=1)
            print(
                f"\n{n_channels} x {n_samples}, n1 = {n1}, rank {RANK}, {loss:.0%} lost, {bad:.0%} corrupted"
                f"   [{label}]\n{'method':>22} {NUMBERS}  rank, error, status"
            )
            plain = {}
            for name, solver, options in methods(n_channels, n1, limit):
                key = solver.__name__, options["n1"]
                if key not in plain:
                    plain[key] = (
                        per_iteration(plain_r_rmc, observed, mask, RANK, options["n1"])
                        if solver is r_rmc
                        else per_iteration(plain_admm, observed, mask, options["n1"])
                    )
                seconds, answer = cpu(solver, observed, mask, **options)
                each = 1e3 * seconds / answer.iterations
                print(
                    f"{name:>22} {seconds:9.3f} {answer.iterations:5d} {each:8.2f} {plain[key]:8.1f} "
                    f"{plain[key] / each:6.1f}  {answer.rank}, {error(answer, x, mask):.1e}, {answer.status}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
