"""Blocks of outcomes go into the reference and come back, byte for byte."""

import hashlib
import json

import h5py
import numpy as np
import pytest
from project_copy import ROOT

from nonconvex.commands.reference_run.blocks import Kept, block_facts
from nonconvex.commands.reference_run.sketch import same_draw, sketch
from nonconvex.commands.reference_run.writer import Writer
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.stamps import write_stamp
from nonconvex.reference.store import Reference
from nonconvex.steps.block_file import USER_BLOCK, header
from nonconvex.steps.datasets import draw_block
from nonconvex.steps.outcomes import run_block
from nonconvex.steps.tables import write_table
from nonconvex.study.config import Config


@pytest.mark.parametrize(
    ("experiment", "algorithms"),
    [
        ("sign_curves", ["agd"]),  # its table has a row for each iterate
        ("methods_m1b1", ["sap", "r_rmc_h"]),
    ],
)
def test_blocks_come_back_byte_for_byte(experiment, algorithms, tmp_path, monkeypatch):
    pipeline = Pipeline(Config(scale="smoke"), ROOT)
    monkeypatch.chdir(tmp_path)
    known = pipeline.experiment(experiment)["algorithms"]
    for name in set(known) - set(algorithms):
        del known[name]
    blocks = pipeline.block_products(experiment)
    for block in blocks:
        if block.kind == "dataset":
            draw_block(block.plan, block.digest, block.outputs[0])
        else:
            run_block(block.plan, block.digest, block.inputs[0], block.outputs[0])
    table = pipeline.table(experiment)
    write_table(table.plan, table.inputs, table.outputs[0])
    write_stamp(table.stamp, table.plan, table.digest, table.inputs, table.outputs)

    writer = Writer(tmp_path / "kept")
    writer.add(pipeline, experiment)
    reference = Reference(writer.folder, {"files": writer.files, "experiments": writer.experiments})
    made = [block.outputs[0] for block in blocks if block.kind == "outcomes"]
    before = [(tmp_path / path).read_bytes() for path in made]
    for path in made:
        (tmp_path / path).unlink()
    kept = Kept(reference, experiment)
    for block in blocks:
        if block.kind == "outcomes":
            kept.write(block)
    assert [(tmp_path / path).read_bytes() for path in made] == before


def test_a_refused_trial_keeps_its_reason(tmp_path, monkeypatch):
    pipeline = Pipeline(Config(scale="smoke"), ROOT)
    monkeypatch.chdir(tmp_path)
    block, drawn = (
        next(one for one in pipeline.block_products("methods_m1b1") if one.kind == kind)
        for kind in ("outcomes", "dataset")
    )
    draw_block(drawn.plan, drawn.digest, drawn.outputs[0])
    options = {**block.plan["options"], "rank": 10_000}
    run_block(
        {**block.plan, "options": options, "tell": []}, block.digest, drawn.outputs[0], block.outputs[0]
    )
    reasons = block_facts([block])["reasons"]
    assert reasons
    assert all("rank" in reason for reason in reasons.values())
    assert json.dumps(reasons)


def changed(path, factor):
    """Multiply every float of a block file by `factor`, and give it its new checksum."""
    with h5py.File(path, "r+") as file:
        arrays: list[h5py.Dataset] = []
        file.visititems(
            lambda _, item: (
                arrays.append(item) if isinstance(item, h5py.Dataset) and item.dtype.kind in "fc" else None
            )
        )
        for array in arrays:
            array[...] = array[()] * factor
    content = path.read_bytes()[USER_BLOCK:]
    path.write_bytes(header(hashlib.sha256(content).hexdigest()) + content)


@pytest.mark.parametrize("experiment", ["methods_m1b1", "comparison_mode1", "labels_degree"])
def test_a_dataset_is_known_again_up_to_its_last_bits(experiment, tmp_path, monkeypatch):
    pipeline = Pipeline(Config(scale="smoke"), ROOT)
    monkeypatch.chdir(tmp_path)
    drawn = next(one for one in pipeline.block_products(experiment) if one.kind == "dataset")
    path = tmp_path / drawn.outputs[0]
    draw_block(drawn.plan, drawn.digest, drawn.outputs[0])
    kept = json.loads(json.dumps(sketch(path)))
    changed(path, 1 + np.finfo(float).eps)
    assert same_draw(kept, sketch(path))
    changed(path, 1 + 1e-7)
    assert not same_draw(kept, sketch(path))
    draw_block({**drawn.plan, "seed": 5}, drawn.digest, drawn.outputs[0])
    assert not same_draw(kept, sketch(path))
