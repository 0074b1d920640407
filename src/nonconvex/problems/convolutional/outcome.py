"""What is kept of training convolutional networks: status, errors, iterations, and those to reach levels."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.networks.descent import Descent
from nonconvex.networks.distances import spectral_error
from nonconvex.networks.models.convolutional import convolutional_trials
from nonconvex.networks.steps import Step, convolutional_step
from nonconvex.networks.trials import Trials
from nonconvex.problems import descent_rows
from nonconvex.problems.contract import Row
from nonconvex.problems.convolutional.data import Instance
from nonconvex.problems.training import Training, outcomes

COLUMNS = {**descent_rows.COLUMNS, "spectral_error": "f8", "spectral_over_noise": "f8"}

Start = tuple[np.ndarray, np.ndarray]
"""W0 (patch_size, n_neurons), and v (n_neurons,) as it is held fixed."""


def problems(instances: Sequence[Instance], starts: Sequence[Start]) -> tuple[Trials, np.ndarray]:
    """Return the training problems with the v of the starts, and the starts' W0."""
    weights, v = zip(*starts, strict=True)
    inputs, outputs = [one.inputs for one in instances], [one.outputs for one in instances]
    return convolutional_trials(inputs, outputs, np.array(v)), np.array(weights)


def start(instance: Instance) -> Start:
    """Return the start that was drawn around W*, with v = v*."""
    return instance.start, instance.v


def step(
    sizes: Mapping[str, Any], rule: str = "over_k", factor: float = 2.0, beta: float | None = None
) -> Step:
    """Return the step by `nonconvex.networks.steps.convolutional_step`.

    The default, "over_k", is a correction of the printed step.
    """
    n_neurons, n_patches = sizes["n_neurons"], sizes["n_patches"]
    return convolutional_step(rule, n_neurons=n_neurons, n_patches=n_patches, factor=factor, beta=beta)


def sizes(instance: Instance) -> Mapping[str, int]:
    """Return K and M."""
    return {"n_neurons": instance.truth.shape[1], "n_patches": instance.inputs.shape[1]}


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


TRAINING = Training(problems, start, step, sizes, rows, COLUMNS, max_iterations=6000, target=1e-6)
OUTCOME = outcomes(TRAINING)
