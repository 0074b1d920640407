"""From a table of outcomes to the arrays that the tests take."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from nonconvex.errors import UserError, nearest

# What a claim may call good or bad: each word is a condition on the outcomes of one trial.
CONDITIONS = {
    "recovered": lambda t: _truth(t["success"]),
    "not recovered": lambda t: ~_truth(t["success"]),
    "diverged": lambda t: (t["status"] == "diverged").to_numpy(),
    "converged": lambda t: _converged(t),
    "not converged": lambda t: ~_converged(t),
    # The other senses of "convergent", each with its opposite; a trial that failed is never on the good side.
    "stopped": lambda t: _stopped(t),
    "not stopped": lambda t: ~_stopped(t),
    "no blow-up": lambda t: ~_blown_up(t),
    "blown up or failed": lambda t: _blown_up(t),
    "ended below 1": lambda t: _ended_below_1(t),
    "stopped at zeros": lambda t: _stopped(t) & t["error"].between(0.9, 1.1).to_numpy(),
    "error below 1e-3": lambda t: ~_blown_up(t) & (t["error"] < 1e-3).to_numpy(),
    "stopped wrong": lambda t: _stopped(t) & (t["error"] >= 0.01).to_numpy(),
}


def _truth(column: pd.Series) -> np.ndarray:
    """Return success as booleans; a missing value, of a trial that failed, is a failure."""
    return column.astype(str).str.lower().isin(["true", "1", "1.0"]).to_numpy()


def _converged(table: pd.DataFrame) -> np.ndarray:
    """Return which trials met the stop rule with an error below 1 (the chosen sense of "convergent")."""
    return ((table["status"] == "converged") & (table["error"] < 1)).to_numpy()


def _stopped(table: pd.DataFrame) -> np.ndarray:
    """Return which trials met the stop rule, whatever the error."""
    return (table["status"] == "converged").to_numpy()


def _blown_up(table: pd.DataFrame) -> np.ndarray:
    return table["status"].isin(["diverged", "failed"]).to_numpy()


def _ended_below_1(table: pd.DataFrame) -> np.ndarray:
    """Return which trials ended, by the stop rule or at the cap of iterations, with an error below 1."""
    return ~_blown_up(table) & (table["error"] < 1).to_numpy()


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


def outcomes(
    table: pd.DataFrame,
    algorithm: str,
    condition: str,
    axes: Sequence[str],
    limits: Mapping[str, Mapping[str, float]],
    trials: range,
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return whether each trial of each cell meets a condition.

    Parameters
    ----------
    table : DataFrame
        One row per outcome: algorithm, the axes, trial, status, success, error, ...
    algorithm : str
        Whose outcomes.
    condition : str
        Key of `CONDITIONS`.
    axes : sequence of str
        The axes in the order of the result's dimensions. Any other axis must have one value left.
    limits : mapping
        Per axis, the least (`min`) and largest (`max`) value that counts.
    trials : range
        Which trials.

    Returns
    -------
    values : ndarray of bool, shape (len of each axis ..., n_trials)
    levels : list of ndarray
        The values of each axis, increasing.
    """
    rows, index, levels = placed(table, algorithm, axes, limits, trials)
    values = np.zeros((*(len(level) for level in levels), len(trials)), dtype=bool)
    values[index] = CONDITIONS[condition](rows)
    return values, levels


def within(table: pd.DataFrame, limits: Mapping[str, Mapping[str, float]]) -> np.ndarray:
    """Return which rows lie within the limits on the axes; an axis of words is held to one of them (`is`)."""
    chosen = np.ones(len(table), dtype=bool)
    for name, limit in limits.items():
        if "is" in limit:
            chosen &= (table[name] == limit["is"]).to_numpy()
            continue
        # A hair of room, so that .3 typed in a claims file includes the grid's own .3.
        chosen &= table[name].between(limit.get("min", -np.inf) - 1e-9, limit.get("max", np.inf) + 1e-9)
    return chosen


def placed(
    table: pd.DataFrame,
    algorithm: str,
    axes: Sequence[str],
    limits: Mapping[str, Mapping[str, float]],
    trials: range,
) -> tuple[pd.DataFrame, tuple, list[np.ndarray]]:
    """Return an algorithm's rows within the limits, their places in an array, and the axes' levels.

    Raises
    ------
    UserError
        If an axis is not in the table, or the rows are not one per trial and cell.
    """
    known = axes_of(table)
    for name in [*axes, *limits]:
        if name not in known:
            raise UserError(f"a claim reads the axis '{name}', which its table lacks{nearest(name, known)}")
    chosen = (table["algorithm"] == algorithm) & table["trial"].isin(trials)
    rows = table.loc[chosen & within(table, limits)]
    places = [_values_of(rows[name]) for name in axes]
    levels = [np.unique(place) for place in places]
    shape = (*(len(level) for level in levels), len(trials))
    if len(rows) != np.prod(shape):
        raise UserError(
            f"the table has {len(rows)} outcomes of {algorithm}, not one per trial and cell of the axes "
            f"{', '.join(axes)} ({' x '.join(map(str, shape))}); rebuild the table"
        )
    index = [np.searchsorted(level, place) for level, place in zip(levels, places, strict=True)]
    return rows, (*index, rows["trial"].to_numpy() - trials.start), levels


def _values_of(column: pd.Series) -> np.ndarray:
    """Return the values of an axis: numbers, or words (the kind of a graph)."""
    return column.to_numpy(dtype=float if pd.api.types.is_numeric_dtype(column) else str)
