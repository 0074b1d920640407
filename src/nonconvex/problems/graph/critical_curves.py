"""Distance to the critical point near W* against iteration, in training graph networks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nonconvex.problems.contract import Outcome, Row
from nonconvex.problems.graph.critical import near_truth
from nonconvex.problems.graph.data import Instance
from nonconvex.problems.graph.outcome import TRAINING
from nonconvex.problems.training import Solver, curves

_CURVES = curves(TRAINING)


def _one(solver: Solver, instance: Instance, tell: Sequence[str], options: Mapping[str, Any]) -> Row:
    """Return the row of a curve whose errors are distances to the critical point, relative to its norm."""
    critical = near_truth(instance)
    if critical is None:
        raise ValueError("the loss has no critical point near W*")
    assert _CURVES.together is not None
    (row,) = _CURVES.together(solver, [replace(instance, truth=critical)], tell, options)
    return row


OUTCOME = Outcome(_CURVES.columns, _CURVES.check, one=_one, history=_CURVES.history)
