"""From a table of outcomes to arrays with a dimension for each axis and one for the trials."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from nonconvex.errors import UserError, nearest


def axes_of(table: pd.DataFrame) -> list[str]:
    """Return the axes of a table of outcomes: its columns between the algorithm and the trial."""
    return list(table.columns[1 : list(table.columns).index("trial")])


def common_trials(table: pd.DataFrame, algorithms: Sequence[str], cells: int) -> int:
    """Return k such that each of the `cells` cells has the trials 0 to k - 1 of each algorithm."""
    if "trial" not in table.columns:  # a fact about one block of data, with a row for each cell
        return int(len(table) == cells)
    if not algorithms:  # facts about every trial's data, with at least a row for each cell
        per_trial = table.groupby("trial").size()
        full = set(per_trial.index[per_trial >= cells])
        return next(k for k in range(len(full) + 1) if k not in full)
    counts = []
    for algorithm in algorithms:
        rows = table.loc[table["algorithm"] == algorithm]
        per_trial = rows.groupby("trial").size()
        full = set(per_trial.index[per_trial == cells])
        counts.append(next(k for k in range(len(full) + 1) if k not in full))
    return min(counts)


def with_axis(table: pd.DataFrame, column: str | None) -> pd.DataFrame:
    """Return a table of several rows for each trial with the column that tells them apart as an axis.

    Without a column it is returned as it is.
    """
    if column is None or column in axes_of(table):
        return table
    others = [name for name in table.columns if name != column]
    place = others.index("trial")
    return table[[*others[:place], column, *others[place:]]]


def scaled(
    table: pd.DataFrame, units: Mapping[str, Sequence[str]], parameters: Mapping[str, Any]
) -> pd.DataFrame:
    """Return a table whose levels of some axes are in units of a product of parameters.

    Parameters
    ----------
    table : DataFrame
    units : mapping of str to sequence of str
        Axis -> parameters, each an axis of the table or with one value.
    parameters : mapping
        The experiment's.

    Raises
    ------
    UserError
        If a parameter is neither.
    """
    for axis, names in units.items():
        for name in [axis, *names]:
            if name not in table and not isinstance(parameters.get(name), int | float):
                known = [key for key, value in parameters.items() if isinstance(value, int | float)]
                raise UserError(
                    f"a claim counts in units of '{name}', which is no number{nearest(name, known)}"
                )
        size = math.prod(table[name] if name in table else parameters[name] for name in names)
        # A grid in ratios of the unit comes back to them, but for the rounding to whole numbers.
        table = table.assign(**{axis: table[axis] / size})
    return table


def placed(
    rows: pd.DataFrame, axes: Sequence[str], trials: range
) -> tuple[tuple[np.ndarray, ...], list[np.ndarray]]:
    """Return the places of rows in an array, and the axes' levels.

    Raises
    ------
    UserError
        If an axis is not in the table, or the rows are not one per trial and cell.
    """
    known = axes_of(rows)
    for name in axes:
        if name not in known:
            raise UserError(f"a claim reads the axis '{name}', which its table lacks{nearest(name, known)}")
    places = [_values_of(rows[name]) for name in axes]
    levels = [np.unique(place) for place in places]
    shape = (*(len(level) for level in levels), len(trials))
    if len(rows) != np.prod(shape):
        raise UserError(
            f"the table has {len(rows)} outcomes, not one per trial and cell of the axes "
            f"{', '.join(axes)} ({' x '.join(map(str, shape))}); rebuild the table"
        )
    index = [np.searchsorted(level, place) for level, place in zip(levels, places, strict=True)]
    return (*index, rows["trial"].to_numpy() - trials.start), levels


def array_of(
    rows: pd.DataFrame, values: np.ndarray, axes: Sequence[str], trials: range
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return one value per row as an array (len of each axis ..., n_trials), and the axes' levels.

    Without a row there is no cell: the array is then empty, also where there is no axis.
    """
    if len(rows) == 0:
        none = np.empty((*[0] * max(len(axes), 1), len(trials)), dtype=values.dtype)
        return none, [np.empty(0) for _ in axes]
    index, levels = placed(rows, axes, trials)
    found = np.empty((*(len(level) for level in levels), len(trials)), dtype=values.dtype)
    found[index] = values
    return found, levels


def cell_names(axes: Sequence[str], levels: Sequence[np.ndarray]) -> list[str]:
    """Return a name for each cell, the last axis running fastest; axes of one level stay out."""
    long = [len(level) > 1 for level in levels]
    names = [""]
    for axis, level, told in zip(axes, levels, long, strict=True):
        words = [
            f"{axis} = {value:g}" if isinstance(value, float) else f"{axis} = {value}" for value in level
        ]
        names = [", ".join(w for w in (name, word if told else "") if w) for name in names for word in words]
    return names


def _values_of(column: pd.Series) -> np.ndarray:
    """Return the values of an axis: numbers, or words (the kind of a graph)."""
    return column.to_numpy(dtype=float if pd.api.types.is_numeric_dtype(column) else str)
