"""The table step: all outcomes of an experiment as one tidy CSV, from blocks that are what was asked for."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from nonconvex.canonical import sha256
from nonconvex.errors import UserError
from nonconvex.files import replace_file
from nonconvex.problems.contract import Table, family
from nonconvex.steps.block_file import open_block, read_array, read_plan
from nonconvex.steps.datasets import open_dataset
from nonconvex.study.cells import cells


def write_table(plan: Mapping, inputs: Sequence[str], path: str | Path) -> None:
    """Write the table that `plan` describes from its blocks, given in the order of ``plan["blocks"]``.

    Raises
    ------
    UserError
        When a block is damaged, or was made by another plan, other code or from other instances.
    """
    of = family(plan["family"])
    if of.outcome is None:
        rows = _dataset_rows(plan, inputs, of.load_table())
    elif (kept := of.load_outcome()).history is not None:
        rows = _history_rows(plan, inputs, kept.columns, kept.history)
    else:
        rows = _outcome_rows(plan, inputs, kept.columns)
    header = table_columns(plan["family"], plan["axes"])
    replace_file(path, lambda temporary: _write_csv(temporary, header, rows))


def table_columns(name: str, axes: Sequence[str]) -> list[str]:
    """Return the columns of the tables of a family: those of outcomes, of iterates, or of instances."""
    of = family(name)
    if of.outcome is None:
        return of.load_table().columns(axes)
    kept = of.load_outcome()
    if kept.history is not None:
        return ["algorithm", *axes, "trial", "status", *kept.history]
    return ["algorithm", *axes, "trial", "status", "success", *_others(kept.columns)]


def _others(columns: Iterable[str]) -> list[str]:
    return [name for name in columns if name != "status"]


def _write_csv(path: Path, header: list[str], rows: Iterable[Sequence]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")  # floats are written by repr
        writer.writerow(header)
        writer.writerows(rows)


def _dataset_rows(plan: Mapping, inputs: Sequence[str], maker: Table) -> list[tuple]:
    """Return the table of an experiment without algorithms: what the family's table makes of it."""
    rows: list[tuple] = []
    for path, block in zip(inputs, plan["blocks"], strict=True):
        with open_block(path, "dataset") as file:
            refuse_other(path, sha256(read_plan(file)), file.attrs["digest"], block)
        with open_dataset(path) as dataset:
            for _, cell, trial, instance in dataset.instances():
                rows.extend(maker.rows(plan["axes"], cell, trial, instance))
    return rows


def _outcome_rows(plan: Mapping, inputs: Sequence[str], kept: Mapping[str, str]) -> list[tuple]:
    """Return one row per outcome."""
    rows: list[tuple] = []
    for _, algorithm, columns in _checked_outcomes(plan, inputs, list(kept)):
        won = _succeeded(columns, plan["success"]).tolist()
        for i, key in enumerate(_keys(algorithm, columns)):
            rows.append((*key, columns["status"][i], won[i], *[columns[name][i] for name in _others(kept)]))
    return _by_cell(plan, rows)


def _history_rows(
    plan: Mapping, inputs: Sequence[str], kept: Mapping[str, str], iterate: Mapping[str, str]
) -> list[tuple]:
    """Return one row per iterate of every outcome."""
    rows: list[tuple] = []
    for path, algorithm, columns in _checked_outcomes(plan, inputs, list(kept)):
        with open_block(path, "outcomes") as file:
            history = {name: read_array(file["histories"], name).tolist() for name in ("length", *iterate)}
        iterates = list(zip(*(history[name] for name in iterate), strict=True))
        start = 0
        for i, key in enumerate(_keys(algorithm, columns)):
            stop = start + history["length"][i]
            rows.extend((*key, columns["status"][i], *values) for values in iterates[start:stop])
            start = stop
    return _by_cell(plan, rows)


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
            raise UserError(
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
    """Raise a UserError when a block was made by another plan or other code than `expected` says."""
    for what, found in (("plan", plan), ("digest", digest)):
        if found != expected[what]:
            made = {"plan": "other parameters", "digest": "other code"}[what]
            raise UserError(
                f"{path} is stale: it was made by {made} than this run's; run 'make resume' with this "
                "run's options"
            )
