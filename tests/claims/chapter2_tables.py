"""Made-up tables of Figures 2.5 to 2.11, in which everything is as the thesis says."""

import numpy as np
import pandas as pd

OUTCOME = ["status", "success", "error", "observed_error", "iterations"]
COMPARED = ["am_fiht_beta0", "am_fiht", "ram_fiht", "fiht", "fiht_guard", "svt_x", "svt_h"]
LOSSES = [0.2, 0.35, 0.5, 0.65]
NOISES = [0.01, 0.02, 0.04, 0.08, 0.12, 0.16, 0.2]
PMU = ["am_fiht_beta0", "am_fiht", "ram_fiht", "fiht"]
PMU_LOSSES = [0.3, 0.4, 0.45, 0.55, 0.6, 0.8]


def outcomes(axis, levels, trials, methods, seed):
    """Make a table; `methods` maps an algorithm to f(level) -> (error, iterations, share that converges)."""
    rng = np.random.default_rng(seed)
    rows = []
    for name, law in methods.items():
        for level in levels:
            error, iterations, share = law(level)
            fate = rng.permutation(trials) < round(share * trials)
            errors = np.where(fate, error * np.exp(0.05 * rng.standard_normal(trials)), np.inf)
            counts = np.maximum(1, np.round(iterations * np.exp(0.05 * rng.standard_normal(trials)))).astype(
                int
            )
            for trial in range(trials):
                status = "converged" if fate[trial] else "diverged"
                success = bool(errors[trial] < 1e-3)
                rows.append(
                    (name, level, trial, status, success, errors[trial], errors[trial], counts[trial])
                )
    return pd.DataFrame(rows, columns=["algorithm", axis, "trial", *OUTCOME])


def iterates(levels, trials, methods, seed):
    """Make a table of iterates; `methods`: name -> (seconds per iterate, decades per iterate, number of them)."""
    rng = np.random.default_rng(seed)
    parts = []
    for name, (each, decades, number) in methods.items():
        for level in levels:
            for trial in range(trials):
                k = np.arange(number + 1)
                speed = np.exp(0.05 * rng.standard_normal())
                part = {"algorithm": name, "p": level, "trial": trial, "status": "converged", "iteration": k,
                        "seconds": (k + 0.1) * each * speed, "cpu_seconds": (k + 0.1) * each * speed,
                        "error": 10.0 ** (-decades * k)}  # fmt: skip
                parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def experiment(axes, algorithms, **more):
    return {"scale": "thesis", "axes": list(axes), "parameters": axes, "algorithms": {name: {} for name in algorithms},
            "seed": 2021, "differs": [], **more}  # fmt: skip


def _comparison(mode):
    fiht = (1e-4, 90, 1.0) if mode < 3 else (0.2, 90, 1.0)
    laws = {"am_fiht_beta0": (2e-6, 60, 0.7), "am_fiht": (1e-6, 40, 1.0), "ram_fiht": (1e-6, 40, 1.0),
            "fiht": (*fiht[:2], 0.5), "svt_x": (0.6, 200, 1.0), "svt_h": (1e-3, 300, 1.0)}  # fmt: skip
    laws["fiht_guard"] = laws["fiht"]
    # All converge but at the highest loss.
    return {
        name: lambda p, law=law: (*law[:2], law[2] if p == LOSSES[0] else 1.0) for name, law in laws.items()
    }


def _noise(mode):
    worse = {
        "am_fiht_beta0": 1.3,
        "am_fiht": 1,
        "ram_fiht": 1,
        "fiht": 1.5 if mode < 3 else 10,
        "fiht_guard": 1.5 if mode < 3 else 10,
        "svt_x": 4,
        "svt_h": 2,
    }
    return {name: lambda x, factor=factor: (0.35 * factor * x, 50, 1.0) for name, factor in worse.items()}


