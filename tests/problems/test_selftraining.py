import csv
from functools import partial

import numpy as np
import pytest
from problems import small
from problems.small import CELLS, experiment, table

from nonconvex.networks.distances import relative_error
from nonconvex.networks.generalisation import population_risk
from nonconvex.networks.self_training.model import labelled_weight, mean_outputs, mixture
from nonconvex.networks.self_training.self_train import self_train
from nonconvex.problems.selftraining import generalisation, landscape
from nonconvex.problems.selftraining.data import check
from nonconvex.problems.selftraining.outcome import COLUMNS, OUTCOME, RATE_ROUNDS
from nonconvex.problems.selftraining.path import OUTCOME as PATH

instance = partial(small.instance, "selftraining")
SUCCESS = {"column": "error", "below": 1e-2}
ETA_6 = {"method": "self_train", "options": {"eta": 6.0}}


def test_labels_are_those_of_the_teacher():
    made = instance()
    np.testing.assert_allclose(made.labels, np.maximum(made.labelled @ made.truth, 0).mean(axis=1))
    assert np.abs(made.truth).max() <= 2.5
    assert 0.3 < relative_error(made.start, made.truth) <= 0.5
    assert made.weight == labelled_weight(80, 60, 4, 3) == 1
    assert instance(n_labelled=12).weight == pytest.approx(np.sqrt(0.5))
    assert instance(n_labelled=12, weight=0.8).weight == 0.8
    assert instance(n_unlabelled=0).weight == 1


def test_curves_share_their_draws():
    made = instance()
    for changes in (
        {"n_labelled": 50},
        {"n_unlabelled": 20},
        {"weight": 0.9},
        {"deviation": 2},
        {"n_unlabelled": 0},
    ):
        other = instance(**changes)
        n, m = len(other.labelled), len(other.unlabelled)
        assert np.array_equal(made.labelled[:n], other.labelled)
        assert np.array_equal(made.unlabelled[:m] * other.deviation, other.unlabelled)
        assert np.array_equal(made.truth, other.truth)
        assert np.array_equal(made.start, other.start)
    near = instance(distance=0.1)
    np.testing.assert_allclose(near.start - made.truth, (made.start - made.truth) / 5)
    assert not np.array_equal(made.labelled[:60], made.unlabelled)


def test_the_number_of_labelled_data_may_be_a_ratio():
    assert len(instance(n_labelled=None, labelled_ratio=1.3).labelled) == 16


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_neurons": 0}, "n_neurons = 0 must be at least 1"),
        ({"labelled_ratio": 1.3}, "exactly one of n_labelled and labelled_ratio"),
        ({"n_labelled": 0}, "number of labelled data, 0, must be at least 1"),
        ({"n_unlabelled": -1}, "n_unlabelled = -1 must not be negative"),
        ({"deviation": 0}, "deviation = 0 must be positive"),
        ({"distance": -1}, "distance = -1 must not be negative"),
        ({"weight": 0}, "weight = 0 must be above 0 and at most 1"),
        ({"weight": 0.5, "n_unlabelled": 0}, "weight = 0.5 must be 1 without unlabelled data"),
    ],
)
def test_cells_that_cannot_exist(change, message):
    with pytest.raises(ValueError, match=message):
        check(small.cell_of("selftraining", **change))


def test_a_row_is_what_the_run_says():
    made = [instance(trial=trial, n_labelled=30) for trial in range(3)]
    options = {"eta": 3.0, "rounds": 40}
    rows = OUTCOME.together(self_train, made, [], options)
    assert np.isfinite([row["rate"] for row in rows]).any()
    for row, one in zip(rows, made, strict=True):
        data = (one.labelled, one.labels, one.unlabelled, one.start)
        run = self_train(
            *(array[None] for array in data), weight=one.weight, **options, record=(1, RATE_ROUNDS)
        )
        first, tenth = (float(relative_error(weights, one.truth)) for weights in run.recorded[0])
        begun = float(relative_error(one.start, one.truth))
        between = mixture(one.start, one.truth, one.weight)
        assert list(row) == list(COLUMNS)
        assert row["status"] == run.status[0]
        assert row["iterations"] == run.rounds[0]
        assert row["error"] == relative_error(run.weights[0], one.truth)
        assert row["aligned_error"] <= row["error"]
        assert row["mixture_error"] == relative_error(run.weights[0], between)
        assert row["error_round1"] == first
        assert row["start_error"] == begun
        assert row["rate"] == pytest.approx((tenth / begun) ** 0.1, nan_ok=True)


