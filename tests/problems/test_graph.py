import numpy as np
import pytest

from nonconvex.canonical import sha256
from nonconvex.networks.graphs import connected_cycle, two_dimensional_grid
from nonconvex.networks.solvers.descend import descend
from nonconvex.problems.graph import curves as graph_curves_outcome
from nonconvex.problems.graph import edges_table as graph_edges_table
from nonconvex.problems.graph import outcome as graph_outcome
from nonconvex.problems.graph import spectra as graph_spectrum_table
from nonconvex.problems.graph import starts as graph_start_outcome
from nonconvex.problems.graph import structures as graph_structure_data
from nonconvex.problems.graph.data import REDRAWN, STREAMS, build, check, draw
from nonconvex.problems.graph.structures import KINDS, edges_of, graph_digest
from nonconvex.problems.registry import FAMILIES
from nonconvex.steps.datasets import draw_block, open_dataset
from nonconvex.steps.outcomes import run_block
from nonconvex.steps.seeds import generator, stream_paths
from nonconvex.steps.tables import write_table

CELL = {"n_neurons": 2, "n_features": 4, "n_labelled": 40, "nodes_ratio": 1, "graph": "cycle", "degree": 4}
QUICK = {"max_iterations": 300}


def instance(trial=0, **changes):
    cell = {name: value for name, value in (CELL | changes).items() if value is not None}
    paths = stream_paths(1, "networks", cell, STREAMS, trial)
    stored = draw(cell, {name: generator(path) for name, path in paths.items()})
    return build(cell, stored, {name: generator(paths[name]) for name in REDRAWN})


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
    assert 0 < np.linalg.norm(made.start - made.truth) < 0.5 * np.linalg.norm(made.truth)


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


def test_noise_levels_scale_one_draw_by_the_energy_of_the_labelled_outputs():
    clean, low, high = (instance(noise=level).labels for level in (0.0, 0.1, 0.2))
    np.testing.assert_allclose(high - clean, 2 * (low - clean), rtol=1e-9)
    many = [instance(n_labelled=20_000, noise=level).labels for level in (0.0, 0.1)]
    energy = np.sqrt(np.mean(many[0] ** 2))
    assert np.std(many[1] - many[0]) == pytest.approx(0.1 * energy, rel=0.03)


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
        check({name: value for name, value in (CELL | change).items() if value is not None})


def test_another_random_stream_is_refused():
    cell = CELL | {"graph": "regular", "noise": 0.1}
    seeds = {name: number for number, name in enumerate(STREAMS)}
    stored = draw(cell, {name: np.random.default_rng(seed) for name, seed in seeds.items()})

    def rebuild(**wrong):
        return build(cell, stored, {n: np.random.default_rng(wrong.get(n, seeds[n])) for n in REDRAWN})

    rebuild()
    for name in ("inputs", "noise"):
        with pytest.raises(ValueError, match=f"random stream '{name}' begins with .* another numpy"):
            rebuild(**{name: 77})
    with pytest.raises(ValueError, match=r"random stream 'graph' draws another graph .* another numpy"):
        rebuild(graph=77)


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
    rows = graph_outcome.outcomes(descend, made, [], options | {"max_iterations": 12, "target": None})
    for one, row in zip(made, rows, strict=True):
        wanted = plain_descent(one, eta(one), options.get("beta", 0.8), 12)
        error = np.linalg.norm(wanted - one.truth) / np.linalg.norm(one.truth)
        assert row["error"] == pytest.approx(error, rel=1e-9)
        assert row["iterations"] == 12


def test_rows_have_the_columns_and_the_levels_in_order():
    made = [instance(trial, n_labelled=80) for trial in range(4)]
    rows = graph_outcome.outcomes(descend, made, [], {"target": 1e-6})
    assert {row["status"] for row in rows} >= {"converged"}
    for row in rows:
        assert list(row) == list(graph_outcome.COLUMNS)
        if row["status"] == "converged":
            reached = [row[f"iterations_1e-{k}"] for k in range(1, 7)]
            assert reached == sorted(reached)
            assert reached[-1] == row["iterations"]
    (row,) = graph_outcome.outcomes(descend, made[:1], [], {"max_iterations": 3})
    assert row["status"] == "iteration limit"
    assert np.isnan(row["iterations_1e-6"])
    for kept in (graph_outcome, graph_start_outcome):
        assert list(kept.failed()) == list(kept.COLUMNS)


@pytest.mark.parametrize("task", ["regression", "classification"])
@pytest.mark.parametrize("outcome", [graph_outcome, graph_curves_outcome])
def test_outcomes_do_not_depend_on_the_batch(outcome, task):
    made = [instance(trial, graph="regular", task=task) for trial in range(5)]
    together = outcome.outcomes(descend, made, [], QUICK)
    parts = outcome.outcomes(descend, made[3:], [], QUICK) + outcome.outcomes(descend, made[:3], [], QUICK)
    for one, other in zip(together, parts[2:] + parts[:2], strict=True):
        for name in one:
            pair = (row[name]["error"] if name == "history" else row[name] for row in (one, other))
            assert np.array_equal(*map(np.array, pair), equal_nan=name != "status")


def test_a_curve_begins_at_the_start_and_ends_with_the_outcome():
    made = [instance(trial) for trial in range(3)]
    for row, one in zip(graph_curves_outcome.outcomes(descend, made, [], QUICK), made, strict=True):
        iteration, error = row["history"]["iteration"], row["history"]["error"]
        assert iteration[0] == 0
        assert error[0] == pytest.approx(np.linalg.norm(one.start - one.truth) / np.linalg.norm(one.truth))
        assert (iteration[-1], error[-1]) == (row["iterations"], row["error"])
        assert (np.diff(iteration) > 0).all()


