"""What is kept of training convolutional networks: status, errors, iterations, and those to reach levels."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nonconvex.networks.convolutional import convolutional_trials
from nonconvex.networks.descent import Descent
from nonconvex.networks.errors import spectral_error
from nonconvex.networks.steps import convolutional_step
from nonconvex.study import descent_rows
from nonconvex.study.convolutional_data import Instance

__all__ = ["COLUMNS", "TELL", "check", "failed", "outcomes", "rows", "train"]

TELL = ()
COLUMNS = {**descent_rows.COLUMNS, "spectral_error": "f8", "spectral_over_noise": "f8"}


def check(options: Mapping, cell: Mapping) -> None:
    """Raise ValueError for options that `train` cannot use on a cell."""
    step = descent_rows.step_options(options, train)
    convolutional_step(n_neurons=cell["n_neurons"], n_patches=cell["n_patches"], **step)


def outcomes(solver: Callable, instances: Sequence[Instance], tell: Sequence[str], options: Mapping) -> list:
    """Train on all trials of a cell, each from its stored start, with v = v*, and return their rows.

    A trial's numbers do not depend on the others. The options are those of `train`. Errors are relative, in
    the Frobenius norm (thesis, Section 4.4.1) and in the spectral norm; `spectral_over_noise` is the latter
    over the noise level, at most 1 for a success of Section 4.4.3, and nan without noise.
    """
    starts = [instance.start for instance in instances]
    run = train(solver, instances, starts, [instance.v for instance in instances], **options)
    return rows(run, instances)


def train(
    solver: Callable,
    instances: Sequence[Instance],
    starts: Sequence[np.ndarray],
    v: Sequence[np.ndarray],
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
        `nonconvex.networks.descent.descend`, or one with its arguments and answer.
    instances, starts, v : sequences of one length
    rule, factor, beta
        Step size and heavy-ball weight, see `nonconvex.networks.steps.convolutional_step`. The default,
        "over_k", is a correction of the printed step.
    max_iterations, target, stall_exit, record
        As `solver` takes them.
    """
    n_neurons, n_patches = instances[0].truth.shape[1], instances[0].inputs.shape[1]
    return solver(
        convolutional_trials([i.inputs for i in instances], [i.outputs for i in instances], np.array(v)),
        np.array(starts),
        np.array([instance.truth for instance in instances]),
        step=convolutional_step(rule, n_neurons=n_neurons, n_patches=n_patches, factor=factor, beta=beta),
        max_iterations=max_iterations,
        target=target,
        levels=descent_rows.levels(target),
        record=record,
        stall_exit=stall_exit,
    )


def rows(run: Descent, instances: Sequence[Instance]) -> list[dict]:
    """Return one row per trial, with the names of `COLUMNS`."""
    truth = np.array([instance.truth for instance in instances])
    spectral = spectral_error(run.weights, truth)
    made = descent_rows.rows(run, truth, np.array([instance.v for instance in instances]))
    for row, error, instance in zip(made, spectral, instances, strict=True):
        row["spectral_error"] = float(error)
        row["spectral_over_noise"] = float(error) / instance.noise if instance.noise else np.nan
    return made


def failed() -> dict:
    """Return the row of a trial that could not be run."""
    return {**descent_rows.failed(), "spectral_error": np.nan, "spectral_over_noise": np.nan}
