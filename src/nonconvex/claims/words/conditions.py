"""What a claim may ask of an outcome: words, the columns that tell it, and which trials meet it.

The Snakemake main process imports this module: neither it nor what it imports may load numpy or pandas.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nonconvex.vocabulary import BELOW_ONE

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


@dataclass(frozen=True)
class Condition:
    """A condition on the outcomes of one trial, and the columns of a table that tell it."""

    columns: tuple[str, ...]
    met: Callable[[pd.DataFrame], np.ndarray]


def _recovered(table: pd.DataFrame) -> np.ndarray:
    """Return success as booleans; a missing value, of a trial that failed, is a failure."""
    return table["success"].astype(str).str.lower().isin(["true", "1", "1.0"]).to_numpy()


def _converged(table: pd.DataFrame) -> np.ndarray:
    """Return which trials met the stop rule with an error below 1 (the chosen sense of "convergent")."""
    return _stopped(table) & (table["error"] < BELOW_ONE).to_numpy()


def _stopped(table: pd.DataFrame) -> np.ndarray:
    """Return which trials met the stop rule, whatever the error."""
    return (table["status"] == "converged").to_numpy()


def _blown_up(table: pd.DataFrame) -> np.ndarray:
    return table["status"].isin(["diverged", "failed"]).to_numpy()


CONDITIONS: dict[str, Condition] = {
    "recovered": Condition(("success",), _recovered),
    "not recovered": Condition(("success",), lambda t: ~_recovered(t)),
    "diverged": Condition(("status",), lambda t: (t["status"] == "diverged").to_numpy()),
    "converged": Condition(("status", "error"), _converged),
    "not converged": Condition(("status", "error"), lambda t: ~_converged(t)),
    # The other senses of "convergent", each with its opposite; a trial that failed is never on the good side.
    "stopped": Condition(("status",), _stopped),
    "not stopped": Condition(("status",), lambda t: ~_stopped(t)),
    "no blow-up": Condition(("status",), lambda t: ~_blown_up(t)),
    "blown up or failed": Condition(("status",), _blown_up),
    "ended below 1": Condition(
        ("status", "error"), lambda t: ~_blown_up(t) & (t["error"] < BELOW_ONE).to_numpy()
    ),
    "stopped at zeros": Condition(
        ("status", "error"), lambda t: _stopped(t) & t["error"].between(0.9, 1.1).to_numpy()
    ),
    "error below 1e-3": Condition(
        ("status", "error"), lambda t: ~_blown_up(t) & (t["error"] < 1e-3).to_numpy()
    ),
    "test error below 0.1": Condition(
        ("status", "test_error"), lambda t: ~_blown_up(t) & (t["test_error"] < 0.1).to_numpy()
    ),
    "test error below 0.05": Condition(
        ("status", "test_error"), lambda t: ~_blown_up(t) & (t["test_error"] < 0.05).to_numpy()
    ),
    "mask accuracy from 0.85 on": Condition(
        ("mask_accuracy",), lambda t: (t["mask_accuracy"] >= 0.85).to_numpy()
    ),
    "stopped wrong": Condition(("status", "error"), lambda t: _stopped(t) & (t["error"] >= 0.01).to_numpy()),
}
OPPOSITE = {
    "recovered": "not recovered",
    "converged": "not converged",
    "stopped": "not stopped",
    "no blow-up": "blown up or failed",
}
"""What a trial does that does not meet a condition, where that has a word of its own."""
