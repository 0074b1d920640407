"""The numbers behind a phase diagram's cells: successes per cell, with their uncertainty."""

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from nonconvex.statistics.intervals import wilson


def count_cells(
    table: pd.DataFrame, algorithm: str, x: str, y: str, grid: Mapping[str, Sequence]
) -> pd.DataFrame:
    """Count the successes of one algorithm in every cell of a grid; a trial that diverged is a failure.

    Parameters
    ----------
    table : pandas.DataFrame
        One row per outcome: algorithm, the axes, status, success and, where it is kept, iterations.
    algorithm : str
    x, y : str
        The two axes of the diagram.
    grid : dict of str to list
        The values of both axes; a cell without outcomes gets zero trials and no share.

    Returns
    -------
    pandas.DataFrame
        One row per cell, x slowest: algorithm, x, y, trials, successes, share, share_low, share_high
        (Wilson's 95 % interval), diverged, failed, mean_iterations.

    Raises
    ------
    ValueError
        When the table holds an outcome outside the grid.
    """
    rows = table[table["algorithm"] == algorithm]
    for name in (x, y):
        strange = sorted(set(rows[name]) - set(grid[name]))
        if strange:
            raise ValueError(
                f"table: an outcome of {algorithm} has {name} = {strange[0]!r}, which is not in the grid."
            )
    cells = {cell: outcomes for cell, outcomes in rows.groupby([x, y], sort=False)}
    empty = rows.iloc[:0]
    counted = [
        {"algorithm": algorithm, x: at_x, y: at_y, **count_outcomes(cells.get((at_x, at_y), empty))}
        for at_x in grid[x]
        for at_y in grid[y]
    ]
    return pd.DataFrame(counted)


def _mean(outcomes: pd.DataFrame, column: str) -> float:
    """Return the mean of a column; nan without trials, or where the family does not keep it."""
    return float(outcomes[column].mean()) if len(outcomes) and column in outcomes else math.nan


def count_outcomes(outcomes: pd.DataFrame) -> dict[str, float]:
    """Count the outcomes of one algorithm in one cell, as `count_cells` does."""
    trials, successes = len(outcomes), int(outcomes["success"].sum())
    low, high = wilson(successes, trials)
    return {
        "trials": trials,
        "successes": successes,
        "share": successes / trials if trials else math.nan,
        "share_low": low,
        "share_high": high,
        "diverged": int((outcomes["status"] == "diverged").sum()),
        "failed": int((outcomes["status"] == "failed").sum()),
        "mean_iterations": _mean(outcomes, "iterations"),
    }