def _pmu(mode, rank):
    def slow(p):
        return 0.002, 80, 1.0 if p > 0.5 else 0.05

    def am(p):
        return 0.002, 47, 1.0 if p > 0.4 else 0.3 if p > 0.35 else 0.0

    def ram(p):
        return 0.0025 if mode == 1 else 0.002, 47, 0.9 if mode == 1 and p == 0.4 else am(p)[2]

    laws = {
        "am_fiht_beta0": slow,
        "am_fiht": am,
        "ram_fiht": ram,
        "fiht": lambda p: (0.5, 100, float(p > 0.5)),
    }
    laws = {f"{name}_r{rank}": law for name, law in laws.items()}
    return laws | {f"fiht_r{rank}_guard": laws[f"fiht_r{rank}"]}


def world():
    """Return the experiments and their tables."""
    experiments, tables = {}, {}

    def add(name, axes, algorithms, table, **more):
        experiments[name], tables[name] = experiment(axes, algorithms, **more), table

    for mode in (1, 2, 3):
        add(
            f"comparison_mode{mode}",
            {"p": LOSSES},
            COMPARED,
            outcomes("p", LOSSES, 30, _comparison(mode), mode),
        )
        add(
            f"noise_mode{mode}",
            {"noise": NOISES},
            COMPARED,
            outcomes("noise", NOISES, 30, _noise(mode), 10 + mode),
        )
        laws = _pmu(mode, 8) | _pmu(mode, 2)
        laws |= {"fiht_r2_n150": lambda p: (0.5, 100, 0.0), "svt_h": lambda p: (0.05, 400, 1.0)}
        table = outcomes("p", PMU_LOSSES, 100, laws, 20 + mode)
        table["success"] = table["error"] <= 1e-2
        add(f"pmu_mode{mode}", {"p": PMU_LOSSES}, laws, table)
    add("noise_circular", {"noise": NOISES}, COMPARED, outcomes("noise", NOISES, 30, _noise(1), 14))
    shares = {0.35: 1, 0.3: 1, 0.25: 1, 0.2: 22 / 30, 0.15: 0.2}
    laws = {
        "am_fiht_beta0": lambda p: (1e-6, 60, shares[p]),
        "am_fiht": lambda p: (1e-6, 40, max(0.8, shares[p]) if p < 0.2 else 1.0),
    }
    add("full_size_am", {"p": list(shares)}, laws, outcomes("p", list(shares), 30, laws, 31))
    add(
        "full_size_fiht",
        {"p": [0.35]},
        ["fiht", "fiht_guard"],
        outcomes("p", [0.35], 30, dict.fromkeys(["fiht", "fiht_guard"], lambda p: (1e-5, 90, 26 / 30)), 32),
    )
    timed = {"am_fiht_beta0": (0.2, 0.1, 75), "am_fiht": (0.2, 0.15, 50), "ram_fiht": (0.2, 0.15, 50)}
    timed |= dict.fromkeys(["fiht", "fiht_guard"], (0.3, 0.08, 90))
    timed |= {"svt_x": (0.5, 0.001, 200), "svt_h": (1.0, 0.05, 105)}
    add("timing", {"p": [0.5, 0.2]}, timed, iterates([0.5, 0.2], 10, timed, 33))
    timed = {"am_fiht_r8": (0.013, 0.1, 47), "am_fiht_r2": (0.013, 0.1, 47), "svt_h": (0.014, 0.01, 400)}
    add("pmu_timing", {"p": [0.45]}, timed, iterates([0.45], 10, timed, 34))
    # The data matrix of 20 channels has full rank; its name in the table may be either.
    ranks = pd.DataFrame({"trial": range(30), "rank_x": 20, "rank_data": 20})
    add("data_rank", {}, [], ranks, trials=30)
    cells = [(n1, rank) for n1 in (1, 8, 32) for rank in (1, 2, 8)]
    errors = pd.DataFrame([(n1, rank, 1e-2 / rank**2) for n1, rank in cells], columns=["n1", "rank", "error"])
    add("pmu_rank_errors", {"n1": [1, 8, 32], "rank": [1, 2, 8]}, [], errors)
    return experiments, tables
