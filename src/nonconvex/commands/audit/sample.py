"""The rows of the reference's tables, and a sample of them that nobody chose.

A row is what one trial gave: of one algorithm at one cell, with all its iterates where the table holds them;
where no algorithm runs, all that the table says of a trial of one cell.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from nonconvex.errors import UserError
from nonconvex.pipeline.costs import unit_cost
from nonconvex.problems.contract import family
from nonconvex.reference.store import LIST, REMEDY, Reference, table_name
from nonconvex.steps.seeds import generator
from nonconvex.study.cells import cells

ROW = ["algorithm", "cell", "trial"]
OVERHEAD = 0.02  # CPU seconds of a row besides its instance and its algorithm: files, the table


def numbered(table: pd.DataFrame, experiment: Mapping[str, Any], where: str) -> pd.DataFrame:
    """Return a table of the reference with the columns of `ROW`; "" is no algorithm, `cell` a cell's number.

    Raises
    ------
    UserError
        Naming `where`, for a row of an algorithm, a cell or a trial that the experiment does not have.
    """
    if "algorithm" not in table:
        table = table.assign(algorithm="")
    if "trial" not in table:
        table = table.assign(trial=0)
    grid = cells(experiment)
    if "cell" not in table:
        axes = [axis for axis in experiment["axes"] if axis in table]
        numbers = {tuple(cell[axis] for axis in axes): number for number, cell in enumerate(grid)}
        keys = list(table[axes].itertuples(index=False, name=None)) if axes else [()] * len(table)
        gone = next((key for key in keys if key not in numbers), None)
        if gone is not None:
            told = ", ".join(f"{axis}={value}" for axis, value in zip(axes, gone, strict=True))
            raise UserError(f"{where} has a row of the cell {told}, which the experiment does not have")
        table = table.assign(cell=[numbers[key] for key in keys])
    for column, known in (
        ("algorithm", {*experiment["algorithms"]} or {""}),
        ("cell", range(len(grid))),
        ("trial", range(experiment["trials"])),
    ):
        for value in table[column].unique().tolist():
            if value not in known:
                raise UserError(
                    f"{where} has a row of the {column} '{value}', which the experiment does not have"
                )
    return table


def all_rows(reference: Reference, experiments: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Return every row of some experiments once: `experiment` and the columns of `ROW`.

    Parameters
    ----------
    reference : Reference
    experiments : dict
        By name, as the study resolves them today.
    """
    parts = []
    for name, experiment in experiments.items():
        table = reference.outcomes(name)
        if table is None:
            if experiment["algorithms"] and family(experiment["family"]).load_outcome().history is not None:
                raise UserError(f"{reference.folder / LIST} lists no outcomes of {name}; {REMEDY}")
            table = reference.table(name)
        rows = numbered(table, experiment, str(reference.folder / table_name(name)))[ROW].drop_duplicates()
        parts.append(rows.assign(experiment=name))
    return pd.concat(parts, ignore_index=True)


def draw(count: int, size: int, seed: int) -> np.ndarray:
    """Return `size` of the numbers 0 to `count` - 1, or all of them, each set of numbers as likely."""
    return generator(f"audit|seed={seed}").choice(count, min(size, count), replace=False)


def row_costs(
    rows: pd.DataFrame, experiments: Mapping[str, Mapping[str, Any]], costs: Mapping[str, Any]
) -> np.ndarray:
    """Return the expected CPU seconds of each row (n_rows,), from the measured unit costs.

    Raises
    ------
    UserError
        When those of an algorithm or a dataset were never measured.
    """
    seconds = np.empty(len(rows))
    for (name, algorithm), members in rows.groupby(["experiment", "algorithm"]).indices.items():
        spent = OVERHEAD
        for part in filter(None, ("dataset", algorithm)):
            unit = unit_cost(costs, experiments[name], part)
            if unit is None:
                raise UserError(
                    f"nobody measured what '{part}' of {name} costs; give SAMPLE in place of MINUTES, or "
                    "type 'make cost SCALE=thesis MEASURE=1' first"
                )
            spent += unit["seconds"]
        seconds[members] = spent
    return seconds


def affordable(seconds: np.ndarray, minutes: float) -> int:
    """Return how many rows to draw so that they take `minutes`, two standard deviations kept in hand.

    It is settled before anything is drawn: to draw until the time is used would pass over expensive rows.
    """
    budget, mean, spread = 60 * minutes, float(seconds.mean()), float(seconds.std())
    if seconds.sum() <= budget:
        return len(seconds)
    # The root of n in n * mean + 2 * sqrt(n) * spread = budget.
    root = (math.sqrt(spread**2 + mean * budget) - spread) / mean
    return int(root**2)
