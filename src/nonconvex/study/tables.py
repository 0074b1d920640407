"""The table step: all outcomes of an experiment as one tidy CSV, from blocks that are what was asked for."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

import numpy as np

from nonconvex.study.canonical import sha256
from nonconvex.study.cells import cells
from nonconvex.study.datasets import open_dataset
from nonconvex.study.errors import StudyError
from nonconvex.study.files import replace_file
from nonconvex.study.hdf5 import open_block, read_array, read_plan


def write_table(plan: Mapping, inputs: Sequence[str], path: str | Path) -> None:
    """Write the table that `plan` describes from its blocks, given in the order of ``plan["blocks"]``.

    Raises
    ------
    StudyError
        When a block is damaged, or was made by another plan, other code or from other instances.
    """
    if plan["table"]:
        header, rows = _dataset_rows(plan, inputs)
    else:
        header, rows = _outcome_rows(plan, inputs)
    replace_file(path, lambda temporary: _write_csv(temporary, header, rows))


def _write_csv(path: Path, header: list[str], rows: Iterable[Sequence]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")  # floats are written by repr
        writer.writerow(header)
        writer.writerows(rows)


def _dataset_rows(plan: Mapping, inputs: Sequence[str]) -> tuple[list[str], list[tuple]]:
    """Return the table of an experiment without algorithms: what the family's table module makes of it."""
    maker = import_module(plan["table"])
    rows = []
    for path, block in zip(inputs, plan["blocks"], strict=True):
        with open_block(path, "dataset") as file:
            refuse_other(path, sha256(read_plan(file)), file.attrs["digest"], block)
        with open_dataset(path) as dataset:
            for _, cell, trial, instance in dataset.instances(dataset.trials[-1]):
                rows.extend(maker.rows(plan["axes"], cell, trial, instance))
    return maker.columns(plan["axes"]), rows


def _outcome_rows(plan: Mapping, inputs: Sequence[str]) -> tuple[list[str], list[tuple]]:
    kept = import_module(plan["outcome"])
    names = list(kept.COLUMNS)
    grid, axes, success = cells(plan), plan["axes"], plan["success"]
    rows, instances = [], {}
    for path, block in zip(inputs, plan["blocks"], strict=True):
        columns, drawn = _read_outcomes(path, block, names)
        seen = instances.setdefault(drawn["first"], drawn["sha256"])
        if seen != drawn["sha256"]:
            raise StudyError(
                f"{path} was computed on other instances than the other algorithms' outcomes of these "
                "trials; run 'make resume'"
            )
        won = _succeeded(columns, success)
        for i, (cell, trial) in enumerate(zip(columns["cell"], columns["trial"], strict=True)):
            values = [columns[name][i] for name in names]
            point = [grid[cell][axis] for axis in axes]
            rows.append((block["algorithm"], int(cell), int(trial), point, values, bool(won[i])))
    rows.sort(key=lambda row: row[:3])
    header = ["algorithm", *axes, "trial", "status", "success", *[n for n in names if n != "status"]]
    return header, [_line(names, *row) for row in rows]


def _line(
    names: Sequence[str], algorithm: str, _: int, trial: int, point: list, values: list, won: bool
) -> tuple:
    kept = dict(zip(names, values, strict=True))
    return (algorithm, *point, trial, kept.pop("status"), won, *kept.values())


def _read_outcomes(path: str, block: Mapping, names: Sequence[str]) -> tuple[dict[str, list], dict]:
    with open_block(path, "outcomes") as file:
        refuse_other(path, sha256(read_plan(file)), file.attrs["digest"], block)
        drawn = json.loads(file.attrs["dataset"])
        refuse_other(path, drawn["plan"], drawn["digest"], block["dataset"])
        group = file["outcomes"]
        columns = {name: read_array(group, name) for name in ("cell", "trial", *names)}
        first = read_plan(file)["first"]
    text = {n: [v.decode() for v in a.tolist()] for n, a in columns.items() if a.dtype.kind == "S"}
    plain = {n: a.tolist() for n, a in columns.items() if a.dtype.kind != "S"}
    return plain | text, {"first": first, "sha256": drawn["sha256"]}


def _succeeded(columns: Mapping[str, list], success: Mapping) -> np.ndarray:
    """Apply the experiment's criterion; a trial that diverged, failed or is not finite has not succeeded."""
    measure = np.array(columns[success["column"]], dtype=float)
    ended = np.array(columns["status"])
    return (measure < success["below"]) & ~np.isin(ended, ["diverged", "failed"])


def refuse_other(path: str | Path, plan: str, digest: str, expected: Mapping) -> None:
    """Raise a StudyError when a block was made by another plan or other code than `expected` says."""
    for what, found in (("plan", plan), ("digest", digest)):
        if found != expected[what]:
            made = {"plan": "other parameters", "digest": "other code"}[what]
            raise StudyError(f"{path} is stale: it was made by {made} than this run's; run 'make resume'")
