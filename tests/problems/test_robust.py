from functools import partial

import numpy as np
import pytest
from problems import small

from nonconvex.hankel import am_fiht
from nonconvex.hankel.incoherence import incoherence
from nonconvex.problems.contract import family
from nonconvex.problems.robust import outcome as robust_outcome
from nonconvex.problems.robust import timed as timed_robust_outcome
from nonconvex.problems.robust.data import STREAMS, build, check, draw
from nonconvex.steps.datasets import open_dataset
from nonconvex.steps.seeds import generator, stream_paths

CELL = small.CELLS["robust"]
instance = partial(small.instance, "robust")


def test_corruptions_are_added_wherever_the_data_are_observed():
    made = instance()
    assert made.bad.sum() == 16
    assert (~made.mask).sum() == 48
    assert (made.bad & made.mask).any()
    assert (made.bad & ~made.mask).any()
    average = np.linalg.norm(made.truth) / np.sqrt(made.truth.size)
    size = np.abs(made.outliers[made.bad]) / average
    assert 1 <= size.min() < size.max() <= 5
    assert np.array_equal(made.observed[made.mask], (made.truth + made.outliers)[made.mask])
    assert not made.observed[~made.mask].any()
    assert not made.outliers[~made.bad].any()


def test_quadrant_variants_share_signal_mask_places_and_sizes():
    around, quadrant = instance(), instance(angle="quadrant")
    for name in ("truth", "mask", "bad"):
        assert np.array_equal(getattr(around, name), getattr(quadrant, name))
    np.testing.assert_allclose(np.abs(around.outliers), np.abs(quadrant.outliers), rtol=1e-12)
    assert (quadrant.outliers[quadrant.bad].real > 0).all()
    assert (around.outliers[around.bad].real < 0).any()


def test_modes_share_the_signal_and_factors_share_all_draws():
    assert np.array_equal(instance().truth, instance(missing_mode=2, bad_mode=3).truth)
    plain, large = instance(bad=0.0), instance(bad=0.0, first_factor=100.0)
    assert np.array_equal(plain.mask, large.mask)
    assert np.linalg.norm(large.truth) > 20 * np.linalg.norm(plain.truth)
    assert not plain.outliers.any()


def test_half_stands_for_half_of_the_samples():
    assert instance(n1="half", n_samples=60).n1 == 30


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n1": 41}, "n1 = 41 is outside 1..n_samples = 40"),
        ({"n1": "third"}, "n1 = 'third' is neither a number nor 'half'"),
        ({"rank": 22}, "rank = 22 is outside 1..21"),
        ({"missing_mode": 3}, "missing_mode = 3 is no mode of missing data"),
        ({"loss": 1.0}, "loss = 1.0 is no fraction"),
        ({"bad_mode": 0}, "bad_mode = 0 is no mode of bad data"),
        ({"bad": 1.1}, "bad = 1.1 is no fraction"),
        ({"angle": "half"}, "angle = 'half' is none of any, quadrant"),
        ({"first_factor": 0}, "first_factor = 0 must be above 0"),
        ({"amplitude_exponent": -1}, "amplitude_exponent = -1 must not be negative"),
    ],
)
def test_impossible_cells_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        check(CELL | change)


@pytest.mark.parametrize("bad", [0.0, [0.0, 0.2]])
def test_a_block_rebuilds_its_instances_exactly(tmp_path, bad):
    grid = CELL | {"bad": bad, "loss": [0.3, 0.5]}
    made = small.experiment("robust", grid, independent={"mask": ["rank"]})
    (path,) = small.draw(made, tmp_path, 0, 1).outputs
    with open_dataset(path) as dataset:
        found = list(dataset.instances())
        assert len(found) == 2 * 2 * len(np.atleast_1d(bad))
        for number, cell, trial, made in found:
            depends = {**STREAMS, "mask": (*STREAMS["mask"], "rank")}
            paths = stream_paths(1, "small", cell, depends, trial)
            wanted = build(cell, draw(cell, {name: generator(one) for name, one in paths.items()}))
            again = dataset.instance(number, trial)
            for name in ("truth", "mask", "outliers", "bad", "observed"):
                assert np.array_equal(getattr(made, name), getattr(wanted, name))
                assert np.array_equal(getattr(again, name), getattr(wanted, name))


class Answer:
    """What a solver would return that is off by a known factor on each kind of entry."""

    status, iterations, seconds = "converged", 7, 0.25

    def __init__(self, x):
        self.x = x


