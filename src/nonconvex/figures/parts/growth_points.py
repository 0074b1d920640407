"""Running times against size: medians, success shares, and the exponents of fitted power laws."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from nonconvex.figures.parts.convergent import middle
from nonconvex.statistics.intervals import wilson

QUANTITIES = ("time", "per_iteration", "iterations")
_LEVEL = 0.975
_FEWEST = 3


def growth_points(
    table: pd.DataFrame, algorithm: str, loss: float, sizes: Sequence[int], clock: str
) -> pd.DataFrame:
    """Summarise the timed trials of one algorithm at every size.

    Times are those of the successful trials, as in the thesis (Section 3.6); where no trial succeeds they are
    those of all trials that ended, until the method's own stop.

    Parameters
    ----------
    table : pandas.DataFrame
        One row per outcome: algorithm, loss, n_samples, status, success, iterations, the clock's column.
    algorithm : str
    loss : float
    sizes : list of int
        A size that the algorithm was not run at gets zero trials.
    clock : str
        The column that holds the time.

    Returns
    -------
    pandas.DataFrame
        Per size: algorithm, loss, n_samples, trials, successes, share, share_low, share_high (Wilson's 95 %
        interval), at_limit (trials that ended at the iteration limit), over (successful, all or none: whose
        times follow), and the median, low and high of time, per_iteration and iterations (low and high
        without the extreme tenth at each end).
    """
    own = _timed(table, algorithm, loss, clock)
    rows = []
    for size in sizes:
        at = own[own["n_samples"] == size]
        successes = int(at["success"].sum())
        low, high = wilson(successes, len(at))
        row = {
            "algorithm": algorithm,
            "loss": loss,
            "n_samples": size,
            "trials": len(at),
            "successes": successes,
            "share": successes / len(at) if len(at) else math.nan,
            "share_low": low,
            "share_high": high,
            "at_limit": int((at["status"] == "iteration limit").sum()),
        }
        shown, row["over"] = _shown(at)
        for name in QUANTITIES:
            values = shown[name].to_numpy(dtype=float)
            row[name] = float(np.median(values)) if len(values) else math.nan
            row[f"{name}_low"], row[f"{name}_high"] = middle(values)
        rows.append(row)
    return pd.DataFrame(rows)


def growth_exponent(table: pd.DataFrame, algorithm: str, loss: float, clock: str) -> dict[str, Any]:
    """Fit a power law, time proportional to a power of n, to the trials whose times are drawn.

    Least squares on the logarithms. The successful trials are fitted if they cover three sizes, else all;
    with fewer sizes there is no fit, as two follow any law.

    Parameters
    ----------
    table, algorithm, loss, clock
        As for `growth_points`.

    Returns
    -------
    dict
        algorithm, loss, over (successful, all or none), exponent, exponent_low, exponent_high (the 95 %
        interval of Student's t), factor (the time at n = 1), first and last size; nan where there are too few
        sizes or trials.
    """
    own = _timed(table, algorithm, loss, clock)
    won = own[own["success"]]
    over = "successful" if won["n_samples"].nunique() >= _FEWEST else "all"
    shown = won if over == "successful" else own
    shown = shown[shown["time"] > 0]
    fit = {"algorithm": algorithm, "loss": loss, "over": over}
    fit |= dict.fromkeys(("exponent", "exponent_low", "exponent_high", "factor", "first", "last"), math.nan)
    if shown["n_samples"].nunique() < _FEWEST:
        return fit | {"over": "none"}
    sizes, times = np.log(shown["n_samples"]), np.log(shown["time"])
    (slope, intercept), covariance = np.polyfit(sizes, times, 1, cov=True)
    half = special.stdtrit(len(shown) - 2, _LEVEL) * math.sqrt(covariance[0, 0])
    return fit | {
        "exponent": float(slope),
        "exponent_low": float(slope - half),
        "exponent_high": float(slope + half),
        "factor": float(np.exp(intercept)),
        "first": int(shown["n_samples"].min()),
        "last": int(shown["n_samples"].max()),
    }


def _timed(table: pd.DataFrame, algorithm: str, loss: float, clock: str) -> pd.DataFrame:
    own = table[(table["algorithm"] == algorithm) & (table["loss"] == loss)]
    return own.assign(time=own[clock], per_iteration=own[clock] / own["iterations"].clip(lower=1))


def _shown(at: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    won = at[at["success"].astype(bool)]
    if len(won):
        return won, "successful"
    ended = at[np.isfinite(at["time"])]
    return ended, "all" if len(ended) else "none"
