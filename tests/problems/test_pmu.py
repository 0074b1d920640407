"""The phasor experiments: the bundled block, and a recording of one's own."""

import json
import shutil
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
from problems.recordings import (
    FIGURES,
    MISSING,
    ROOT,
    SCHEMA,
    bundled,
    draw,
    frame,
    make,
    own,
    phasors,
    write,
)

from nonconvex.errors import UserError
from nonconvex.figures.render import render
from nonconvex.hankel.incoherence import incoherence
from nonconvex.hankel.masks import loss_mask
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.problems.completion.outcome import facts, kept_of
from nonconvex.problems.phasors.block import unwrapped
from nonconvex.problems.phasors.data import PmuInstance
from nonconvex.problems.phasors.rank_errors import rank_error
from nonconvex.steps.datasets import draw_block, open_dataset
from nonconvex.steps.outcomes import run_block
from nonconvex.steps.seeds import generator, stream_path
from nonconvex.study.config import check_config


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_facts_of_an_own_recording_replace_the_thesis_s():
    experiment = own(write(), event_time=0.4).experiment("pmu_block")
    assert experiment["parameters"] == {
        "n_channels": 4,
        "n_samples": 60,
        "rate": pytest.approx(50),
        "event_time": 0.4,
    }
    assert set(experiment["differs"]) == {"n_channels", "n_samples", "rate", "event_time"}
    assert experiment["source"]["own"] is True
    assert experiment["source"]["about"]["unit"] == "kv"
    assert "event_time" not in own(write()).experiment("pmu_block")["parameters"]


def test_the_bundled_block_has_the_thesis_s_facts():
    for name in ("pmu_block", "pmu_rank_errors", "pmu_timing"):
        assert bundled(scale="thesis").experiment(name)["differs"] == []


def test_csv_and_hdf5_give_the_same_block():
    time, x = phasors()
    x[0, 5] = x[3, 30] = np.nan
    with h5py.File("mine.h5", "w") as file:
        file["series"], file["time"] = x, time
    with open_dataset(draw(own("mine.h5"), "pmu_mode1")) as dataset:
        first = dataset.instance(0, 0)
    with open_dataset(draw(own(write([MISSING[0], MISSING[2]])), "pmu_mode1")) as dataset:
        second = dataset.instance(0, 0)
    np.testing.assert_array_equal(first.truth, x)
    np.testing.assert_allclose(second.truth, x, atol=1e-12)
    np.testing.assert_array_equal(first.mask, second.mask)


def test_the_table_of_the_block_is_the_recording():
    table = pd.read_csv(make(own(write(MISSING)), "pmu_block"))
    source = frame(MISSING)
    assert list(table.columns) == ["time", "channel", "bus", "magnitude", "angle"]
    assert len(table) == 240
    for k in range(4):
        rows = table[table["bus"] == f"unit{k}"]
        assert set(rows["channel"]) == {k + 1}
        np.testing.assert_allclose(rows["time"], source["time"])
        known = rows["magnitude"].notna().to_numpy()
        np.testing.assert_array_equal(
            known, source[[f"unit{k}_magnitude_kv", f"unit{k}_angle_deg"]].notna().all(axis=1)
        )
        np.testing.assert_allclose(rows["magnitude"][known], source[f"unit{k}_magnitude_kv"][known])
        turns = (rows["angle"].to_numpy() - source[f"unit{k}_angle_deg"].to_numpy())[known] / 360
        np.testing.assert_allclose(turns, np.round(turns), atol=1e-9)
        assert np.abs(np.diff(rows["angle"][known])).max() < 90


def test_a_stated_rate_sets_the_instants():
    table = pd.read_csv(make(own(write(), rate=50.1), "pmu_block"))
    np.testing.assert_allclose(table["time"][:60], np.arange(60) / 50.1)


def test_angles_are_unwrapped_across_what_is_missing():
    x = np.exp(1j * np.deg2rad([170.0, 0, 190, 210]))
    x[1] = np.nan
    np.testing.assert_allclose(unwrapped(x), [170, np.nan, 190, 210])


def test_what_the_recording_lacks_is_never_observed_and_never_scored():
    pipeline = own(write(MISSING))
    with open_dataset(draw(pipeline, "pmu_mode1")) as dataset:
        (_, _, _, instance), *_ = dataset.instances()
    unknown = np.isnan(instance.truth)
    assert unknown.sum() == 3
    assert not instance.mask[unknown].any()
    assert not np.isnan(instance.observed).any()

    class Answer:
        x, status, iterations = np.where(unknown, 1e9, 1.5 * instance.truth), "converged", 1

    row = kept_of(Answer, instance)
    assert row["error"] == pytest.approx(0.5)
    assert row["observed_error"] == pytest.approx(0.5)


