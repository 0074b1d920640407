"""What a run costs, from unit costs measured on a sample of cells, before anyone spends it.

``workflow/costs.yaml`` holds, per experiment, scale and algorithm, the mean CPU seconds of a trial over cells
drawn at random from the scale's grid, its standard error, and the memory of the process. `cost` multiplies
them by cells and trials.
"""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from nonconvex.pipeline.work import trial_work
from nonconvex.study.blocks import block_range
from nonconvex.study.cells import cells
from nonconvex.validation import read_yaml

COSTS = Path("workflow/costs.yaml")
START_UP = 0.5  # CPU seconds of a job before it computes: the interpreter, imports, Snakemake's share
TABLE = 1.0e-4  # CPU seconds a row
FIGURE = 2.5  # CPU seconds a figure
MARGIN = 4  # runtime limits are this many times the expected time
LEAST = 5  # minutes; no runtime limit is shorter
SHORT = 240  # seconds; outcomes that take less share one job of a cluster
BASE_MEMORY = 160  # MB of a process that has imported the library
FILE, CELL = 8000, 1300  # bytes that HDF5 adds to a block file, and to a cell of a dataset block


def read_costs(root: Path = Path()) -> dict:
    """Return the measured unit costs: experiment -> scale -> {"dataset": ..., algorithm: ...}."""
    path = root / COSTS
    return (read_yaml(path) or {}) if path.is_file() else {}


def unit_cost(costs: Mapping, experiment: Mapping, part: str) -> Mapping | None:
    """Return the measured unit cost of an algorithm (or "dataset") on an experiment, or None.

    An overlay's folder has its own entry when it was measured; else its scale's stands in. Where neither was,
    and the family counts the arithmetic of a trial, the largest scale that was measured tells its seconds.
    """
    scales = costs.get(experiment["experiment"], {})
    for scale in (experiment["scale"], experiment["scale"].partition("-")[0]):
        if part in scales.get(scale, {}):
            return scales[scale][part]
    counted = [parts[part] for parts in scales.values() if "work" in parts.get(part, {})]
    return _scaled(max(counted, key=lambda unit: unit["work"]), experiment) if counted else None


def _scaled(unit: Mapping, experiment: Mapping) -> Mapping:
    """Return a unit cost of another scale with as many times the seconds as a trial has the arithmetic."""
    times = trial_work(experiment) / len(cells(experiment)) / unit["work"] if unit["work"] else 1
    seconds = {key: times * unit[key] for key in ("seconds", "standard_error")}
    return {**unit, **seconds, "extrapolated": "by the arithmetic of a trial"}


def job_limits(unit: Mapping | None, experiment: Mapping, trials: int) -> dict:
    """Return the memory and runtime that a job of `trials` trials of every cell should reserve.

    ``short`` tells whether it should share one job of a cluster with others; a timed one never does.
    """
    if unit is None:
        return {"memory_mb": 1000, "minutes": 60, "short": False}
    seconds = START_UP + unit["seconds"] * trials * len(cells(experiment))
    return {
        "memory_mb": 100 * math.ceil(1.5 * _memory(unit, trials) / 100),
        "minutes": max(LEAST, math.ceil(MARGIN * seconds / 60)),
        "short": seconds < SHORT and not experiment["timed"],
    }


def _memory(unit: Mapping, trials: int) -> float:
    """Return the memory (MB) of a job of so many trials of every cell."""
    return unit["memory_mb"] + unit.get("further_mb", 0) * (trials - 1)


def estimate(experiment: Mapping, costs: Mapping) -> dict:
    """Return cells, jobs, core-seconds, longest job, disk (MB) and memory (MB) of one experiment.

    ``blocks`` has, for the dataset and for each algorithm, how many jobs there are and the seconds of each.
    """
    grid, trials = len(cells(experiment)), experiment["trials"]
    parts = {"dataset": experiment} | experiment["algorithms"]
    row = {"cells": grid, "trials": trials, "jobs": 1, "seconds": 0.0, "error": 0.0, "longest": 0.0}
    row |= {"disk_mb": 0.0, "memory_mb": BASE_MEMORY, "unmeasured": [], "extrapolated": [], "methods": {}}
    row["blocks"] = {}
    for part, entry in parts.items():
        count, block = entry["trials"], entry["block"]
        jobs = math.ceil(count / block)
        row["jobs"] += jobs
        unit = unit_cost(costs, experiment, part)
        if unit is None:
            row["unmeasured"].append(part)
            continue
        if "extrapolated" in unit:
            row["extrapolated"].append(part)
        spent = jobs * START_UP + unit["seconds"] * grid * count
        row["blocks"][part] = jobs, spent / jobs
        row["seconds"] += spent
        if part != "dataset":
            method = experiment["algorithms"][part]["method"]
            row["methods"][method] = row["methods"].get(method, 0.0) + spent
        row["error"] = math.hypot(row["error"], unit["standard_error"] * grid * count)
        row["longest"] = max(row["longest"], START_UP + unit["seconds"] * grid * min(block, count))
        row["disk_mb"] += (unit["bytes"] * grid * count + jobs * FILE) / 1e6
        if part == "dataset":
            row["disk_mb"] += jobs * grid * CELL / 1e6
        row["memory_mb"] = max(row["memory_mb"], _memory(unit, min(block, count)))
        row["seconds"] += TABLE * grid * count if part != "dataset" else 0
    return row


def blocks_cost(
    experiment: Mapping, blocks: Mapping[str, Iterable[str]], costs: Mapping
) -> tuple[float, list[str]]:
    """Return the core-seconds of some blocks and their table, and the parts whose cost was not measured.

    `blocks` has names of blocks for the dataset and for each algorithm.
    """
    seconds, unmeasured, grid = START_UP, [], len(cells(experiment))
    for part, names in blocks.items():
        trials = [1 + last - first for first, last in map(block_range, names)]
        unit = unit_cost(costs, experiment, part)
        if unit is None:
            unmeasured += [part] if trials else []
            continue
        seconds += len(trials) * START_UP + unit["seconds"] * grid * sum(trials)
        seconds += TABLE * grid * sum(trials) if part != "dataset" else 0
    return seconds, unmeasured
