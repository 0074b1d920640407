"""Command line: the steps that the workflow's rules call, and the commands people use."""

import os
import time

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # one BLAS thread, before numpy is imported: more threads change the last bits
_STARTED = time.perf_counter()

import sys  # noqa: E402

from nonconvex.ending import ended  # noqa: E402


def main() -> None:
    """Run the command line and exit; what the script `nonconvex` calls."""
    # What the workflow calls has a plan, and writes to a log.
    sys.exit(ended(_run, sys.argv, traced="--plan" in sys.argv))


def _run() -> int:
    from nonconvex.commands.parser import run  # here, so that a broken installation is told, too

    return run(sys.argv[1:], _STARTED)


if __name__ == "__main__":
    main()