def test_masks_depend_on_mode_and_p_only():
    alone, among = own(write(), grid={"p": [0.6]}), own(write(), grid={"p": [0.8, 0.6]}, trials=2)
    with open_dataset(draw(alone, "pmu_mode2")) as dataset:
        mask = dataset.instance(0, 0).mask
    with open_dataset(draw(among, "pmu_mode2")) as dataset:
        np.testing.assert_array_equal(dataset.instance(1, 0).mask, mask)
        assert not np.array_equal(dataset.instance(1, 1).mask, mask)
    with open_dataset(draw(alone, "pmu_timing")) as dataset:
        np.testing.assert_array_equal(dataset.instance(0, 0).mask, mask)
    rng = generator(stream_path(1, "pmu", {"mode": 2, "p": 0.6}, 0, "mask"))
    np.testing.assert_array_equal(mask, loss_mask(2, 4, 60, 0.6, rng))


@pytest.mark.parametrize(("rank", "n1"), [(2, 8), (3, 8), (2, 20)])
def test_each_algorithm_is_told_the_incoherence_of_its_own_rank_and_n1(rank, n1):
    rng = np.random.default_rng(1)
    truth = rng.standard_normal((4, 60)) + 1j * rng.standard_normal((4, 60))
    instance = PmuInstance(truth, np.ones(truth.shape, dtype=bool))
    told = facts(instance, ["incoherence"], {"rank": rank, "n1": n1, "beta": "linear"})
    assert told == {"incoherence": incoherence(truth, rank=rank, n1=n1)}


def test_ram_fiht_runs_on_a_recording_with_gaps():
    pipeline = own(write(MISSING))
    table = pd.read_csv(make(pipeline, "pmu_mode1"))
    assert list(table["algorithm"]) == sorted(pipeline.experiment("pmu_mode1")["algorithms"])
    assert not table.loc[table["algorithm"].str.startswith("ram"), "status"].eq("failed").any()
    assert table["error"].notna().all()


def test_rank_errors_are_those_of_the_best_approximation():
    _, x = phasors()
    n1, n2 = 5, 56
    explicit = np.array([[x[k, i + j] for j in range(n2)] for i in range(n1) for k in range(4)])
    left, values, right = np.linalg.svd(explicit, full_matrices=False)
    best = (left[:, :2] * values[:2]) @ right[:2]
    expected = np.linalg.norm(explicit - best) / np.linalg.norm(explicit)
    assert rank_error(x, 2, n1) == pytest.approx(expected, rel=1e-9)
    assert rank_error(x, 4, 1) == 0
    gap = x.copy()
    gap[1, 10] = np.nan
    line = x.copy()
    line[1, 10] = (x[1, 9] + x[1, 11]) / 2
    assert rank_error(gap, 2, n1) == pytest.approx(rank_error(line, 2, n1))


def test_a_changed_file_is_another_plan_and_a_moved_one_is_not():
    before = own(write(), event_time=0.4)
    draw(before, "pmu_mode1")
    make(before, "pmu_block")
    block = before.blocks("pmu_mode1")[0]
    assert before.dataset("pmu_mode1", block).problem() is None

    shutil.move("mine.csv", "moved.csv")
    moved = own("moved.csv", event_time=0.4)
    assert moved.dataset("pmu_mode1", block).plan_text == before.dataset("pmu_mode1", block).plan_text
    for figure in FIGURES:
        assert moved.figure(figure).plan_text == before.figure(figure).plan_text

    later = own("moved.csv", event_time=0.5)
    assert later.dataset("pmu_mode1", block).problem() is None
    assert later.figure("2.10").plan_text == before.figure("2.10").plan_text
    assert later.table("pmu_block").problem() is not None
    assert later.figure("2.8").plan_text != before.figure("2.8").plan_text

    table = pd.read_csv("moved.csv")
    table.loc[3, "unit0_magnitude_kv"] *= 1.001
    table.to_csv("moved.csv", index=False)
    changed = own("moved.csv", event_time=0.4)
    assert changed.dataset("pmu_mode1", block).problem() is not None
    with pytest.raises(UserError, match="was changed while the run was going on"):
        product = before.dataset("pmu_mode1", block)
        draw_block(product.plan, product.digest, *product.outputs, {product.plan["source"]: ["moved.csv"]})


def test_a_plain_scale_asked_for_beside_an_own_recording_is_the_bundled_one():
    assert own(write()).at("smoke").experiment("pmu_block")["source"]["own"] is False


