"""What is kept of self-training on images: how the last model ended, and its rates over the first quarter."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nonconvex.problems.contract import Cell, Outcome, Row
from nonconvex.problems.images.data import UNKNOWN, Instance
from nonconvex.problems.images.training import check_options, trained

COLUMNS = {
    "status": "S16",
    "test_error": "f8",
    "test_accuracy": "f8",
    "teacher_accuracy": "f8",
    "gain": "f8",
    "label_accuracy": "f8",
    "rate": "f8",
    "loss_rate": "f8",
}

EARLY = 4
"""The rate is over the first quarter of the epochs: 50 of the thesis's 200."""


def _check(solver: str, tell: Sequence[str], options: Mapping[str, Any], cell: Cell) -> None:
    check_options((), cell, options)
    if cell["epochs"] // EARLY < 2:
        raise ValueError(f"epochs = {cell['epochs']} must be at least {2 * EARLY}: rates need two of them")


def _one(
    solver: Callable[..., Any],
    instance: Instance,
    tell: Sequence[str],
    options: Mapping[str, Any],
    folder: Path,
) -> Row:
    """Return a row with the names of `COLUMNS`.

    Accuracies are shares of the test images after the last epoch, `gain` the student's over its teacher's in
    percentage points, `label_accuracy` the share of pseudo-labels that are right (nan without any, or where
    nobody knows). `rate` and `loss_rate` are the factors by which the test error and the mean training loss
    change in an epoch over the first quarter of them, by the ends.
    """
    images, early = (instance.train, instance.unlabelled, instance.test), instance.sizes["epochs"] // EARLY
    run = trained(solver, instance, images, options, folder, follow=early)
    accuracy = np.asarray(run.test_accuracy, dtype=float)
    known = instance.hidden != UNKNOWN
    right = np.asarray(run.pseudo_labels)[known] == instance.hidden[known]
    return {
        "status": run.status,
        "test_error": float(1 - accuracy[-1]),
        "test_accuracy": float(accuracy[-1]),
        "teacher_accuracy": float(run.teacher_accuracy),
        "gain": float(100 * (accuracy[-1] - run.teacher_accuracy)),
        "label_accuracy": float(right.mean()) if right.size else np.nan,
        "rate": _rate(1 - accuracy[: early + 1]),
        "loss_rate": _rate(np.asarray(run.loss, dtype=float)[:early]),
    }


def _rate(values: np.ndarray) -> float:
    """Return the factor by which positive numbers change from one to the next, by the first and the last."""
    first, last = values[0], values[-1]
    if not (first > 0 and last > 0):
        return np.nan
    return float((last / first) ** (1 / (len(values) - 1)))


OUTCOME = Outcome(COLUMNS, _check, one=_one, resumes=True, packages=("torch",))
