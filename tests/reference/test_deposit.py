"""What others read of the results: the manifest of CODECHECK, and the RO-Crate."""

import hashlib
import json
from pathlib import Path

import pytest
import yaml

from nonconvex.commands.deposit.citation import read_citation
from nonconvex.commands.deposit.codecheck import codecheck_text
from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import Config

ROOT = Path(__file__).parents[2]
CRATE = "reference/ro-crate-metadata.json"


def test_the_manifest_is_true():
    pipeline = Pipeline(Config("thesis"), ROOT)
    text = (ROOT / "codecheck.yml").read_text()
    every = pipeline.every_figure
    assert text == codecheck_text(pipeline, every, "results/thesis/"), (
        "python -m nonconvex codecheck writes it anew"
    )
    told = yaml.safe_load(text)
    assert text.startswith("%YAML 1.1\n---\n")
    assert told["version"] == "https://codecheck.org.uk/spec/config/1.0/"
    drawn = [path for figure in pipeline.figures() for path in pipeline.figure(figure).outputs]
    assert {entry["file"] for entry in told["manifest"]} >= {path for path in drawn if path.endswith(".pdf")}
    assert len(told["manifest"]) == len(every)
    assert all(entry["comment"] for entry in told["manifest"])
    assert told["paper"]["authors"] == [{"name": "Shuai Zhang"}]
    assert told.keys() == {"version", "manifest", "paper"}


def test_the_manifest_names_files_that_are_drawn():
    pipeline = Pipeline(Config("preview", figures=("2.2",), formats=("svg", "png")), ROOT)
    (entry,) = yaml.safe_load(codecheck_text(pipeline, pipeline.figures()))["manifest"]
    assert entry["file"] == "figures/fig2.2.png"


def test_keeping_a_reference_writes_the_manifest(whole):
    told = yaml.safe_load((whole / "codecheck.yml").read_text())
    assert [entry["file"][-10:] for entry in told["manifest"]] == ["fig2.4.pdf", "fig2.2.pdf", "fig2.3.pdf"]


def test_a_missing_citation_is_told(tmp_path):
    with pytest.raises(UserError, match=r"CITATION\.cff is missing; take it anew"):
        read_citation(tmp_path)
    (tmp_path / "CITATION.cff").write_text("title: x\n")
    with pytest.raises(UserError, match="names no thesis among its references"):
        read_citation(tmp_path)


def test_the_crate_lists_every_file_of_the_reference(whole):
    text = (whole / CRATE).read_bytes()
    listed = json.loads((whole / "reference/reference.json").read_text())["files"]
    assert listed[Path(CRATE).name] == hashlib.sha256(text).hexdigest()
    graph = {entity["@id"]: entity for entity in json.loads(text)["@graph"]}
    files = {name: entity.get("sha256") for name, entity in graph.items() if entity["@type"] == "File"}
    del listed[Path(CRATE).name]
    assert files == {**listed, "reference.json": None}
    references = [value for entity in graph.values() for value in entity.values() if isinstance(value, dict)]
    assert {reference["@id"] for reference in references} <= {*graph, "https://w3id.org/ro/crate/1.1"}


def test_the_crate_is_one_to_the_library(whole):
    rocrate = pytest.importorskip("rocrate.rocrate")
    crate = rocrate.ROCrate(whole / "reference")
    assert {entity.id for entity in crate.data_entities} >= {"tables/easy.csv.xz", "claims.csv"}
    assert crate.name == "reference run"
