"""What is kept of pruning networks of images: one row per trial and round."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nonconvex.images.arguments import choice, integer, number
from nonconvex.images.model_facts import LAYERS
from nonconvex.problems.contract import Cell, Outcome, Row
from nonconvex.problems.images.data import Instance
from nonconvex.problems.images.training import check_options, trained

COLUMNS = {"status": "S16"}
HISTORY = {
    "round": "i8",
    "pruning_ratio": "f8",
    "test_accuracy": "f8",
    "validation_accuracy": "f8",
    "best_epoch": "i8",
    "loss": "f8",
    "test_error": "f8",
    "dense_error": "f8",
    "ticket_error": "f8",
    "ticket_ratio": "f8",
}


OWN = ("share", "layers", "rewind")
"""The options of pruning itself."""


def _check(solver: str, tell: Sequence[str], options: Mapping[str, Any], cell: Cell) -> None:
    check_options(OWN, cell, options)
    number("share", options.get("share", 0.2), 0, 1)
    choice("layers", options.get("layers", LAYERS[0]), LAYERS)
    integer("rewind", options.get("rewind", 0), 0)
    if not cell.get("n_validation"):
        raise ValueError("n_validation must be at least 1: epochs are picked on validation images")


def _one(
    solver: Callable[..., Any],
    instance: Instance,
    tell: Sequence[str],
    options: Mapping[str, Any],
    folder: Path,
) -> Row:
    """Return a row with `COLUMNS` and, under "history", `HISTORY`, rounds from 0 (nothing pruned) on.

    Accuracies are shares of images, at the epoch of the best validation accuracy; `test_error` is one minus
    the test accuracy. The same for a whole trial: `dense_error` is that of round 0, `ticket_error` that of
    the later round which validation accuracy picks (the first one on ties), at `ticket_ratio`.
    """
    run = trained(solver, instance, (instance.train, instance.validation, instance.test), options, folder)
    errors = 1 - np.asarray(run.test_accuracy)
    ticket = _ticket(np.asarray(run.validation_accuracy))
    whole = {
        "dense_error": errors[0],
        "ticket_error": np.nan if ticket is None else errors[ticket],
        "ticket_ratio": np.nan if ticket is None else run.pruning_ratio[ticket],
    }
    history = {
        "round": np.arange(len(errors)),
        "pruning_ratio": run.pruning_ratio,
        "test_accuracy": run.test_accuracy,
        "validation_accuracy": run.validation_accuracy,
        "best_epoch": run.best_epoch,
        "loss": run.loss,
        "test_error": errors,
        **{name: np.full(len(errors), value) for name, value in whole.items()},
    }
    return {"status": run.status, "history": history}


def _ticket(validation: np.ndarray) -> int | None:
    """Return the round that validation accuracy picks among the pruned ones; None where there is none."""
    later = validation[1:]
    return None if not np.isfinite(later).any() else 1 + int(np.nanargmax(later))


OUTCOME = Outcome(COLUMNS, _check, one=_one, history=HISTORY, resumes=True, packages=("torch",))
