"""What training networks has in common, whatever the network: batches, curves, starts, blocks, options."""

import h5py
import numpy as np
import pytest
from problems.small import CELLS, cell_of, draw, experiment, instance, table

from nonconvex.networks.solvers.descend import descend
from nonconvex.problems.contract import family
from nonconvex.problems.descent_rows import recorded
from nonconvex.steps.datasets import open_dataset

QUICK = {"max_iterations": 300}
NETWORKS = ["convolutional", "graph"]
TASKS = [("convolutional", {}), ("graph", {"graph": "regular"}), ("graph", {"task": "classification"})]

# What of the data the network learns, and a size of a cell that a tensor initialisation works with.
LABELS = {"convolutional": "outputs", "graph": "labels"}
INPUTS = {"convolutional": "inputs", "graph": "features"}
LARGE = {
    "convolutional": {"n_samples": 3000},
    "graph": {"n_labelled": 6000, "nodes_ratio": None, "n_nodes": 7000},
}
TENSOR = {"convolutional": "tensor_v_known", "graph": "tensor"}
STARTS = [
    *(("convolutional", kind) for kind in ("tensor_v_known", "tensor_v_estimated", "tensor_printed")),
    *(("graph", kind) for kind in ("tensor", "tensor_printed")),
]


def outcome_of(network, kept=""):
    return family(network + kept).load_outcome()


def trained(network, made, kept="", **options):
    return outcome_of(network, kept).together(descend, made, [], options)


def numbers(row):
    """A row as one flat dictionary, the columns of its curve included."""
    return {**row, **row.get("history", {}), "history": None}


@pytest.mark.parametrize("network", NETWORKS)
def test_noise_levels_scale_one_draw_by_the_energy_of_the_outputs(network):
    def labels(noise, **changes):
        return getattr(instance(network, noise=noise, **changes), LABELS[network])

    clean, low, high = (labels(level) for level in (0.0, 0.1, 0.2))
    np.testing.assert_allclose(high - clean, 2 * (low - clean), rtol=1e-9)
    size = "n_samples" if network == "convolutional" else "n_labelled"
    clean, noisy = (labels(level, **{size: 20_000}) for level in (0.0, 0.1))
    assert np.std(noisy - clean) == pytest.approx(0.1 * np.sqrt(np.mean(clean**2)), rel=0.03)


@pytest.mark.parametrize("network", NETWORKS)
def test_the_start_of_figures_lies_around_the_truth(network):
    made = instance(network)
    assert 0 < np.linalg.norm(made.start - made.truth) < 0.5 * np.linalg.norm(made.truth)


@pytest.mark.parametrize("network", NETWORKS)
def test_another_random_stream_is_refused(network):
    data, cell = family(network).load_data(), cell_of(network, noise=0.1)
    seeds = {stream: number for number, stream in enumerate(data.streams)}
    stored = data.draw(cell, {stream: np.random.default_rng(seed) for stream, seed in seeds.items()})

    def rebuild(**wrong):
        found = {stream: (seeds | wrong)[stream] for stream in data.redrawn}
        return data.build(cell, stored, {name: np.random.default_rng(seed) for name, seed in found.items()})

    rebuild()
    for stream in ("inputs", "noise"):
        with pytest.raises(ValueError, match=f"random stream '{stream}' begins with .* another numpy"):
            rebuild(**{stream: 77})


@pytest.mark.parametrize("network", NETWORKS)
def test_rows_have_the_columns_and_the_levels_in_order(network):
    size = {"n_labelled": 80} if network == "graph" else {}
    made = [instance(network, trial, **size) for trial in range(4)]
    rows = trained(network, made, target=1e-6)
    won = [row for row in rows if row["status"] == "converged"]
    assert won
    for row in rows:
        assert list(row) == list(outcome_of(network).columns)
    for row in won:
        reached = [row[f"iterations_1e-{k}"] for k in range(1, 7)]
        assert reached == sorted(reached)
        assert reached[-1] == row["iterations"]
    (row,) = trained(network, made[:1], max_iterations=3)
    assert row["status"] == "iteration limit"
    assert np.isnan(row["iterations_1e-6"])


