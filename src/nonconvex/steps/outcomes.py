"""The outcomes step: run one algorithm on every instance of a dataset block."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import h5py
import numpy as np

from nonconvex.canonical import json_text
from nonconvex.problems.contract import Outcome, Row, family
from nonconvex.steps.block_file import new_file, write_array, write_facts
from nonconvex.steps.datasets import dataset_identity, open_dataset
from nonconvex.study.blocks import remove_shorter

REASON = "S200"


def run_block(plan: Mapping, digest: str, dataset_path: str | Path, path: str | Path) -> None:
    """Run the plan's algorithm on the trials of a dataset block and write the outcomes to `path`.

    A trial that a solver refuses (ValueError, a failed decomposition included) becomes a row with the status
    "failed" and the reason; a mistake in the call itself (TypeError) stops the step. Where the family's
    outcome works on the trials of a cell together, none of them may be refused.
    """
    of = family(plan["family"])
    kept, solver = of.load_outcome(), of.solver(plan["method"])
    trials = range(plan["first"], plan["last"] + 1)
    columns = {"cell": "i8", "trial": "i8", **kept.columns, "reason": REASON}
    with open_dataset(dataset_path) as dataset:
        rows = list(_rows(kept, solver, dataset.instances(trials), plan))
    _report(rows)
    histories = [row.pop("history", None) for row in rows]
    with new_file(path) as file:
        write_facts(file, "outcomes", plan, digest)
        file.attrs["dataset"] = json_text(dataset_identity(dataset_path))
        group = file.create_group("outcomes")
        for name, dtype in columns.items():
            values = [row[name] for row in rows]
            if dtype.startswith("S"):
                values = [value.encode("utf-8")[: int(dtype[1:])] for value in values]
            write_array(group, name, np.array(values, dtype=dtype))
        if kept.history is not None:
            _write_histories(file.create_group("histories"), histories, kept.history)
    remove_shorter(path)


def _rows(kept: Outcome, solver: Callable, instances: Iterable, plan: Mapping) -> Iterator[Row]:
    """Yield the row of each trial; those of a cell are worked on together where the outcome does so."""
    given = plan["tell"], plan["options"]
    if kept.one is not None:
        for number, _, trial, instance in instances:
            try:
                row = kept.one(solver, instance, *given)
            except ValueError as error:
                row = kept.failed(str(error))
            yield {"cell": number, "trial": trial, "reason": ""} | row
    if kept.together is not None:
        for number, group in groupby(instances, key=itemgetter(0)):
            _, _, trials, members = zip(*group, strict=True)
            for trial, row in zip(trials, kept.together(solver, list(members), *given), strict=True):
                yield {"cell": number, "trial": trial, "reason": ""} | row


def _write_histories(group: h5py.Group, histories: Sequence[Mapping], columns: Mapping[str, str]) -> None:
    """Write the iterates of all trials end to end, and how many each trial has."""
    first = next(iter(columns))
    write_array(group, "length", np.array([len(history[first]) for history in histories], dtype="i8"))
    for name, dtype in columns.items():
        write_array(group, name, np.concatenate([history[name] for history in histories]).astype(dtype))


def _report(rows: Sequence[Mapping]) -> None:
    """Print how the trials ended, so that the log tells of failures."""
    for status, count in sorted(Counter(row["status"] for row in rows).items()):
        print(f"{count} of {len(rows)} trials: {status}", file=sys.stderr)
    for reason, count in Counter(row["reason"] for row in rows if row["reason"]).most_common(5):
        print(f"  {count} x {reason}", file=sys.stderr)
