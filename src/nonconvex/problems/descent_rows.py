"""What is kept of a descent: rows of a table, and error curves, for networks of every kind."""

from collections.abc import Sequence

import numpy as np

from nonconvex.networks.descent import Descent
from nonconvex.networks.distances import aligned_error
from nonconvex.problems.contract import Row

LEVELS = {"1e-1": 1e-1, "1e-2": 1e-2, "1e-3": 1e-3, "1e-4": 1e-4, "1e-5": 1e-5, "1e-6": 1e-6}
"""The relative errors whose first iteration is kept, by what they are called in a column's name."""

COLUMNS = {
    "status": "S16",
    "error": "f8",
    "aligned_error": "f8",
    "iterations": "i8",
    **{f"iterations_{name}": "f8" for name in LEVELS},
}
HISTORY = {"iteration": "i8", "error": "f8"}


def levels(target: float | None) -> list[float]:
    """Return the levels that a run which ends below `target` can reach."""
    return [level for level in LEVELS.values() if target is None or level >= target]


def rows(run: Descent, truth: np.ndarray, v: np.ndarray | None = None) -> list[Row]:
    """Return one row per trial, with the names of `COLUMNS`.

    `error` is the relative error as printed, `aligned_error` the one after the best permutation of neurons
    with equal output weights `v`. A level that the trial did not reach has nan: censored at `iterations`.
    """
    aligned = aligned_error(run.weights, truth, v)
    reached = np.full((len(run.error), len(LEVELS)), np.nan)
    reached[:, : run.reached.shape[1]] = np.where(run.reached < 0, np.nan, run.reached)
    return [
        {
            "status": str(run.status[i]),
            "error": float(run.error[i]),
            "aligned_error": float(aligned[i]),
            "iterations": int(run.iterations[i]),
            **{f"iterations_{name}": float(at) for name, at in zip(LEVELS, reached[i], strict=True)},
        }
        for i in range(len(run.error))
    ]


def recorded(max_iterations: int, every: int) -> list[int]:
    """Return the iterations whose error a curve keeps: the first `every`, then every `every`-th."""
    return [*range(min(every, max_iterations + 1)), *range(every, max_iterations + 1, every)]


def curves(run: Descent, record: Sequence[int]) -> list[dict[str, np.ndarray]]:
    """Return, per trial, iterations and errors at `record` while the trial ran, and at its end."""
    at = np.array(record)
    found = []
    for history, last, error in zip(run.history, run.iterations, run.error, strict=True):
        before = at < last
        found.append({"iteration": np.append(at[before], last), "error": np.append(history[before], error)})
    return found
