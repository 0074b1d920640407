"""Error against iteration in training pruned networks."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nonconvex.problems.contract import Row
from nonconvex.problems.pruned.data import Instance
from nonconvex.problems.pruned.training import TRAINING
from nonconvex.problems.training import Options, Solver, curves

_KEPT = curves(TRAINING)


def _together(
    solver: Solver, instances: Sequence[Instance], tell: Sequence[str], options: Options
) -> list[Row]:
    """Return rows whose history has the r-tilde that was drawn as well, the same at every iterate."""
    assert _KEPT.together is not None
    rows = list(_KEPT.together(solver, instances, tell, options))
    for row in rows:
        history = row["history"]
        history["effective_size"] = np.full(len(history["iteration"]), row["effective_size"])
    return rows


OUTCOME = replace(_KEPT, together=_together, history={**(_KEPT.history or {}), "effective_size": "f8"})
