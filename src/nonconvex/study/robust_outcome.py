"""What is kept of one robust recovery: status, iterations, and the errors on lost, clean and bad entries."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nonconvex.hankel.recovery import Recovery
from nonconvex.study.completion_outcome import TELL, facts, lost_entries, relative_error
from nonconvex.study.robust_data import Instance

__all__ = ["COLUMNS", "TELL", "failed", "outcome"]

COLUMNS = {
    "status": "S16",
    "error": "f8",
    "observed_error": "f8",
    "corrupted_error": "f8",
    "iterations": "i8",
}


def outcome(solver: Callable, instance: Instance, tell: Sequence[str], options: Mapping) -> dict:
    """Run `solver` on the observed entries and measure its answer against the clean signal.

    `tell` names what the solver is told of the instance: rank, n1, incoherence. The errors are relative
    Frobenius errors: `error` on the lost entries (thesis, Eq. eqn:success_criterion), or on all entries when
    nothing is lost; `observed_error` on the observed clean entries and `corrupted_error` on the observed
    corrupted ones, each nan when there are none.
    """
    answer = solver(instance.observed, instance.mask, **facts(instance, tell), **options)
    return kept_of(answer, instance)


def kept_of(answer: Recovery, instance: Instance) -> dict:
    """Return the columns of a recovery's row."""
    mask, bad = instance.mask, instance.bad
    return {
        "status": answer.status,
        "error": relative_error(answer.x, instance.truth, lost_entries(mask)),
        "observed_error": relative_error(answer.x, instance.truth, mask & ~bad),
        "corrupted_error": relative_error(answer.x, instance.truth, mask & bad),
        "iterations": answer.iterations,
    }


def failed() -> dict:
    """Return the row of a trial that a solver refused: it counts as a failure, never as missing."""
    errors = dict.fromkeys(("error", "observed_error", "corrupted_error"), np.nan)
    return {"status": "failed", **errors, "iterations": 0}
