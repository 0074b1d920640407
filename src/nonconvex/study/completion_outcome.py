"""What is kept of one recovery: status, iterations and the errors on lost and on observed entries."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from nonconvex.hankel.recovery import Recovery
from nonconvex.study.bridge import bridged
from nonconvex.study.completion_data import Instance

TELL = ("rank", "n1", "incoherence")
COLUMNS = {"status": "S16", "error": "f8", "observed_error": "f8", "iterations": "i8"}


def outcome(solver: Callable, instance: Instance, tell: Sequence[str], options: Mapping) -> dict:
    """Run `solver` on the observed entries and measure its answer against the truth.

    `tell` names what the solver is told of the instance: rank, n1, incoherence. The errors are relative
    Frobenius errors (thesis, success criterion of Section 2.6), on the lost entries, or on all entries when
    nothing is lost, and on the observed ones.
    """
    answer = solver(instance.observed, instance.mask, **facts(instance, tell, options), **options)
    return kept_of(answer, instance)


def facts(
    instance: Instance, tell: Sequence[str], options: Mapping = MappingProxyType({})
) -> dict[str, float | int]:
    """Return what a solver is told of an instance.

    The incoherence is that of the rank and n1 which the solver works with: those of its `options`, where they
    have them, come before the instance's.
    """
    return {name: _fact(instance, name, options) for name in tell}


def _fact(instance: Instance, name: str, options: Mapping) -> float | int:
    if name == "incoherence":
        from nonconvex.hankel.incoherence import incoherence

        told = {key: options.get(key, getattr(instance, key, None)) for key in ("rank", "n1")}
        return incoherence(bridged(instance.truth), **told)
    return getattr(instance, name)


def kept_of(answer: Recovery, instance: Instance) -> dict:
    """Return the columns of a recovery's row."""
    return {
        "status": answer.status,
        "error": relative_error(answer.x, instance.truth, lost_entries(instance.mask, instance.truth)),
        "observed_error": relative_error(answer.x, instance.truth, instance.mask),
        "iterations": answer.iterations,
    }


def lost_entries(mask: np.ndarray, truth: np.ndarray | None = None) -> np.ndarray:
    """Return where errors are measured: the lost entries, or all where nothing is lost.

    Entries that `truth` does not know (NaN) are left out.
    """
    lost = ~mask if truth is None else ~mask & ~np.isnan(truth)
    return lost if lost.any() else mask


def failed() -> dict:
    """Return the row of a trial that a solver refused: it counts as a failure, never as missing."""
    return {"status": "failed", "error": np.nan, "observed_error": np.nan, "iterations": 0}


def relative_error(x: np.ndarray, truth: np.ndarray, where: np.ndarray) -> float:
    """Return the Frobenius norm of x - truth over that of truth, both on the entries `where`."""
    with np.errstate(over="ignore", invalid="ignore"):
        error = np.linalg.norm((x - truth)[where]) / np.linalg.norm(truth[where])
    return float(error)
