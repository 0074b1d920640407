"""Error and CPU time of `recover` beside what people would take instead, on samples that are known.

    python -m venv rivals-env
    rivals-env/bin/pip install --no-deps -r benchmarks/requirements-recover.txt
    PYTHONPATH=src rivals-env/bin/python benchmarks/recover.py

`--no-deps`, as the packages do not agree on the versions of others. With `--alone` only `recover` runs, in
the project's own environment. The shipped phasors, damped oscillations, and trends with oscillations lose 10,
30 and 60 % as single values, as runs, and as outages of whole channels. That takes a few minutes, and
`--trials 5 --samples 1000` longer.

Printed are, in per cent, the norm of the error over that of the swing (the distance from the channel's mean),
on the lost samples; medians over trials, `!` where `recover` refuses its answer; and how often what
`--rank auto` takes errs at most 1.5 times as much as the best of all ranks with the same n1.
"""

# ruff: noqa: E402 - the number of BLAS threads must be set before numpy is imported.
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import itertools
import sys
import time

import numpy as np
import recover_rivals
from recover_cases import FAMILIES, LOSSES, PATTERNS, draw

from nonconvex.errors import UserError
from nonconvex.series.methods import solve
from nonconvex.series.recover import recover

OURS = {"am_fiht": {}, "sap": {"method": "sap", "threshold_scale": 3.0}}
RANKS = range(1, 16)
CLOSE = 1.5
WIDTH = 9


def error(estimate, truth, lost):
    """Return the norm of the error over that of the swing, on the lost samples."""
    swing = truth - truth.mean(axis=1, keepdims=True)
    return float(np.linalg.norm((estimate - truth)[lost]) / np.linalg.norm(swing[lost]))


def ours(name, truth, series, n1):
    """Return error, mark of refusal, rank and n1 of `recover`."""
    try:
        answer = recover(series, rank=None, n1=n1, **OURS[name])
    except UserError as refusal:
        print(f"{name}: {refusal}", file=sys.stderr)
        return np.nan, "!", None, None
    mark = "!" if answer.refusal else ""
    return error(answer.values, truth, ~series.mask), mark, answer.recovery.rank, answer.options["n1"]


def best_rank(truth, series, n1):
    """Return the smallest error of AM-FIHT, as `recover` runs it, over the ranks, with that rank."""
    size = np.sqrt(np.mean(np.abs(truth[series.mask]) ** 2))
    ranks = [rank for rank in RANKS if rank < min(n1, truth.shape[1] + 1 - n1)]
    answers = [
        solve("am_fiht", truth / size, series.mask, {"rank": rank, "n1": n1})[0].x * size for rank in ranks
    ]
    errors = [
        error(answer, truth, ~series.mask) if np.isfinite(answer).all() else np.inf for answer in answers
    ]
    return min(zip(errors, ranks, strict=True))


def case(family, pattern, loss, arguments):
    """Return what each method made of each trial: errors, CPU seconds, refusals; and rank, n1, best error."""
    found = {name: [] for name in (*OURS, *([] if arguments.alone else recover_rivals.RIVALS))}
    choices = []
    for trial in range(arguments.trials):
        truth, series = draw(family, pattern, loss, arguments.samples, trial)
        for name, results in found.items():
            begin = time.process_time()
            if name in OURS:
                wrong, mark, rank, n1 = ours(name, truth, series, arguments.n1)
            else:
                wrong, mark = (
                    error(recover_rivals.fill(name, series.values, series.mask), truth, ~series.mask),
                    "",
                )
            results.append((wrong, time.process_time() - begin, mark))
            if name == "am_fiht" and rank:
                choices.append((rank, n1, wrong, *best_rank(truth, series, n1)))
    return found, choices


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--trials", type=int, default=1)
    parser.add_argument("--samples", type=int, default=300, help="of the simulated families")
    parser.add_argument("--n1", type=int, help="of recover")
    parser.add_argument("--alone", action="store_true", help="recover only, without the other packages")
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    arguments = parser.parse_args()
    missing = [] if arguments.alone else recover_rivals.missing_packages()
    if missing:
        sys.exit(
            f"{', '.join(missing)} cannot be imported: install benchmarks/requirements-recover.txt "
            "with --no-deps into an environment of its own, or give --alone"
        )
    names = [*OURS, *([] if arguments.alone else recover_rivals.RIVALS)]
    print(" " * 24 + "".join(f"{name:>{WIDTH}}" for name in names) + "   rank, n1 (best rank, its error)")
    seconds, choices = {name: 0.0 for name in names}, []
    for family, pattern, loss in itertools.product(arguments.families, PATTERNS, LOSSES):
        found, chosen = case(family, pattern, loss, arguments)
        choices += chosen
        line = f"{family:>8} {pattern:>8} {100 * loss:4.0f} % "
        for name, results in found.items():
            wrong, cpu, marks = zip(*results, strict=True)
            seconds[name] += sum(cpu)
            line += f"{100 * np.median(wrong):.2g}{max(marks)}".rjust(WIDTH)
        notes = "; ".join(f"{rank}, {n1} ({best}, {100 * least:.2g})" for rank, n1, _, least, best in chosen)
        print(f"{line}   {notes}", flush=True)
    print(f"{'CPU seconds':>23} " + "".join(f"{seconds[name]:{WIDTH}.1f}" for name in names))
    close = sum(wrong <= CLOSE * least for _, _, wrong, least, _ in choices)
    print(f"rank within {CLOSE} times the error of the best rank: {close} of {len(choices)}")


if __name__ == "__main__":
    main()
