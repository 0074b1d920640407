from functools import partial

import numpy as np
import pytest
from problems import small

from nonconvex.networks.distances import relative_error
from nonconvex.networks.graphs import connected_cycle, two_dimensional_grid
from nonconvex.networks.solvers.descend import descend
from nonconvex.problems.contract import family
from nonconvex.problems.graph.data import DATA, STREAMS, check
from nonconvex.problems.graph.outcome import OUTCOME
from nonconvex.problems.graph.starts import KINDS, estimate
from nonconvex.problems.graph.structures import KINDS as STRUCTURES
from nonconvex.problems.graph.structures import edges_of, graph_digest
from nonconvex.steps.seeds import generator, stream_paths

instance = partial(small.instance, "graph")


def neighbours(made, node):
    """The node itself and all nodes linked to it."""
    linked = made.edges[(made.edges == node).any(axis=1)]
    return sorted({node, *linked.ravel().tolist()})


@pytest.mark.parametrize("graph", ["cycle", "grid", "regular", "bounded"])
def test_labels_are_those_of_the_teacher_node_by_node(graph):
    made = instance(graph=graph, nodes_ratio=None, n_nodes=60, average_degree=0.5)
    assert made.features.shape == (60, 4)
    assert len(made.labelled) == 40
    norms = []
    for row, node in enumerate(made.labelled):
        near = neighbours(made, node)
        weights = [1 / np.sqrt(len(near) * len(neighbours(made, other))) for other in near]
        sums = np.array(weights) @ made.features[near]
        np.testing.assert_allclose(made.aggregated[row], sums, rtol=1e-12, atol=1e-14)
        by_hand = np.maximum(sums @ made.truth, 0).mean()
        assert made.labels[row] == pytest.approx(by_hand, rel=1e-12, abs=1e-14)
        norms.append(np.square(weights).sum())
    assert made.row_norm == pytest.approx(np.mean(norms))


def test_weights_have_deviation_5():
    assert np.std(instance(n_features=60, n_neurons=5).truth) == pytest.approx(5, rel=0.1)


def test_curves_share_all_that_they_can():
    few, many = instance(noise=0.1), instance(noise=0.1, n_labelled=90)
    assert np.array_equal(few.features, many.features[:40])
    cycle, regular = instance(noise=0.1), instance(noise=0.1, graph="regular")
    for name in ("truth", "start", "tensor"):
        assert np.array_equal(getattr(few, name), getattr(many, name))
        assert np.array_equal(getattr(cycle, name), getattr(regular, name))
    assert np.array_equal(cycle.features, regular.features)
    some, more = (
        instance(graph="regular", nodes_ratio=None, n_nodes=100, n_labelled=n).labelled for n in (30, 50)
    )
    assert set(some) < set(more)
    wide, narrow = (set(instance(graph="bounded", average_degree=p).edges.ravel()) for p in (0.9, 0.4))
    assert narrow < wide | {max(narrow)}


def test_classes_have_the_probabilities_of_the_outputs():
    made = instance(task="classification", n_labelled=20_000, degree=2)
    assert set(made.labels) == {0.0, 1.0}
    probability = (1 / (1 + np.exp(-made.aggregated @ made.truth))).mean(axis=1)
    for low, high in ((0.1, 0.4), (0.4, 0.6), (0.6, 0.9)):
        here = (probability > low) & (probability < high)
        assert np.mean(made.labels[here]) == pytest.approx(np.mean(probability[here]), abs=0.03)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_neurons": 0}, "n_neurons = 0 must be at least 1"),
        ({"n_features": 0}, "n_features = 0 must be at least 1"),
        ({"n_labelled": 0}, "n_labelled = 0 must be at least 1"),
        ({"n_nodes": 50}, "exactly one of n_nodes and nodes_ratio"),
        ({"n_nodes": 30, "nodes_ratio": None}, "n_labelled = 40 must be at most the number of nodes, 30"),
        ({"graph": "ring"}, "graph = 'ring' is none of cycle, grid, regular, bounded"),
        ({"degree": 3}, "degree = 3 must be even on a cycle"),
        ({"degree": 40}, "degree = 40 must be at least 1 and below the number of nodes, 40"),
        ({"graph": "grid", "degree": 2}, "degree = 2 must be 4 on a grid"),
        ({"graph": "regular", "degree": 3, "n_labelled": 41}, "degree = 3 times .* 41, must be even"),
        ({"graph": "bounded", "average_degree": 1.2}, "average_degree = 1.2 must be from 0 to 1"),
        ({"task": "ranking"}, "task = 'ranking' is none of regression, classification"),
        ({"noise": -0.1}, "noise = -0.1 must not be negative"),
        ({"noise": 0.1, "task": "classification"}, "noise = 0.1 must be 0 for classification"),
    ],
)
def test_impossible_cells_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        check(small.cell_of("graph", **change))


