"""Instances of one-hidden-layer graph networks: graph, features, teacher and labels (thesis, Section 5.5)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nonconvex.problems.contract import Data
from nonconvex.problems.graph import structures
from nonconvex.problems.graph.structures import check_graph, draw_graph, edges_of, n_nodes
from nonconvex.problems.redrawn import FIRST, check_first

STREAMS = {
    **structures.STREAMS,
    "truth": ("n_neurons", "n_features"),
    "inputs": ("n_features",),
    "noise": ("n_features",),
    "labelled": ("n_nodes", "nodes_ratio"),
    "start": ("n_neurons", "n_features"),
    "tensor": ("n_neurons", "n_features"),
}
"""Neither graph, number of labels nor noise level changes another draw: curves over them are paired."""

REDRAWN = ("inputs", "noise", "graph")
"""A dataset stores the first numbers of features and noise and the graph's digest; they are drawn again."""

TASKS = ("regression", "classification")
DEVIATION = 5.0
"""Of the entries of W*, stated."""


@dataclass(frozen=True, eq=False)
class Instance:
    """One training problem with its teacher and its start point.

    Attributes
    ----------
    edges : ndarray, shape (n_edges, 2), int64
        Links between the nodes, each once.
    features : ndarray, shape (n_nodes, n_features), float64
        X. Fewer nodes have the first rows of more.
    labelled : ndarray, shape (n_labelled,), int64
        Omega, ascending. Of the same nodes, fewer labelled ones are among the more.
    aggregated : ndarray, shape (n_labelled, n_features), float64
        a_n' X at the labelled nodes.
    labels : ndarray, shape (n_labelled,), float64
        y_n, noise included; zeros and ones for classification.
    truth : ndarray, shape (n_features, n_neurons), float64
        W*.
    start : ndarray, shape (n_features, n_neurons), float64
        W0 at random around W*, within half of its norm.
    task : {"regression", "classification"}
    noise : float
        Noise level sigma / E_z, E_z being the root mean square of z_n over the labelled nodes.
    degree : int
        delta.
    row_norm : float
        Mean of ||a_n||^2 over the labelled nodes.
    tensor : ndarray, shape (4,), uint32
        Seed of the contraction vectors of a tensor initialisation.
    """

    edges: np.ndarray
    features: np.ndarray
    labelled: np.ndarray
    aggregated: np.ndarray
    labels: np.ndarray
    truth: np.ndarray
    start: np.ndarray
    task: str
    noise: float
    degree: int
    row_norm: float
    tensor: np.ndarray


def check(cell: Mapping) -> None:
    """Raise ValueError when no instance of this cell can exist."""
    for name in ("n_neurons", "n_features", "n_labelled"):
        if not cell[name] >= 1:
            raise ValueError(f"{name} = {cell[name]} must be at least 1")
    structures.check(cell)
    if cell["n_labelled"] > n_nodes(cell):
        raise ValueError(
            f"n_labelled = {cell['n_labelled']} must be at most the number of nodes, {n_nodes(cell)}"
        )
    if _task(cell) not in TASKS:
        raise ValueError(f"task = {_task(cell)!r} is none of {', '.join(TASKS)}")
    noise = cell.get("noise", 0)
    if not noise >= 0:
        raise ValueError(f"noise = {noise} must not be negative; it is sigma / E_z")
    if noise and _task(cell) == "classification":
        raise ValueError(f"noise = {noise} must be 0 for classification: classes are drawn from z_n")


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw what determines an instance.

    W* (n_features, n_neurons), W0 (like W*), the seed of tensor initialisations, where not all nodes are
    labelled which ones are (a bit each), and what tells whether redrawn streams have changed.
    """
    from nonconvex.networks.draws import draw_start, draw_weights

    truth = draw_weights(cell["n_features"], cell["n_neurons"], rng=streams["truth"], deviation=DEVIATION)
    drawn = {
        "truth": truth,
        "start": draw_start(truth, rng=streams["start"]),
        "tensor": streams["tensor"].integers(2**32, size=4, dtype=np.uint32),
        "first_inputs": streams["inputs"].standard_normal(FIRST),
        "first_noise": _raw_noise(cell, FIRST, streams["noise"]),
        **structures.draw(cell, streams),
    }
    nodes, count = n_nodes(cell), cell["n_labelled"]
    if count < nodes:
        chosen = streams["labelled"].permutation(nodes) < count
        drawn["labelled"] = np.packbits(chosen)
    return drawn


def build(
    cell: Mapping, stored: Mapping[str, np.ndarray], streams: Mapping[str, np.random.Generator]
) -> Instance:
    """Rebuild an instance; ValueError where `REDRAWN` streams draw other numbers than for the dataset."""
    from nonconvex.networks.graphs import normalise, row_norms_squared
    from nonconvex.networks.models.graph import aggregate, draw_node_features, graph_outputs

    nodes = n_nodes(cell)
    features = draw_node_features(nodes, cell["n_features"], rng=streams["inputs"])
    raw = _raw_noise(cell, max(nodes, FIRST), streams["noise"])
    adjacency = draw_graph(cell, streams["graph"])
    edges = edges_of(adjacency)
    check_first("inputs", stored["first_inputs"], features.ravel())
    check_first("noise", stored["first_noise"], raw)
    check_graph(stored["graph_digest"], edges)
    labelled = np.arange(nodes)
    if "labelled" in stored:
        labelled = np.flatnonzero(np.unpackbits(stored["labelled"], count=nodes))
    normalised, task = normalise(adjacency), _task(cell)
    aggregated = aggregate(normalised, features, labelled)
    clean = graph_outputs(aggregated, stored["truth"], task=task)
    level = float(cell.get("noise", 0.0))
    return Instance(
        edges=edges,
        features=features,
        labelled=labelled,
        aggregated=aggregated,
        labels=_labels(clean, raw[labelled], task, level),
        truth=stored["truth"],
        start=stored["start"],
        task=task,
        noise=level,
        degree=cell["degree"],
        row_norm=float(np.mean(row_norms_squared(normalised[labelled]))),
        tensor=stored["tensor"],
    )


def _task(cell: Mapping) -> str:
    return cell.get("task", TASKS[0])


def _raw_noise(cell: Mapping, count: int, rng: np.random.Generator) -> np.ndarray:
    """Draw what makes labels random, one number a node: normal, or uniform where classes are drawn."""
    return rng.random(count) if _task(cell) == "classification" else rng.standard_normal(count)


def _labels(clean: np.ndarray, raw: np.ndarray, task: str, level: float) -> np.ndarray:
    if task == "classification":
        return (raw < clean).astype(float)  # Prob{y_n = 1} = z_n
    return clean + level * np.sqrt(np.mean(clean**2)) * raw if level else clean


DATA = Data(check, draw, build, streams=STREAMS, redrawn=REDRAWN)
