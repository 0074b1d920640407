"""What is kept of a descent: rows of a table, and error curves, for networks of every kind."""

import inspect
from collections.abc import Callable, Mapping

import numpy as np

from nonconvex.networks.arguments import positive_integer
from nonconvex.networks.descent import Descent
from nonconvex.networks.errors import aligned_error
from nonconvex.study.errors import nearest

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


def step_options(options: Mapping, train: Callable) -> dict:
    """Check the names of the options that `train` takes, and return those that make up the step.

    Raises
    ------
    ValueError
        For an option that `train` does not take.
    """
    known = [p.name for p in inspect.signature(train).parameters.values() if p.kind is p.KEYWORD_ONLY]
    known.remove("record")
    for name in options:
        if name not in known:
            raise ValueError(
                f"there is none called '{name}' (known: {', '.join(known)}){nearest(name, known)}"
            )
    if "max_iterations" in options:
        positive_integer("max_iterations", options["max_iterations"])
    return {name: options[name] for name in ("rule", "factor", "beta") if name in options}


def without(options: Mapping, name: str) -> dict:
    """Return the options but for one."""
    return {key: value for key, value in options.items() if key != name}


def levels(target: float | None) -> list[float]:
    """Return the levels that a run which ends below `target` can reach."""
    return [level for level in LEVELS.values() if target is None or level >= target]


def rows(run: Descent, truth: np.ndarray, v: np.ndarray | None = None) -> list[dict]:
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


def failed() -> dict:
    """Return the row of a trial that could not be run: it counts as a failure, never as missing."""
    return {
        "status": "failed",
        "error": np.nan,
        "aligned_error": np.nan,
        "iterations": 0,
        **dict.fromkeys((f"iterations_{name}" for name in LEVELS), np.nan),
    }


def recorded(max_iterations: int, every: int) -> list[int]:
    """Return the iterations whose error a curve keeps: the first `every`, then every `every`-th."""
    return [*range(min(every, max_iterations + 1)), *range(every, max_iterations + 1, every)]


def curves(run: Descent, record: list[int]) -> list[Mapping[str, np.ndarray]]:
    """Return, per trial, iterations and errors at `record` while the trial ran, and at its end."""
    at = np.array(record)
    found = []
    for history, last, error in zip(run.history, run.iterations, run.error, strict=True):
        before = at < last
        found.append({"iteration": np.append(at[before], last), "error": np.append(history[before], error)})
    return found
