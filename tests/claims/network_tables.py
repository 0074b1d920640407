"""Makers of made-up tables: curves of errors, final errors, levels, lines of success, starts."""

import numpy as np
import pandas as pd

from claims.chapter3_tables import outcomes


def cells_of(axes, trials):
    mesh = np.meshgrid(*axes.values(), range(trials), indexing="ij")
    return dict(zip([*axes, "trial"], (part.ravel() for part in mesh), strict=True))


def spread(trial, trials):
    """Return an order of the trials in which early and late ones are mixed."""
    return trial * (37 if trials % 37 else 1) % trials


def curves(axes, trials, laws, seed, bend=1.0, bent=1.0, target=1e-7):
    """Make a table of iterates; `laws`: algorithm -> (iterations per decade of the cells, end).

    The end of a trial is "converged", "diverged" or "iteration limit".
    """
    rng = np.random.default_rng(seed)
    cells = cells_of(axes, trials)
    n = len(cells["trial"])
    progress = np.concatenate([[0.0], np.linspace(0.02, -np.log10(target / 0.4), 80)])
    parts = []
    for name, (decade, end) in laws.items():
        power = np.where(rng.permutation(n) < bent * n, bend, 1.0)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            steps = np.where(power == 1, progress, (power**progress - 1) / (power - 1))
        iteration = np.ceil(np.asarray(decade)[:, None] * steps).astype(int)
        error = np.where((end == "converged")[:, None], 0.4 * 10**-progress, 0.4)
        part = {axis: np.repeat(values, len(progress)) for axis, values in cells.items()}
        part |= {"status": np.repeat(end, len(progress))}
        part |= {"iteration": iteration.ravel(), "error": error.ravel()}
        parts.append(pd.DataFrame({"algorithm": name, **part}))
    return pd.concat(parts, ignore_index=True)


def errors(axes, trials, law, algorithms, seed):
    """Make a table of errors, log-normal around `law`."""
    rng = np.random.default_rng(seed)
    cells = cells_of(axes, trials)
    parts = []
    for name in algorithms:
        middle = law(**{axis: cells[axis] for axis in axes})
        error = middle * np.exp(0.15 * rng.standard_normal(len(middle)))
        part = {"algorithm": name, **cells, "status": "iteration limit", "success": error < 1e-3}
        parts.append(pd.DataFrame({**part, "error": error, "iterations": 1000}))
    return pd.concat(parts, ignore_index=True)


def levels(trials, counts, shares, seed):
    """Make a table with the iterations until each level; `counts`: name -> per decade, without axes."""
    rng = np.random.default_rng(seed)
    luck = rng.standard_normal(trials)
    parts = []
    for name, (decade, bend, bent) in counts.items():
        own = decade * np.exp(0.2 * luck + 0.2 * rng.standard_normal(trials))
        power = np.where(rng.permutation(trials) < bent * trials, bend, 1.0)
        won = spread(np.arange(trials), trials) < shares.get(name, 1.0) * trials
        part = {"algorithm": name, "trial": np.arange(trials)}
        part |= {"status": np.where(won, "converged", "iteration limit"), "success": won}
        part |= {"error": np.where(won, 1e-6, 0.1), "iterations": 4000}
        done = np.zeros(trials)
        for level in range(1, 7):
            done = done + own * power**level
            part[f"iterations_1e-{level}"] = np.where(won, np.round(done), np.nan)
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def lines(axes, trials, places, along, width, seed):
    """Make a table of successes; `places`: algorithm -> where half succeed, of the cells."""
    laws = {
        name: lambda place=place, **cells: (cells[along] - place(**cells)) / width(**cells)
        for name, place in places.items()
    }
    return outcomes(axes, trials, laws, seed)


def starts(axis, sizes, names, share):
    axes = {axis: np.array(sizes)}
    cells = cells_of(axes, 20)
    parts = []
    for name in names:
        won = spread(cells["trial"], 20) < round(20 * (0.95 if name == "random_start" else share))
        parts.append(pd.DataFrame({"algorithm": name, **cells, "status": "converged", "success": won}))
    return axes, pd.concat(parts, ignore_index=True).assign(error=1e-7, iterations=100)


def decades(values, scale, power, spread, trials, seed):
    """Return iterations per decade that grow with `values`, and the ends of the trials."""
    rng = np.random.default_rng(seed)
    drawn = np.repeat(scale * np.asarray(values, dtype=float) ** power, trials)
    return drawn * np.exp(spread * rng.standard_normal(len(drawn)))
