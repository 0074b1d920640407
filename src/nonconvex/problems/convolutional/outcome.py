"""What is kept of training convolutional networks: status, errors, iterations, and those to reach levels."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.networks.convolutional import convolutional_trials
from nonconvex.networks.descent import Descent
from nonconvex.networks.distances import spectral_error
from nonconvex.networks.steps import Step, convolutional_step
from nonconvex.problems import descent_rows
from nonconvex.problems.contract import Row
from nonconvex.problems.convolutional.data import Instance
from nonconvex.problems.training import Solver, Training, outcomes

COLUMNS = {**descent_rows.COLUMNS, "spectral_error": "f8", "spectral_over_noise": "f8"}

Start = tuple[np.ndarray, np.ndarray]
"""W0 (patch_size, n_neurons), and v (n_neurons,) as it is held fixed."""


def train(
    solver: Solver,
    instances: Sequence[Instance],
    starts: Sequence[Start],
    *,
    rule: str = "over_k",
    factor: float = 2.0,
    beta: float | None = None,
    max_iterations: int = 6000,
    target: float | None = 1e-6,
    stall_exit: bool = False,
    record: Sequence[int] = (),
) -> Descent:
    """Run `solver` on instances of one cell.

    Parameters
    ----------
    solver : callable
        `nonconvex.networks.solvers.descend`, or one with its arguments and answer.
    instances, starts : sequences of one length
    rule, factor, beta
        Step size and heavy-ball weight, see `nonconvex.networks.steps.convolutional_step`. The default,
        "over_k", is a correction of the printed step.
    max_iterations, target, stall_exit, record
        As `solver` takes them.
    """
    n_neurons, n_patches = instances[0].truth.shape[1], instances[0].inputs.shape[1]
    weights, v = zip(*starts, strict=True)
    return solver(
        convolutional_trials([i.inputs for i in instances], [i.outputs for i in instances], np.array(v)),
        np.array(weights),
        np.array([instance.truth for instance in instances]),
        step=convolutional_step(rule, n_neurons=n_neurons, n_patches=n_patches, factor=factor, beta=beta),
        max_iterations=max_iterations,
        target=target,
        levels=descent_rows.levels(target),
        record=record,
        stall_exit=stall_exit,
    )


def step(
    cell: Mapping[str, Any], rule: str = "over_k", factor: float = 2.0, beta: float | None = None
) -> Step:
    """Return the step that `train` takes on a cell; ValueError for values that it cannot use."""
    sizes = {name: cell[name] for name in ("n_neurons", "n_patches")}
    return convolutional_step(rule, **sizes, factor=factor, beta=beta)


def rows(run: Descent, instances: Sequence[Instance]) -> list[Row]:
    """Return one row per trial, with the names of `COLUMNS`.

    Errors are relative, in the Frobenius norm (thesis, Section 4.4.1) and in the spectral norm;
    `spectral_over_noise` is the latter over the noise level, at most 1 for a success of Section 4.4.3, and
    nan without noise.
    """
    truth = np.array([instance.truth for instance in instances])
    spectral = spectral_error(run.weights, truth)
    made = descent_rows.rows(run, truth, np.array([instance.v for instance in instances]))
    for row, error, instance in zip(made, spectral, instances, strict=True):
        row["spectral_error"] = float(error)
        row["spectral_over_noise"] = float(error) / instance.noise if instance.noise else np.nan
    return made


def start(instance: Instance) -> Start:
    """Return the start that was drawn around W*, with v = v*."""
    return instance.start, instance.v


TRAINING = Training(train, rows, COLUMNS, step, start)
OUTCOME = outcomes(TRAINING)
