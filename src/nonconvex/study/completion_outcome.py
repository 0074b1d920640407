"""What is kept of one recovery: status, iterations and the errors on lost and on observed entries."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nonconvex.study.completion_data import Instance

TELL = ("rank", "n1", "incoherence")
COLUMNS = {"status": "S16", "error": "f8", "observed_error": "f8", "iterations": "i8"}


def outcome(solver: Callable, instance: Instance, tell: Sequence[str], options: Mapping) -> dict:
    """Run `solver` on the observed entries and measure its answer against the truth.

    `tell` names what the solver is told of the instance: rank, n1, incoherence. The errors are relative
    Frobenius errors (thesis, success criterion of Section 2.6), on the lost entries, or on all entries when
    nothing is lost, and on the observed ones.
    """
    told = {name: _fact(instance, name) for name in tell}
    answer = solver(instance.observed, instance.mask, **told, **options)
    lost = ~instance.mask if not instance.mask.all() else instance.mask
    return {
        "status": answer.status,
        "error": relative_error(answer.x, instance.truth, lost),
        "observed_error": relative_error(answer.x, instance.truth, instance.mask),
        "iterations": answer.iterations,
    }


def _fact(instance: Instance, name: str) -> float | int:
    if name == "incoherence":
        from nonconvex.hankel.incoherence import incoherence

        return incoherence(instance.truth, rank=instance.rank, n1=instance.n1)
    return getattr(instance, name)


def failed() -> dict:
    """Return the row of a trial that a solver refused: it counts as a failure, never as missing."""
    return {"status": "failed", "error": np.nan, "observed_error": np.nan, "iterations": 0}


def relative_error(x: np.ndarray, truth: np.ndarray, where: np.ndarray) -> float:
    """Return the Frobenius norm of x - truth over that of truth, both on the entries `where`."""
    with np.errstate(over="ignore", invalid="ignore"):
        error = np.linalg.norm((x - truth)[where]) / np.linalg.norm(truth[where])
    return float(error)
