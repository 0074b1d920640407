"""Keeping a run at the thesis's sizes as the reference: tables, ledger and figures' numbers in one folder."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from nonconvex.canonical import sha256
from nonconvex.claims.ledger import write_ledger
from nonconvex.claims.step import chapter_ledger
from nonconvex.commands.deposit import crate
from nonconvex.commands.deposit.codecheck import write_codecheck
from nonconvex.commands.reference_run.knobs import drawn_figures, knobs_text, reference_pipeline
from nonconvex.commands.reference_run.readme import readme
from nonconvex.commands.reference_run.summary import write_answer
from nonconvex.commands.reference_run.writer import Writer
from nonconvex.errors import UserError
from nonconvex.figures.render import render
from nonconvex.pipeline.changes import changes
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.product import Product
from nonconvex.pipeline.trials import trials_there, with_trials
from nonconvex.reference import store
from nonconvex.reference.store import Reference, read_reference
from nonconvex.study.config import Config
from nonconvex.validation import read_yaml

README = "README.md"


def keep(pipeline: Pipeline, folder: str | Path = store.FOLDER) -> None:
    """Write what the results of scale thesis hold into the reference, beside what it holds already.

    An experiment of the reference stays as it is when the results have no more trials of it, unless its code
    or protocol has changed since. One that the study no longer has goes.

    Raises
    ------
    UserError
        When the config is not the plain scale thesis with the data that come with it, no table is there, or
        the folder would get too large.
    """
    if pipeline.config.folder != "thesis" or pipeline.config.seed is not None:
        raise UserError(
            "the reference is a run of scale thesis with its own seed: add SCALE=thesis, no name, no seed"
        )
    there = trials_there(pipeline)
    if not there:
        raise UserError(f"{pipeline.folder} has no table to keep; 'make decide SCALE=thesis' makes some")
    if others := other_data(pipeline, there):
        raise UserError(
            "the reference is of the data that anyone has, and not of those that 'data' in the config names "
            f"for {', '.join(others)}; leave 'data' out"
        )
    older = _older(Path(folder))
    with tempfile.TemporaryDirectory() as temporary:
        new = Writer(Path(temporary))
        if older is not None:
            for name, why in _stays(older, pipeline, there):
                if why:
                    print(f"{name} stays as the reference has it: {why}")
                new.copy(older, name)
        now = with_trials(pipeline, there)
        for name in there:
            if name in new.experiments:
                continue
            if gone := [block.outputs[0] for block in now.block_products(name) if not _is_there(block)]:
                print(f"{name} is left out: {gone[0]} is not there; 'make decide' or 'make' first")
            else:
                new.add(now, name)
        _put(new, pipeline, Path(folder))


def other_data(pipeline: Pipeline, names: Iterable[str]) -> list[str]:
    """Return the experiments that have other data than they would have without ``data`` in the config."""
    plain = pipeline.under(Config("thesis"))
    own = {name: one for name in names if (one := pipeline.experiment(name).get("source"))}
    return [
        name
        for name, one in own.items()
        if plain.lacking(name) or plain.experiment(name)["source"]["sha256"] != one["sha256"]
    ]


def keep_entries(pipeline: Pipeline, reference: Reference, entries: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the reference anew, its tables as they are, with other entries for some experiments."""
    with tempfile.TemporaryDirectory() as temporary:
        new = Writer(Path(temporary))
        for name in sorted({*reference.experiments} & {*pipeline.experiment_names()}):
            new.copy(reference, name)
            new.experiments[name].update(entries.get(name, {}))
        _put(new, pipeline, reference.folder)


def _put(new: Writer, pipeline: Pipeline, folder: Path) -> None:
    """Complete the new folder, put it in the place of the old one, and write what is told of it elsewhere."""
    _finish(new, pipeline)
    size = new.size()
    new.move_to(folder)
    write_codecheck(pipeline.root)
    ledger = pd.read_csv(folder / store.LEDGER, dtype={"figure": str})
    write_answer(pipeline.root / README, ledger, {c: pipeline.chapter_title(c) for c in pipeline.chapters})
    print(f"{folder}: {len(new.experiments)} experiments, {size / 1e6:.1f} MB")


def _older(folder: Path) -> Reference | None:
    return read_reference(folder) if (folder / store.LIST).exists() else None


def _stays(older: Reference, pipeline: Pipeline, there: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield the experiments that stay as the reference has them, and why where the results have less."""
    for name, entry in sorted(older.experiments.items()):
        if not pipeline.has(name):
            print(f"{name} goes: the study no longer has it")
        elif name not in there:
            yield name, "the results have no whole table of it"
        elif not changes(entry, pipeline.experiment(name)) and entry["trials"] >= there[name]:
            fewer = entry["trials"] > there[name]
            yield name, f"it has {entry['trials']} trials, the results {there[name]}" if fewer else ""


def _is_there(block: Product) -> bool:
    """Tell whether a block is there: a longer one takes its place while its experiment grows."""
    return Path(block.outputs[0]).is_file()


def _finish(new: Writer, pipeline: Pipeline) -> None:
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
    new.write("README.md", readme(new.experiments, new.made()).encode())
    new.write(store.KNOBS, knobs_text(trials, pipeline).encode())
    told = "What a run at the thesis's sizes gave: tables, ledger of claims and the numbers of figures."
    described = {**new.files, store.LIST: None}
    new.write(crate.FILE, crate.crate_text(pipeline.root, "reference run", told, described).encode())
    listed = {
        "format": store.FORMAT,
        "seed": next(iter(drawn.experiment(name)["seed"] for name in trials)),
        "experiments": new.experiments,
        "claims": judged,
        "files": dict(sorted(new.files.items())),
    }
    text = json.dumps(listed, indent=1, sort_keys=True) + "\n"
    (new.folder / store.LIST).write_text(text, encoding="utf-8")
