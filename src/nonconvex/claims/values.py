"""From a table to the errors, iterations, seconds or rate of each trial."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from nonconvex.claims.arrays import CONDITIONS, axes_of, placed
from nonconvex.statistics.rates import trial_rates


def counted(table: pd.DataFrame, column: str) -> np.ndarray:
    """Return a column as it counts: inf for a trial that diverged or failed, or has no value.

    A level of error that a trial never reaches has no iteration: it counts as the largest number of
    iterations that any trial of the table made, under a cap that all methods share.
    """
    lost = table["status"].isin(["diverged", "failed"]) | table[column].isna()
    if column.startswith("iterations_"):
        return np.where(table[column].isna(), table["iterations"].max(), table[column])
    return np.where(lost, np.inf, table[column])


def counted_rates(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rate of each trial of a table of iterates (`nonconvex.statistics.rates`) as it counts.

    A trial that diverged or failed, and one whose error does not fall over its last two decades, has the
    rate 1: it does not converge.
    """
    rates = trial_rates(table, ["algorithm", *axes_of(table), "trial"])
    lost = rates["status"].isin(["diverged", "failed"]) | ~(rates["rate"] < 1)
    return rates.assign(rate=rates["rate"].mask(lost, 1.0))


def values(
    table: pd.DataFrame,
    algorithm: str,
    column: str,
    trials: range,
    *,
    given: str | None = None,
    limits: Mapping[str, Mapping[str, float]] | None = None,
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return one column of an algorithm's outcomes, a row per cell.

    Parameters
    ----------
    table : DataFrame
        One row per outcome, or one row per iterate (then the last iterate of each trial counts).
    algorithm, column : str
        Whose values, and which.
    trials : range
        Which trials.
    given : str, optional
        A condition: a trial that does not meet it has no value (NaN). Without one, a trial that diverged or
        failed has the value inf, which loses against every other.
    limits : mapping, optional
        Per axis, the least and largest value that counts.

    Returns
    -------
    values : ndarray, shape (n_cells, n_trials)
    levels : list of ndarray
        The values of each axis, increasing; the last axis runs fastest along the cells.
    """
    table = last_iterates(table)
    if given is None:
        table = table.assign(counted=counted(table, column))
    rows, index, levels = placed(table, algorithm, axes_of(table), limits or {}, trials)
    found = np.full((*(len(level) for level in levels), len(trials)), np.nan)
    if given is None:
        found[index] = rows["counted"]
    else:
        found[index] = np.where(CONDITIONS[given](rows), rows[column], np.nan)
    return found.reshape(-1, len(trials)), levels


def last_iterates(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of iterates as one of outcomes; other tables as they are."""
    if "iteration" not in table.columns:
        return table
    return reached(table, {"stop": True})


def reached(table: pd.DataFrame, until: Mapping[str, object]) -> pd.DataFrame:
    """Return, of a table of iterates, the row at which each trial comes to `until`.

    Parameters
    ----------
    table : DataFrame
        One row per iterate: algorithm, the axes, trial, status, iteration, ..., error.
    until : mapping
        ``{"error": level}``, the first iterate with an error of at most the level; ``{"iterations": n}``,
        the n-th iterate; or ``{"stop": True}``, the last one of a trial that meets the stop rule.

    Returns
    -------
    DataFrame
        A row per trial. The column `iterations` counts them; `reached` is False for a trial that ends
        before, which has its last row then.
    """
    keys = ["algorithm", *axes_of(table), "trial"]
    ordered = table.sort_values([*keys, "iteration"], kind="stable")
    last = ordered.drop_duplicates(keys, keep="last")
    if "stop" in until:
        found, there = last, last["status"] == "converged"
    else:
        hit = (
            ordered["error"] <= until["error"]
            if "error" in until
            else ordered["iteration"] >= until["iterations"]
        )
        first = ordered[hit].drop_duplicates(keys)
        found = pd.concat([first, last]).drop_duplicates(keys)
        there = found.index.isin(first.index)
    found = found.rename(columns={"iteration": "iterations"}).assign(reached=np.asarray(there))
    return found.reset_index(drop=True)
