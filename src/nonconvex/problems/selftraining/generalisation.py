"""The generalisation function against the distance to W*, one to five hidden layers (thesis, Figure 7.4)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nonconvex.networks.deep import generalisation_function
from nonconvex.networks.generalisation import population_risk
from nonconvex.problems.contract import Data, Table
from nonconvex.problems.redrawn import FIRST, check_first

STREAMS = {
    "truth": ("n_neurons", "n_features", "n_layers"),
    "direction": ("n_neurons", "n_features", "n_layers"),
    "inputs": ("n_features",),
}
"""The distance changes no draw: a curve goes along one ray from W*. All depths have the same inputs."""

REDRAWN = ("inputs",)
LARGEST = 2.5
"""Entries of W* are uniform from -2.5 to 2.5, stated for one hidden layer."""


@dataclass(frozen=True, eq=False)
class Ray:
    """A network, a direction away from it, and inputs.

    Attributes
    ----------
    truth : list of ndarray
        W* of each layer, (n_features, n_neurons) and then (n_neurons, n_neurons).
    direction : list of ndarray
        Like `truth`, with the norm of all of W*.
    inputs : ndarray, shape (n_inputs, n_features)
    """

    truth: list[np.ndarray]
    direction: list[np.ndarray]
    inputs: np.ndarray

    def at(self, distance: float) -> list[np.ndarray]:
        """Return the weights at a relative distance from W*."""
        return [w + distance * away for w, away in zip(self.truth, self.direction, strict=True)]


def check(cell: Mapping) -> None:
    """Raise ValueError when no instance of this cell can exist."""
    for name in ("n_neurons", "n_features", "n_layers", "n_inputs"):
        if not cell[name] >= 1:
            raise ValueError(f"{name} = {cell[name]} must be at least 1")
    for name in ("distance", "largest"):
        if not cell[name] > 0:
            raise ValueError(f"{name} = {cell[name]} must be positive")


def _shapes(cell: Mapping) -> list[tuple[int, int]]:
    k = cell["n_neurons"]
    return [(cell["n_features"], k), *[(k, k)] * (cell["n_layers"] - 1)]


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw W* and a direction, each (number of all weights,), and the first numbers of the inputs."""
    count = sum(rows * columns for rows, columns in _shapes(cell))
    return {
        "truth": streams["truth"].uniform(-LARGEST, LARGEST, count),
        "direction": streams["direction"].standard_normal(count),
        "first_inputs": streams["inputs"].standard_normal(FIRST),
    }


def build(cell: Mapping, stored: Mapping[str, np.ndarray], streams: Mapping[str, np.random.Generator]) -> Ray:
    """Rebuild an instance; ValueError where `REDRAWN` streams draw other numbers than for the dataset."""
    count, d = cell["n_inputs"], cell["n_features"]
    inputs = streams["inputs"].standard_normal(max(count * d, FIRST))
    check_first("inputs", stored["first_inputs"], inputs)
    truth, direction = stored["truth"], stored["direction"]
    direction = direction * (np.linalg.norm(truth) / np.linalg.norm(direction))
    return Ray(_layers(truth, cell), _layers(direction, cell), inputs[: count * d].reshape(count, d))


def _layers(weights: np.ndarray, cell: Mapping) -> list[np.ndarray]:
    """Return a vector of all weights as a matrix a layer."""
    shapes = _shapes(cell)
    ends = np.cumsum([rows * columns for rows, columns in shapes])[:-1]
    return [part.reshape(shape) for part, shape in zip(np.split(weights, ends), shapes, strict=True)]


def columns(axes: Sequence[str]) -> list[str]:
    """Return the table's column names.

    `gf` is the generalisation function (thesis, Eq. GF) over its value at the relative distance `largest`,
    `root_gf` its square root; `raw_gf` is not divided.
    """
    return [*axes, "trial", "gf", "root_gf", "raw_gf"]


def rows(axes: Sequence[str], cell: Mapping, trial: int, ray: Ray) -> Iterator[tuple]:
    """Yield a trial's one row: exact for one hidden layer, a mean over the inputs for more."""
    raw, most = (_function(ray, cell[name]) for name in ("distance", "largest"))
    share = raw / most if most else float("nan")  # of networks whose outputs are all zero
    yield (*(cell[axis] for axis in axes), trial, share, float(np.sqrt(share)), raw)


def _function(ray: Ray, distance: float) -> float:
    weights = ray.at(distance)
    if len(weights) == 1:
        return float(population_risk(weights[0], ray.truth[0]))
    return generalisation_function(ray.inputs, weights, ray.truth)


DATA = Data(check, draw, build, streams=STREAMS, redrawn=REDRAWN)
TABLE = Table(columns, rows)