@pytest.mark.parametrize("kept", ["", "_curves"])
@pytest.mark.parametrize(("network", "changes"), TASKS)
def test_outcomes_do_not_depend_on_the_batch(network, changes, kept):
    made = [instance(network, trial, **changes) for trial in range(5)]
    together = trained(network, made, kept, **QUICK)
    apart = trained(network, made[:3], kept, **QUICK) + trained(network, made[3:], kept, **QUICK)
    for one, other in zip(together, apart, strict=True):
        np.testing.assert_equal(numbers(one), numbers(other))


@pytest.mark.parametrize("network", NETWORKS)
def test_a_curve_begins_at_the_start_and_ends_with_the_outcome(network):
    made = [instance(network, trial) for trial in range(3)]
    rows, plain = trained(network, made, "_curves", **QUICK), trained(network, made, **QUICK)
    for row, alone, one in zip(rows, plain, made, strict=True):
        iteration, error = row["history"]["iteration"], row["history"]["error"]
        assert iteration[0] == 0
        assert error[0] == pytest.approx(np.linalg.norm(one.start - one.truth) / np.linalg.norm(one.truth))
        assert (iteration[-1], error[-1]) == (row["iterations"], row["error"])
        assert (np.diff(iteration) > 0).all()
        assert np.isfinite(error).all()
        np.testing.assert_equal({name: row[name] for name in alone}, alone)


@pytest.mark.parametrize("network", NETWORKS)
def test_a_curve_keeps_every_so_many_iterations(network):
    assert recorded(25, 10) == [*range(10), 10, 20]
    assert recorded(3, 10) == [0, 1, 2, 3]
    options = {"max_iterations": 25, "target": None}
    for every, kept in (({}, recorded(25, 10)), ({"every": 4}, recorded(25, 4))):
        (row,) = trained(network, [instance(network)], "_curves", **options, **every)
        assert row["history"]["iteration"].tolist() == [*kept, 25]


@pytest.mark.parametrize(("network", "kind"), STARTS)
def test_an_estimated_start_is_the_same_each_time(network, kind):
    made, outcome = instance(network, **LARGE[network]), outcome_of(network, "_starts")
    options = {"start": kind, "max_iterations": 3}
    one, other = (outcome.one(descend, made, [], options) for _ in range(2))
    assert list(one) == list(outcome.columns)
    np.testing.assert_equal(one, other)


@pytest.mark.parametrize("network", NETWORKS)
def test_a_tensor_start_comes_near_the_truth_and_is_trained_from_there(network):
    made, outcome = instance(network, **LARGE[network]), outcome_of(network, "_starts")
    options = {"max_iterations": 1500, "stall_exit": True}
    random, tensor = (
        outcome.one(descend, made, [], {"start": kind, **options}) for kind in ("random", TENSOR[network])
    )
    assert tensor["start_error"] < 0.5
    assert tensor["status"] == random["status"] == "converged"
    (plain,) = trained(network, [made], **options)
    np.testing.assert_equal({name: random[name] for name in plain}, plain)


@pytest.mark.parametrize(
    ("network", "changes"),
    [
        ("convolutional", {"n_neurons": 8, "n_samples": [60]}),
        ("graph", {"n_neurons": 6, "n_labelled": [60]}),
    ],
)
def test_a_start_that_cannot_be_computed_is_a_failure(tmp_path, network, changes):
    algorithm = {"method": "descend", "options": {"start": TENSOR[network]}}
    success = {"column": "error", "below": 1e9}
    made = experiment(f"{network}_starts", CELLS[network] | changes, {"agd": algorithm}, success)
    _, *rows = table(made, tmp_path)
    assert [row.split(",")[3:5] for row in rows] == [["failed", "False"]] * 2
    with h5py.File(tmp_path / "agd/0000-0001.h5") as file:
        assert all(b"n_neurons must be" in reason for reason in file["outcomes/reason"][:])


