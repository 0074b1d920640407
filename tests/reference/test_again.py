"""A single trial of a single cell, computed alone, is to the last digit what the whole run has."""

from pathlib import Path

import pytest

from nonconvex.commands.audit.again import computed, only
from nonconvex.commands.audit.compare import TIMES
from nonconvex.commands.audit.sample import ROW, numbered
from nonconvex.commands.reference_run.blocks import outcomes_of
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.reference.store import read_csv
from nonconvex.steps.datasets import draw_block
from nonconvex.steps.outcomes import run_block
from nonconvex.steps.tables import write_table
from nonconvex.study.cells import cells
from nonconvex.study.config import Config

ROOT = Path(__file__).parents[2]

# One of each way to draw: with fresh draws along some axes only (`independent`), shared data, a source that
# is read, bulky draws that are made again, no draw at all; with and without algorithms, iterates and times.
EXPERIMENTS = [
    "phase_mode1", "data_rank", "loss_modes", "pmu_mode1", "pmu_rank_errors", "pmu_block", "sap_m1b1",
    "growth_sap", "timing", "speed_patches_d", "tensor_signal", "labels_degree", "graph_structures", "sigma_one",
]  # fmt: skip


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_it_is_what_the_whole_run_has(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    pipeline = Pipeline(Config("smoke"), ROOT)
    experiment, files = pipeline.experiment(name), pipeline.data_files()
    for axis in experiment["axes"]:
        del experiment["parameters"][axis][2:]
    first = next(iter(experiment["algorithms"]), "")
    products = [pipeline.dataset(name, block) for block in pipeline.blocks(name)]
    for product in products:
        draw_block(product.plan, product.digest, product.outputs[0], files)
    if first:
        experiment["algorithms"] = {first: experiment["algorithms"][first]}
        products = [pipeline.outcomes(name, first, block) for block in pipeline.blocks(name, first)]
        for product in products:
            run_block(product.plan, product.digest, product.inputs[0], product.outputs[0])
    made = pipeline.table(name)
    write_table(made.plan, made.inputs, made.outputs[0])
    whole = [outcomes_of(products), read_csv(Path(made.outputs[0]).read_bytes())]
    whole = [numbered(table, experiment, "") for table in whole if table is not None]
    rows = whole[0][ROW].drop_duplicates()
    for row in rows.iloc[[0, len(rows) // 2, -1]].itertuples(index=False):
        new = computed(experiment, *row, files)
        assert len(new) == len(whole)
        for table, frame in zip(whole, new, strict=True):
            kept = table[(table[ROW] == list(row)).all(axis=1)]
            compared = [column for column in frame if column not in (*TIMES, "cell")]
            assert frame[compared].to_csv() == kept[compared].reset_index(drop=True).to_csv()


def test_one_cell_keeps_its_place_among_the_axes():
    experiment = Pipeline(Config("smoke"), ROOT).experiment("phase_mode1")
    number = len(cells(experiment)) - 2
    assert cells(only(experiment, number)) == [cells(experiment)[number]]


def test_nothing_is_left_on_disk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    pipeline = Pipeline(Config("smoke"), ROOT)
    computed(pipeline.experiment("data_rank"), "", 0, 0, {})
    assert list(tmp_path.iterdir()) == []
