"""What is kept of self-training: how it ended, its errors, and its rate over the first rounds."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from nonconvex.errors import among
from nonconvex.networks.distances import aligned_error, relative_error
from nonconvex.networks.self_training.model import mixture
from nonconvex.networks.self_training.result import SelfTraining
from nonconvex.networks.self_training.schedule import Schedule
from nonconvex.problems.contract import Cell, Outcome, Row
from nonconvex.problems.selftraining.data import Instance, n_labelled

COLUMNS = {
    "status": "S16",
    "error": "f8",
    "aligned_error": "f8",
    "mixture_error": "f8",
    "rate": "f8",
    "iterations": "i8",
    "error_round1": "f8",
    "labelled_weight": "f8",
    "start_error": "f8",
}

RATE_ROUNDS = 10
"""The rate is the factor by which the error falls in a round, over the first ten of them."""

GROUP_BYTES = 20_000_000
"""Trials are handed over in groups, so that the inputs of a block need not be copied all at once."""

Solver = Callable[..., SelfTraining]


def check(solver: Solver, tell: Sequence[str], options: Mapping[str, Any], cell: Cell) -> None:
    """Raise ValueError for options that cannot be used on a cell, and for a solver that is none."""
    known = [field.name for field in fields(Schedule)]
    for name in options:
        if name not in known:
            raise ValueError(f"there is none called '{name}'{among(name, known)}")
    if "eta" not in options:
        raise ValueError("the step size eta is missing")
    schedule = Schedule(**options)
    try:
        named = dict.fromkeys(("weight", "truth", "record"))
        inspect.signature(solver).bind("labelled", "labels", "unlabelled", "start", **named, **options)
    except TypeError as error:
        raise ValueError(f"its method cannot be called as self-training is: {error}") from error
    schedule.check_counts(n_labelled(cell), cell["n_unlabelled"])


def train(
    solver: Solver, instances: Sequence[Instance], options: Mapping[str, Any], record: Sequence[int]
) -> SelfTraining:
    """Run `solver` on instances of one cell; weights are kept at the rounds `record`."""
    return solver(
        np.stack([one.labelled for one in instances]),
        np.stack([one.labels for one in instances]),
        np.stack([one.unlabelled for one in instances]),
        np.stack([one.start for one in instances]),
        weight=instances[0].weight,
        truth=np.stack([one.truth for one in instances]),
        record=record,
        **options,
    )


def together(
    solver: Solver, instances: Sequence[Instance], tell: Sequence[str], options: Mapping[str, Any]
) -> list[Row]:
    """Return one row per trial, with the names of `COLUMNS`; nan where there is no such number.

    `error` is the relative error to W* with neurons in their order, which starts within .5 of W* keep;
    `aligned_error` the one after their best order, as Section 7.2 defines it; `mixture_error` the distance to
    the mixture of W* and W0, relative to its norm. `rate` is (e_10/e_0)^(1/10) with e_l the error after l
    rounds, nan where a run ended before.
    """
    found: list[Row] = []
    for group in _groups(instances):
        run = train(solver, group, options, (1, RATE_ROUNDS))
        found.extend(_row(run, i, one) for i, one in enumerate(group))
    return found


def _groups(instances: Sequence[Instance]) -> Iterator[Sequence[Instance]]:
    one = instances[0].labelled.nbytes + instances[0].unlabelled.nbytes
    size = max(1, GROUP_BYTES // one)
    for first in range(0, len(instances), size):
        yield instances[first : first + size]


def _row(run: SelfTraining, i: int, instance: Instance) -> Row:
    truth, start = instance.truth, instance.start
    first, tenth = (float(relative_error(weights, truth)) for weights in run.recorded[i])
    between = mixture(start, truth, instance.weight, deviation=instance.deviation)
    begun = float(relative_error(start, truth))
    with np.errstate(all="ignore"):  # a diverged trial may have overflowed
        return {
            "status": str(run.status[i]),
            "error": float(relative_error(run.weights[i], truth)),
            "aligned_error": float(aligned_error(run.weights[i], truth)),
            "mixture_error": float(relative_error(run.weights[i], between)),
            "rate": (tenth / begun) ** (1 / RATE_ROUNDS) if begun else np.nan,
            "iterations": int(run.rounds[i]),
            "error_round1": first,
            "labelled_weight": instance.weight,
            "start_error": begun,
        }


OUTCOME = Outcome(COLUMNS, check, together=together)
