"""Risks along the line through W0 and W* (thesis, Figures 7.2 and F.1)."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from nonconvex.networks.generalisation import population_risk
from nonconvex.networks.models.mean import mean_outputs
from nonconvex.networks.self_training.model import mixture
from nonconvex.problems.contract import Table
from nonconvex.problems.selftraining.data import Instance

POSITIONS = np.linspace(-0.5, 1.5, 81)
"""Along the line: W0 at 0, W* at 1."""


def columns(axes: Sequence[str]) -> list[str]:
    """Return the table's column names.

    At each `position`: the empirical risk of the labelled data alone; the weighted empirical risk with the
    pseudo-labels of the first teacher, W0 (thesis, Eq. empirical_risk_function; the former where M = 0); the
    population risk f(W; lambda-hat) (Eq. p_population_risk_function, with the squares that the printed one
    lacks); half the generalisation function (Eq. GF), the size of a risk. `mixture_position` is lambda-hat,
    where W[lambda-hat] lies.
    """
    of = ["position", "labelled_risk", "weighted_risk", "population_risk", "half_generalisation"]
    return [*axes, "trial", *of, "mixture_position"]


def rows(axes: Sequence[str], cell: Mapping, trial: int, instance: Instance) -> Iterator[tuple]:
    """Yield the rows of a trial, one a position."""
    start, truth, weight = instance.start, instance.truth, instance.weight
    line = start + POSITIONS[:, None, None] * (truth - start)
    labelled = _risks(line, instance.labelled, instance.labels)
    weighted = weight * labelled
    if len(instance.unlabelled):
        pseudo = mean_outputs(instance.unlabelled, start)
        weighted = weighted + (1 - weight) * _risks(line, instance.unlabelled, pseudo)
    between = mixture(start, truth, weight, deviation=instance.deviation)
    # The network is homogeneous: inputs that are `deviation` as large multiply its risk by the square.
    spread = weight + (1 - weight) * instance.deviation**2
    population = 0.5 * spread * population_risk(line, between)
    half = 0.5 * population_risk(line, truth)
    position = weight / spread
    values = np.column_stack([POSITIONS, labelled, weighted, population, half]).tolist()
    for row in values:
        yield (*(cell[axis] for axis in axes), trial, *row, position)


def _risks(line: np.ndarray, inputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return half the mean squared residual of every network of `line`, shape (n_positions,)."""
    return np.array([0.5 * np.mean((mean_outputs(inputs, one) - targets) ** 2) for one in line])


TABLE = Table(columns, rows)