def test_a_trial_that_ends_early_has_no_rate():
    (row,) = OUTCOME.together(self_train, [instance()], [], {"eta": 1000.0})
    assert row["status"] == "diverged"
    assert row["iterations"] < RATE_ROUNDS
    assert np.isnan(row["rate"])


def test_a_block_in_groups_is_the_same(monkeypatch):
    made = [instance(trial=trial, n_labelled=30) for trial in range(4)]
    whole = OUTCOME.together(self_train, made, [], {"eta": 3.0, "rounds": 12})
    monkeypatch.setattr("nonconvex.problems.selftraining.outcome.GROUP_BYTES", 1)
    assert OUTCOME.together(self_train, made, [], {"eta": 3.0, "rounds": 12}) == whole


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "the step size eta is missing"),
        ({"eta": 6, "stepz": 4}, r"there is none called 'stepz' .*did you mean 'steps'"),
        ({"eta": -1}, "eta must be a finite number"),
        ({"eta": 6, "batches": "all"}, "batches must be one of mini, full"),
        ({"eta": 6, "steps": 100}, "steps = 100 mini-batches need as many labelled data, got 80"),
        ({"eta": 6, "steps": 70}, "steps = 70 mini-batches need as many unlabelled data or none, got 60"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        OUTCOME.check(self_train, [], options, CELLS["selftraining"])


def test_another_solver_is_told_what_is_wrong():
    with pytest.raises(ValueError, match="cannot be called as self-training is"):
        OUTCOME.check(lambda labelled, labels: None, [], {"eta": 6.0}, CELLS["selftraining"])


def test_a_table_of_self_training(tmp_path):
    made = experiment(
        "selftraining", CELLS["selftraining"] | {"n_unlabelled": [0, 60]}, {"mini": ETA_6}, SUCCESS
    )
    rows = list(csv.DictReader(table(made, tmp_path, ((0, 1), (2, 2)))))
    assert len(rows) == 2 * 3
    assert all((row["success"] == "True") == (float(row["error"]) < 1e-2) for row in rows)
    assert "True" in {row["success"] for row in rows}
    assert list(rows[0]) == ["algorithm", "n_unlabelled", "trial", "status", "success", *list(COLUMNS)[1:]]


def test_the_path_lies_in_its_plane():
    one = instance(n_labelled=20)
    row = PATH.one(self_train, one, [], {"eta": 6.0, "rounds": 15})
    path, run = row["history"], row["iterations"]
    assert list(path["round"]) == list(range(run + 1))
    begun = relative_error(one.start, one.truth)
    assert path["x"][0] == pytest.approx(begun)
    for name in ("y", "off_plane"):
        assert path[name][0] == pytest.approx(0, abs=1e-12)
    assert path["off_plane"][-1] == pytest.approx(0, abs=1e-12)
    assert path["off_plane"].max() > 1e-3
    assert path["y"][-1] > 0
    np.testing.assert_allclose(
        path["error"], np.sqrt(path["x"] ** 2 + path["y"] ** 2 + path["off_plane"] ** 2), rtol=1e-10
    )
    np.testing.assert_allclose(path["mixture_x"], (1 - one.weight) * begun)


def test_a_path_that_diverges_has_its_rounds():
    with np.errstate(all="raise"):
        row = PATH.one(self_train, instance(), [], {"eta": 1e200})
    assert row["status"] == "diverged"
    assert len(row["history"]["round"]) == row["iterations"] + 1


def test_the_landscape(tmp_path):
    one = instance(n_labelled=20, deviation=1.5)
    header = landscape.columns(["deviation"])
    rows = [
        dict(zip(header, row, strict=True))
        for row in landscape.rows(["deviation"], {"deviation": 1.5}, 0, one)
    ]
    at_truth = next(row for row in rows if row["position"] == pytest.approx(1))
    assert at_truth["labelled_risk"] == pytest.approx(0, abs=1e-20)
    assert at_truth["half_generalisation"] == pytest.approx(0, abs=1e-12)
    row = rows[10]
    weights = one.start + row["position"] * (one.truth - one.start)
    residual = mean_outputs(one.unlabelled, weights) - mean_outputs(one.unlabelled, one.start)
    expected = one.weight * row["labelled_risk"] + (1 - one.weight) / 2 * np.mean(residual**2)
    assert row["weighted_risk"] == pytest.approx(expected)
    assert row["half_generalisation"] == pytest.approx(population_risk(weights, one.truth) / 2)
    # The printed population risk, its second mean over a sample of inputs with the deviation.
    inputs = 1.5 * np.random.default_rng(1).standard_normal((100_000, 4))
    between = mixture(one.start, one.truth, one.weight, deviation=1.5)
    second = np.mean((mean_outputs(inputs, between) - mean_outputs(inputs, weights)) ** 2)
    expected = one.weight / 2 * population_risk(weights, between) + (1 - one.weight) / 2 * second
    assert row["population_risk"] == pytest.approx(expected, rel=0.02)
    lowest = min(rows, key=lambda row: row["population_risk"])
    assert lowest["position"] == pytest.approx(lowest["mixture_position"], abs=0.0125)


def test_the_landscape_without_unlabelled_data_is_that_of_the_labelled(tmp_path):
    made = experiment("selftraining_landscape", CELLS["selftraining"] | {"n_unlabelled": [0, 60]})
    rows = list(csv.DictReader(table(made, tmp_path, ((0, 0),))))
    assert len(rows) == 2 * len(landscape.POSITIONS)
    alone = [row for row in rows if row["n_unlabelled"] == "0"]
    assert all(row["weighted_risk"] == row["labelled_risk"] for row in alone)


def test_generalisation_along_a_ray(tmp_path):
    cell = CELLS["generalisation"] | {"n_layers": [1, 3], "distance": [0.01, 0.1, 1.0]}
    rows = list(csv.DictReader(table(experiment("generalisation", cell), tmp_path, ((0, 1),))))
    assert len(rows) == 2 * 3 * 2
    for row in rows:
        assert float(row["root_gf"]) == pytest.approx(np.sqrt(float(row["gf"])))
        if row["distance"] == "1.0":
            assert float(row["gf"]) == 1
        if row["distance"] == "0.01":
            assert 0 < float(row["gf"]) < 1e-3


def test_rays_share_weights_direction_and_inputs():
    near, far = (small.instance("generalisation", n_layers=2, distance=d) for d in (0.1, 0.7))
    for first, second in zip([*near.truth, *near.direction], [*far.truth, *far.direction], strict=True):
        assert np.array_equal(first, second)
    assert np.array_equal(near.inputs, small.instance("generalisation", n_layers=1).inputs)
    flat = [np.concatenate([w.ravel() for w in layers]) for layers in (near.truth, near.at(0.7))]
    assert np.linalg.norm(flat[1] - flat[0]) / np.linalg.norm(flat[0]) == pytest.approx(0.7)
    assert [w.shape for w in near.truth] == [(4, 8), (8, 8)]


def test_rays_that_cannot_exist():
    for change, message in (
        ({"n_layers": 0}, "n_layers = 0"),
        ({"distance": 0}, "distance = 0 must be positive"),
    ):
        with pytest.raises(ValueError, match=message):
            generalisation.check(small.cell_of("generalisation", **change))
