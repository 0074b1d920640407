"""Small recordings of phasors, and studies of them, for the tests."""

from pathlib import Path

import numpy as np
import pandas as pd

from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.steps.datasets import draw_block
from nonconvex.steps.outcomes import run_block
from nonconvex.steps.tables import write_table
from nonconvex.study.config import check_config

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
FIGURES = ["2.8", "2.9", "2.10", "2.11"]


def phasors(n_channels=4, n_samples=60, rate=50):
    """Phasors whose angle turns several times, so that a file's angles jump."""
    time = np.arange(n_samples) / rate
    swing = 1 + 0.05 * np.outer(np.arange(1, n_channels + 1), np.exp(-time) * np.cos(9 * time))
    return time, swing * np.exp(1j * (20 * time + np.arange(n_channels)[:, None]))


def frame(missing=()):
    time, x = phasors()
    columns = {"time": time}
    for k, row in enumerate(x):
        columns[f"unit{k}_magnitude_kv"] = np.abs(row)
        columns[f"unit{k}_angle_deg"] = np.angle(row, deg=True)
    table = pd.DataFrame(columns)
    for row, column in missing:
        table.loc[row, column] = np.nan
    return table


MISSING = [(5, "unit0_magnitude_kv"), (6, "unit0_angle_deg"), (30, "unit3_magnitude_kv")]


def write(missing=(), name="mine.csv"):
    frame(missing).to_csv(name, index=False)
    return name


def own(file, check=True, **knobs):
    """A small study of one's own recording: one loss a mode, one trial."""
    pmu = {"source": "file", "file": str(file), "rate": None, "event_time": None}
    pmu |= {key: knobs.pop(key) for key in ("rate", "event_time", "missing") if key in knobs}
    raw = {"scale": "smoke", "name": "mine", "trials": 1, "figures": FIGURES, "data": {"pmu": pmu}}
    made = Pipeline(check_config(raw | {"grid": {"p": [0.7]}} | knobs, SCHEMA), ROOT)
    if check:
        made.check()
    return made


def bundled(**knobs):
    return Pipeline(check_config({"scale": "smoke", "figures": FIGURES} | knobs, SCHEMA), ROOT)


def draw(pipeline, experiment):
    product = pipeline.dataset(experiment, pipeline.blocks(experiment)[0])
    draw_block(product.plan, product.digest, *product.outputs, pipeline.data_files())
    return product.outputs[0]


def make(pipeline, experiment):
    """Run an experiment to its table and return the table's file."""
    for product in pipeline.block_products(experiment):
        if product.kind == "dataset":
            draw_block(product.plan, product.digest, *product.outputs, pipeline.data_files())
        else:
            run_block(product.plan, product.digest, *product.inputs, *product.outputs)
    product = pipeline.table(experiment)
    write_table(product.plan, product.inputs, *product.outputs)
    return product.outputs[0]