def test_a_digest_tells_a_graph_by_its_edges():
    edges = edges_of(connected_cycle(9, 4))
    assert edges.shape == (18, 2)
    assert (edges[:, 0] < edges[:, 1]).all()
    assert graph_digest(edges).shape == (8,)
    assert np.array_equal(graph_digest(edges), graph_digest(edges_of(connected_cycle(9, 4))))
    assert not np.array_equal(graph_digest(edges), graph_digest(edges[:-1]))


def plain_descent(made, eta, beta, iterations):
    """The thesis's Algorithm 5 on the loss of Eq. linear_regression, node by node, from a given start."""
    weights, before = made.start.copy(), made.start.copy()
    neurons = weights.shape[1]
    for _ in range(iterations):
        gradient = np.zeros_like(weights)
        for h, y in zip(made.aggregated, made.labels, strict=True):
            residual = np.maximum(h @ weights, 0).sum() / neurons - y
            gradient += residual / neurons * np.outer(h, h @ weights > 0) / len(made.labels)
        weights, before = weights - eta * gradient + beta * (weights - before), weights
    return weights


@pytest.mark.parametrize(
    ("options", "eta"),
    [
        ({}, lambda made: 2 * 5),
        ({"factor": 0.5, "beta": 0.6}, lambda made: 0.5 * 2 * 5),
        ({"rule": "theorem", "beta": 0.0}, lambda made: 2 / 8),
        ({"rule": "common"}, lambda made: 2),
        ({"rule": "row_norm"}, lambda made: 2 / made.row_norm),
    ],
)
def test_rules_are_the_steps_they_are_called_by(options, eta):
    made = [instance(trial, graph="bounded", average_degree=0.5, noise=0.05) for trial in range(2)]
    assert made[0].row_norm != made[1].row_norm
    rows = OUTCOME.together(descend, made, [], options | {"max_iterations": 12, "target": None})
    for one, row in zip(made, rows, strict=True):
        wanted = plain_descent(one, eta(one), options.get("beta", 0.8), 12)
        error = np.linalg.norm(wanted - one.truth) / np.linalg.norm(one.truth)
        assert row["error"] == pytest.approx(error, rel=1e-9)
        assert row["iterations"] == 12


def test_another_graph_than_the_stored_one_is_refused():
    cell = small.cell_of("graph", graph="regular")
    stored = DATA.draw(cell, {name: np.random.default_rng(1) for name in STREAMS})
    streams = {name: np.random.default_rng(1) for name in DATA.redrawn}
    with pytest.raises(ValueError, match=r"random stream 'graph' draws another graph .* another numpy"):
        DATA.build(cell, stored, streams | {"graph": np.random.default_rng(77)})


def test_the_printed_subroutine_does_not_come_near_the_truth():
    made = instance(n_labelled=6000, nodes_ratio=None, n_nodes=7000)
    errors = [relative_error(estimate(made, kind), made.truth) for kind in KINDS]
    assert errors[0] < 0.5 < errors[1]


def test_edges_of_graphs_are_tabled():
    table = family("graph_structures").load_table()
    rows = list(table.rows(["graph"], {"graph": "grid"}, 2, two_dimensional_grid(3, 4)))
    assert table.columns(["graph"]) == ["graph", "trial", "n_nodes", "node", "neighbour"]
    assert len(rows) == 17
    assert rows[0] == ("grid", 2, 12, 0, 1)


@pytest.mark.parametrize("kind", STRUCTURES)
def test_spectra_of_graphs_are_tabled(kind):
    data, table = family("graph_spectra").load_data(), family("graph_spectra").load_table()
    cell = {"graph": kind, "degree": 4, "n_nodes": 400, "average_degree": 0.5}
    data.check(cell)
    paths = stream_paths(1, "graphs", cell, data.streams, 0)
    stored = data.draw(cell, {"graph": generator(paths["graph"])})
    adjacency = data.build(cell, stored, {"graph": generator(paths["graph"])})
    (row,) = table.rows(["graph"], cell, 0, adjacency)
    found = dict(zip(table.columns(["graph"]), row, strict=True))
    assert found["largest_singular_value"] == pytest.approx(1, abs=1e-9)
    assert found["largest_degree"] == 4
    if kind in ("cycle", "regular"):
        assert found["row_norm_squared"] == pytest.approx(0.2)
        assert found["mean_degree"] == 4
