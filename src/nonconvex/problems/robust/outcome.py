"""What is kept of one robust recovery: status, iterations, and the errors on lost, clean and bad entries."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nonconvex.hankel.recovery import Recovery
from nonconvex.problems.contract import Outcome, Row
from nonconvex.problems.recovery import TELL, facts, lost_entries, relative_error
from nonconvex.problems.recovery_options import check_solver
from nonconvex.problems.robust.data import Instance

COLUMNS = {
    "status": "S16",
    "error": "f8",
    "observed_error": "f8",
    "corrupted_error": "f8",
    "iterations": "i8",
}


def outcome(
    solver: Callable[..., Recovery], instance: Instance, tell: Sequence[str], options: Mapping[str, Any]
) -> Row:
    """Run `solver` on the observed entries and measure its answer against the clean signal.

    `tell` names what the solver is told of the instance: rank, n1, incoherence. The errors are relative
    Frobenius errors: `error` on the lost entries (thesis, Eq. eqn:success_criterion), or on all entries when
    nothing is lost; `observed_error` on the observed clean entries and `corrupted_error` on the observed
    corrupted ones, each nan when there are none.
    """
    answer = solver(instance.observed, instance.mask, **facts(instance, tell, options), **options)
    return kept_of(answer, instance)


def kept_of(answer: Recovery, instance: Instance) -> Row:
    """Return the columns of a recovery's row."""
    mask, bad = instance.mask, instance.bad
    return {
        "status": answer.status,
        "error": relative_error(answer.x, instance.truth, lost_entries(mask)),
        "observed_error": relative_error(answer.x, instance.truth, mask & ~bad),
        "corrupted_error": relative_error(answer.x, instance.truth, mask & bad),
        "iterations": answer.iterations,
    }


OUTCOME = Outcome(COLUMNS, check_solver, one=outcome, tell=TELL)
