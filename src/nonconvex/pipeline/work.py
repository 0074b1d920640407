"""The arithmetic of experiments whose families count it: what it takes of a GPU that nobody has measured."""

from collections.abc import Mapping
from typing import Any

from nonconvex.problems.contract import family
from nonconvex.study.cells import cells

MANY = 1e14
"""Multiply-accumulates of a job, about two hours of one core, from which it asks a cluster for a GPU."""

MEMORY = 16_000
"""MB that a job with a GPU asks for besides the GPU's own: images of the mined set, copied once or twice."""

SPEEDS = {"10 TFLOP/s": 10e12, "40 TFLOP/s": 40e12, "100 TFLOP/s": 100e12}
"""What an old GPU in single precision, one of 2017 and one of 2020 in mixed precision can keep up."""


def cell_work(name: str, cell: Mapping[str, Any]) -> float:
    """Return the multiply-accumulates of one trial of a cell; 0 where the family does not count them."""
    count = family(name).load_data().work
    return 0.0 if count is None else count(cell)


def trial_work(experiment: Mapping[str, Any]) -> float:
    """Return the multiply-accumulates of one trial of every cell; 0 where the family does not count them."""
    return sum(cell_work(experiment["family"], cell) for cell in cells(experiment))


def protocol(entry: Mapping[str, Any], scale: str) -> dict[str, Any]:
    """Return what `trial_work` and `gpu_hours` read of an experiment's entry, whatever data are at hand."""
    values = {key: value.get(scale, value["thesis"]) for key, value in entry["parameters"].items()}
    trials = entry["trials"].get(scale, entry["trials"]["thesis"])
    return {
        "family": entry["family"],
        "parameters": values,
        "axes": [key for key, value in values.items() if isinstance(value, list)],
        "algorithms": {name: {"trials": trials} for name in entry.get("algorithms", {})},
    }


def wants_gpu(experiment: Mapping[str, Any], trials: int) -> bool:
    """Tell whether a job of so many trials of every cell should ask a cluster for a GPU."""
    return trials * trial_work(experiment) > MANY


def gpu_hours(experiment: Mapping[str, Any]) -> dict[str, float]:
    """Return the hours of a GPU that all trials of all algorithms take, by its speed."""
    trials = sum(one["trials"] for one in experiment["algorithms"].values())
    flops = 2 * trials * trial_work(experiment)
    return {name: flops / speed / 3600 for name, speed in SPEEDS.items()}
