"""Instances of self-training: teacher, labelled and unlabelled data, first model (thesis, Section 7.4)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nonconvex.problems.contract import Data
from nonconvex.problems.redrawn import FIRST, check_first

STREAMS = {
    "truth": ("n_neurons", "n_features"),
    "labelled": ("n_features",),
    "unlabelled": ("n_features",),
    "start": ("n_neurons", "n_features"),
}
"""Neither N, M, the weight, the deviation nor the radius changes a draw: curves over them, and methods, are
paired. The parts of mini-batches are taken in the order of the draws, which is random by itself."""

REDRAWN = ("labelled", "unlabelled")
"""Bulky Gaussian draws: a dataset stores their first numbers only, and they are drawn again when needed."""

LARGEST = 2.5
"""Entries of W* are uniform from -2.5 to 2.5, stated."""


@dataclass(frozen=True, eq=False)
class Instance:
    """One problem with its teacher and its first model.

    Attributes
    ----------
    labelled : ndarray, shape (n_labelled, n_features), float64
        x_n, from N(0, I). Fewer are the first of more.
    labels : ndarray, shape (n_labelled,), float64
        y_n = g(W*; x_n).
    unlabelled : ndarray, shape (n_unlabelled, n_features), float64
        Inputs from N(0, deviation^2 I); none where M = 0. Fewer are the first of more.
    truth : ndarray, shape (n_features, n_neurons), float64
        W*.
    start : ndarray, shape (n_features, n_neurons), float64
        W0, uniform in a ball around W*.
    weight : float
        lambda, of the labelled data; 1 where M = 0.
    deviation : float
        Standard deviation of the unlabelled inputs.
    """

    labelled: np.ndarray
    labels: np.ndarray
    unlabelled: np.ndarray
    truth: np.ndarray
    start: np.ndarray
    weight: float
    deviation: float


def check(cell: Mapping) -> None:
    """Raise ValueError when no instance of this cell can exist."""
    for name in ("n_neurons", "n_features"):
        if not cell[name] >= 1:
            raise ValueError(f"{name} = {cell[name]} must be at least 1")
    if ("n_labelled" in cell) == ("labelled_ratio" in cell):
        raise ValueError("exactly one of n_labelled and labelled_ratio must be given")
    if not n_labelled(cell) >= 1:
        raise ValueError(f"the number of labelled data, {n_labelled(cell)}, must be at least 1")
    if not cell["n_unlabelled"] >= 0:
        raise ValueError(f"n_unlabelled = {cell['n_unlabelled']} must not be negative")
    if not cell["deviation"] > 0:
        raise ValueError(f"deviation = {cell['deviation']} must be positive")
    if not cell["distance"] >= 0:
        raise ValueError(f"distance = {cell['distance']} must not be negative; it is relative to W*")
    weight = cell.get("weight", 1)
    if not 0 < weight <= 1:
        raise ValueError(f"weight = {weight} must be above 0 and at most 1")
    if cell["n_unlabelled"] == 0 and weight < 1:
        raise ValueError(f"weight = {weight} must be 1 without unlabelled data, n_unlabelled = 0")


def n_labelled(cell: Mapping) -> int:
    """Return N, given itself or as a multiple of the K d unknowns."""
    if "n_labelled" in cell:
        return cell["n_labelled"]
    return round(cell["labelled_ratio"] * cell["n_neurons"] * cell["n_features"])


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw what determines an instance.

    W* (n_features, n_neurons), W0 (like W*), and the first numbers of the inputs, by which another random
    stream is told.
    """
    from nonconvex.networks.draws import draw_start

    shape = cell["n_features"], cell["n_neurons"]
    truth = streams["truth"].uniform(-LARGEST, LARGEST, shape)
    return {
        "truth": truth,
        "start": draw_start(truth, rng=streams["start"], radius=cell["distance"]),
        **{f"first_{name}": streams[name].standard_normal(FIRST) for name in REDRAWN},
    }


def build(
    cell: Mapping, stored: Mapping[str, np.ndarray], streams: Mapping[str, np.random.Generator]
) -> Instance:
    """Rebuild an instance; ValueError where `REDRAWN` streams draw other numbers than for the dataset."""
    from nonconvex.networks.models.mean import mean_outputs
    from nonconvex.networks.self_training.model import labelled_weight

    d, truth = cell["n_features"], stored["truth"]
    labelled = _normal(n_labelled(cell), d, "labelled", stored, streams)
    unlabelled = _normal(cell["n_unlabelled"], d, "unlabelled", stored, streams)
    usual = labelled_weight(len(labelled), len(unlabelled), d, cell["n_neurons"])
    return Instance(
        labelled,
        mean_outputs(labelled, truth),
        cell["deviation"] * unlabelled,
        truth,
        stored["start"],
        float(cell.get("weight", usual)),
        float(cell["deviation"]),
    )


def _normal(
    count: int,
    n_features: int,
    name: str,
    stored: Mapping[str, np.ndarray],
    streams: Mapping[str, np.random.Generator],
) -> np.ndarray:
    """Draw standard normal inputs of a stream again, shape (count, n_features), and check the first ones."""
    drawn = streams[name].standard_normal(max(count * n_features, FIRST))
    check_first(name, stored[f"first_{name}"], drawn)
    return drawn[: count * n_features].reshape(count, n_features)


DATA = Data(check, draw, build, streams=STREAMS, redrawn=REDRAWN)
