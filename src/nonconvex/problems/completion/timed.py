"""What is kept of one timed recovery: its outcome, and error and time at every iterate."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.hankel.recovery import Recovery
from nonconvex.problems.completion.data import Instance
from nonconvex.problems.completion.outcome import COLUMNS, kept_of
from nonconvex.problems.contract import Outcome, Row
from nonconvex.problems.recovery import TELL, facts, lost_entries, relative_error
from nonconvex.problems.recovery_options import check_solver

HISTORY = {"iteration": "i8", "seconds": "f8", "cpu_seconds": "f8", "error": "f8"}
WARM_UP = 3

_warm: set[str] = set()


def outcome(
    solver: Callable[..., Recovery], instance: Instance, tell: Sequence[str], options: Mapping[str, Any]
) -> Row:
    """Run `solver` as `nonconvex.problems.completion.outcome` does, and watch every iterate.

    The first call of a solver in a process is preceded by a few iterations that are thrown away: imports,
    plans and caches are start-up, not running time. The time that the watching takes is not counted, neither
    in seconds nor in CPU seconds.
    """
    told = facts(instance, tell, options)
    if solver.__name__ not in _warm:
        solver(instance.observed, instance.mask, **told, **{**options, "max_iterations": WARM_UP})
        _warm.add(solver.__name__)
    lost = lost_entries(instance.mask, instance.truth)
    cpu, errors, watching = [], [], 0.0
    started = time.process_time()

    def watch(_: int, x: np.ndarray) -> None:
        nonlocal watching
        entered = time.process_time()
        cpu.append(entered - started - watching)
        errors.append(relative_error(x, instance.truth, lost))
        watching += time.process_time() - entered

    answer = solver(instance.observed, instance.mask, **told, **options, callback=watch)
    history = {
        "iteration": np.arange(len(errors)),
        "seconds": np.asarray(answer.elapsed),
        "cpu_seconds": np.asarray(cpu),
        "error": np.asarray(errors),
    }
    return kept_of(answer, instance) | {"history": history}


OUTCOME = Outcome(COLUMNS, check_solver, one=outcome, tell=TELL, history=HISTORY)
