"""What is kept of one timed robust recovery: its outcome, and the time until the method's own stop."""

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nonconvex.study import robust_outcome
from nonconvex.study.completion_outcome import TELL, facts
from nonconvex.study.robust_data import Instance
from nonconvex.study.robust_outcome import kept_of

__all__ = ["COLUMNS", "TELL", "failed", "outcome"]

COLUMNS = robust_outcome.COLUMNS | {"seconds": "f8", "cpu_seconds": "f8"}

_TINY = {"rank": 1, "n1": 16, "incoherence": 1.0}
_TINY_SAMPLES = 32

_warm: set[str] = set()


def outcome(solver: Callable, instance: Instance, tell: Sequence[str], options: Mapping) -> dict:
    """Run `solver` as `robust_outcome.outcome` does, and time it.

    The first call of a solver in a process is preceded by one on a tiny problem: imports, plans and caches
    are start-up, not running time. Seconds are the solver's own, CPU seconds those of the process.
    """
    told = facts(instance, tell)
    observed = instance.observed
    _warm_up(solver, tell, options)
    started = time.process_time()
    answer = solver(observed, instance.mask, **told, **options)
    spent = time.process_time() - started
    return kept_of(answer, instance) | {"seconds": answer.seconds, "cpu_seconds": spent}


def _warm_up(solver: Callable, tell: Sequence[str], options: Mapping) -> None:
    """Solve a sinusoid with a gap, once per solver and process."""
    if solver.__name__ in _warm:
        return
    signal = np.exp(0.5j * np.arange(_TINY_SAMPLES))[None]
    mask = np.ones(signal.shape, dtype=bool)
    mask[:, 5] = False
    solver(signal, mask, **{name: _TINY[name] for name in tell}, **options)
    _warm.add(solver.__name__)


def failed() -> dict:
    """Return the row of a trial that a solver refused; it has no time."""
    return robust_outcome.failed() | {"seconds": np.nan, "cpu_seconds": np.nan}
