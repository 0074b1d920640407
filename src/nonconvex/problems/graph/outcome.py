"""What is kept of training graph networks: status, errors, iterations, and those to reach levels."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.networks.descent import Descent
from nonconvex.networks.models.graph import graph_trials
from nonconvex.networks.steps import Step, graph_step
from nonconvex.networks.trials import Trials
from nonconvex.problems import descent_rows
from nonconvex.problems.contract import Row
from nonconvex.problems.graph.data import Instance
from nonconvex.problems.training import Training, outcomes


def problems(instances: Sequence[Instance], starts: Sequence[np.ndarray]) -> tuple[Trials, np.ndarray]:
    """Return the training problems, and the starts' W0."""
    n_neurons, task = instances[0].truth.shape[1], instances[0].task
    inputs, labels = [one.aggregated for one in instances], [one.labels for one in instances]
    return graph_trials(inputs, labels, n_neurons, task=task), np.array(starts)


def start(instance: Instance) -> np.ndarray:
    """Return the start W0 that was drawn around W*, shape (n_features, n_neurons)."""
    return instance.start


def step(sizes: Mapping[str, Any], rule: str = "chosen", factor: float = 1.0, beta: float = 0.8) -> Step:
    """Return the step by `nonconvex.networks.steps.graph_step`; the thesis states none for its experiments.

    A cell, whose graphs are not drawn yet, has no `row_norm`: ||a_n|| is taken for 1.
    """
    return graph_step(
        rule,
        n_neurons=sizes["n_neurons"],
        task=sizes.get("task", "regression"),
        degree=sizes["degree"],
        row_norm=sizes.get("row_norm", 1.0),
        factor=factor,
        beta=beta,
    )


def sizes(instance: Instance) -> Mapping[str, Any]:
    """Return what the step depends on: where the rule looks at the graph, each instance has its own."""
    return {
        "n_neurons": instance.truth.shape[1],
        "task": instance.task,
        "degree": instance.degree,
        "row_norm": instance.row_norm,
    }


def rows(run: Descent, instances: Sequence[Instance]) -> list[Row]:
    """Return one row per trial; errors are relative, in the Frobenius norm (thesis, Section 5.5)."""
    return descent_rows.rows(run, np.array([instance.truth for instance in instances]))


TRAINING = Training(
    problems, start, step, sizes, rows, descent_rows.COLUMNS, max_iterations=4000, target=1e-3
)
OUTCOME = outcomes(TRAINING)
