"""The numbers behind a diagram of sample sizes: cells, 50 % points and the line fitted to them."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from nonconvex.figures.parts.contour import contour_points
from nonconvex.figures.parts.counts import count_outcomes
from nonconvex.figures.parts.samples import places, unknowns


def sample_cells(rows: pd.DataFrame, x: str, y: str, parameters: Mapping[str, Any]) -> pd.DataFrame:
    """Count the successes in every cell of a grid whose other axis may count samples per unknown weight.

    Parameters
    ----------
    rows : pandas.DataFrame
        The outcomes of one algorithm: x, y, status, success, iterations.
    x, y : str
        The axes, ``y`` the one that counts samples.
    parameters : dict
        The experiment's.

    Returns
    -------
    pandas.DataFrame
        One row per cell, x slowest: x, samples (the number of samples), unknowns (K d), height (the value of
        y), and the counts of `nonconvex.figures.parts.counts.count_outcomes`.
    """
    cells = []
    for at in sorted(parameters[x]):
        column = {**parameters, x: at}
        own = rows[rows[x] == at]
        for value, samples in sorted(zip(parameters[y], places(y, parameters[y], column), strict=True)):
            counts = count_outcomes(own[own[y] == value])
            there = {"samples": samples, "unknowns": unknowns(column), "height": value}
            cells.append({x: at, **there, **counts})
    return pd.DataFrame(cells)


def half_points(cells: pd.DataFrame, x: str) -> pd.DataFrame:
    """Return, per value of x, the number of samples at which half of the trials succeed.

    Columns x, samples (nan where it lies beyond the grid), crossing (see `nonconvex.figures.parts.contour`)
    and unknowns.
    """
    points = contour_points(cells.assign(algorithm=""), x, "samples", rising=True).drop(columns="algorithm")
    return points.assign(unknowns=cells.groupby(x, sort=True)["unknowns"].first().to_numpy())


def fitted_line(points: pd.DataFrame, x: str) -> dict[str, float]:
    """Fit a straight line to the 50 % points, by least squares.

    Parameters
    ----------
    points : pandas.DataFrame
        As `half_points` gives them.
    x : str

    Returns
    -------
    dict
        slope, intercept (samples = slope x + intercept), ratio (the mean of samples over unknowns) and points
        (how many the fit stands on); nan with fewer than two.
    """
    inside = points[points["crossing"] == "inside"]
    ratio = float((inside["samples"] / inside["unknowns"]).mean()) if len(inside) else math.nan
    line = {"slope": math.nan, "intercept": math.nan, "ratio": ratio, "points": len(inside)}
    if len(inside) < 2:
        return line
    slope, intercept = np.polyfit(inside[x].to_numpy(dtype=float), inside["samples"].to_numpy(), 1)
    return line | {"slope": float(slope), "intercept": float(intercept)}
