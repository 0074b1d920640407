import csv
from functools import partial

import numpy as np
import pytest
from problems import small

from nonconvex.networks import effective_size, population_risk
from nonconvex.networks.solvers.descend import descend
from nonconvex.networks.solvers.iterative_pruning import iterative_pruning
from nonconvex.networks.solvers.prune_and_train import prune_and_train
from nonconvex.problems.contract import family
from nonconvex.problems.pruned.data import check
from nonconvex.problems.pruned.masks import LEVELS

instance = partial(small.instance, "pruned")
OPTIONS = {"eta": 6.0, "beta": 0.5, "max_iterations": 400, "target": 1e-4}


def outcome_of(kept=""):
    return family("pruned" + kept).load_outcome()


def rows_of(made, **options):
    return outcome_of().together(descend, made, [], OPTIONS | options)


def test_data_are_those_of_the_cell():
    made = instance(noise=0.1, n_samples=4000, spread=0.4, kept=8)
    clean = np.maximum(made.inputs @ made.truth, 0).mean(axis=1)
    level = np.std(made.outputs - clean) / np.sqrt(np.mean(clean**2))
    assert level == pytest.approx(0.1, rel=0.05)
    assert (made.truth != 0).sum(axis=0).tolist() == made.mask.sum(axis=0).tolist()
    assert all(5 <= size <= 11 for size in made.mask.sum(axis=0))
    assert np.linalg.norm(made.start - made.truth) == pytest.approx(0.3 * np.linalg.norm(made.truth))
    assert not made.start[~made.mask].any()
    assert instance(start_on="all").start[~instance().mask].all()


def test_curves_share_all_that_they_can():
    one = instance(noise=0.1)
    for change in ({"n_samples": 50}, {"noise": 0.2}, {"distance": 0.6}, {"pruning_ratio": 0.5}):
        other = instance(**({"noise": 0.1} | change))
        np.testing.assert_array_equal(one.truth, other.truth)
        np.testing.assert_array_equal(one.mask, other.mask)
        np.testing.assert_array_equal(one.inputs[:50], other.inputs[:50])
        direction = (one.start - one.truth) / one.distance
        np.testing.assert_allclose(direction, (other.start - other.truth) / other.distance, atol=1e-14)
    assert not np.array_equal(one.inputs, instance(noise=0.1, trial=1).inputs)


def test_architectures_share_the_weights_where_their_supports_agree():
    shared, same = instance(), instance(supports="identical")
    both = shared.mask & same.mask
    assert both.any()
    np.testing.assert_array_equal(shared.truth[both], same.truth[both])
    np.testing.assert_array_equal(shared.inputs, same.inputs)


def test_trials_of_one_truth_differ_in_their_start_only():
    one, other = (instance(trial, truth_seed=7, noise=0.1) for trial in range(2))
    for name in ("inputs", "outputs", "truth", "mask"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert not np.array_equal(one.start, other.start)
    assert not np.array_equal(one.truth, instance(truth_seed=8, noise=0.1).truth)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_neurons": 0}, "n_neurons must be a positive integer"),
        ({"kept": 21}, "supports = 'shared_index' of 3 neurons with up to 21 weights each need 21 features"),
        ({"kept": 7, "supports": "disjoint"}, "each need 21 features, and n_features = 20"),
        ({"kept": 19, "spread": 0.1}, "with up to 20 weights|up to 21 weights"),
        ({"supports": "ring"}, "supports must be one of random, shared_index"),
        ({"distance": 0}, "distance must be a finite number"),
        ({"noise": -0.1}, "noise must be a finite number of at least 0"),
        ({"pruning_ratio": 1.0}, "pruning_ratio = 1.0 leaves no weight"),
        ({"start_on": "none"}, "start_on must be one of kept, all"),
        ({"truth_seed": -1}, "truth_seed must be a whole number"),
    ],
)
def test_impossible_cells_are_refused(change, message):
    cell = small.cell_of("pruned", **change)
    if change == {"kept": 19, "spread": 0.1}:
        check(cell)  # 20.9 is 20 whole weights
        cell["kept"], message = 20, "with up to 22 weights each need 22"
    with pytest.raises(ValueError, match=message):
        check(cell)


def test_rows_tell_the_end_and_the_supports():
    made = [instance(trial, supports="random") for trial in range(3)]
    rows = rows_of(made)
    for row, one in zip(rows, made, strict=True):
        assert row["effective_size"] == effective_size(one.mask)
        assert (row["status"] == "converged") == (row["error"] < 1e-4)
        assert 1 / 3 <= row["meeting"] <= 1
        (alone,) = rows_of([one])
        assert repr(alone) == repr(row)
    single = rows_of(made, single=True)
    assert [row["status"] for row in single] == [row["status"] for row in rows]


