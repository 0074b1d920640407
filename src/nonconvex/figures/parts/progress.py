"""The median run of an algorithm, iteration by iteration, from the iterates of its trials."""

import numpy as np
import pandas as pd

from nonconvex.figures.parts.convergent import middle

_FACTOR = 1.15
_COLUMNS = {"iteration": int, "time": float, "error": float, "low": float, "high": float, "running": int}


def median_run(iterates: pd.DataFrame, clock: str = "seconds") -> pd.DataFrame:
    """Follow the median trial of one algorithm up to the iteration that half of the trials reach.

    The point at iteration k holds the medians, over all trials, of the time spent and of the error
    after k iterations; a trial that has stopped keeps its last time and error. Nothing is
    interpolated. Of the iterations 0, 1, 2, ..., last, those are kept that exceed the one kept before
    by one and by 15 %, and the last.

    Parameters
    ----------
    iterates : pandas.DataFrame
        One row per iterate, with trial, iteration, the clock's column, error.
    clock : str
        The column that holds the time.

    Returns
    -------
    pandas.DataFrame
        iteration, time, error, low, high (the errors without the extreme tenth at each end), running
        (how many trials reach the iteration); an error that is not finite is nan.
    """
    if iterates.empty:
        return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in _COLUMNS.items()})
    errors = _by_iteration(iterates, "error").fillna(np.inf)
    times = _by_iteration(iterates, clock)
    last = iterates.groupby("trial")["iteration"].max().to_numpy()
    end = int(np.sort(last)[::-1][(len(last) - 1) // 2])
    points = []
    for iteration in _thinned(end):
        at = errors.loc[iteration].to_numpy()
        low, high = middle(at)
        points.append(
            {
                "iteration": iteration,
                "time": float(np.median(times.loc[iteration])),
                "error": float(np.median(at)),
                "low": low,
                "high": high,
                "running": int((last >= iteration).sum()),
            }
        )
    return pd.DataFrame(points).replace(np.inf, np.nan)


def _by_iteration(iterates: pd.DataFrame, column: str) -> pd.DataFrame:
    # A missing error of an iterate is the iterate's own and must not be filled in from the one before.
    known = iterates.assign(**{column: iterates[column].fillna(np.inf)})
    return known.pivot(index="iteration", columns="trial", values=column).ffill()


def _thinned(end: int) -> list[int]:
    kept = [0]
    while kept[-1] < end:
        kept.append(min(end, max(kept[-1] + 1, round(kept[-1] * _FACTOR))))
    return kept
