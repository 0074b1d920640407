"""Keeping a run at the thesis's sizes as the reference: tables, ledger and figures' numbers in one folder."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from nonconvex.canonical import sha256
from nonconvex.claims.ledger import write_ledger
from nonconvex.claims.step import chapter_ledger
from nonconvex.errors import UserError
from nonconvex.figures.render import render
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.trials import trials_there, with_trials
from nonconvex.reference import crate, store
from nonconvex.reference.blocks import block_facts, outcomes_of
from nonconvex.reference.codecheck import write_codecheck
from nonconvex.reference.knobs import drawn_figures, knobs_text, reference_pipeline
from nonconvex.reference.stale import changes, code_of, protocol_of
from nonconvex.reference.store import Reference, read_reference
from nonconvex.validation import read_yaml

README = "README.md"
MOST_MB = 25


def keep(pipeline: Pipeline, folder: str | Path = store.FOLDER) -> int:
    """Write what the results of scale thesis hold into the reference, beside what it holds already; return 0.

    An experiment of the reference stays as it is when the results have no more trials of it, unless its code
    or protocol has changed since. One that the study no longer has goes.

    Raises
    ------
    UserError
        When the config is not the plain scale thesis, no table is there, or the folder would get too large.
    """
    if pipeline.config.folder != "thesis" or pipeline.config.seed is not None:
        raise UserError(
            "the reference is a run of scale thesis with its own seed: add SCALE=thesis, no name, no seed"
        )
    there = trials_there(pipeline)
    if not there:
        raise UserError(f"{pipeline.folder} has no table to keep; 'make decide SCALE=thesis' makes some")
    older = _older(Path(folder))
    with tempfile.TemporaryDirectory() as temporary:
        new = _Writer(Path(temporary))
        for name in sorted(older.experiments if older else ()):
            if why := _keeps(older, pipeline, name, there):
                print(f"{name} stays as the reference has it: {why}")
                new.copy(older, name)
        now = with_trials(pipeline, there)
        for name in there:
            if name not in new.experiments:
                new.add(now, name)
        _finish(new, pipeline)
        new.move_to(Path(folder))
    write_codecheck(pipeline.root)
    print(f"{folder}: {len(new.experiments)} experiments, {new.size() / 1e6:.1f} MB")
    return 0


def _older(folder: Path) -> Reference | None:
    return read_reference(folder) if (folder / store.LIST).exists() else None


def _keeps(older: Reference, pipeline: Pipeline, name: str, there: Mapping[str, int]) -> str | None:
    """Return why an experiment stays as the reference has it; None where it is replaced, or goes."""
    if name not in pipeline.experiment_names():
        print(f"{name} goes: the study no longer has it")
        return None
    if name not in there:
        return "the results have no whole table of it"
    trials = older.experiments[name]["trials"]
    if changes(older.experiments[name], pipeline.experiment(name)):
        return None
    return f"it has {trials} trials, the results {there[name]}" if trials >= there[name] else None


class _Writer:
    """The new folder, while it is put together beside the old one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "new"
        self.tables = folder / "tables"  # not compressed, as the claims step reads them
        self.files: dict[str, str] = {}
        self.experiments: dict[str, dict[str, Any]] = {}

    def write(self, name: str, content: bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self.files[name] = hashlib.sha256(content).hexdigest()

    def copy(self, older: Reference, name: str) -> None:
        for file in (store.table_name(name), store.outcomes_name(name), store.made_name(name)):
            if file in older.listed["files"]:
                self.write(file, older.content(file))
        self._plain(name, older.table_bytes(name))
        self.experiments[name] = dict(older.experiments[name])

    def add(self, pipeline: Pipeline, name: str) -> None:
        product, experiment = pipeline.table(name), pipeline.experiment(name)
        blocks = pipeline.block_products(name)
        table = Path(product.outputs[0]).read_bytes()
        stamp = json.loads(Path(str(product.stamp)).read_text(encoding="utf-8"))
        facts = block_facts(blocks)
        made = {
            "plan": product.plan,
            "digest": product.digest,
            "inputs": {
                path.removeprefix(f"{pipeline.folder}/"): sha for path, sha in stamp["inputs"].items()
            },
            **facts,
        }
        self.write(store.table_name(name), store.packed(table))
        self.write(store.made_name(name), (json.dumps(made, indent=1, sort_keys=True) + "\n").encode())
        outcomes = outcomes_of(blocks)
        if outcomes is not None:
            self.write(store.outcomes_name(name), store.packed(outcomes.to_csv(index=False).encode()))
        self._plain(name, table)
        self.experiments[name] = {
            "chapter": experiment["chapter"],
            "trials": experiment["trials"],
            "rows": table.count(b"\n") - 1,
            "core_seconds": round(sum(one.get("cpu_seconds", 0) for one in facts["made"].values()), 1),
            "code": code_of(experiment),
            "protocol": protocol_of(experiment),
        }

    def _plain(self, name: str, table: bytes) -> None:
        self.tables.mkdir(parents=True, exist_ok=True)
        (self.tables / f"{name}.csv").write_bytes(table)

    def read(self, names: list[str]) -> dict[str, pd.DataFrame]:
        return {name: pd.read_csv(self.tables / f"{name}.csv") for name in names}

    def size(self) -> int:
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def move_to(self, folder: Path) -> None:
        if self.size() > MOST_MB * 1e6:
            raise UserError(f"the reference would have {self.size() / 1e6:.1f} MB, more than {MOST_MB} MB")
        readme = folder / README
        text = readme.read_bytes() if readme.is_file() else None
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder, folder)
        if text is not None:
            readme.write_bytes(text)


def _finish(new: _Writer, pipeline: Pipeline) -> None:
    """Judge, write the numbers of figures, and list everything."""
    trials = {name: entry["trials"] for name, entry in new.experiments.items()}
    drawn = reference_pipeline(trials, pipeline)
    judged, ledgers = {}, []
    for chapter in drawn.chapters:
        product = drawn.claims(chapter)
        used = [name for name in product.plan["experiments"] if name in trials]
        paths = [str(new.tables / f"{name}.csv") for name in used]
        ledgers.append(chapter_ledger(product.plan, product.digest, new.read(used), paths))
        judged[chapter] = sha256(read_yaml(pipeline.root / product.plan["file"]))
    ledger = new.folder / store.LEDGER
    write_ledger(pd.concat(ledgers, ignore_index=True), ledger)
    new.write(store.LEDGER, ledger.read_bytes())
    for figure in drawn_figures(trials, pipeline):
        plan = drawn.figure(figure).plan
        path = new.folder / f"figures/fig{figure}.csv"
        render(plan, new.read(list(plan["experiments"])), {"csv": path})
        new.write(f"figures/fig{figure}.csv", path.read_bytes())
    new.write(store.KNOBS, knobs_text(trials, pipeline).encode())
    new.write(crate.FILE, _crate(new, pipeline).encode())
    listed = {
        "format": store.FORMAT,
        "seed": next(iter(drawn.experiment(name)["seed"] for name in trials)),
        "experiments": new.experiments,
        "claims": judged,
        "files": dict(sorted(new.files.items())),
    }
    text = json.dumps(listed, indent=1, sort_keys=True) + "\n"
    (new.folder / store.LIST).write_text(text, encoding="utf-8")


def _crate(new: _Writer, pipeline: Pipeline) -> str:
    return crate.crate_text(
        pipeline.root,
        "reference run",
        "What a run at the thesis's sizes gave: tables, ledger of claims and the numbers of figures.",
        {**new.files, store.LIST: None},
    )
