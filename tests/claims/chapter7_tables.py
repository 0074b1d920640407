"""Made-up tables of Figures 7.4 to 7.9: as the thesis says, the opposite, and between the two."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from claims.chapter3_tables import experiment
from claims.network_tables import cells_of, lines

DEPTHS = np.arange(1, 6)
PLACES = np.concatenate([[0.001, 0.002, 0.005, 0.01, 0.02], np.arange(1, 21) / 20])
LABELLED = np.array([400, 550, 700])
UNLABELLED = np.array([0, 500, 1000, 1400, 2000, 4000, 8000])
DEVIATIONS = np.array([0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2])
WEIGHTS = np.array([0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99])
SIZES = np.arange(10, 51, 10)
RATIOS = np.array([0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2.0])


@dataclass
class Truth:
    """What is true in a world."""

    power: float = 1.0  # of the distance, in the generalisation function near W*
    root_power: float = 1.0  # and in its root
    bends: tuple = (0.3, 0.8, 1.2, 1.8, 2.8)  # of both, by depth
    by_unlabelled: float = 0.5  # how much of the error goes with 1/√M
    power_of_unlabelled: float = -0.5
    without: float = 2.5  # error without unlabelled data, over that with very many
    by_labelled: float = -1.0  # power of N in the error
    single: float = 1.5  # error of the single-shot method over that of the iterated one
    first: float = 2.0  # error after one round over that at the end
    rate: float = 0.02  # how much of the rate goes with 1/√M
    slower: float = -0.015  # of the speed from the deviation 1 to 2
    below_one: float = 0.0005  # of the speed from .25 to 1
    by_weight: float = -0.4  # of the errors
    bent_weight: float = 0.0
    by_size: str = "line"
    gain: float = 0.12  # how far the line with unlabelled data is below the other
    spread: float = 0.05  # of the errors of trials
    rate_spread: float = 0.0003


THESIS = Truth()
OPPOSITE = Truth(
    power=2.0,
    root_power=2.0,
    bends=(0.0,) * 5,
    by_unlabelled=-0.5,
    without=0.4,
    by_labelled=0.5,
    single=0.7,
    first=0.8,
    rate=-0.02,
    slower=0.015,
    below_one=0.02,
    by_weight=0.4,
    by_size="kink",
    gain=-0.12,
)
BETWEEN = Truth(
    bends=(0.7, 0.75, 0.75, 0.75, 0.77),
    by_unlabelled=0.1,
    without=1.15,
    by_labelled=-0.15,
    single=1.06,
    first=1.06,
    rate=0.001,
    slower=-0.0046,
    below_one=0.0006,
    by_weight=-0.005,
    by_size="slightly bent",
    gain=0.035,
    spread=0.5,
    rate_spread=0.01,
)


def world(truth=THESIS, trials=100):
    """Return the experiments and their tables; full-batch methods have all trials, too."""
    experiments, tables = {}, {}

    def add(name, axes, table, **parameters):
        algorithms = table["algorithm"].unique() if "algorithm" in table else []
        made = experiment({}, algorithms, trials)
        own = {axis: values.tolist() for axis, values in axes.items()}
        experiments[name] = {**made, "axes": list(axes), "parameters": own | parameters}
        tables[name] = table

    add("generalisation", *_curves(truth, trials))
    add("self_unlabelled", *_unlabelled(truth, trials), n_neurons=10, n_features=50)
    add("self_deviation", *_deviations(truth, trials))
    add("self_weight", *_weights(truth, trials))
    axes = {"n_features": SIZES, "labelled_ratio": RATIOS, "n_unlabelled": np.array([0, 1000])}

    def place(n_features, labelled_ratio, n_unlabelled):
        laws = {
            "line": np.full(n_features.shape, 1.45),
            "slightly bent": 1.2 + 0.25 * (n_features - 30) ** 2 / 400,
            "kink": np.where(n_features < 35, 1.75, 1.15),
        }
        return laws[truth.by_size] - truth.gain * (n_unlabelled > 0)

    names = ("mini_20", "mini_35", "full")
    width = 0.02 if truth is not BETWEEN else 0.1
    table = lines(axes, trials, dict.fromkeys(names, place), "labelled_ratio", lambda **_: width, 5)
    add("self_dimension", axes, table, n_neurons=10)
    return experiments, tables


def _curves(truth, trials):
    axes = {"n_layers": DEPTHS, "distance": PLACES}
    cells = cells_of(axes, trials)
    bend = np.asarray(truth.bends)[cells["n_layers"] - 1]
    bend = bend * np.random.default_rng(1).gamma(20, 1 / 20, trials)[cells["trial"]]
    x = cells["distance"]
    made = {name: (x**power + bend * x ** (2 * power)) / (1 + bend)
            for name, power in (("gf", truth.power), ("root_gf", truth.root_power))}  # fmt: skip
    return axes, pd.DataFrame({**cells, **made, "raw_gf": made["gf"]})


def rows(cells, names, errors, rates, seed, truth, **factors):
    """Make outcomes around errors and rates; `factors`: of other columns over the error."""
    rng = np.random.default_rng(seed)
    luck, n = rng.standard_normal(cells["trial"].max() + 1)[cells["trial"]], len(cells["trial"])
    parts = []
    for name in names:
        error = errors(name) * np.exp(truth.spread * (luck + 0.3 * rng.standard_normal(n)))
        rate = rates(name) + 0.002 * luck + truth.rate_spread * rng.standard_normal(n)
        part = {"algorithm": name, **cells, "status": "converged", "success": error < 1e-2, "error": error}
        more = {column: error * factor for column, factor in factors.items()}
        parts.append(pd.DataFrame({**part, "rate": rate, "iterations": 100, **more}))
    return pd.concat(parts, ignore_index=True)


def _unlabelled(truth, trials):
    axes = {"n_labelled": LABELLED, "n_unlabelled": UNLABELLED}
    cells = cells_of(axes, trials)
    m = np.maximum(cells["n_unlabelled"], 500) / 500
    part = m**truth.power_of_unlabelled
    base = 0.2 * (cells["n_labelled"] / 400) ** truth.by_labelled
    error = base * np.where(cells["n_unlabelled"] == 0, truth.without, 1 + truth.by_unlabelled * part)
    return axes, rows(
        cells,
        ("mini", "full", "single"),
        lambda name: error * (truth.single if name == "single" else 1),
        lambda name: 0.95 + truth.rate * part - 0.03 * (cells["n_labelled"] - 400) / 300,
        2,
        truth,
        error_round1=truth.first,
    )


def _deviations(truth, trials):
    axes = {"deviation": DEVIATIONS}
    cells = cells_of(axes, trials)
    at = cells["deviation"]
    speed = 0.05 + truth.slower * np.maximum(at - 1, 0) + truth.below_one * np.maximum(1 - at, 0) / 0.75
    return axes, rows(cells, ("mini", "full"), lambda name: 0.1, lambda name: 1 - speed, 3, truth)


def _weights(truth, trials):
    axes = {"weight": WEIGHTS}
    cells = cells_of(axes, trials)
    at = cells["weight"]
    error = 0.5 + truth.by_weight * (at - 0.4) + truth.bent_weight * (at - 0.7) ** 2
    made = rows(cells, ("mini", "full"), lambda name: error, lambda name: 0.95, 4, truth,
                mixture_error=0.9)  # fmt: skip
    return axes, made
