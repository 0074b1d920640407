"""Promise 1: the outcome of a trial does not depend on how the run is laid out."""

from pathlib import Path

import pytest

from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.steps.datasets import draw_block, open_dataset
from nonconvex.steps.outcomes import run_block
from nonconvex.steps.tables import write_table
from nonconvex.study.config import Config

ROOT = Path(__file__).parents[2]
GRID = {"p": [0.6, 0.8], "rank": [1, 2]}


def table(folder, monkeypatch, block=2, trials=4, grid=GRID, algorithms=None, own=None):
    """Run an experiment laid out in some way; return its rows as a set of lines."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    pipeline = Pipeline(Config("smoke", "x", trials=trials, grid=grid), ROOT)
    experiment = pipeline.experiment("phase_mode1")
    experiment["block"] = block
    experiment["algorithms"] = {
        name: entry | {"block": own or block}
        for name, entry in experiment["algorithms"].items()
        if name in (algorithms or [name])
    }
    for product in pipeline.block_products("phase_mode1"):
        if product.kind == "dataset":
            draw_block(product.plan, product.digest, *product.outputs)
        else:
            run_block(product.plan, product.digest, *product.inputs, *product.outputs)
    made = pipeline.table("phase_mode1")
    write_table(made.plan, made.inputs, *made.outputs)
    header, *rows = Path(*made.outputs).read_text().splitlines()
    assert header == "algorithm,p,rank,trial,status,success,error,observed_error,iterations"
    assert len(rows) == len(set(rows))
    return rows


@pytest.fixture
def whole(tmp_path, monkeypatch):
    return table(tmp_path / "whole", monkeypatch)


@pytest.mark.parametrize("block", [1, 3, 4, 7])
def test_any_block_size_gives_the_same_table(whole, tmp_path, monkeypatch, block):
    assert table(tmp_path / "other", monkeypatch, block=block) == whole


@pytest.mark.parametrize("own", [1, 2])
def test_an_algorithm_may_have_smaller_blocks_than_its_dataset(whole, tmp_path, monkeypatch, own):
    assert table(tmp_path / "other", monkeypatch, block=4, own=own) == whole


def test_more_trials_leave_whole_blocks_as_they_are():
    few, more = (Pipeline(Config("thesis", trials=trials), ROOT) for trials in (5, 15))
    for name in ("phase_mode1", "sap_m1b1", "methods_m2b2", "conditioning", "samples_dimension"):
        then = {product.outputs: product for product in more.block_products(name)}
        for product in few.block_products(name):
            if product.outputs in then:
                assert product.plan_text == then[product.outputs].plan_text
                assert product.dataset == then[product.outputs].dataset
            else:  # the last, short block of an algorithm
                assert product.kind == "outcomes"
                assert product.plan["last"] == 4


def test_fewer_trials_give_the_same_rows(whole, tmp_path, monkeypatch):
    few = table(tmp_path / "few", monkeypatch, trials=3)
    assert set(few) < set(whole)
    assert len(few) == len(whole) * 3 / 4


def test_fewer_cells_give_the_same_rows(whole, tmp_path, monkeypatch):
    few = table(tmp_path / "few", monkeypatch, grid={"p": [0.8], "rank": [2]})
    assert set(few) < set(whole)
    assert len(few) == len(whole) / 4


def test_fewer_algorithms_give_the_same_rows(whole, tmp_path, monkeypatch):
    alone = table(tmp_path / "few", monkeypatch, algorithms=["ram_fiht"])
    assert alone == [row for row in whole if row.startswith("ram_fiht,")]


def test_trials_may_differ_by_algorithm(whole, tmp_path, monkeypatch):
    """The first k: a short block of one algorithm stands on the longer block of the dataset."""
    folder = tmp_path / "capped"
    folder.mkdir()
    monkeypatch.chdir(folder)
    pipeline = Pipeline(Config("smoke", "x", trials=4, grid=GRID), ROOT)
    pipeline.experiment("phase_mode1")["algorithms"]["ram_fiht"]["trials"] = 3
    for product in pipeline.block_products("phase_mode1"):
        if product.kind == "dataset":
            draw_block(product.plan, product.digest, *product.outputs)
        else:
            run_block(product.plan, product.digest, *product.inputs, *product.outputs)
    assert pipeline.blocks("phase_mode1", "ram_fiht") == ["0000-0001", "0002-0002"]
    made = pipeline.table("phase_mode1")
    write_table(made.plan, made.inputs, *made.outputs)
    rows = Path(*made.outputs).read_text().splitlines()[1:]
    assert rows == [r for r in whole if not (r.startswith("ram_fiht,") and r.split(",")[3] == "3")]


def test_all_algorithms_see_the_same_instance(tmp_path, monkeypatch):
    import numpy as np

    monkeypatch.chdir(tmp_path)
    pipeline = Pipeline(Config("smoke", "x", trials=2, grid=GRID), ROOT)
    product = pipeline.dataset("phase_mode1", "0000-0001")
    draw_block(product.plan, product.digest, *product.outputs)
    with open_dataset(*product.outputs) as first, open_dataset(*product.outputs) as second:
        for (_, _, _, a), (_, _, _, b) in zip(first.instances(), second.instances(), strict=True):
            assert np.array_equal(a.truth, b.truth)
            assert np.array_equal(a.mask, b.mask)
