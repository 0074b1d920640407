"""Measuring unit costs: a few trials on cells drawn at random from an experiment's grid."""

import math
import resource
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

import h5py
import yaml

from nonconvex.files import write_text
from nonconvex.pipeline.costs import COSTS
from nonconvex.pipeline.product import Product
from nonconvex.pipeline.roots import roots
from nonconvex.pipeline.work import cell_work
from nonconvex.problems.contract import family
from nonconvex.steps.seeds import generator
from nonconvex.study.cells import cells

SAMPLE = 16
FEWEST = 2
COPIES = 2  # of an instance's arrays, in the memory of a job that works on many instances together
ENOUGH = 30.0  # CPU seconds on one part, after which no further cell is tried


def sample_cells(experiment: Mapping, size: int = SAMPLE) -> list[dict]:
    """Return up to `size` cells of the grid, spread evenly over it, in a fixed random order."""
    grid = cells(experiment)
    rng = generator(f"cost|{experiment['experiment']}|{len(grid)}")
    count = min(size, len(grid))
    step = len(grid) / count
    chosen = [grid[int((i + offset) * step)] for i, offset in enumerate(rng.random(count))]
    return [chosen[i] for i in rng.permutation(count)]


def measure_experiment(
    products: Mapping[str, Product], experiment: Mapping, files: Mapping[str, Sequence[str]]
) -> dict[str, dict]:
    """Return the unit costs of an experiment's dataset and algorithms, measured in this process.

    `products` maps "dataset" and each algorithm to a product of one block; their plans are run on one sampled
    cell at a time, one trial each, until all cells are measured or half a minute has gone into the part.
    `files` says where recordings lie, by their sha256. Where the trials of a cell are worked on together,
    each further trial of a block takes `further_mb`. Where the family counts the arithmetic of a trial,
    `work` is that of the cells that were tried: what an algorithm's seconds go with, 0 of a dataset.
    """
    from nonconvex.steps.datasets import draw_block
    from nonconvex.steps.outcomes import run_block

    spent: dict[str, list[float]] = {part: [] for part in products}
    sizes: dict[str, list[int]] = {part: [] for part in products}
    work: dict[str, list[float]] = {part: [] for part in products}
    for product in products.values():  # imports are start-up, not unit cost
        for module in roots(product.kind, product.plan):
            import_module(module)
    with tempfile.TemporaryDirectory() as folder:
        for cell in sample_cells(experiment):
            dataset = Path(folder) / "dataset/0000-0000.h5"
            for part, product in products.items():
                if sum(spent[part]) > ENOUGH and len(spent[part]) >= FEWEST:
                    continue
                plan = dict(product.plan) | {"parameters": cell, "axes": [], "first": 0, "last": 0}
                path = dataset if part == "dataset" else Path(folder) / part / "0000-0000.h5"
                start = time.process_time()
                if part == "dataset":
                    draw_block(plan, "", path, files)
                else:
                    run_block(plan, "", dataset, path)
                spent[part].append(time.process_time() - start)
                sizes[part].append(_stored_bytes(path))
                work[part].append(0.0 if part == "dataset" else cell_work(experiment["family"], cell))
    scale = 1024**2 if sys.platform == "darwin" else 1024
    memory = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale)
    costs = {part: _summary(spent[part], sizes[part], memory) for part in products}
    if any(counted for counts in work.values() for counted in counts):
        for part, counts in work.items():
            costs[part]["work"] = float(f"{sum(counts) / len(counts):.3g}")
    together = [part for part, product in products.items() if _works_together(product.plan)]
    if together:
        further = _largest_instance_mb(products["dataset"].plan, files)
        for part in together:
            costs[part]["further_mb"] = math.ceil(COPIES * further)
    return costs


def _works_together(plan: Mapping) -> bool:
    return "method" in plan and family(plan["family"]).load_outcome().together is not None


def _largest_instance_mb(plan: Mapping, files: Mapping[str, Sequence[str]]) -> float:
    """Return the size of the arrays of the largest instance on the grid."""
    from nonconvex.steps.datasets import draw_block, open_dataset

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "0000-0000.h5"
        draw_block(dict(plan) | {"first": 0, "last": 0}, "", path, files)
        with open_dataset(path) as dataset:
            sizes = [
                sum(getattr(value, "nbytes", 0) for value in vars(instance).values())
                for *_, instance in dataset.instances()
            ]
    return max(sizes) / 1e6


def _stored_bytes(path: Path) -> int:
    """Return the bytes of a block's arrays, without what HDF5 adds and what all its trials share."""
    sizes = []

    def add(name: str, item: h5py.Group | h5py.Dataset) -> None:
        if isinstance(item, h5py.Dataset) and not name.startswith("shared/"):
            sizes.append(item.id.get_storage_size())

    with h5py.File(path, "r") as file:
        file.visititems(add)
    return sum(sizes)


def _summary(seconds: list[float], sizes: list[int], memory: int) -> dict:
    count = len(seconds)
    mean = sum(seconds) / count
    variance = sum((s - mean) ** 2 for s in seconds) / max(count - 1, 1)
    return {
        "seconds": float(f"{mean:.3g}"),
        "standard_error": float(f"{(variance / count) ** 0.5:.2g}"),
        "memory_mb": memory,
        "bytes": round(sum(sizes) / count),
        "cells_sampled": count,
    }


def keep(costs: Mapping, path: Path = COSTS) -> None:
    """Write the unit costs to workflow/costs.yaml."""
    head = "# CPU seconds, bytes and memory of one trial; written by: python -m nonconvex cost --measure\n"
    write_text(path, head + yaml.safe_dump(dict(costs), sort_keys=True))
