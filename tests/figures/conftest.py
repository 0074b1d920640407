"""Plans and tables with known answers: success falls logistically with the rank."""

import numpy as np
import pandas as pd
import pytest

ALGORITHMS = {
    "am_fiht_beta0": "AM-FIHT, β = 0",
    "am_fiht": "AM-FIHT, β = (1−p)²/5",
    "ram_fiht": "RAM-FIHT, β = (1−p)²/5",
}
SHIFT = {"am_fiht_beta0": 0.0, "am_fiht": 1.5, "ram_fiht": 1.5}


@pytest.fixture
def experiment():
    return {
        "experiment": "phase_mode1",
        "chapter": "2",
        "scale": "preview",
        "title": "Phase transition, losses at random (mode 1)",
        "family": "completion",
        "parameters": {
            "n_channels": 10,
            "n_samples": 100,
            "n1": 50,
            "amplitude_exponent": 1.0,
            "mode": 1,
            "p": [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45],
            "rank": [1, 2, 3, 4, 6, 8, 10, 13, 16],
        },
        "axes": ["p", "rank"],
        "sources": {
            "n_channels": "stated",
            "n_samples": "stated",
            "n1": "stated",
            "amplitude_exponent": "stated",
            "mode": "stated",
            "p": "chosen",
            "rank": "chosen",
        },
        "differs": ["n_channels", "n_samples", "n1", "p", "rank"],
        "thesis": {"n_channels": 30, "n_samples": 300, "n1": 150, "p": [0.05], "rank": [1], "trials": 100},
        "algorithms": {
            name: {"method": "am_fiht", "tell": ["rank", "n1"], "options": {}, "label": label, "trials": 5}
            for name, label in ALGORITHMS.items()
        },
        "trials": 5,
        "block": 5,
        "seed": 1,
        "success": {"column": "error", "below": 0.001},
    }


@pytest.fixture
def plan(experiment):
    return {
        "figure": "2.2",
        "kind": "phase_diagram",
        "title": "Phase transition under mode 1",
        "caption": "White: all trials succeed; black: none.",
        "scale": "preview",
        "chapter": "2",
        "options": {
            "x": "p",
            "y": "rank",
            "panels": list(ALGORITHMS),
            "repeat": {"ram_fiht": ["am_fiht_beta0", "am_fiht"]},
        },
        "experiments": {"phase_mode1": experiment},
    }


@pytest.fixture
def outcomes():
    """Make the table of an experiment; `success` may force every outcome."""

    def make(experiment, success=None):
        draws = np.random.default_rng(7)
        rows = []
        for name in experiment["algorithms"]:
            for p in experiment["parameters"]["p"]:
                for rank in experiment["parameters"]["rank"]:
                    for trial in range(experiment["trials"]):
                        chance = 1 / (1 + np.exp(rank - 38 * p + 1.5 - SHIFT[name]))
                        good = draws.random() < chance if success is None else success
                        status = "converged" if good else "diverged" if trial == 0 else "iteration limit"
                        error = 1e-7 if good else 0.4
                        rows.append((name, p, rank, trial, status, bool(good), error, error, 40))
        columns = [
            "algorithm",
            "p",
            "rank",
            "trial",
            "status",
            "success",
            "error",
            "observed_error",
            "iterations",
        ]
        return pd.DataFrame(rows, columns=columns)

    return make


@pytest.fixture
def masks():
    """Plan and table of the three modes of missing data, a quarter of 12 x 40 entries lost."""
    grid = np.ones((3, 12, 40), dtype=bool)
    grid[0].flat[np.random.default_rng(3).choice(480, 120, replace=False)] = False
    grid[1][:, [0, 3, 4, 9, 17, 18, 25, 30, 36, 39]] = False
    grid[2][[1, 3, 4, 7, 8, 11], 12:32] = False
    rows = [(mode + 1, 0, c, s, bool(seen)) for (mode, c, s), seen in np.ndenumerate(grid)]
    table = pd.DataFrame(rows, columns=["mode", "trial", "channel", "sample", "observed"])
    experiment = {
        "experiment": "loss_modes",
        "chapter": "2",
        "scale": "preview",
        "title": "Three modes of missing data",
        "family": "masks",
        "parameters": {"n_channels": 12, "n_samples": 40, "p": 0.75, "mode": [1, 2, 3]},
        "axes": ["mode"],
        "sources": {"n_channels": "chosen", "n_samples": "chosen", "p": "chosen", "mode": "stated"},
        "differs": [],
        "algorithms": {},
        "trials": 1,
        "block": 1,
        "seed": 1,
    }
    plan = {
        "figure": "2.1",
        "kind": "loss_modes",
        "title": "Three modes of missing data",
        "caption": "Masks.",
        "scale": "preview",
        "chapter": "2",
        "options": {},
        "experiments": {"loss_modes": experiment},
    }
    return plan, {"loss_modes": table}


@pytest.fixture
def resolved():
    """Make a resolved experiment with the given axes and algorithms."""

    def make(name, parameters, algorithms=(), *, trials=5, below=1e-3):
        return {
            "experiment": name,
            "chapter": "2",
            "scale": "preview",
            "title": name,
            "family": "completion",
            "parameters": {"n_channels": 10, "n_samples": 150, **parameters},
            "axes": [key for key, value in parameters.items() if isinstance(value, list)],
            "sources": {"n_channels": "stated", "n_samples": "stated", **dict.fromkeys(parameters, "chosen")},
            "differs": ["n_channels"],
            "thesis": {"n_channels": 20},
            "algorithms": {one: {"method": one, "label": f"label of {one}"} for one in algorithms},
            "trials": trials,
            "block": 5,
            "seed": 1,
            "success": {"column": "error", "below": below},
        }

    return make


@pytest.fixture
def figure_plan():
    """Make the plan of a figure from its kind, experiments and options."""

    def make(kind, experiments, **options):
        return {
            "figure": "2.5",
            "kind": kind,
            "title": "A figure",
            "caption": "Of something.",
            "scale": "preview",
            "chapter": "2",
            "options": options,
            "experiments": {one["experiment"]: one for one in experiments},
        }

    return make


@pytest.fixture
def curve_table():
    """Make a table along one axis; `outcome` gives status and error from algorithm, value and trial."""

    def make(experiment, outcome):
        (axis,) = experiment["axes"]
        below = experiment["success"]["below"]
        rows = []
        for name in experiment["algorithms"]:
            for value in experiment["parameters"][axis]:
                for trial in range(experiment["trials"]):
                    status, error = outcome(name, value, trial)
                    rows.append((name, value, trial, status, error < below, error, error, 20))
        columns = ["algorithm", axis, "trial", "status", "success", "error", "observed_error", "iterations"]
        return pd.DataFrame(rows, columns=columns)

    return make
