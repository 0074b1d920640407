"""Tables of chapter 7 made up for a figure's plan, at any scale: with the trends that the figures are about."""

import numpy as np
import pandas as pd


def made(plan):
    """Return a table for each experiment of a plan; a twentieth of the trials of mini-batches diverge."""
    makers = {
        "selftraining": _outcomes,
        "selftraining_landscape": _landscape,
        "selftraining_path": _paths,
        "generalisation": _generalisation,
    }
    return {name: makers[one["family"]](one) for name, one in plan["experiments"].items()}


def grid(experiment, most=12):
    """Return a row per algorithm, cell and trial, of at most `most` trials."""
    axes, trials = experiment["axes"], range(min(experiment["trials"], most))
    levels = [
        list(experiment["algorithms"]) or [""],
        *(experiment["parameters"][axis] for axis in axes),
        trials,
    ]
    rows = pd.MultiIndex.from_product(levels, names=["algorithm", *axes, "trial"]).to_frame(index=False)
    return rows if experiment["algorithms"] else rows.drop(columns="algorithm")


def _outcomes(experiment):
    rows = grid(experiment)
    every = rows.assign(**{k: v for k, v in experiment["parameters"].items() if k not in experiment["axes"]})
    ratio = every.get("labelled_ratio")
    if ratio is None:
        ratio = every["n_labelled"] / (every["n_neurons"] * every["n_features"])
    share = np.clip(1.4 - ratio, 0, None) + 1e-3
    root = np.where(every["n_unlabelled"] > 0, 1 / np.sqrt(np.maximum(every["n_unlabelled"], 1)), 0.05)
    moved = 1 + 0.05 * np.sin(1 + 5 * every["trial"])
    error = np.minimum(share * (0.5 + 4 * root) * moved, 0.6)
    bad = (np.arange(len(rows)) % 19 == 7) & (rows["algorithm"] != "full")
    return rows.assign(
        status=np.where(bad, "diverged", "converged"),
        success=~bad & (error < 1e-2),
        error=np.where(bad, 1e9, error),
        mixture_error=np.where(bad, 1e9, 0.9 * error),
        rate=np.where(bad, np.nan, 0.94 + 0.05 * share + 0.1 * root + 0.01 * (moved - 1)),
        iterations=100,
    )


def _landscape(experiment):
    rows = grid(experiment)
    parts = []
    for position in np.linspace(-0.5, 1.5, 81):
        without = rows["n_unlabelled"] == 0
        least = np.where(without, 1, 0.63 + 0.01 * rows["trial"])
        part = rows.assign(
            position=position,
            labelled_risk=0.6 * (position - 1) ** 2,
            weighted_risk=0.5 * (position - least) ** 2 + np.where(without, 0, 0.2),
            population_risk=0.7 * (position - 0.63) ** 2,
            half_generalisation=0.7 * (position - 1) ** 2,
            mixture_position=np.where(without, 1, 0.63),
        )
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _paths(experiment):
    parts = []
    for row in grid(experiment).to_dict("records"):
        rounds = np.arange(301)
        x, y = 0.1 + 0.4 * 0.97**rounds, 0.3 * (1 - 0.98**rounds) * (1 + 0.1 * row["trial"])
        off = 0.1 * (0.98**rounds - 0.98**300)
        error = np.sqrt(x**2 + y**2 + off**2)
        run = {"status": "converged", "round": rounds, "x": x, "y": y, "off_plane": off, "error": error}
        parts.append(pd.DataFrame({**row, **run, "mixture_x": 0.18}))
    return pd.concat(parts, ignore_index=True)


def _generalisation(experiment):
    rows = grid(experiment)
    power = 2 + 0.2 * (rows["n_layers"] - 1) * rows["distance"]
    gf = rows["distance"] ** power
    return rows.assign(gf=gf, root_gf=np.sqrt(gf), raw_gf=3 * gf)