def test_an_algorithm_brings_its_own_rank(folder):
    shutil.copytree(ROOT / "workflow", folder / "workflow")
    shutil.copytree(ROOT / "resources", folder / "resources")
    path = folder / "workflow/experiments/chapter2.yaml"
    path.write_text(path.read_text().replace("tell: [incoherence]", "tell: [incoherence, rank]", 1))
    with pytest.raises(UserError, match=r"cannot be told 'rank' \(known: incoherence\)"):
        Pipeline(check_config({"scale": "smoke", "figures": FIGURES}, SCHEMA), folder).check()


def test_the_block_happens_once_whatever_the_trials():
    pipeline = own(write(), trials=7)
    assert pipeline.blocks("pmu_rank_errors") == ["0000-0000"]
    assert pipeline.experiment("pmu_mode1")["trials"] == 7


def test_a_substitute_is_said_in_every_figure_of_the_bundled_block_and_in_no_own_one():
    ours, theirs = own(write()), bundled()
    for figure in FIGURES:
        plan = theirs.figure(figure).plan
        assert "not the thesis's recording" in plan["options"]["substitute"]
        assert "own recording" not in plan["title"]
        plan = ours.figure(figure).plan
        assert "substitute" not in plan["options"]
        assert "own recording" in plan["title"]
        assert "NPCC" not in json.dumps(plan)
        assert "New Scotland" not in json.dumps(plan)
    gaps = own(write(MISSING)).figure("2.10").plan["options"]["substitute"]
    assert gaps.startswith("1.25 % of the recording is missing")


def test_the_figures_of_an_own_recording_are_drawn_from_a_real_run():
    pipeline = own(write(MISSING), event_time=0.4, check=False)
    for name in pipeline.experiment_names():
        for algorithm in pipeline.experiment(name)["algorithms"].values():
            algorithm["options"]["max_iterations"] = 40
    tables = {name: pd.read_csv(make(pipeline, name)) for name in pipeline.experiment_names()}
    for figure in FIGURES:
        plan = json.loads(pipeline.figure(figure).plan_text)
        outputs = {kind: f"fig{figure}.{kind}" for kind in ("png", "csv")}
        render(plan, {name: tables[name] for name in plan["experiments"]}, outputs)
        assert Path(outputs["png"]).stat().st_size > 10_000
    shares = pd.read_csv("fig2.10.csv")
    assert set(shares["series"]) == {"as printed: n₁ = r = 8", "adapted: n₁ = 8, r = 2"}
    assert set(shares["trials"]) == {1}


def test_on_the_bundled_block_rank_8_stops_at_zeros_and_rank_2_recovers():
    pipeline = bundled(name="one", grid={"pmu_mode2": {"p": [0.6]}}, trials=2)
    for name in ("am_fiht_r8", "am_fiht_r2"):
        for product in pipeline.block_products("pmu_mode2"):
            if product.kind == "dataset":
                draw_block(product.plan, product.digest, *product.outputs, pipeline.data_files())
            elif product.plan["algorithm"] == name:
                run_block(product.plan, product.digest, *product.inputs, *product.outputs)
    with h5py.File("results/smoke-one/outcomes/pmu_mode2/am_fiht_r8/0000-0001.h5") as file:
        assert np.array(file["outcomes/error"]) == pytest.approx(1, abs=0.01)
    with h5py.File("results/smoke-one/outcomes/pmu_mode2/am_fiht_r2/0000-0001.h5") as file:
        assert np.array(file["outcomes/error"]).max() < 5e-3


@pytest.mark.parametrize("missing", [-9999, [-9999], [-9999.0, 777]])
def test_numbers_that_stand_for_lost_samples_are_missing_to_every_reader(missing):
    marked = frame(MISSING).fillna(-9999)
    marked.to_csv("marked.csv", index=False)
    study, plain = own("marked.csv", missing=missing), own(write(MISSING))
    about = study.experiment("pmu_mode1")["source"]["about"]
    assert about == plain.experiment("pmu_mode1")["source"]["about"] and about["missing"] > 0
    for name in ("pmu_block", "pmu_rank_errors", "pmu_mode1"):
        with open_dataset(draw(study, name)) as one:
            shared = {key: array.copy() for key, array in one._shared.items()}
        with open_dataset(draw(plain, name)) as other:
            assert np.array_equal(shared["phasors"], other._shared["phasors"], equal_nan=True)
        assert np.isnan(shared["phasors"]).sum() == len(MISSING)
    assert "missing" not in plain.experiment("pmu_mode1")["parameters"]


def test_what_stands_for_lost_samples_reruns_what_read_the_file():
    write()
    plans = [
        own("mine.csv", missing=value).dataset("pmu_mode1", "0000-0001").plan for value in (None, 0, [0, 1])
    ]
    assert plans[0] != plans[1] != plans[2] != plans[0]
    assert [one["parameters"].get("missing") for one in plans] == [None, "0", "0 1"]
    assert all("missing" not in one["axes"] for one in plans)
