"""What is kept of training graph networks: status, errors, iterations, and those to reach levels."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nonconvex.networks.descent import Descent
from nonconvex.networks.graph import graph_trials
from nonconvex.networks.steps import Step, graph_step
from nonconvex.study import descent_rows
from nonconvex.study.descent_rows import COLUMNS, failed
from nonconvex.study.graph_data import Instance

__all__ = ["COLUMNS", "TELL", "check", "failed", "outcomes", "rows", "train"]

TELL = ()


def check(options: Mapping, cell: Mapping) -> None:
    """Raise ValueError for options that `train` cannot use on a cell."""
    step = {"rule": "chosen"} | descent_rows.step_options(options, train)
    task = cell.get("task", "regression")
    graph_step(n_neurons=cell["n_neurons"], task=task, degree=cell["degree"], row_norm=1.0, **step)


def outcomes(solver: Callable, instances: Sequence[Instance], tell: Sequence[str], options: Mapping) -> list:
    """Train on all trials of a cell, each from its stored start, and return their rows.

    A trial's numbers do not depend on the others. The options are those of `train`. Errors are relative, in
    the Frobenius norm (thesis, Section 5.5).
    """
    starts = [instance.start for instance in instances]
    return rows(train(solver, instances, starts, **options), instances)


def train(
    solver: Callable,
    instances: Sequence[Instance],
    starts: Sequence[np.ndarray],
    *,
    rule: str = "chosen",
    factor: float = 1.0,
    beta: float = 0.8,
    max_iterations: int = 4000,
    target: float | None = 1e-3,
    stall_exit: bool = False,
    record: Sequence[int] = (),
) -> Descent:
    """Run `solver` on instances of one cell.

    Parameters
    ----------
    solver : callable
        `nonconvex.networks.descent.descend`, or one with its arguments and answer.
    instances, starts : sequences of one length
    rule, factor, beta
        Step size and heavy-ball weight, see `nonconvex.networks.steps.graph_step`: the thesis states none
        for its experiments.
    max_iterations, target, stall_exit, record
        As `solver` takes them.
    """
    n_neurons, task = instances[0].truth.shape[1], instances[0].task
    return solver(
        graph_trials([i.aggregated for i in instances], [i.labels for i in instances], n_neurons, task=task),
        np.array(starts),
        np.array([instance.truth for instance in instances]),
        step=_steps(instances, rule, factor, beta),
        max_iterations=max_iterations,
        target=target,
        levels=descent_rows.levels(target),
        record=record,
        stall_exit=stall_exit,
    )


def _steps(instances: Sequence[Instance], rule: str, factor: float, beta: float) -> Step:
    """Return the step of every trial: where the rule looks at the graph, each has its own."""
    steps = [
        graph_step(
            rule,
            n_neurons=one.truth.shape[1],
            task=one.task,
            degree=one.degree,
            row_norm=one.row_norm,
            factor=factor,
            beta=beta,
        )
        for one in instances
    ]
    return Step(rule, np.array([step.eta for step in steps]), np.array([step.beta for step in steps]))


def rows(run: Descent, instances: Sequence[Instance]) -> list[dict]:
    """Return one row per trial, with the names of `COLUMNS`."""
    return descent_rows.rows(run, np.array([instance.truth for instance in instances]))
