"""The functions that run the tests, by the names that claims files use (`claims.kinds.registry`)."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from nonconvex.claims.arrays import axes_of, outcomes
from nonconvex.claims.decision import Decision
from nonconvex.claims.kinds.kind import Settings
from nonconvex.claims.quantities.linearity import linear_thresholds
from nonconvex.claims.quantities.ordering import order_success
from nonconvex.claims.quantities.threshold import threshold_higher, thresholds_equal
from nonconvex.claims.runs.networks import NETWORK_RUNS
from nonconvex.claims.runs.sides import SIDE_RUNS
from nonconvex.claims.runs.values import VALUE_RUNS


def _along(table: pd.DataFrame, algorithm: str, settings: Settings, trials: range) -> tuple:
    axes = [settings["rows"], settings["along"]]
    values, (levels, x) = outcomes(table, algorithm, "recovered", axes, settings.get("cells", {}), trials)
    return values, levels, x


def _higher(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    a, _, x = _along(table, settings["better"], settings, trials)
    b, _, _ = _along(table, settings["than"], settings, trials)
    falls = settings["success"] == "falls"
    extra = {"relative": settings["smallest"]} if "smallest" in settings else {}
    return threshold_higher(a, b, x, falls=falls, seed=seed, **extra)


def _equal(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    a, _, x = _along(table, settings["one"], settings, trials)
    b, _, _ = _along(table, settings["other"], settings, trials)
    margin = settings["margin"]
    return thresholds_equal(a, b, x, falls=settings["success"] == "falls", seed=seed, **margin)


def _order(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    arrays = []
    for algorithm in (settings["better"], settings["than"]):
        for condition in (settings["good"], settings["bad"]):
            axes = axes_of(table)
            values, _ = outcomes(table, algorithm, condition, axes, settings.get("cells", {}), trials)
            arrays.append(values.reshape(-1, len(trials)))
    extra = {"smallest": settings["smallest"]} if "smallest" in settings else {}
    return order_success(*arrays, seed=seed, **extra)


def _linear(table: pd.DataFrame, settings: Settings, trials: range, seed: int) -> Decision:
    success, levels, x = _along(table, settings["algorithm"], settings, trials)
    return linear_thresholds(
        success,
        levels,
        np.asarray(x),
        falls=settings["success"] == "falls",
        seed=seed,
        function=settings["function"],
        rivals=settings["rivals"],
        sign=1 if settings["slope"] == "rising" else -1,
        shared=settings.get("shared_streams", False),
        ratio=settings.get("ratio", False),
    )


RUNS: dict[str, Callable[..., Decision]] = {
    "T-BND": _higher,
    "T-EQ": _equal,
    "T-ORD": _order,
    "T-LIN": _linear,
    **VALUE_RUNS,
    **SIDE_RUNS,
    **NETWORK_RUNS,
}
"""Each takes (table, settings, trials, seed); one that may compare two experiments also `beside`, a table."""
