"""The table step: all outcomes of an experiment as one tidy CSV, from blocks that are what was asked for."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    elif hasattr(import_module(plan["outcome"]), "HISTORY"):
        header, rows = _history_rows(plan, inputs)
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
            for _, cell, trial, instance in dataset.instances():
                rows.extend(maker.rows(plan["axes"], cell, trial, instance))
    return maker.columns(plan["axes"]), rows


def _outcome_rows(plan: Mapping, inputs: Sequence[str]) -> tuple[list[str], list[tuple]]:
    """Return one row per outcome."""
    names = list(import_module(plan["outcome"]).COLUMNS)
    others = [name for name in names if name != "status"]
    rows = []
    for _, algorithm, columns in _checked_outcomes(plan, inputs, names):
        won = _succeeded(columns, plan["success"]).tolist()
        for i, key in enumerate(_keys(algorithm, columns)):
            rows.append((*key, columns["status"][i], won[i], *[columns[name][i] for name in others]))
    return ["algorithm", *plan["axes"], "trial", "status", "success", *others], _by_cell(plan, rows)


def _history_rows(plan: Mapping, inputs: Sequence[str]) -> tuple[list[str], list[tuple]]:
    """Return one row per iterate of every outcome."""
    kept = import_module(plan["outcome"])
    rows = []
    for path, algorithm, columns in _checked_outcomes(plan, inputs, list(kept.COLUMNS)):
        with open_block(path, "outcomes") as file:
            history = {
                name: read_array(file["histories"], name).tolist() for name in ("length", *kept.HISTORY)
            }
        iterates = list(zip(*(history[name] for name in kept.HISTORY), strict=True))
        start = 0
        for i, key in enumerate(_keys(algorithm, columns)):
            stop = start + history["length"][i]
            rows.extend((*key, columns["status"][i], *iterate) for iterate in iterates[start:stop])
            start = stop
    return ["algorithm", *plan["axes"], "trial", "status", *kept.HISTORY], _by_cell(plan, rows)


def _keys(algorithm: str, columns: Mapping[str, list]) -> Iterator[tuple[str, int, int]]:
    """Yield (algorithm, cell number, trial) of every outcome of a block."""
    for cell, trial in zip(columns["cell"], columns["trial"], strict=True):
        yield algorithm, cell, trial


def _by_cell(plan: Mapping, rows: list[tuple]) -> list[tuple]:
    """Sort rows by algorithm, cell and trial, and give each cell's number as the values of the axes."""
    grid, axes = cells(plan), plan["axes"]
    rows.sort(key=lambda row: row[:3])
    return [
        (algorithm, *(grid[cell][axis] for axis in axes), trial, *rest)
        for algorithm, cell, trial, *rest in rows
    ]


def _checked_outcomes(
    plan: Mapping, inputs: Sequence[str], names: Sequence[str]
) -> Iterator[tuple[str, str, dict[str, list]]]:
    """Yield (path, algorithm, columns) of every block, refusing what is not as the plan asks."""
    instances: dict[int, str] = {}
    for path, block in zip(inputs, plan["blocks"], strict=True):
        columns, drawn = _read_outcomes(path, block, names)
        if instances.setdefault(drawn["first"], drawn["sha256"]) != drawn["sha256"]:
            raise StudyError(
                f"{path} was computed on other instances than the other algorithms' outcomes of these "
                "trials; run 'make resume' with this run's options"
            )
        yield path, block["algorithm"], columns


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
            raise StudyError(
                f"{path} is stale: it was made by {made} than this run's; run 'make resume' with this "
                "run's options"
            )
