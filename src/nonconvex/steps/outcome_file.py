"""Files of outcomes: one row a trial, and its iterates where the family keeps them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import h5py
import numpy as np

from nonconvex.canonical import json_text
from nonconvex.problems.contract import Outcome, Row
from nonconvex.steps.block_file import new_file, write_array, write_facts

REASON = "S200"


def write_outcomes(
    path: str | Path,
    plan: Mapping,
    digest: str,
    dataset: Mapping[str, str],
    kept: Outcome,
    rows: Sequence[Row],
    histories: Sequence[Mapping],
) -> None:
    """Write the block of outcomes that `plan` describes.

    Parameters
    ----------
    path : path
    plan, digest
        What the outcomes were made by.
    dataset : dict
        What identifies the dataset block that they stand on.
    kept : Outcome
        The family's columns.
    rows : list of dict
        By trial: cell, trial, the family's columns, and reason.
    histories : list of dict
        By trial, where the family keeps iterates: the values of each column.
    """
    columns = {"cell": "i8", "trial": "i8", **kept.columns, "reason": REASON}
    with new_file(path) as file:
        write_facts(file, "outcomes", plan, digest, kept.packages)
        file.attrs["dataset"] = json_text(dataset)
        group = file.create_group("outcomes")
        for name, dtype in columns.items():
            values = [row[name] for row in rows]
            if dtype.startswith("S"):
                values = [value.encode("utf-8")[: int(dtype[1:])] for value in values]
            write_array(group, name, np.array(values, dtype=dtype))
        if kept.history is not None:
            _write_histories(file.create_group("histories"), histories, kept.history)


def _write_histories(group: h5py.Group, histories: Sequence[Mapping], columns: Mapping[str, str]) -> None:
    """Write the iterates of all trials end to end, and how many each trial has."""
    first = next(iter(columns))
    write_array(group, "length", np.array([len(history[first]) for history in histories], dtype="i8"))
    for name, dtype in columns.items():
        write_array(group, name, np.concatenate([history[name] for history in histories]).astype(dtype))