def test_curves_end_where_the_rows_do():
    made = [instance()]
    (row,) = rows_of(made)
    (curve,) = outcome_of("_curves").together(descend, made, [], OPTIONS | {"every": 3})
    assert curve["history"]["iteration"][-1] == row["iterations"]
    assert curve["history"]["error"][-1] == row["error"]
    assert curve["history"]["error"][0] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"eta": None}, "eta must be a finite number"),
        ({"etta": 3.0}, "there is none called 'etta' .*did you mean 'eta'"),
        ({"single": 1}, "single must be true or false"),
        ({"rule": "sum"}, "rule must be one of chosen, printed"),
        ({"target": -1}, "target must be a finite number"),
    ],
)
def test_options_that_cannot_be_used_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        outcome_of().check(descend, [], OPTIONS | options, small.cell_of("pruned"))


def test_rows_of_masks_are_those_of_the_method():
    made = [instance(trial, pruning_ratio=0.7, start_on="all") for trial in range(2)]
    options = {"score": "magnitude", "eta": 6.0, "max_iterations": 60}
    kept = outcome_of("_masks")
    rows = kept.together(prune_and_train, made, [], options)
    assert set(rows[0]) == set(kept.columns)
    for row, one in zip(rows, made, strict=True):
        alone = prune_and_train(
            *([array] for array in (one.inputs, one.outputs, one.start, one.truth)), ratio=0.7, **options
        )
        assert row["test_error"] == np.sqrt(population_risk(alone.weights[0], one.truth))
        assert row["mask_accuracy"] == (alone.masks[0] & one.mask).sum() / one.mask.sum()
        for name, level in LEVELS.items():
            reached = row[f"iterations_{name}"]
            assert np.isnan(reached) or 0 <= reached <= 60
            if row["test_error"] < level:
                assert not np.isnan(reached)


@pytest.mark.parametrize(
    ("kept", "solver", "options", "message"),
    [
        ("_masks", prune_and_train, {"scores": "abs", "eta": 1.0}, "called 'scores' .*did you mean 'score'"),
        ("_masks", prune_and_train, {"ratio": 0.5, "eta": 1.0}, "there is none called 'ratio'"),
        ("_masks", prune_and_train, {}, "eta must be a finite number"),
        ("_masks", prune_and_train, {"eta": 1.0, "every": 0}, "every must be a positive integer"),
        (
            "_imp",
            iterative_pruning,
            {"eta": 1.0, "resum": "onward"},
            "called 'resum' .*did you mean 'resume'",
        ),
        ("_imp", iterative_pruning, {"eta": 1.0, "start": "far"}, "start must be one of near, random"),
        ("_imp", iterative_pruning, {"eta": 1.0, "by": "layer"}, "by must be one of network, neuron"),
    ],
)
def test_options_of_pruning_are_checked(kept, solver, options, message):
    with pytest.raises(ValueError, match=message):
        outcome_of(kept).check(solver, [], options, small.cell_of("pruned", pruning_ratio=0.5))


def test_rounds_of_pruning_are_tabled(tmp_path):
    parameters = small.cell_of("pruned", start_on="all") | {"n_samples": [60, 80]}
    options = {"eta": 4.0, "rounds": 4, "max_iterations": 50}
    algorithms = {
        "rewind": {"method": "iterative_pruning", "options": options},
        "random": {"method": "iterative_pruning", "options": options | {"start": "random"}},
    }
    made = small.experiment("pruned_imp", parameters, algorithms)
    lines = list(csv.DictReader(small.table(made, tmp_path)))
    assert len(lines) == 2 * 2 * 2 * 4
    assert list(lines[0])[-5:] == ["round", "pruning_ratio", "test_error", "oracle_error", "mask_accuracy"]
    for line in lines:
        left = round(60 * 0.8 ** int(line["round"])) / 60
        assert float(line["pruning_ratio"]) == pytest.approx(1 - left)
    assert [line["mask_accuracy"] for line in lines if line["round"] == "0"] == ["1.0"] * 8


def test_pruning_starts_at_random_with_the_norm_of_the_truth():
    from nonconvex.problems.pruned.imp import _start

    made = instance(start_on="all")
    assert np.linalg.norm(_start(made, "random")) == pytest.approx(np.linalg.norm(made.truth))
    assert _start(made, "near") is made.start
