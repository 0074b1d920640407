"""The tests by the names that claims files use: from a table and a claim's settings to a decision."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from nonconvex.claims.cells import CONDITIONS, outcomes
from nonconvex.claims.decision import Decision
from nonconvex.claims.kind import CELLS, LINES, MARGIN, NAME, NUMBER, Kind, axes_of
from nonconvex.claims.linearity import FUNCTIONS, linear_thresholds
from nonconvex.claims.network_kinds import NETWORK_KINDS
from nonconvex.claims.ordering import order_success
from nonconvex.claims.side_kinds import SIDE_KINDS
from nonconvex.claims.threshold import threshold_higher, thresholds_equal
from nonconvex.claims.value_kinds import VALUE_KINDS


def _along(table: pd.DataFrame, algorithm: str, settings: Mapping, trials: range) -> tuple:
    axes = [settings["rows"], settings["along"]]
    values, (levels, x) = outcomes(table, algorithm, "recovered", axes, settings.get("cells", {}), trials)
    return values, levels, x


def _higher(table: pd.DataFrame, settings: Mapping, trials: range, seed: int) -> Decision:
    a, _, x = _along(table, settings["better"], settings, trials)
    b, _, _ = _along(table, settings["than"], settings, trials)
    falls = settings["success"] == "falls"
    extra = {"relative": settings["smallest"]} if "smallest" in settings else {}
    return threshold_higher(a, b, x, falls=falls, seed=seed, **extra)


def _equal(table: pd.DataFrame, settings: Mapping, trials: range, seed: int) -> Decision:
    a, _, x = _along(table, settings["one"], settings, trials)
    b, _, _ = _along(table, settings["other"], settings, trials)
    margin = settings["margin"]
    return thresholds_equal(a, b, x, falls=settings["success"] == "falls", seed=seed, **margin)


def _order(table: pd.DataFrame, settings: Mapping, trials: range, seed: int) -> Decision:
    arrays = []
    for algorithm in (settings["better"], settings["than"]):
        for condition in (settings["good"], settings["bad"]):
            axes = axes_of(table)
            values, _ = outcomes(table, algorithm, condition, axes, settings.get("cells", {}), trials)
            arrays.append(values.reshape(-1, len(trials)))
    extra = {"smallest": settings["smallest"]} if "smallest" in settings else {}
    return order_success(*arrays, seed=seed, **extra)


def _linear(table: pd.DataFrame, settings: Mapping, trials: range, seed: int) -> Decision:
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


_CONDITION = {"enum": list(CONDITIONS)}
_FUNCTION = {"enum": list(FUNCTIONS)}

KINDS = {
    "T-BND": Kind(
        {"better": NAME, "than": NAME, **LINES},
        {"smallest": NUMBER, **CELLS},
        ("better", "than"),
        _higher,
    ),
    "T-EQ": Kind({"one": NAME, "other": NAME, "margin": MARGIN, **LINES}, CELLS, ("one", "other"), _equal),
    "T-ORD": Kind(
        {"better": NAME, "than": NAME, "good": _CONDITION, "bad": _CONDITION},
        {"smallest": NUMBER, **CELLS},
        ("better", "than"),
        _order,
    ),
    "T-LIN": Kind(
        {
            "algorithm": NAME,
            "function": _FUNCTION,
            "rivals": {"type": "array", "items": _FUNCTION, "minItems": 1},
            "slope": {"enum": ["rising", "falling"]},
            **LINES,
        },
        {"shared_streams": {"type": "boolean"}, "ratio": {"type": "boolean"}, **CELLS},
        ("algorithm",),
        _linear,
    ),
    **VALUE_KINDS,
    **SIDE_KINDS,
    **NETWORK_KINDS,
}
