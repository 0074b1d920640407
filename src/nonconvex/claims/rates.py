"""The rate of convergence of each trial, as Figure 5.3 draws it."""

import numpy as np
import pandas as pd

from nonconvex.claims.cells import axes_of
from nonconvex.figures.rates import fitted_rate


def trial_rates(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row per trial of a table of iterates, with the column `rate`.

    The rate nu is the factor by which the error falls in one iteration, fitted over the last two decades of
    the trial (`nonconvex.figures.rates.fitted_rate`). A trial that diverged or failed, and one whose error
    does not fall there, has the rate 1: it does not converge.
    """
    keys = ["algorithm", *axes_of(table), "trial"]
    rows = []
    for key, own in table.groupby(keys, sort=True):
        own = own.sort_values("iteration", kind="stable")
        last = own.iloc[-1]
        rate = fitted_rate(own["iteration"].to_numpy(), own["error"].to_numpy())
        lost = last["status"] in ("diverged", "failed") or not rate < 1
        rows.append((*key, last["status"], last["error"], 1.0 if lost else rate))
    return pd.DataFrame(rows, columns=[*keys, "status", "error", "rate"])


def per_decade(rate: pd.Series) -> np.ndarray:
    """Return how many iterations one decade of error takes; inf at the rate 1."""
    logs = -np.log10(rate.to_numpy(dtype=float))
    return np.divide(1.0, logs, out=np.full(len(logs), np.inf), where=logs > 0)
