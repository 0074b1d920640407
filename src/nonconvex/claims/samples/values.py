"""From a table to the errors, iterations, seconds or rate of each trial."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from nonconvex.claims.samples.arrays import axes_of
from nonconvex.claims.samples.work import OPERATIONS
from nonconvex.claims.words.conditions import CONDITIONS
from nonconvex.claims.words.quantity import RATES
from nonconvex.statistics.rates import per_decade, trial_rates

Until = Mapping[str, object]


def valued(
    table: pd.DataFrame,
    column: str,
    *,
    given: str | None = None,
    until: Until | None = None,
    work: str | None = None,
) -> pd.DataFrame:
    """Return a table with a row per trial and the column `value`, as it counts.

    Parameters
    ----------
    table : DataFrame
        One row per outcome, or one row per iterate.
    column : str
        One of the table's, or what is made of iterates or of a column `rate`
        (`nonconvex.claims.words.quantity.RATES`), or of work (`WORK`).
    given : str, optional
        A condition: a trial that does not meet it has no value (NaN). Without one, a trial that diverged or
        failed, or has no value, has the value inf, which counts as the largest.
    until : mapping, optional
        Where a trial of a table of iterates is read (`reached`); at its last iterate, if not given. A trial
        that never comes there counts with all that it made, and not less than any that did.
    work : str, optional
        The law of `OPERATIONS` for the column "operations".
    """
    if column in RATES:
        found = counted_rates(table)
        speeds = {"rate": found["rate"], "speed": 1 - found["rate"]}
        return found.assign(value=speeds[column] if column in speeds else per_decade(found["rate"]))
    found = reached(table, until) if until is not None else last_iterates(table)
    found = found.assign(value=counted(with_work(found, column, work), column))
    if until is not None and column != "error":
        found["value"] = _not_less(found)
    if given is not None:
        met = CONDITIONS[given].met(found)
        found["value"] = np.where(met & np.isfinite(found["value"]), found["value"], np.nan)
    return found


def _not_less(found: pd.DataFrame) -> np.ndarray:
    there = found["reached"].to_numpy(dtype=bool) & np.isfinite(found["value"].to_numpy())
    keys = ["algorithm", *axes_of(found)]
    most = found["value"].where(there).groupby([found[key] for key in keys]).transform("max")
    own = found["value"].to_numpy()
    return np.where(there, own, np.fmax(own, most.to_numpy()))


def with_work(table: pd.DataFrame, column: str, work: str | None) -> pd.DataFrame:
    """Return a table of outcomes with a column made of seconds and iterations, where it is asked for."""
    if column == "seconds per iteration":
        return table.assign(**{column: table["seconds"] / table["iterations"].clip(lower=1)})
    if column == "operations":
        each = OPERATIONS[str(work)](table["n_samples"].to_numpy(dtype=float), table["loss"].to_numpy())
        return table.assign(operations=table["iterations"].clip(lower=1) * each)
    return table


def counted(table: pd.DataFrame, column: str) -> np.ndarray:
    """Return a column as it counts: inf for a trial that diverged or failed, or has no value.

    A level of error that a trial never reaches has no iteration: it counts as the largest number of
    iterations that any trial of the table made, under a cap that all methods share.
    """
    if column.startswith("iterations_"):
        return np.where(table[column].isna(), table["iterations"].max(), table[column])
    lost = table[column].isna()
    if "status" in table.columns:  # facts have none
        lost |= table["status"].isin(["diverged", "failed"])
    return np.where(lost, np.inf, table[column])


def counted_rates(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rate of each trial as it counts: the table's own, or one fitted to its iterates.

    A trial that diverged or failed, and one without a rate below 1, such as one whose error does not fall
    over its last two decades (`nonconvex.statistics.rates`), has the rate 1: it does not converge.
    """
    own = "rate" in table.columns
    rates = table if own else trial_rates(table, ["algorithm", *axes_of(table), "trial"])
    lost = rates["status"].isin(["diverged", "failed"]) | ~(rates["rate"] < 1)
    return rates.assign(rate=rates["rate"].mask(lost, 1.0))


def last_iterates(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of iterates as one of outcomes; other tables as they are."""
    if "iteration" not in table.columns:
        return table
    return reached(table, {"stop": True})


def reached(table: pd.DataFrame, until: Until) -> pd.DataFrame:
    """Return, of a table of iterates, the row at which each trial comes to `until`.

    Parameters
    ----------
    table : DataFrame
        One row per iterate: algorithm, the axes, trial, status, iteration, ..., error.
    until : mapping
        ``{"error": level}``, the first iterate with an error of at most the level; ``{"iterations": n}`` or
        ``{"seconds": s}``, the last one up to there; or ``{"stop": True}``, the last one of a trial that
        meets the stop rule.

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
    elif "error" in until:
        first = ordered[ordered["error"] <= until["error"]].drop_duplicates(keys)
        found = pd.concat([first, last]).drop_duplicates(keys)
        there = found.index.isin(first.index)
    else:
        ((column, most),) = until.items()
        clock = ordered["iteration" if column == "iterations" else column]
        found = ordered[clock <= most].drop_duplicates(keys, keep="last")
        found = pd.concat([found, ordered.drop_duplicates(keys)]).drop_duplicates(keys)
        there = ~found.index.isin(last.index) | (clock.loc[found.index] == most)
    found = found.rename(columns={"iteration": "iterations"}).assign(reached=np.asarray(there))
    return found.sort_values(keys, kind="stable").reset_index(drop=True)
