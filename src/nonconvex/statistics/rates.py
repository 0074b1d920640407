"""Rates of linear convergence from recorded errors, and straight lines in rival laws of a parameter."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

DECADES = 2.0
"""How many decades of error, down to a trial's last one, its rate is fitted to."""

LAWS = {
    "1/√K": lambda k: 1 / np.sqrt(k),
    "1/K": lambda k: 1 / k,
    "1/K²": lambda k: 1 / k**2,
}


def fitted_rate(iteration: np.ndarray, error: np.ndarray) -> float:
    """Fit the factor by which the error falls in one iteration.

    Parameters
    ----------
    iteration, error : ndarray, shape (n,)
        A trial's kept iterates.

    Returns
    -------
    float
        nu = exp(slope) of log error against iteration, by least squares over the iterates from the first
        on after which the error stays within two decades of the last one; nan when the error is not finite or
        not positive somewhere there, or with fewer than two iterates. A trial that keeps only one of these is
        fitted from the iterate before.
    """
    last = error[-1] if len(error) else np.nan
    if not (np.isfinite(last) and last > 0):
        return np.nan
    # An error that dips and comes back enters more than once: the last time counts.
    above = np.flatnonzero(~(error <= last * 10**DECADES))
    first = int(above[-1]) + 1 if above.size else 0
    # A fast trial may cross both decades between two kept iterates: the last one before them counts, too.
    first = max(0, min(first, len(error) - 2))
    at, values = iteration[first:], error[first:]
    if len(at) < 2 or not (np.isfinite(values).all() and (values > 0).all()):
        return np.nan
    return float(np.exp(np.polyfit(at.astype(float), np.log(values), 1)[0]))


def trial_rates(table: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Fit the rate of every trial.

    Parameters
    ----------
    table : pandas.DataFrame
        Iterates: `keys`, status, iteration, error.
    keys : sequence of str
        The columns that tell one trial from another.

    Returns
    -------
    pandas.DataFrame
        One row per trial, sorted by `keys`: `keys`, status, error (the last), rate.
    """
    fitted = []
    for key, own in table.groupby(list(keys), sort=True):
        own = own.sort_values("iteration", kind="stable")
        rate = fitted_rate(own["iteration"].to_numpy(), own["error"].to_numpy())
        last = own.iloc[-1]
        fitted.append((*key, last["status"], last["error"], rate))
    return pd.DataFrame(fitted, columns=[*keys, "status", "error", "rate"])


def per_decade(rate: pd.Series) -> np.ndarray:
    """Return how many iterations one decade of error takes at each rate; inf at the rate 1."""
    logs = -np.log10(rate.to_numpy(dtype=float))
    return np.divide(1.0, logs, out=np.full(len(logs), np.inf), where=logs > 0)


def fit_laws(values: np.ndarray, rates: np.ndarray) -> pd.DataFrame:
    """Fit rates by straight lines in each of `LAWS`.

    Parameters
    ----------
    values, rates : ndarray, shape (n,)
        Finite; the parameter and the rate at it.

    Returns
    -------
    pandas.DataFrame
        One row per law: law, slope, intercept, r_squared (share of the variance that the line explains);
        nan with fewer than three points.
    """
    rows = []
    for law, function in LAWS.items():
        row = {"law": law, "slope": np.nan, "intercept": np.nan, "r_squared": np.nan}
        if len(values) >= 3:
            f = function(np.asarray(values, dtype=float))
            slope, intercept = np.polyfit(f, rates, 1)
            left = np.sum((rates - slope * f - intercept) ** 2)
            spread = np.sum((rates - np.mean(rates)) ** 2)
            row |= {
                "slope": slope,
                "intercept": intercept,
                "r_squared": 1 - left / spread if spread else np.nan,
            }
        rows.append(row)
    return pd.DataFrame(rows)
