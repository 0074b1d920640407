from pathlib import Path

import numpy as np
import pytest

from nonconvex.canonical import sha256
from nonconvex.hankel import am_fiht
from nonconvex.problems.registry import FAMILIES
from nonconvex.problems.robust import masks as robust_masks_data
from nonconvex.problems.robust import masks_table as robust_masks_table
from nonconvex.problems.robust import outcome as robust_outcome
from nonconvex.problems.robust import timed as timed_robust_outcome
from nonconvex.problems.robust.data import STREAMS, build, check, draw
from nonconvex.steps.datasets import draw_block, open_dataset
from nonconvex.steps.outcomes import run_block
from nonconvex.steps.seeds import generator, stream_paths
from nonconvex.steps.tables import write_table

CELL = {
    "n_channels": 4, "n_samples": 40, "n1": 20, "rank": 2, "amplitude_exponent": 0.5, "loss": 0.3,
    "missing_mode": 1, "bad": 0.1, "bad_mode": 1, "angle": "any", "first_factor": 1.0,
}  # fmt: skip


def instance(**changes):
    cell = CELL | changes
    paths = stream_paths(1, "robust", cell, STREAMS, 0)
    return build(cell, draw(cell, {name: generator(path) for name, path in paths.items()}))


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
    axes = [name for name, value in grid.items() if isinstance(value, list)]
    plan = {
        "data": FAMILIES["robust"]["data"], "dataset": "robust", "independent": {"mask": ["rank"]},
        "parameters": grid, "axes": axes, "seed": 1, "first": 0, "last": 1,
    }  # fmt: skip
    path = tmp_path / "0000-0001.h5"
    draw_block(plan, "code", path)
    with open_dataset(path) as dataset:
        found = list(dataset.instances())
        assert len(found) == 2 * 2 * len(np.atleast_1d(bad))
        for number, cell, trial, made in found:
            depends = {**STREAMS, "mask": (*STREAMS["mask"], "rank")}
            paths = stream_paths(1, "robust", cell, depends, trial)
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
    assert list(row) == list(robust_outcome.COLUMNS)


def test_without_loss_the_error_is_that_of_all_entries_and_without_bad_data_one_is_not_defined():
    made = instance(loss=0.0, bad=0.0)
    row = robust_outcome.outcome(lambda *_, **__: Answer(1.5 * made.truth), made, [], {})
    assert row["error"] == row["observed_error"] == pytest.approx(0.5)
    assert np.isnan(row["corrupted_error"])


def test_failed_rows_have_every_column():
    for kept in (robust_outcome, timed_robust_outcome):
        assert list(kept.failed()) == list(kept.COLUMNS)


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
    assert list(row) == list(timed_robust_outcome.COLUMNS)


@pytest.mark.parametrize("family", ["robust", "timed_robust"])
def test_am_fiht_runs_and_the_table_has_the_columns(tmp_path, monkeypatch, family):
    monkeypatch.chdir(tmp_path)
    family = FAMILIES[family]
    grid = CELL | {"bad": 0.0, "first_factor": [1.0, 5.0]}
    shared = {"parameters": grid, "axes": ["first_factor"], "seed": 1, "first": 0, "last": 1}
    dataset = {"data": family["data"], "dataset": "d", "independent": {}, **shared}
    plan = {
        "outcome": family["outcome"], "solver": "nonconvex.hankel.solvers.am_fiht", "method": am_fiht.__name__,
        "algorithm": "am_fiht", "tell": ["rank", "n1"], "options": {"beta": "squared"}, **shared,
    }  # fmt: skip
    draw_block(dataset, "code", "dataset/0000-0001.h5")
    run_block(plan, "code", "dataset/0000-0001.h5", "a/0000-0001.h5")
    drawn = {"plan": sha256(dataset), "digest": "code"}
    block = {"algorithm": "am_fiht", "plan": sha256(plan), "digest": "code", "dataset": drawn}
    table = {
        "table": None, "outcome": family["outcome"], "data": family["data"], "parameters": grid,
        "axes": ["first_factor"], "success": {"column": "error", "below": 1e-2}, "blocks": [block],
    }  # fmt: skip
    write_table(table, ["a/0000-0001.h5"], "robust.csv")
    header, *rows = [line.split(",") for line in Path("robust.csv").read_text().splitlines()]
    timed = ["seconds", "cpu_seconds"] if family.get("timed") else []
    assert header == [
        "algorithm", "first_factor", "trial", "status", "success", "error", "observed_error",
        "corrupted_error", "iterations", *timed,
    ]  # fmt: skip
    assert len(rows) == 4
    assert all(row[4] == "True" and row[7] == "nan" for row in rows)


def test_masks_alone_tell_lost_and_corrupted_entries_apart():
    cell = {"n_channels": 3, "n_samples": 10, "missing_mode": 2, "loss": 0.2, "bad_mode": 3, "bad": 0.3}
    robust_masks_data.check(cell)
    streams = {name: np.random.default_rng(i) for i, name in enumerate(robust_masks_data.STREAMS)}
    masks = robust_masks_data.build(cell, robust_masks_data.draw(cell, streams))
    rows = list(robust_masks_table.rows(["bad_mode"], cell, 0, masks))
    assert robust_masks_table.columns(["bad_mode"])[-2:] == ["observed", "corrupted"]
    assert len(rows) == 30
    assert sum(not row[-2] for row in rows) == 3 * 2
    assert sum(row[-1] for row in rows) == 3 * 3
    with pytest.raises(ValueError, match="bad_mode"):
        robust_masks_data.check(cell | {"bad_mode": 4})
