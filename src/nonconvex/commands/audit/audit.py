"""The audit: rows of the reference drawn at random, computed again on this machine, and compared."""

import secrets
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from nonconvex.commands.audit.again import computed
from nonconvex.commands.audit.compare import COUNTS, DIFFERS, UNSTABLE, Difference, differences, verdict
from nonconvex.commands.audit.sample import ROW, affordable, all_rows, draw, numbered, row_costs
from nonconvex.errors import UserError
from nonconvex.pipeline.changes import changes
from nonconvex.pipeline.costs import read_costs
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.trials import with_trials
from nonconvex.reference.store import FOLDER, LIST, Reference, read_reference
from nonconvex.study.cells import cells
from nonconvex.study.config import Config

SAMPLE = 50
SEVERAL = 4
CONFIDENCE = 0.95
_OTHERS = {
    COUNTS: "took another number of iterations to the same end",
    UNSTABLE: "did not come to rest either time, with the same status and success and other numbers",
}
Experiments = dict[str, dict[str, Any]]


def audit(sample: int | None = None, seed: int | None = None, minutes: float | None = None) -> int:
    """Compute rows of the reference again and tell what differs; return 1 when a row does, else 0.

    Parameters
    ----------
    sample : int, optional
        How many rows; 50 by itself. With `minutes`, the most.
    seed : int, optional
        Of the draw. A fresh one by itself: nobody can know beforehand which rows are drawn.
    minutes : float, optional
        As many rows as are expected to take so long on one core.

    Raises
    ------
    UserError
        When the reference is missing, altered or of another version, has a row of something that there is
        not, or has nothing that could be audited.
    """
    _check(sample, minutes)
    reference = read_reference()
    reference.check()
    pipeline, experiments = _auditable(reference)
    rows = all_rows(reference, experiments)
    size = sample or SAMPLE
    if minutes is not None:
        seconds = row_costs(rows, experiments, read_costs(pipeline.root))
        rows, seconds = _within(rows, seconds, minutes)
        size = min(sample or len(rows), affordable(seconds, minutes))
        if not size:
            mean = seconds.mean() / 60
            raise UserError(f"MINUTES={minutes:g} is too short for a row: they take {mean:.2g} on average")
    seed = secrets.randbelow(10**6) if seed is None else seed
    drawn = rows.iloc[draw(len(rows), size, seed)].sort_values(["experiment", *ROW])
    print(f"{len(drawn)} of {len(rows)} rows of the reference run, drawn with SEED={seed}:", flush=True)
    verdicts, told = [], []
    for row, judged, found in compared(reference, pipeline, experiments, drawn):
        verdicts.append(judged)
        told += [f"  {row}: {one.column}: kept {one.kept}, now {one.new}" for one in found]
        print(f"  {len(verdicts)} of {len(drawn)}  {row}: {judged}", flush=True)
    for line in [*(["what differs:", *told] if told else []), *_summary(verdicts, len(rows))]:
        print(line)
    return 1 if DIFFERS in verdicts else 0


def _within(rows: pd.DataFrame, seconds: np.ndarray, minutes: float) -> tuple[pd.DataFrame, np.ndarray]:
    """Return the rows of which several fit into so many minutes, all if none does; tell of the others.

    A handful of very long rows would leave room for a handful of rows in all.
    """
    fits = seconds <= 60 * minutes / SEVERAL
    if not fits.any():
        return rows, seconds
    for name, count in rows[~fits].groupby("experiment").size().items():
        print(f"{name}: left out of the draw: {count} of its rows, each more than a quarter of the time")
    return rows[fits].reset_index(drop=True), seconds[fits]


def upper_bound(wrong: int, size: int) -> float:
    """Return the upper bound of Clopper and Pearson on a share, `wrong` of `size` having been found."""
    return 1.0 if wrong == size else float(special.betaincinv(wrong + 1, size - wrong, CONFIDENCE))


def _check(sample: int | None, minutes: float | None) -> None:
    if sample is not None and sample < 1:
        raise UserError(f"SAMPLE must be a number of rows, at least 1, not {sample}")
    if minutes is not None and not 0 < minutes < float("inf"):
        raise UserError(f"MINUTES must be a number above 0, not {minutes:g}; leave it out for {SAMPLE} rows")


def _auditable(reference: Reference) -> tuple[Pipeline, Experiments]:
    """Return the experiments that are still as the reference run had them; tell of the others."""
    plain = Pipeline(Config("thesis"))
    known = set(plain.experiment_names())
    trials = {name: kept["trials"] for name, kept in reference.experiments.items() if name in known}
    pipeline, experiments = with_trials(plain, trials), {}
    for name, kept in reference.experiments.items():
        lacking = plain.lacking(name) if plain.has(name) else None
        if lacking:
            print(f"{name} cannot be audited here: {lacking}")
            continue
        experiment = pipeline.experiment(name) if name in known else None
        why = changes(kept, experiment)
        if experiment is not None and experiment["seed"] != reference.listed["seed"]:
            why.append("its seed has changed")
        if why:
            print(f"{name} cannot be audited: since the reference run, {', '.join(why)}")
        elif experiment is not None:
            experiments[name] = experiment
    if not experiments:
        raise UserError(
            f"nothing is left to audit: all experiments in {reference.folder / LIST} have changed; the "
            "commit that made the reference can audit it"
        )
    return pipeline, experiments


def compared(
    reference: Reference, pipeline: Pipeline, experiments: Experiments, drawn: pd.DataFrame
) -> Iterator[tuple[str, str, list[Difference]]]:
    """Yield each drawn row in words, the verdict on it, and what differs."""
    files = pipeline.data_files()
    for name, rows in drawn.groupby("experiment"):
        experiment = experiments[str(name)]
        tables = [reference.outcomes(str(name)), reference.table(str(name))]
        whole = [numbered(table, experiment, FOLDER) for table in tables if table is not None]
        grid, keys = cells(experiment), [*ROW, *experiment["axes"]]
        for algorithm, cell, trial in rows[ROW].itertuples(index=False, name=None):
            kept = [t[(t[ROW] == [algorithm, cell, trial]).all(axis=1)] for t in whole]
            new = computed(experiment, algorithm, cell, trial, files)
            found = differences(*([f.drop(columns=keys, errors="ignore") for f in fs] for fs in (kept, new)))
            point = [f"{axis}={grid[cell][axis]}" for axis in experiment["axes"]]
            row = ", ".join(filter(None, [str(name), algorithm, *point, f"trial {trial}"]))
            yield row, verdict(found, new[0]["status"].iloc[0] if algorithm else ""), found


def _summary(verdicts: list[str], rows: int) -> list[str]:
    """Return what the sample says of all rows."""
    size, wrong = len(verdicts), verdicts.count(DIFFERS)
    told = [f"{wrong} of {size} rows differ"]
    for other, words in _OTHERS.items():
        if count := verdicts.count(other):
            told.append(f"{count} more {words}: they do not count as differing (docs/audit.md)")
    if size == rows:
        return [*told, "these are all rows that could be audited"]
    bound = f"at most {upper_bound(wrong, size):.1%} of the {rows} rows that could be audited"
    return [*told, f"with {CONFIDENCE:.0%} confidence {bound} would differ on this machine"]
