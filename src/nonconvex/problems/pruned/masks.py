"""What is kept of training with a mask that was found early: test error, and how good the mask is."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.errors import among
from nonconvex.networks.pruning import mask_accuracy
from nonconvex.networks.solvers.prune_and_train import PrunedTraining, check_options
from nonconvex.networks.supports import effective_size
from nonconvex.problems.contract import Cell, Outcome, Row
from nonconvex.problems.pruned.data import Instance

Solver = Callable[..., PrunedTraining]

LEVELS = {
    f"{level:.2f}": level
    for level in (
        *(0.3, 0.25, 0.2, 0.17, 0.15, 0.13, 0.12, 0.11, 0.1),
        *(0.09, 0.08, 0.07, 0.06, 0.05, 0.04, 0.03, 0.02, 0.01),
    )
}
"""The test errors whose first iteration is kept, by what they are called in a column's name."""

HALVED = ("half", "quarter", "eighth")
"""What is left of the excess of the test error over its last value, in the names of further columns."""

COLUMNS = {
    "status": "S16",
    "mask_accuracy": "f8",
    "test_error": "f8",
    "iterations": "i8",
    "error": "f8",
    **{f"iterations_{name}": "f8" for name in (*LEVELS, *HALVED)},
    "start_test_error": "f8",
    "effective_size": "f8",
}


def _check(solver: Solver, tell: Sequence[str], options: Mapping[str, Any], cell: Cell) -> None:
    _, _, _, _, *known = inspect.signature(solver).parameters
    known = [name for name in known if name not in ("ratio", "levels")]
    for name in options:
        if name not in known:
            raise ValueError(f"there is none called '{name}'{among(name, known)}")
    if "pruning_ratio" not in cell:
        raise KeyError("pruning_ratio")
    check_options(**options)


def _together(
    solver: Solver, instances: Sequence[Instance], tell: Sequence[str], options: Mapping[str, Any]
) -> list[Row]:
    """Return rows with `COLUMNS`.

    `test_error` is the root mean square difference of the outputs from the teacher's over all inputs,
    `start_test_error` that of the masked weights that training begins with. A level that was not reached has
    nan: censored at `iterations`; so has `iterations_half`, ..., of a test error that does not fall. `error`
    is relative, after no permutation; `effective_size` is the mask's.
    """
    run = solver(
        [one.inputs for one in instances],
        [one.outputs for one in instances],
        np.array([one.start for one in instances]),
        np.array([one.truth for one in instances]),
        ratio=instances[0].pruning_ratio,
        levels=list(LEVELS.values()),
        **options,
    )
    steps = np.concatenate([run.reached, run.halved], axis=1)
    reached = np.where(steps < 0, np.nan, steps)
    return [
        {
            "status": str(run.status[i]),
            "mask_accuracy": float(mask_accuracy(run.masks[i], one.mask)),
            "test_error": float(run.test_error[i]),
            "iterations": int(run.iterations[i]),
            "error": float(run.error[i]),
            **{
                f"iterations_{name}": float(at)
                for name, at in zip((*LEVELS, *HALVED), reached[i], strict=True)
            },
            "start_test_error": float(run.start_test_error[i]),
            "effective_size": float(effective_size(run.masks[i])),
        }
        for i, one in enumerate(instances)
    ]


OUTCOME = Outcome(COLUMNS, _check, together=_together)
