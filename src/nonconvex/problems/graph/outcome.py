"""What is kept of training graph networks: status, errors, iterations, and those to reach levels."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.networks.descent import Descent
from nonconvex.networks.graph import graph_trials
from nonconvex.networks.steps import Step, graph_step
from nonconvex.problems import descent_rows
from nonconvex.problems.contract import Row
from nonconvex.problems.graph.data import Instance
from nonconvex.problems.training import Solver, Training, outcomes


def train(
    solver: Solver,
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
        `nonconvex.networks.solvers.descend`, or one with its arguments and answer.
    instances, starts : sequences of one length
        A start is W0, shape (n_features, n_neurons).
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


def step(cell: Mapping[str, Any], rule: str = "chosen", factor: float = 1.0, beta: float = 0.8) -> Step:
    """Return the step that `train` takes on a cell's graph if ||a_n|| is 1; ValueError as `graph_step`."""
    return graph_step(
        rule,
        n_neurons=cell["n_neurons"],
        task=cell.get("task", "regression"),
        degree=cell["degree"],
        row_norm=1.0,
        factor=factor,
        beta=beta,
    )


def rows(run: Descent, instances: Sequence[Instance]) -> list[Row]:
    """Return one row per trial; errors are relative, in the Frobenius norm (thesis, Section 5.5)."""
    return descent_rows.rows(run, np.array([instance.truth for instance in instances]))


def start(instance: Instance) -> np.ndarray:
    """Return the start that was drawn around W*."""
    return instance.start


TRAINING = Training(train, rows, descent_rows.COLUMNS, step, start)
OUTCOME = outcomes(TRAINING)