def test_a_tensor_start_comes_near_the_truth_and_the_printed_one_does_not():
    made = instance(n_labelled=6000, nodes_ratio=None, n_nodes=7000)
    for kind in graph_start_outcome.STARTS:
        one, other = (graph_start_outcome.start_of(made, kind) for _ in range(2))
        assert np.array_equal(one, other)
    options = {"max_iterations": 1500, "stall_exit": True}
    rows = {
        kind: graph_start_outcome.outcomes(descend, [made], [], {"start": kind} | options)[0]
        for kind in graph_start_outcome.STARTS
    }
    for row in rows.values():
        assert list(row) == list(graph_start_outcome.COLUMNS)
    assert rows["tensor"]["start_error"] < 0.5 < rows["tensor_printed"]["start_error"]
    assert rows["tensor"]["status"] == rows["random"]["status"] == "converged"
    with pytest.raises(
        ValueError, match="start must be one of random, tensor, tensor_printed, got 'spectral'"
    ):
        graph_start_outcome.start_of(made, "spectral")


def test_a_start_that_cannot_be_computed_is_a_failure():
    made = instance(n_neurons=6, n_labelled=60)
    (row,) = graph_start_outcome.outcomes(descend, [made], [], {"start": "tensor"})
    assert row["status"] == "failed"
    assert "n_neurons must be" in row["reason"]


def test_edges_and_spectra_of_graphs_are_tabled():
    grid = two_dimensional_grid(3, 4)
    rows = list(graph_edges_table.rows(["graph"], {"graph": "grid"}, 2, grid))
    assert graph_edges_table.columns(["graph"]) == ["graph", "trial", "n_nodes", "node", "neighbour"]
    assert len(rows) == 17
    assert rows[0] == ("grid", 2, 12, 0, 1)
    header = graph_spectrum_table.columns(["graph"])
    for kind in KINDS:
        cell = {"graph": kind, "degree": 4, "n_nodes": 400, "average_degree": 0.5}
        graph_structure_data.check(cell)
        paths = stream_paths(1, "graphs", cell, graph_structure_data.STREAMS, 0)
        stored = graph_structure_data.draw(cell, {"graph": generator(paths["graph"])})
        adjacency = graph_structure_data.build(cell, stored, {"graph": generator(paths["graph"])})
        (row,) = graph_spectrum_table.rows(["graph"], cell, 0, adjacency)
        found = dict(zip(header, row, strict=True))
        assert found["largest_singular_value"] == pytest.approx(1, abs=1e-9)
        assert found["largest_degree"] == 4
        if kind in ("cycle", "regular"):
            assert found["row_norm_squared"] == pytest.approx(0.2)
            assert found["mean_degree"] == 4


@pytest.mark.parametrize("family", ["graph", "graph_curves"])
def test_a_table_does_not_depend_on_the_blocks(tmp_path, monkeypatch, family):
    monkeypatch.chdir(tmp_path)
    family = FAMILIES[family]
    parameters = CELL | {"graph": ["regular", "bounded"], "average_degree": 0.5, "nodes_ratio": 2}
    shared = {"parameters": parameters, "axes": ["graph"], "seed": 1}

    def table(name, blocks):
        described, files = [], []
        for first, last in blocks:
            part = shared | {"first": first, "last": last}
            dataset = {"data": family["data"], "dataset": "d", "independent": {}, **part}
            plan = {
                "outcome": family["outcome"], "solver": f"{family['methods']}.descend", "method": "descend",
                "algorithm": "agd", "tell": [], "options": QUICK | {"rule": "row_norm"}, **part,
            }  # fmt: skip
            block = f"{name}/{first:04d}-{last:04d}.h5"
            draw_block(dataset, "code", f"d{block}")
            run_block(plan, "code", f"d{block}", f"o{block}")
            drawn = {"plan": sha256(dataset), "digest": "code"}
            described.append({"algorithm": "agd", "plan": sha256(plan), "digest": "code", "dataset": drawn})
            files.append(f"o{block}")
        plan = {
            "table": None, "outcome": family["outcome"], "data": family["data"], **shared,
            "success": {"column": "error", "below": 1e-3}, "blocks": described,
        }  # fmt: skip
        write_table(plan, files, f"{name}.csv")
        return (tmp_path / f"{name}.csv").read_bytes()

    whole = table("whole", [(0, 3)])
    assert whole == table("parts", [(0, 1), (2, 2), (3, 3)])
    assert len(whole.splitlines()) > 8


def test_a_block_stores_little_and_rebuilds_exactly(tmp_path):
    cell = CELL | {"n_labelled": [40, 1500], "graph": "regular", "nodes_ratio": 2, "noise": 0.1}
    plan = {
        "data": FAMILIES["graph"]["data"], "dataset": "networks", "independent": {},
        "parameters": cell, "axes": ["n_labelled"], "seed": 1, "first": 0, "last": 1,
    }  # fmt: skip
    path = tmp_path / "0000-0001.h5"
    draw_block(plan, "code", path)
    assert path.stat().st_size < 60_000
    with open_dataset(path) as dataset:
        for _, own, trial, made in dataset.instances():
            wanted = instance(trial, **(cell | {"n_labelled": own["n_labelled"]}))
            for name in ("edges", "features", "labelled", "labels", "truth", "start", "tensor"):
                assert np.array_equal(getattr(made, name), getattr(wanted, name))
