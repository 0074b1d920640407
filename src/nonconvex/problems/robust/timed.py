"""What is kept of one timed robust recovery: its outcome, and the time until the method's own stop."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nonconvex.hankel.recovery import Recovery
from nonconvex.problems.contract import Outcome, Row
from nonconvex.problems.recovery import TELL, facts
from nonconvex.problems.recovery_options import check_solver
from nonconvex.problems.robust.data import Instance
from nonconvex.problems.robust.outcome import COLUMNS, kept_of
from nonconvex.problems.tiny import tiny_options, tiny_problem

_warm: set[str] = set()


def outcome(
    solver: Callable[..., Recovery], instance: Instance, tell: Sequence[str], options: Mapping[str, Any]
) -> Row:
    """Run `solver` as `nonconvex.problems.robust.outcome` does, and time it.

    The first call of a solver in a process is preceded by one on a tiny problem: imports, plans and caches
    are start-up, not running time. Seconds are the solver's own, CPU seconds those of the process.
    """
    told = facts(instance, tell, options)
    observed = instance.observed
    _warm_up(solver, tell, options)
    started = time.process_time()
    answer = solver(observed, instance.mask, **told, **options)
    spent = time.process_time() - started
    return kept_of(answer, instance) | {"seconds": answer.seconds, "cpu_seconds": spent}


def _warm_up(solver: Callable[..., Recovery], tell: Sequence[str], options: Mapping[str, Any]) -> None:
    """Run `solver` once per process before it is timed."""
    if solver.__name__ not in _warm:
        solver(*tiny_problem(), **tiny_options(tell, options))
        _warm.add(solver.__name__)


OUTCOME = Outcome(COLUMNS | {"seconds": "f8", "cpu_seconds": "f8"}, check_solver, one=outcome, tell=TELL)
