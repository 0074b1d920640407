"""The reference in the repository: whole, small enough, and its ledger and the README are what its tables give."""

import pandas as pd
import pytest
from project_copy import ROOT

from nonconvex.claims.step import chapter_ledger
from nonconvex.commands.reference_run.draw import pipeline_of
from nonconvex.commands.reference_run.knobs import reference_pipeline
from nonconvex.commands.reference_run.summary import BEGIN, END, answer_text
from nonconvex.commands.reference_run.writer import MOST_MB
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.reference.store import LEDGER, read_csv, read_reference
from nonconvex.study.config import Config

FOLDER = ROOT / "reference"
NUMBERS = ["estimate", "low", "high"]


@pytest.fixture(scope="module")
def reference():
    return read_reference(FOLDER)


@pytest.fixture(scope="module")
def ledger(reference):
    return read_csv(reference.content(LEDGER), dtype={"figure": str})


def test_every_file_is_as_it_was_listed(reference):
    reference.check()


def test_it_is_small(reference):
    size = sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file())
    assert size <= MOST_MB * 1e6


def test_tables_have_the_rows_that_are_listed(reference):
    for name, entry in reference.experiments.items():
        assert reference.table_bytes(name).count(b"\n") - 1 == entry["rows"], name


def test_its_config_draws_it(reference, monkeypatch):
    monkeypatch.chdir(ROOT)
    pipeline = pipeline_of(reference)
    pipeline.check()
    assert set(pipeline.experiment_names()) <= set(reference.experiments)
    for name in pipeline.experiment_names():
        assert pipeline.experiment(name)["trials"] == reference.experiments[name]["trials"]


def test_the_readme_tells_what_the_ledger_says(ledger):
    text = (ROOT / "README.md").read_text()
    told = text.partition(BEGIN)[2].partition(END)[0].strip()
    pipeline = Pipeline(Config("thesis"), ROOT)
    titles = {chapter: pipeline.chapter_title(chapter) for chapter in pipeline.chapters}
    assert told == answer_text(ledger, titles)


def test_the_ledger_is_what_the_tables_give(reference, ledger, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    trials = {name: entry["trials"] for name, entry in reference.experiments.items()}
    pipeline = reference_pipeline(trials, Pipeline(Config("thesis")))
    tables = {name: reference.table(name) for name in reference.experiments}
    found = []
    for chapter in reference.listed["claims"]:
        product = pipeline.claims(chapter)
        paths = []
        for name in product.plan["experiments"]:
            if name in tables:
                path = tmp_path / f"{name}.csv"
                path.write_bytes(reference.table_bytes(name))
                paths.append(str(path))
        found.append(chapter_ledger(product.plan, product.digest, tables, paths))
    again = read_csv(pd.concat(found, ignore_index=True).to_csv(index=False).encode(), dtype={"figure": str})
    rows = ["claim", "row", "reading", "part", "verdict", "look", "trials", "table_digests"]
    pd.testing.assert_frame_equal(again[rows], ledger[rows])
    pd.testing.assert_frame_equal(again[NUMBERS], ledger[NUMBERS], rtol=1e-6, atol=1e-12)
