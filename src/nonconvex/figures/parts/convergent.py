"""Which trials count as convergent, and what the errors of those that do look like."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from nonconvex.vocabulary import BELOW_ONE

DEFINITIONS = {
    "convergent": "stop rule met, error below 1",
    "stopped": "stop rule met",
    "recovered": "success criterion met",
}
"""The readings of "convergent", in words for a legend; `selected` applies them."""

ENOUGH = 0.8
"""The share of convergent trials below which a mean over them says little: drawn hollow."""


def selected(outcomes: pd.DataFrame, definition: str) -> pd.Series:
    """Tell the outcomes that count under one reading of "convergent".

    Parameters
    ----------
    outcomes : pandas.DataFrame
        One row per outcome, with status, success and error.
    definition : {"convergent", "stopped", "recovered"}

    Returns
    -------
    pandas.Series of bool
    """
    stopped = outcomes["status"] == "converged"
    if definition == "stopped":
        return stopped
    if definition == "recovered":
        return outcomes["success"].astype(bool)
    if definition == "convergent":
        return stopped & np.isfinite(outcomes["error"]) & (outcomes["error"] < BELOW_ONE)
    raise ValueError(f"definition: {definition!r} is none of {', '.join(DEFINITIONS)}.")


def summarise(outcomes: pd.DataFrame, definition: str) -> dict[str, float]:
    """Count the convergent trials and average their errors.

    Parameters
    ----------
    outcomes : pandas.DataFrame
        The outcomes of one algorithm at one place.
    definition : str
        As for `selected`.

    Returns
    -------
    dict
        trials, converged, share, and of the convergent trials' errors: mean, geometric_mean, low, high
        (see `middle`); nan where no trial is convergent. Of the others, without those that diverged: others,
        others_mean and at_cap, how many of them end at the iteration limit rather than stop.
    """
    counted = selected(outcomes, definition)
    errors = outcomes.loc[counted, "error"].to_numpy(dtype=float)
    ended = ~counted & ~outcomes["status"].isin(["diverged", "failed"]) & np.isfinite(outcomes["error"])
    others = outcomes.loc[ended, "error"].to_numpy(dtype=float)
    at_cap = ended & (outcomes["status"] == "iteration limit")
    trials, converged = len(outcomes), len(errors)
    low, high = middle(errors)
    positive = converged > 0 and (errors > 0).all()
    return {
        "trials": trials,
        "converged": converged,
        "share": converged / trials if trials else math.nan,
        "mean": float(errors.mean()) if converged else math.nan,
        "geometric_mean": float(np.exp(np.log(errors).mean())) if positive else math.nan,
        "low": low,
        "high": high,
        "others": len(others),
        "others_mean": float(others.mean()) if len(others) else math.nan,
        "at_cap": int(at_cap.sum()),
    }


def middle(values: Sequence[float] | np.ndarray) -> tuple[float, float]:
    """Give the range of the values without the extreme tenth at each end: two of the values themselves."""
    if not len(values):
        return math.nan, math.nan
    ordered = np.sort(values)
    left_out = len(ordered) // 10
    return float(ordered[left_out]), float(ordered[-1 - left_out])