def test_errors_are_those_of_lost_clean_and_corrupted_entries():
    made = instance()
    off = np.where(made.mask, np.where(made.bad, 0.3, 0.2), 0.1)
    row = robust_outcome.outcome(lambda *_, **__: Answer(made.truth * (1 + off)), made, ["rank"], {})
    assert row["error"] == pytest.approx(0.1)
    assert row["observed_error"] == pytest.approx(0.2)
    assert row["corrupted_error"] == pytest.approx(0.3)
    assert list(row) == list(robust_outcome.OUTCOME.columns)


def test_without_loss_the_error_is_that_of_all_entries_and_without_bad_data_one_is_not_defined():
    made = instance(loss=0.0, bad=0.0)
    row = robust_outcome.outcome(lambda *_, **__: Answer(1.5 * made.truth), made, [], {})
    assert row["error"] == row["observed_error"] == pytest.approx(0.5)
    assert np.isnan(row["corrupted_error"])


def test_a_timed_outcome_times_one_solve_after_a_warm_up():
    calls = []

    def slow(observed, mask, **told):
        calls.append((observed.size, told))
        if observed.size == 160:
            sum(range(3_000_000))
        return Answer(observed)

    made = instance()
    for _ in range(2):
        row = timed_robust_outcome.outcome(slow, made, ["rank", "n1"], {"tolerance": 0.1})
    told = {"rank": 2, "n1": 20, "tolerance": 0.1}
    assert [size for size, _ in calls] == [32, 160, 160]
    assert calls[1][1] == calls[2][1] == told
    assert row["seconds"] == 0.25
    assert row["cpu_seconds"] > 0.005
    assert list(row) == list(timed_robust_outcome.OUTCOME.columns)


def test_a_warm_up_has_sizes_that_its_small_problem_allows(monkeypatch):
    monkeypatch.setattr(timed_robust_outcome, "_warm", set())
    made = instance(n_samples=200, bad=0.0)
    row = timed_robust_outcome.outcome(am_fiht, made, [], {"rank": 2, "n1": 100, "max_iterations": 2})
    assert row["iterations"] == 2


@pytest.mark.parametrize("kept", [robust_outcome, timed_robust_outcome])
def test_the_incoherence_told_is_that_of_the_solver_s_own_sizes(monkeypatch, kept):
    told = []

    def watched(observed, mask, **options):
        told.append(options["incoherence"])
        return Answer(observed)

    monkeypatch.setattr(timed_robust_outcome, "_warm", {"watched"})
    made, sizes = instance(), {"rank": 1, "n1": 8}
    kept.outcome(watched, made, ["incoherence"], sizes)
    assert told == [incoherence(made.truth, **sizes)]
    assert told != [incoherence(made.truth, rank=made.rank, n1=made.n1)]


@pytest.mark.parametrize("timed", [False, True])
def test_am_fiht_runs_and_the_table_has_the_columns(tmp_path, timed):
    algorithm = {"method": "am_fiht", "tell": ["rank", "n1"], "options": {"beta": "squared"}}
    made = small.experiment(
        "timed_robust" if timed else "robust",
        CELL | {"bad": 0.0, "first_factor": [1.0, 5.0]},
        {"am_fiht": algorithm},
        {"column": "error", "below": 1e-2},
    )
    header, *rows = [line.split(",") for line in small.table(made, tmp_path)]
    assert header == [
        "algorithm", "first_factor", "trial", "status", "success", "error", "observed_error",
        "corrupted_error", "iterations", *(["seconds", "cpu_seconds"] if timed else []),
    ]  # fmt: skip
    assert len(rows) == 4
    assert all(row[4] == "True" and row[7] == "nan" for row in rows)


def test_masks_alone_tell_lost_and_corrupted_entries_apart():
    data, table = family("robust_masks").load_data(), family("robust_masks").load_table()
    cell = {"n_channels": 3, "n_samples": 10, "missing_mode": 2, "loss": 0.2, "bad_mode": 3, "bad": 0.3}
    data.check(cell)
    streams = {name: np.random.default_rng(i) for i, name in enumerate(data.streams)}
    masks = data.build(cell, data.draw(cell, streams))
    rows = list(table.rows(["bad_mode"], cell, 0, masks))
    assert table.columns(["bad_mode"])[-2:] == ["observed", "corrupted"]
    assert len(rows) == 30
    assert sum(not row[-2] for row in rows) == 3 * 2
    assert sum(row[-1] for row in rows) == 3 * 3
    with pytest.raises(ValueError, match="bad_mode"):
        data.check(cell | {"bad_mode": 4})
