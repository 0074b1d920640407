"""The numbers behind curves along an axis: middles of trials, counts of those that diverged, fitted lines."""

from collections.abc import Callable
from statistics import linear_regression
from typing import Any

import numpy as np
import pandas as pd

from nonconvex.figures.parts.convergent import middle
from nonconvex.figures.parts.laws import INVERSE_ROOT
from nonconvex.statistics.means import student

ENDED_BADLY = ("diverged", "failed")
FEWEST = 3
"""Points that a line is fitted to, at least."""

LAWS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "linear": lambda x: x,
    "inverse root": INVERSE_ROOT.function,
}
"""What the middles are fitted in, by a straight line; 1/sqrt(x) has no value at 0."""


def middles(
    rows: pd.DataFrame, x: str, column: str, centre: str = "median", bands: str = "trials"
) -> pd.DataFrame:
    """Take the middle of the trials at every place of an axis.

    Parameters
    ----------
    rows : pandas.DataFrame
        One curve's rows: `x`, `column` and, where an algorithm ran, status.
    x, column : str
    centre : {"median", "mean"}
    bands : {"trials", "interval"}

    Returns
    -------
    pandas.DataFrame
        A row per place, sorted: x, trials, diverged (or failed), centre, low, high (the values without the
        extreme tenth at each end or, with "interval", the 95 % interval of their mean) and mean_of_others, of
        the trials that did not diverge. A trial that diverged, or has no value, counts as larger than all
        others; what is then infinite is nan.
    """
    found: list[dict[str, Any]] = []
    for place, own in rows.groupby(x, sort=True):
        bad = own["status"].isin(ENDED_BADLY) if "status" in own else pd.Series(False, index=own.index)
        values = own[column].mask(bad).fillna(np.inf).to_numpy(dtype=float)
        others = values[np.isfinite(values)]
        low, high = student(others, 0.05)[1:] if bands == "interval" else middle(values)
        found.append(
            {
                "x": place,
                "trials": len(own),
                "diverged": int(bad.sum()),
                "centre": float(np.median(values) if centre == "median" else values.mean()),
                "low": low,
                "high": high,
                "mean_of_others": float(others.mean()) if len(others) else np.nan,
            }
        )
    return pd.DataFrame(found).replace([np.inf, -np.inf], np.nan)


def within(points: pd.DataFrame, rows: pd.DataFrame, x: str, column: str) -> pd.DataFrame:
    """Replace the bands of `middles` by how trials deviate when each one's own mean is taken out.

    The mean is over the positive places; the median deviation at a place is put at its middle. Trials that
    diverged somewhere, or lack a value, are left out; with fewer than two left there is no band.
    """
    bad = rows["status"].isin(ENDED_BADLY) if "status" in rows else pd.Series(False, index=rows.index)
    values = rows.assign(value=rows[column].mask(bad)).pivot(index="trial", columns=x, values="value")
    values = values.dropna()
    deviations = values.sub(values.loc[:, values.columns > 0].mean(axis=1), axis=0)
    bands = deviations.apply(lambda own: pd.Series([*middle(own), own.median()]))
    if len(values) < 2:
        return points.assign(low=np.nan, high=np.nan)
    low, high, median = (bands.loc[row].reindex(points["x"]).to_numpy() for row in range(3))
    return points.assign(low=points["centre"] + low - median, high=points["centre"] + high - median)


def fitted(points: pd.DataFrame, law: str) -> dict[str, Any]:
    """Fit a straight line in a law of the axis to the middles, by least squares.

    Parameters
    ----------
    points : pandas.DataFrame
        As `middles` gives them; places that the law has no value at, and without a middle, are left out.
    law : str
        One of `LAWS`.

    Returns
    -------
    dict
        law, slope, intercept, r_squared (the share of the middles' variance that the line explains),
        deviation (the middles' largest one from the line, over their range) and points (how many it is fitted
        to); nan with fewer than three.
    """
    line = {"law": law, "slope": np.nan, "intercept": np.nan, "r_squared": np.nan, "deviation": np.nan}
    known = points[np.isfinite(points["centre"]) & ((points["x"] > 0) | (law == "linear"))]
    if len(known) < FEWEST:
        return {**line, "points": len(known)}
    at, values = LAWS[law](known["x"].to_numpy(dtype=float)), known["centre"].to_numpy()
    slope, intercept = linear_regression(at.tolist(), values.tolist())
    spread = float(np.sum((values - values.mean()) ** 2))
    left = values - slope * at - intercept
    explained = 1 - float(np.sum(left**2)) / spread if spread else np.nan
    return {
        **line,
        "slope": float(slope),
        "intercept": float(intercept),
        "r_squared": explained,
        "deviation": float(np.max(np.abs(left)) / np.ptp(values)) if spread else np.nan,
        "points": len(known),
    }