@pytest.mark.parametrize("kept", ["", "_curves"])
@pytest.mark.parametrize(
    ("network", "changes", "options"),
    [
        ("convolutional", {"noise": [0.0, 0.1]}, {}),
        (
            "graph",
            {"graph": ["regular", "bounded"], "average_degree": 0.5, "nodes_ratio": 2},
            {"rule": "row_norm"},
        ),
    ],
)
def test_a_table_does_not_depend_on_the_blocks(tmp_path, network, changes, options, kept):
    algorithm = {"method": "descend", "options": QUICK | options}
    success = {"column": "error", "below": 1e-6}
    made = experiment(network + kept, CELLS[network] | changes, {"agd": algorithm}, success)
    whole = table(made, tmp_path / "whole", [(0, 3)])
    assert whole == table(made, tmp_path / "parts", [(0, 1), (2, 2), (3, 3)])
    assert len(whole) > 8


@pytest.mark.parametrize(
    ("network", "changes"),
    [
        ("convolutional", {"n_samples": [40, 5000], "noise": 0.1}),
        ("graph", {"n_labelled": [40, 1500], "graph": "regular", "nodes_ratio": 2, "noise": 0.1}),
    ],
)
def test_a_block_stores_little_and_rebuilds_exactly(tmp_path, network, changes):
    (path,) = draw(experiment(network, CELLS[network] | changes), tmp_path, 0, 1).outputs
    with open(path, "rb") as file:
        assert len(file.read()) < 60_000
    with open_dataset(path) as dataset:
        found = list(dataset.instances())
    assert len(found) == 4
    for _, cell, trial, made in found:
        np.testing.assert_equal(vars(made), vars(instance(network, trial, **cell)))


WRONG = [
    ({"factr": 3.0}, r"there is none called 'factr' \(known: rule, factor, beta, .*did you mean 'factor'"),
    ({"rule": "fast"}, "rule .*must be one of theorem|rule must be one of .*, got 'fast'"),
    ({"factor": -3.0}, "factor must be"),
    ({"factor": "two"}, "factor must be"),
    ({"beta": 1.5}, "beta must be"),
    ({"max_iterations": 0}, "max_iterations must be a positive integer"),
    ({"max_iterations": None}, "max_iterations must be a positive integer"),
    ({"target": 0}, "target must be"),
    ({"target": "1e-6"}, "target must be"),
    ({"stall_exit": "yes"}, "stall_exit must be true or false, got 'yes'"),
    # What is kept of a curve is not for the solver's caller to say.
    ({"record": [1]}, "there is none called 'record'"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
@pytest.mark.parametrize("kept", ["", "_curves", "_starts"])
@pytest.mark.parametrize("network", NETWORKS)
def test_an_option_that_cannot_be_used_is_one_sentence(network, kept, options, message):
    own = {"start": "random"} if kept == "_starts" else {}
    outcome_of(network, kept).check(descend, [], own, CELLS[network])
    with pytest.raises(ValueError, match=message) as caught:
        outcome_of(network, kept).check(descend, [], own | options, CELLS[network])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("network", NETWORKS)
def test_every_and_start_belong_to_curves_and_starts(network):
    def check(kept, **options):
        outcome_of(network, kept).check(descend, [], options, CELLS[network])

    check("_curves", every=5)
    with pytest.raises(ValueError, match="every must be a positive integer"):
        check("_curves", every=0)
    for options in ({}, {"start": "spectral"}):
        with pytest.raises(ValueError, match=f"start must be one of random, {TENSOR[network]}, .*, got '"):
            check("_starts", **options)
    for kept in ("", "_curves"):
        with pytest.raises(ValueError, match="there is none called 'start'"):
            check(kept, start="random")
    with pytest.raises(ValueError, match="there is none called 'every'"):
        check("", every=5)


@pytest.mark.parametrize("network", NETWORKS)
def test_a_method_that_trains_nothing_is_told(network):
    with pytest.raises(ValueError, match="its method cannot be called as networks are trained"):
        outcome_of(network).check(lambda trials, start: None, [], {}, CELLS[network])
