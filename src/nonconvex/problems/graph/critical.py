"""Training graph networks, seen from the critical point of the loss that is near W* (thesis, Section 5.4).

In classification W* is no critical point, and what the thesis says of the returned model is said of the
nearest one. It stands here for the one that `nonconvex.networks.solvers.critical_point` comes to from W*.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.networks.arguments import choice
from nonconvex.networks.distances import relative_error
from nonconvex.networks.solvers.critical_point import critical_point
from nonconvex.problems.contract import Cell, Outcome, Row
from nonconvex.problems.graph.data import Instance
from nonconvex.problems.graph.outcome import TRAINING
from nonconvex.problems.training import Solver

STARTS = ("random", "truth")
"""The start that was drawn around W*, or W* itself."""

MOST = 500
"""Newton steps to the critical point; it takes a few tens of them."""

COLUMNS = {**TRAINING.columns, "critical_error": "f8", "critical_distance": "f8"}


def near_truth(instance: Instance) -> np.ndarray | None:
    """Return the critical point near W*, shape (n_features, n_neurons); None where there is none."""
    options = {"rule": "theorem", "max_iterations": MOST, "target": None}
    run = TRAINING.train(critical_point, [instance], [instance.truth], options)
    return run.weights[0] if run.status[0] == "converged" else None


def _check(solver: Solver, tell: Sequence[str], options: Mapping[str, Any], cell: Cell) -> None:
    choice("start", options.get("start", STARTS[0]), STARTS)
    TRAINING.check(solver, _without_start(options), cell)


def _one(solver: Solver, instance: Instance, tell: Sequence[str], options: Mapping[str, Any]) -> Row:
    """Return a row with `COLUMNS`.

    `critical_error` is the distance of the critical point near W* from W*, `critical_distance` that of the
    last iterate from the critical point, both relative to ||W*||_F; nan where there is no such point.
    """
    start = instance.truth if options.get("start") == "truth" else instance.start
    run = TRAINING.train(solver, [instance], [start], _without_start(options))
    (row,) = TRAINING.rows(run, [instance])
    critical, norm = near_truth(instance), np.linalg.norm(instance.truth)
    if critical is None:
        return row | {"critical_error": np.nan, "critical_distance": np.nan}
    return row | {
        "critical_error": float(relative_error(critical, instance.truth)),
        "critical_distance": float(np.linalg.norm(run.weights[0] - critical) / norm),
    }


def _without_start(options: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key != "start"}


OUTCOME = Outcome(COLUMNS, _check, one=_one)
