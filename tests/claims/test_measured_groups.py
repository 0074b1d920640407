"""Quantities over groups of trials, levels that were drawn, and tables with several rows for each trial."""

import numpy as np
import pandas as pd
import pytest

from claims.small import claim, experiment, ledger, parts
from claims.test_measured import X, estimate, measured, table
from nonconvex.claims.samples.arrays import axes_of, with_axis

RATIOS = np.array([0.5, 0.7])
TRIALS = 60
IN_BAND = {"mask_accuracy": "0.85 to 0.9"}


def masks(ratio, trial, n=100, **cells):
    """Accuracies of .8, .85 and .9, the ratio's less; test errors fall with both."""
    accuracy = 0.8 + 0.05 * (trial % 3)
    return {
        "mask_accuracy": accuracy,
        "test_error": (1 - accuracy) * (1 - ratio) * 100 / n,
        "iterations_half": 10.0,
        "iterations_quarter": np.where(trial % 2, 20.0, 20 + 100 * (accuracy > 0.88)),
        "iterations_eighth": 30.0,
    }


@pytest.fixture
def made():
    return table({"ratio": RATIOS, "n": np.array([100, 200, 400])}, {"a": masks}, TRIALS)


def test_levels_are_bins_of_a_column(made):
    settings = {
        "of": "a",
        "column": "test_error",
        "per": "mask_accuracy",
        "bins": {"mask_accuracy": 0.05},
        "cells": {"ratio": 0.5, "n": 100},
    }
    found = measured("change", made, trials=TRIALS, **settings)
    assert found.at(0.05).estimate == pytest.approx(0.5)
    # A value on an edge, such as .85, is in the bin above it.
    assert list(found.rows) == ["from 0.825 to 0.875", "from 0.875 to 0.925"]
    assert measured("change", made, trials=20, **settings).short


def test_only_the_trials_among_the_limits_count(made):
    settings = {"of": "a", "column": "test_error", "per": "ratio", "cells": {"n": 100}, "geometric": False}
    middle = measured("change", made, trials=TRIALS, among=IN_BAND, **settings)
    assert "means 0.0625 of 40 at 0.5" in middle.detail
    assert middle.at(0.05).estimate == pytest.approx(0.6)
    good = measured("change", made, trials=TRIALS, among={"mask_accuracy": "> 0.88"}, **settings)
    assert "means 0.05 of 20 at 0.5" in good.detail
    assert measured("change", made, trials=TRIALS, among={"mask_accuracy": "> 0.95"}, **settings).short


def test_levels_are_compared_within_bins_or_levels_of_another_axis(made):
    # The better masks are those of the smaller ratio: without strata the larger one would seem worse.
    fewer = made[(made["n"] == 100)].copy()
    keep = np.where(fewer["ratio"] == 0.5, fewer["mask_accuracy"], 1.7 - fewer["mask_accuracy"])
    fewer["mask_accuracy"] = np.where(keep < 0.81, np.nan, fewer["mask_accuracy"])
    settings = {"of": "a", "column": "test_error", "per": "ratio", "geometric": False}
    bins = {"bins": {"mask_accuracy": 0.05}, "strata": "mask_accuracy"}
    found = measured("change", fewer, trials=TRIALS, **settings, **bins)
    assert found.at(0.05).estimate == pytest.approx(0.6)
    assert list(found.rows) == ["at mask_accuracy = 0.875"]
    samples = {"of": "a", "column": "test_error", "per": "n", "strata": "ratio", "among": IN_BAND}
    found = measured("change", made, trials=TRIALS, **samples)
    assert found.at(0.05).estimate == pytest.approx(0.25)
    assert list(found.rows) == ["from 100 to 200", "from 200 to 400", "at ratio = 0.5", "at ratio = 0.7"]


def test_thresholds_of_the_trials_among_the_limits(made):
    settings = {"of": "a", "rows": "ratio", "along": "n", "success": "rises", "trials": TRIALS}
    settings["condition"] = "test error below 0.05"
    # .15 (1 - ratio) 100 / n falls below .05 between 100 and 200 samples, or is there at 100.
    found = measured("change", made, **settings, among={"mask_accuracy": "0.84 to 0.86"})
    assert "thresholds 150; 1 of 2 levels without a crossing in the group" in found.detail
    found = measured("change", made, **settings, among={"mask_accuracy": "0.79 to 0.81"})
    assert found.at(0.05).estimate == pytest.approx(1)


