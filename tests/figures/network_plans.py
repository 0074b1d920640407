"""Small plans and tables of the kinds that show networks."""

import numpy as np
import pandas as pd

SIZES = {"n_neurons": 5, "n_patches": 5, "patch_size": 10}
WORDS = {"n_samples": ["number of samples", "N"], "noise": ["noise level", r"\sigma/E_y"]}
LEVELS = [f"iterations_1e-{k}" for k in range(1, 7)]


def experiment(name, parameters, algorithms=("agd",), trials=4):
    values = {**SIZES, "n_samples": 200, **parameters}
    values = {key: value for key, value in values.items() if value is not None}
    return {
        "experiment": name, "chapter": "4", "scale": "preview", "title": f"title of {name}",
        "family": "convolutional", "parameters": values,
        "axes": [key for key, value in values.items() if isinstance(value, list)],
        "sources": dict.fromkeys(values, "stated") | dict.fromkeys(parameters, "chosen"),
        "differs": [], "thesis": {}, "trials": trials, "block": 4, "seed": 1,
        "algorithms": {one: {"method": "descend", "label": one.upper()} for one in algorithms},
        "success": {"column": "error", "below": 1e-6}, "words": WORDS,
    }  # fmt: skip


def plan(kind, experiments, **options):
    return {
        "figure": "4.6", "kind": kind, "title": "A figure of the chapter", "caption": "Of something.",
        "scale": "preview", "chapter": "4", "options": options,
        "experiments": {one["experiment"]: one for one in experiments},
    }  # fmt: skip


def outcomes(one, ending):
    """Make a table; `ending` gives (status, error, iterations) from the row's algorithm, axes and trial."""
    grid = pd.MultiIndex.from_product(
        [list(one["algorithms"]), *(one["parameters"][axis] for axis in one["axes"]), range(one["trials"])],
        names=["algorithm", *one["axes"], "trial"],
    ).to_frame(index=False)
    ends = [ending(**row) for row in grid.to_dict("records")]
    table = grid.assign(
        status=[status for status, _, _ in ends],
        success=[status == "converged" and error < 1e-6 for status, error, _ in ends],
        error=[error for _, error, _ in ends],
        iterations=[count for _, _, count in ends],
    )
    for power, column in enumerate(LEVELS, start=1):
        table[column] = np.where(table["error"] < 10.0**-power, power * table["iterations"] / 6, np.nan)
    return table


def histories(one, rate):
    """Make a table of iterates at 0, 1, 2, 10, 20, ..., falling by `rate` (of algorithm, axes, trial)."""
    rows = []
    for row in outcomes(one, lambda **_: ("converged", 1e-7, 1)).to_dict("records"):
        key = {name: row[name] for name in ("algorithm", *one["axes"], "trial")}
        speed = rate(**key)
        last = 200 if speed >= 1 else int(np.log(2e-6) / np.log(speed))
        last = 8 if speed > 2 else last
        status = "diverged" if speed > 2 else "converged" if speed < 1 else "iteration limit"
        for at in [k for k in (0, 1, 2, *range(10, 200, 10)) if k < last] + [last]:
            rows.append({**key, "status": status, "iteration": at, "error": 0.5 * speed**at})
    return pd.DataFrame(rows)


def transition(factor):
    def ending(samples_ratio, trial, **_):
        good = samples_ratio > factor + 0.1 * (trial - 1.5)
        return ("converged", 1e-7, 600) if good else ("stalled", 0.2, 1100)

    return ending


def drawn(kind):
    """A small figure of each kind: plan and tables."""
    if kind == "network_schematic":
        return plan(kind, [], network="convolutional"), {}
    if kind in ("progress_curves", "step_outcomes"):
        if kind == "progress_curves":
            one = experiment("speed", {"n_neurons": [2, 4]})
            tables = {
                "speed": histories(one, lambda n_neurons, trial, **_: 0.9 + 0.01 * n_neurons + 0.01 * trial)
            }
            return plan(kind, [one], by="n_neurons", example=0), tables
        one = experiment("steps", {}, ("agd_2", "gd_2", "agd_3", "gd_3"))
        speeds = {"agd_2": 0.9, "gd_2": 0.95, "agd_3": 0.85, "gd_3": 3.0}
        panels = [
            {"title": "(a)", "algorithms": ["agd_2", "gd_2"]},
            {"title": "(b)", "algorithms": ["agd_3", "gd_3"]},
        ]
        looks = {"agd_2": "agd", "agd_3": "agd", "gd_2": "gd", "gd_3": "gd"}
        bars = [{"title": "all", "algorithms": list(speeds)}]
        tables = {"steps": histories(one, lambda algorithm, trial: speeds[algorithm])}
        return plan(kind, [one], examples=panels, bars=bars, looks=looks), tables
    if kind == "level_curves":
        one = experiment("levels", {}, ("agd", "gd"), trials=10)
        slow = {"agd": 300, "gd": 900}

        def ending(algorithm, trial):
            stuck = algorithm == "gd" and trial > 7
            return ("iteration limit", 0.05, 6000) if stuck else ("converged", 9e-7, slow[algorithm] + trial)

        return plan(kind, [one]), {"levels": outcomes(one, ending)}
    if kind == "sample_errors":
        one = experiment("noisy", {"n_samples": None, "samples_ratio": [0.5, 1, 2, 10], "noise": [0, 0.1]})

        def ending(noise, samples_ratio, trial, **_):
            return "iteration limit", (noise + (samples_ratio < 1)) / samples_ratio * (1 + 0.1 * trial), 1000

        return plan(kind, [one], by="noise", x="samples_ratio", floor=1e-8), {"noisy": outcomes(one, ending)}
    one = experiment(
        "region", {"patch_size": [10, 20], "n_samples": None, "samples_ratio": [0.8, 1.0, 1.2, 1.5]}
    )
    table = {"region": outcomes(one, transition(1.1))}
    if kind == "success_curves":
        return plan(kind, [one], by="patch_size", x="samples_ratio"), table
    return plan(kind, [one], x="patch_size", y="samples_ratio"), table
