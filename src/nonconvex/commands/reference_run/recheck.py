"""Rechecking the reference after a change of code: rows computed again tell whether any number changed."""

import secrets
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pandas as pd

from nonconvex.commands.audit.again import computed
from nonconvex.commands.audit.audit import compared
from nonconvex.commands.audit.compare import DIFFERS, differences
from nonconvex.commands.audit.sample import ROW, all_rows, draw, row_costs
from nonconvex.commands.reference_run.keep import keep_entries
from nonconvex.commands.reference_run.then import computed_at, project_at
from nonconvex.errors import UserError
from nonconvex.pipeline.changes import changed_code, code_of
from nonconvex.pipeline.costs import read_costs
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.trials import with_trials
from nonconvex.reference.store import Reference, read_reference
from nonconvex.steps.provenance import commit

SAMPLE = 10
Experiments = Mapping[str, Mapping[str, Any]]


def recheck(
    pipeline: Pipeline, sample: int | None = None, seed: int | None = None, against: str | None = None
) -> int:
    """Compute rows of each experiment again whose code has changed; keep those that agree as today's.

    An experiment of which no row differs gets the digests of the code at hand, and a note of how many rows
    were compared. The others stay stale, as do those whose protocol has changed and those that are timed.

    Parameters
    ----------
    pipeline : Pipeline
        Of the plain scale thesis.
    sample : int, optional
        How many rows of each algorithm; 10 by itself.
    seed : int, optional
        Of the draw; a fresh one by itself.
    against : str, optional
        A commit with the code that made the reference. A row that differs is then computed by that code, too:
        where both agree on this machine, it was another machine that gave other numbers, and the row agrees.

    Returns
    -------
    int
        1 when a row differs, else 0.
    """
    size = SAMPLE if sample is None else sample
    if size < 1:
        raise UserError(f"SAMPLE must be a number of rows of each algorithm, at least 1, not {size}")
    reference = read_reference()
    reference.check()
    experiments = _changed(pipeline, reference)
    if not experiments:
        print("no experiment of the reference is such that only its code has changed")
        return 0
    seed = secrets.randbelow(10**6) if seed is None else seed
    rows = _drawn(reference, experiments, size, seed)
    print(f"{len(rows)} rows, drawn with SEED={seed}{_time(rows, experiments, pipeline)}", flush=True)
    with project_at(against) if against else nullcontext() as then:
        different = _different(reference, pipeline, experiments, rows, then)
    agreed = {
        name: {
            "code": code_of(experiments[name]),
            "rechecks": [
                *reference.experiments[name].get("rechecks", []),
                {"rows": int((rows["experiment"] == name).sum()), "seed": seed, "commit": commit()},
            ],
        }
        for name in experiments
        if name not in different
    }
    for name in different:
        print(f"{name} stays stale: {different[name]} of its rows differ")
    if agreed:
        keep_entries(pipeline, reference, agreed)
    return 1 if different else 0


def _changed(pipeline: Pipeline, reference: Reference) -> dict[str, dict[str, Any]]:
    """Return the experiments of which only the code has changed, with the trials kept; tell of timed ones."""
    there = {name: entry["trials"] for name, entry in reference.experiments.items() if pipeline.has(name)}
    then, found = with_trials(pipeline, there), {}
    for name in there:
        if lacking := pipeline.lacking(name):
            print(f"{name} stays as it is: {lacking}")
        elif changed_code(reference.experiments[name], then.experiment(name)):
            if then.experiment(name)["timed"]:
                print(f"{name} stays stale: what it holds are running times of other code")
            else:
                found[name] = then.experiment(name)
    return found


def _drawn(reference: Reference, experiments: Experiments, size: int, seed: int) -> pd.DataFrame:
    """Return rows of each algorithm that the change could touch, drawn at random."""
    parts = []
    for name, rows in all_rows(reference, experiments).groupby("experiment"):
        parted = changed_code(reference.experiments[str(name)], experiments[str(name)])
        for algorithm, own in rows.groupby("algorithm"):
            if {"dataset", "table", algorithm} & {*parted}:
                parts.append(own.iloc[draw(len(own), size, seed)])
    return pd.concat(parts).sort_values(["experiment", *ROW])


def _time(rows: pd.DataFrame, experiments: Experiments, pipeline: Pipeline) -> str:
    try:
        seconds = row_costs(rows, experiments, read_costs(pipeline.root)).sum()
    except UserError:
        return ", of which some were never measured"
    return f", about {seconds / 60:.0f} minutes on one core"


def _different(
    reference: Reference,
    pipeline: Pipeline,
    experiments: Experiments,
    rows: pd.DataFrame,
    then: Path | None,
) -> dict[str, int]:
    """Return how many rows differ of each experiment that has such; tell each."""
    found: dict[str, int] = {}
    files = pipeline.data_files()
    for name, own in rows.groupby("experiment"):
        one = {str(name): dict(experiments[str(name)])}
        wrong = 0
        keys = [(str(one), int(cell), int(trial)) for one, cell, trial in own[ROW].to_numpy()]
        for key, (row, judged, differ) in zip(keys, compared(reference, pipeline, one, own), strict=True):
            if judged != DIFFERS:
                continue
            told = "; ".join(f"{each.column}: kept {each.kept}, now {each.new}" for each in differ)
            if then is not None:
                kept = computed_at(then, str(name), key, reference.experiments[str(name)]["code"])
                if not differences(kept, computed(one[str(name)], *key, files)):
                    print(f"  {row}: as the code that made it gives here ({told})", flush=True)
                    continue
            wrong += 1
            print(f"  {row}: {told}", flush=True)
        print(f"{name}: {len(own) - wrong} of {len(own)} rows agree", flush=True)
        if wrong:
            found[str(name)] = wrong
    return found
