"""What is kept of iterative magnitude pruning: one row per trial and round."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.errors import among
from nonconvex.networks.arguments import choice
from nonconvex.networks.pruning import mask_accuracy
from nonconvex.networks.solvers.iterative_pruning import PruningRounds, check_options
from nonconvex.problems.contract import Cell, Outcome, Row
from nonconvex.problems.pruned.data import Instance

Solver = Callable[..., PruningRounds]

STARTS = ("near", "random")
"""The start that was drawn around W*, or one of the norm of W* in the same random direction from 0."""

COLUMNS = {"status": "S16", "test_error": "f8"}
HISTORY = {
    "round": "i8",
    "pruning_ratio": "f8",
    "test_error": "f8",
    "oracle_error": "f8",
    "mask_accuracy": "f8",
}


def _check(solver: Solver, tell: Sequence[str], options: Mapping[str, Any], cell: Cell) -> None:
    _, _, _, _, *known = inspect.signature(solver).parameters
    for name in options:
        if name not in (*known, "start"):
            raise ValueError(f"there is none called '{name}'{among(name, (*known, 'start'))}")
    choice("start", options.get("start", STARTS[0]), STARTS)
    check_options(**_without_start(options))


def _start(instance: Instance, kind: str) -> np.ndarray:
    if kind == "near":
        return instance.start
    return (instance.start - instance.truth) / instance.distance


def _together(
    solver: Solver, instances: Sequence[Instance], tell: Sequence[str], options: Mapping[str, Any]
) -> list[Row]:
    """Return rows with `COLUMNS` and, under "history", `HISTORY`, rounds from 0 (no pruning yet) on.

    `test_error` is the root mean square difference of the outputs from the teacher's over all inputs,
    `oracle_error` the relative distance to W* after the best permutation of neurons.
    """
    run = solver(
        [one.inputs for one in instances],
        [one.outputs for one in instances],
        np.array([_start(one, options.get("start", STARTS[0])) for one in instances]),
        np.array([one.truth for one in instances]),
        **_without_start(options),
    )
    rows: list[Row] = []
    for i, one in enumerate(instances):
        masks = run.masks[:, i]
        history = {
            "round": np.arange(len(masks)),
            "pruning_ratio": 1 - masks.mean(axis=(1, 2)),
            "test_error": run.test_error[:, i],
            "oracle_error": run.oracle_error[:, i],
            "mask_accuracy": np.array([mask_accuracy(mask, one.mask) for mask in masks]),
        }
        rows.append(
            {"status": str(run.status[i]), "test_error": float(run.test_error[-1, i]), "history": history}
        )
    return rows


def _without_start(options: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key != "start"}


OUTCOME = Outcome(COLUMNS, _check, together=_together, history=HISTORY)
