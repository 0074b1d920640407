"""What is kept of one recovery: status, iterations and the errors on lost and on observed entries."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nonconvex.hankel.recovery import Recovery
from nonconvex.problems.completion.data import Instance
from nonconvex.problems.contract import Outcome, Row
from nonconvex.problems.recovery import TELL, facts, lost_entries, relative_error
from nonconvex.problems.recovery_options import check_solver

COLUMNS = {"status": "S16", "error": "f8", "observed_error": "f8", "iterations": "i8"}


def outcome(
    solver: Callable[..., Recovery], instance: Instance, tell: Sequence[str], options: Mapping[str, Any]
) -> Row:
    """Run `solver` on the observed entries and measure its answer against the truth.

    `tell` names what the solver is told of the instance: rank, n1, incoherence. The errors are relative
    Frobenius errors (thesis, success criterion of Section 2.6), on the lost entries, or on all entries when
    nothing is lost, and on the observed ones.
    """
    answer = solver(instance.observed, instance.mask, **facts(instance, tell, options), **options)
    return kept_of(answer, instance)


def kept_of(answer: Recovery, instance: Instance) -> Row:
    """Return the columns of a recovery's row."""
    return {
        "status": answer.status,
        "error": relative_error(answer.x, instance.truth, lost_entries(instance.mask, instance.truth)),
        "observed_error": relative_error(answer.x, instance.truth, instance.mask),
        "iterations": answer.iterations,
    }


OUTCOME = Outcome(COLUMNS, check_solver, one=outcome, tell=TELL)
