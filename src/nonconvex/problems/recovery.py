"""Recovering a signal from some of its entries: what a solver is told, and how its answer is measured."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from nonconvex.problems.bridge import bridged

TELL = ("rank", "n1", "incoherence")


def facts(
    instance: Any, tell: Sequence[str], options: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, float | int]:
    """Return what a solver is told of an instance.

    The incoherence is that of the rank and n1 which the solver works with: those of its `options`, where they
    have them, come before the instance's.
    """
    return {name: _fact(instance, name, options) for name in tell}


def _fact(instance: Any, name: str, options: Mapping[str, Any]) -> float | int:
    if name == "incoherence":
        from nonconvex.hankel.incoherence import incoherence

        told = {key: options.get(key, getattr(instance, key, None)) for key in ("rank", "n1")}
        return incoherence(bridged(instance.truth), **told)
    return getattr(instance, name)


def lost_entries(mask: np.ndarray, truth: np.ndarray | None = None) -> np.ndarray:
    """Return where errors are measured: the lost entries, or all where nothing is lost.

    Entries that `truth` does not know (NaN) are left out.
    """
    lost = ~mask if truth is None else ~mask & ~np.isnan(truth)
    return lost if lost.any() else mask


def relative_error(x: np.ndarray, truth: np.ndarray, where: np.ndarray) -> float:
    """Return the Frobenius norm of x - truth over that of truth, both on the entries `where`."""
    with np.errstate(over="ignore", invalid="ignore"):
        error = np.linalg.norm((x - truth)[where]) / np.linalg.norm(truth[where])
    return float(error)
