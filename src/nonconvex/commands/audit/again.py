"""One row of the reference computed again: drawn from its seeds, run and tabulated by the steps."""

import contextlib
import io
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from nonconvex.commands.reference_run.blocks import outcomes_of
from nonconvex.pipeline.plans import dataset_plan, outcomes_plan, table_plan
from nonconvex.pipeline.product import Product
from nonconvex.reference.store import read_csv
from nonconvex.steps.datasets import draw_block
from nonconvex.steps.outcomes import run_block
from nonconvex.steps.tables import write_table
from nonconvex.study.blocks import block_name
from nonconvex.study.cells import cells


def computed(
    experiment: Mapping[str, Any], algorithm: str, cell: int, trial: int, files: Mapping[str, Sequence[str]]
) -> list[pd.DataFrame]:
    """Return what the steps make of a single trial of a single cell, by the experiment's own plans.

    The draws are those of the whole run: a random stream is named by values, not by places. Nothing is left
    on disk.

    Parameters
    ----------
    experiment : dict
        As the study resolves it.
    algorithm : str
        "" where no algorithm runs.
    cell, trial : int
    files : dict
        Where the files of sources lie, by their sha256.

    Returns
    -------
    list of DataFrame
        The rows of the table; before them, where the table holds iterates, the outcome.
    """
    one = only(experiment, cell)
    block = f"{block_name(trial, trial)}.h5"
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        drawn = _product("dataset", dataset_plan(one, trial, trial), f"{folder}/dataset/{block}")
        draw_block(drawn.plan, drawn.digest, drawn.outputs[0], files)
        part, frames = drawn, []
        if algorithm:
            plan = outcomes_plan(one, algorithm, trial, trial)
            part = _product("outcomes", plan, f"{folder}/outcomes/{block}", drawn)
            run_block(part.plan, part.digest, drawn.outputs[0], part.outputs[0])
            outcome = outcomes_of([part])
            frames = [] if outcome is None else [outcome]
        table = Path(folder, "table.csv")
        write_table(table_plan(one, [part]), part.outputs, table)
        return [*frames, read_csv(table.read_bytes())]


def only(experiment: Mapping[str, Any], cell: int) -> dict[str, Any]:
    """Return the experiment with one cell of its grid; its axes stay, with one value each."""
    point = cells(experiment)[cell]
    axes = {axis: [point[axis]] for axis in experiment["axes"]}
    return {**experiment, "parameters": {**experiment["parameters"], **axes}}


def _product(kind: str, plan: Mapping[str, Any], path: str, dataset: Product | None = None) -> Product:
    """Return a block that only this process sees: its code needs no digest."""
    inputs = dataset.outputs if dataset else ()
    known = {"plan": dataset.plan_sha256, "digest": dataset.digest} if dataset else None
    return Product(kind, kind, plan, "", inputs, (path,), dataset=known)
