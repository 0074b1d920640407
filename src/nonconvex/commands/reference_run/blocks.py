"""Blocks of outcomes, to and from the reference run: what a table does not hold of them is kept beside it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nonconvex.commands.reference_run.sketch import Sketch, same_draw, sketch
from nonconvex.pipeline.product import Product
from nonconvex.problems.contract import Outcome, family
from nonconvex.reference.store import Reference
from nonconvex.steps.block_file import content_sha256, open_block, read_array
from nonconvex.steps.datasets import dataset_identity
from nonconvex.steps.outcome_file import write_outcomes
from nonconvex.steps.provenance import read_sidecar
from nonconvex.study.cells import cells

KEY = ["algorithm", "cell", "trial"]
_EACH = ("commit", "cpu_seconds")


def block_facts(products: Iterable[Product]) -> dict[str, Any]:
    """Return the datasets that blocks of outcomes stand on, why trials were refused, and who made the blocks.

    ``datasets`` has the sha256 of each dataset block's content by its name, ``sketches`` what tells its draws
    from others on any processor; ``reasons`` the words by "algorithm/cell/trial"; ``made`` commit, CPU
    seconds and the number of the machine by block; ``machines`` what the sidecars say besides.
    """
    datasets: dict[str, str] = {}
    sketches: dict[str, Sketch] = {}
    reasons: dict[str, str] = {}
    made: dict[str, dict[str, Any]] = {}
    machines: list[dict[str, Any]] = []
    for product in products:
        path = product.outputs[0]
        if product.kind == "outcomes":
            with open_block(path, "outcomes") as file:
                datasets[Path(product.inputs[0]).stem] = json.loads(file.attrs["dataset"])["sha256"]
                if Path(product.inputs[0]).stem not in sketches:
                    sketches[Path(product.inputs[0]).stem] = sketch(product.inputs[0])
                columns = [
                    read_array(file["outcomes"], name).tolist() for name in ("cell", "trial", "reason")
                ]
            for cell, trial, reason in zip(*columns, strict=True):
                if reason:
                    reasons[f"{product.plan['algorithm']}/{cell}/{trial}"] = reason.decode()
        facts = read_sidecar(path)
        machine = {
            k: v for k, v in facts.items() if k not in (*_EACH, "digest", "wall_seconds", "peak_memory_mb")
        }
        if machine not in machines:
            machines.append(machine)
        made[short_name(product)] = {key: facts[key] for key in _EACH if key in facts} | {
            "machine number": machines.index(machine)
        }
    return {
        "datasets": datasets,
        "sketches": sketches,
        "reasons": reasons,
        "made": made,
        "machines": machines,
    }


def short_name(product: Product) -> str:
    """Return the name of a block from the results folder on: ``outcomes/sap_m1b1/sap/0000-0009.h5``."""
    return str(Path(*Path(product.outputs[0]).parts[2:]))


def outcomes_of(products: Iterable[Product]) -> pd.DataFrame | None:
    """Return the outcomes in blocks whose table holds iterates, a row a trial; None for other blocks."""
    parts = []
    for product in products:
        if product.kind != "outcomes" or family(product.plan["family"]).load_outcome().history is None:
            continue
        with open_block(product.outputs[0], "outcomes") as file:
            columns = {name: read_array(file["outcomes"], name) for name in file["outcomes"]}
            columns["length"] = read_array(file["histories"], "length")
        text = {n: [v.decode() for v in a.tolist()] for n, a in columns.items() if a.dtype.kind == "S"}
        frame = pd.DataFrame(columns | text).drop(columns="reason")
        parts.append(frame.assign(algorithm=product.plan["algorithm"]))
    if not parts:
        return None
    joined = pd.concat(parts, ignore_index=True).sort_values(KEY, ignore_index=True)
    return joined[[*KEY, *(name for name in joined if name not in KEY)]]


class Kept:
    """What the reference holds of an experiment's outcomes, to be written as blocks again."""

    def __init__(self, reference: Reference, experiment: str) -> None:
        self.made = reference.made(experiment)
        self._table = with_cells(reference.table(experiment), self.made["plan"])
        self._outcomes = reference.outcomes(experiment)

    def stands_on(self, dataset: str) -> bool:
        """Tell whether a dataset block drawn here is the one that the outcomes stand on.

        The last bits of its floats may be others, where the reference has a sketch of it.
        """
        name = Path(dataset).stem
        if self.made["datasets"].get(name) == content_sha256(dataset):
            return True
        kept = self.made.get("sketches", {}).get(name)
        return kept is not None and same_draw(kept, sketch(dataset))

    def write(self, product: Product) -> None:
        """Write a block of outcomes, as the step wrote it; its dataset block must be there."""
        kept = family(product.plan["family"]).load_outcome()
        histories: list[Mapping[str, np.ndarray]] = []
        part = self._part(self._table, product)
        if self._outcomes is None:
            rows = list(self._rows(part, product, kept))
        else:
            outcomes = self._part(self._outcomes, product)
            rows = list(self._rows(outcomes, product, kept))
            histories = self._histories(part, outcomes["length"], kept)
        write_outcomes(
            product.outputs[0],
            product.plan,
            product.digest,
            dataset_identity(product.inputs[0]),
            kept,
            rows,
            histories,
        )

    def _part(self, table: pd.DataFrame, product: Product) -> pd.DataFrame:
        plan = product.plan
        mine = (table["algorithm"] == plan["algorithm"]) & table["trial"].between(plan["first"], plan["last"])
        return table.loc[mine]

    def _rows(self, part: pd.DataFrame, product: Product, kept: Outcome) -> Iterator[dict[str, Any]]:
        for row in part[["cell", "trial", *kept.columns]].to_dict("records"):
            name = f"{product.plan['algorithm']}/{row['cell']}/{row['trial']}"
            yield {**row, "reason": self.made["reasons"].get(name, "")}

    def _histories(
        self, part: pd.DataFrame, lengths: pd.Series, kept: Outcome
    ) -> list[Mapping[str, np.ndarray]]:
        ends = np.cumsum(lengths)[:-1]
        columns = {name: np.split(part[name].to_numpy(), ends) for name in kept.history or ()}
        return [{name: column[i] for name, column in columns.items()} for i in range(len(lengths))]


def with_cells(table: pd.DataFrame, plan: Mapping[str, Any]) -> pd.DataFrame:
    """Return a table of outcomes with the number of each row's cell."""
    numbers = {tuple(cell[axis] for axis in plan["axes"]): i for i, cell in enumerate(cells(plan))}
    keys = table[plan["axes"]].itertuples(index=False, name=None)
    return table.assign(cell=[numbers[key] for key in keys])
