"""Tables of pruned networks for any plan: made by laws, with the columns that their families have."""

from pathlib import Path

import numpy as np
import pandas as pd

from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.plans import figure_plan
from nonconvex.problems.pruned.masks import LEVELS
from nonconvex.study.config import check_config
from nonconvex.validation import read_yaml

ROOT = Path(__file__).parents[2]
IMAGES = ("6.11", "6.12")
FIGURES = {
    figure: entry
    for figure, entry in read_yaml(ROOT / "workflow/experiments/chapter6.yaml")["figures"].items()
    if figure not in IMAGES
}


def pruned_plan(figure, scale):
    """Return the plan of a figure of chapter 6 at a scale."""
    pipeline = Pipeline(check_config({"scale": scale}, ROOT / "workflow/schemas/config.schema.yaml"), ROOT)
    entry = FIGURES[figure]
    experiments = {name: pipeline.experiment(name) for name in entry["experiments"]}
    return figure_plan(figure, "6", scale, entry, experiments)


def made_up(plan, trials=3):
    """Make a table for each experiment of a plan."""
    return {name: _KINDS[one["family"]](one, trials) for name, one in plan["experiments"].items()}


def _grid(one, trials):
    return pd.MultiIndex.from_product(
        [list(one["algorithms"]), *(one["parameters"][axis] for axis in one["axes"]), range(trials)],
        names=["algorithm", *one["axes"], "trial"],
    ).to_frame(index=False)


def _of(table, one, name):
    return table[name].to_numpy() if name in table else one["parameters"].get(name, 0)


def _outcomes(one, trials):
    table = _grid(one, trials)
    needed = 1.2 * one["parameters"]["n_neurons"] * _of(table, one, "kept")
    good = (_of(table, one, "n_samples") > needed) & (_of(table, one, "distance") < 2)
    noise = _of(table, one, "noise") * np.sqrt(_of(table, one, "kept"))
    error = np.where(good, np.maximum(noise, 9e-5), 0.3)
    sizes = pd.Series(_of(table, one, "supports") if "supports" in table else "", index=table.index)
    levels = {
        f"iterations_1e-{k}": np.where(error < 10.0**-k, 20.0 * k + table["trial"], np.nan)
        for k in range(1, 7)
    }
    return table.assign(
        status="converged", success=error < 1e-4, error=error, iterations=100,
        effective_size=sizes.map({"disjoint": 7.2, "chain": 11.6, "partly_identical": 11.6}).fillna(20.0),
        **levels,
    )  # fmt: skip


def _curves(one, trials):
    rows = []
    for row in _grid(one, trials).to_dict("records"):
        rate = 0.9 + 0.005 * np.sqrt(row["kept"]) + 0.02 * (row["algorithm"] == "gd") + 0.001 * row["trial"]
        last = int(np.ceil(np.log(1e-5) / np.log(rate)))
        at = np.unique([*range(0, last, 10), last])
        rows.append(pd.DataFrame({**row, "status": "converged", "iteration": at, "error": 0.1 * rate**at}))
    return pd.concat(rows, ignore_index=True)


def _masks(one, trials):
    table = _grid(one, trials)
    accuracy = (np.clip(1.1 - 0.3 * table["pruning_ratio"], 0, 1) - 0.02 * table["trial"]).round(2)
    error = (1.05 - accuracy) * (1.2 - table["pruning_ratio"])
    levels = {
        f"iterations_{name}": np.where(error < level, 5 / level, np.nan)
        for name, level in {
            **LEVELS,
            "half": 0.1,
            "eighth": 0.02,
        }.items()  # shares of the excess are no levels
    }
    return table.assign(
        status="iteration limit", success=False, mask_accuracy=accuracy, test_error=error, error=0.5,
        iterations=600, **levels,
    )  # fmt: skip


def _rounds(one, trials):
    table = _grid(one, trials)
    ratios = 1 - 0.8 ** np.arange(11)
    return table.merge(pd.DataFrame({"round": range(11), "pruning_ratio": ratios}), how="cross").assign(
        status="finished",
        test_error=lambda all: np.abs(0.8 - all["pruning_ratio"]) / all["n_samples"] + 1e-3,
    )


_KINDS = {"pruned": _outcomes, "pruned_curves": _curves, "pruned_masks": _masks, "pruned_imp": _rounds}