def test_even_decay_by_milestones_among_trials(made):
    columns = ["iterations_half", "iterations_quarter", "iterations_eighth"]
    settings = {"of": "a", "milestones": columns, "cells": {"ratio": 0.5, "n": 100}, "trials": TRIALS}
    assert estimate("even decay", made, **settings) == pytest.approx(5 / 6)
    found = measured("even decay", made, among=IN_BAND, **settings)
    assert found.at(0.05).estimate == pytest.approx(30 / 40)
    assert found.detail.startswith("30 of 40 trials with steps within a factor 3, 10 not, 0 at the cap")
    # What never comes to an eighth does not fall.
    never = made.assign(iterations_eighth=np.where(made["trial"] < 30, np.nan, 30.0))
    found = measured("even decay", never, among=IN_BAND, **settings)
    assert found.at(0.05)[2] < 0.6
    assert measured("even decay", made, among={"mask_accuracy": "> 0.95"}, **settings).short


def test_levels_are_the_means_of_a_column():
    kinds = np.array(["all", "none", "some"])
    sizes = {"all": 20.0, "none": 5.0, "some": 10.0}

    def law(kind, trial, **_):
        drawn = np.array([sizes[one] for one in kind]) + (trial % 2) - 0.5
        place = np.array([sizes[one] for one in kind]) / 50
        return {"effective_size": drawn, "error": 0.01 * drawn.round(-1), "success": _["x"] > place}

    made = table({"kind": kinds, "x": X}, {"a": law})
    levels = {"levels": "effective_size"}
    found = measured("change", made, of="a", rows="kind", along="x", success="rises", **levels)
    assert list(found.rows) == ["from 5 to 10", "from 10 to 20"]
    assert found.at(0.05).estimate == pytest.approx(0.45 / 0.15)
    found = measured("slope", made, of="a", column="x", per="kind", cells={"x": 0.1}, function="x", **levels)
    assert "means 0.1, 0.1, 0.1 at 3" in found.detail


def test_spreads_of_all_cells_in_a_band():
    def law(ratio, n, trial):
        return {"error": 1 + np.where(n > 150, 0.05, 0.5) * (trial % 2 - 0.5)}

    made = table({"ratio": RATIOS, "n": np.array([100, 200, 400])}, {"a": law}, TRIALS)
    settings = {"of": "a", "column": "error", "band": [0.01, 0.1], "trials": TRIALS}
    assert measured("spreads in a band", made, **settings).at(0.05) == pytest.approx((2 / 3,) * 3)


def rounds(trials=12, failing=()):
    """Three rounds of each trial; `x` is an axis."""
    rows = [
        (
            "a",
            x,
            trial,
            "diverged" if trial in failing else "iteration limit",
            number,
            0.2 * number,
            0.5**number,
        )
        for x in (0.1, 0.2, 0.3)
        for trial in range(trials)
        for number in range(3)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "x", "trial", "status", "round", "ratio", "test_error"])


ROUNDS = {
    "quantity": "change",
    "of": "a",
    "column": "test_error",
    "per": "ratio",
    "as_axis": "ratio",
    "cells": {"x": 0.1},
    "holds": "< 1/1.1",
    "fails": "> 1/1.1",
}


def test_what_tells_the_rows_of_a_trial_apart_is_an_axis():
    made = with_axis(rounds(), "ratio")
    assert axes_of(made) == ["x", "ratio"]
    assert with_axis(rounds(), None) is not None and axes_of(with_axis(made, "ratio")) == ["x", "ratio"]
    one = {"made": experiment(10)}
    found = ledger(claim(judge=ROUNDS, trials=10), tables={"made": rounds()}, experiments=one)
    row = parts(found).loc["one"]
    assert (row["verdict"], row["trials"]) == ("reproduced", 10)
    assert row["estimate"] == pytest.approx(0.25)
    settings = {**ROUNDS, "quantity": "ratio of values", "cells": {"ratio": "largest", "x": 0.2}}
    settings["over_cells"] = {"ratio": "0.15 to 0.25", "x": 0.2}
    del settings["per"]
    found = ledger(claim(judge=settings, trials=10), tables={"made": rounds()}, experiments=one)
    assert parts(found).loc["one", "estimate"] == pytest.approx(0.5)


def test_a_trial_counts_with_all_its_rounds_or_not_at_all():
    one = {"made": experiment(10)}
    made = rounds()
    lacking = made[(made["trial"] != 6) | (made["round"] < 2)]
    found = ledger(claim(judge=ROUNDS, trials=10), tables={"made": lacking}, experiments=one)
    assert parts(found).loc["one", "why"] == "6 trials, and the first look needs 10 (made)"
    # One that diverges counts with the largest error of each round.
    found = ledger(claim(judge=ROUNDS, trials=10), tables={"made": rounds(failing=[2])}, experiments=one)
    assert "3 values lost" in parts(found).loc["one", "detail"]
