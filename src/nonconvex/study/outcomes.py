"""The outcomes step: run one algorithm on every instance of a dataset block."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import ModuleType

import h5py
import numpy as np

from nonconvex.study.blocks import remove_shorter
from nonconvex.study.canonical import json_text
from nonconvex.study.datasets import dataset_identity, open_dataset
from nonconvex.study.hdf5 import new_file, write_array, write_facts

REASON = "S200"


def run_block(plan: Mapping, digest: str, dataset_path: str | Path, path: str | Path) -> None:
    """Run the plan's algorithm on the trials of a dataset block and write the outcomes to `path`.

    A trial that a solver refuses (ValueError, a failed decomposition included) becomes a row with the status
    "failed" and the reason; a mistake in the call itself (TypeError) stops the step. Where the outcome module
    has ``outcomes``, the trials of a cell are worked on together, and none of them may be refused.
    """
    kept = import_module(plan["outcome"])
    solver = getattr(import_module(plan["solver"]), plan["method"])
    trials = range(plan["first"], plan["last"] + 1)
    columns = {"cell": "i8", "trial": "i8", **kept.COLUMNS, "reason": REASON}
    run = _together if hasattr(kept, "outcomes") else _one_by_one
    with open_dataset(dataset_path) as dataset:
        rows = list(run(kept, solver, dataset.instances(trials), plan))
    _report(rows)
    histories = [row.pop("history") for row in rows] if hasattr(kept, "HISTORY") else None
    with new_file(path) as file:
        write_facts(file, "outcomes", plan, digest)
        file.attrs["dataset"] = json_text(dataset_identity(dataset_path))
        group = file.create_group("outcomes")
        for name, dtype in columns.items():
            values = [row[name] for row in rows]
            if dtype.startswith("S"):
                values = [value.encode("utf-8")[: int(dtype[1:])] for value in values]
            write_array(group, name, np.array(values, dtype=dtype))
        if histories is not None:
            _write_histories(file.create_group("histories"), histories, kept.HISTORY)
    remove_shorter(path)


def _one_by_one(kept: ModuleType, solver: Callable, instances: Iterable, plan: Mapping) -> Iterator[dict]:
    for number, _, trial, instance in instances:
        try:
            row = kept.outcome(solver, instance, plan["tell"], plan["options"])
        except ValueError as error:
            row = kept.failed() | {"reason": str(error)}
        yield {"cell": number, "trial": trial, "reason": ""} | row


def _together(kept: ModuleType, solver: Callable, instances: Iterable, plan: Mapping) -> Iterator[dict]:
    for number, group in groupby(instances, key=itemgetter(0)):
        _, _, trials, members = zip(*group, strict=True)
        rows = kept.outcomes(solver, list(members), plan["tell"], plan["options"])
        for trial, row in zip(trials, rows, strict=True):
            yield {"cell": number, "trial": trial, "reason": ""} | row


def _write_histories(group: h5py.Group, histories: list[Mapping], columns: Mapping[str, str]) -> None:
    """Write the iterates of all trials end to end, and how many each trial has."""
    first = next(iter(columns))
    write_array(group, "length", np.array([len(history[first]) for history in histories], dtype="i8"))
    for name, dtype in columns.items():
        write_array(group, name, np.concatenate([history[name] for history in histories]).astype(dtype))


def _report(rows: list[Mapping]) -> None:
    """Print how the trials ended, so that the log tells of failures."""
    for status, count in sorted(Counter(row["status"] for row in rows).items()):
        print(f"{count} of {len(rows)} trials: {status}", file=sys.stderr)
    for reason, count in Counter(row["reason"] for row in rows if row["reason"]).most_common(5):
        print(f"  {count} x {reason}", file=sys.stderr)
