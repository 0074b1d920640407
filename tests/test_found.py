"""What catalogues and archives read is there, and agrees."""

import json
import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())


def test_the_citation_file_has_what_its_standard_asks_for():
    assert CITATION["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= CITATION.keys()
    for work in [CITATION, *CITATION["references"]]:
        assert work["title"] and all(
            "name" in one or {"family-names", "given-names"} <= one.keys() for one in work["authors"]
        )


def test_all_files_tell_one_version_name_and_licence():
    codemeta = json.loads((ROOT / "codemeta.json").read_text())
    assert CITATION["version"] == codemeta["version"] == PROJECT["version"]
    assert CITATION["title"] == codemeta["name"]
    assert str(CITATION["date-released"]) == codemeta["datePublished"]
    assert codemeta["license"] == f"https://spdx.org/licenses/{CITATION['license']}"
    assert CITATION["license"] == PROJECT["license"]


def test_the_workflow_catalog_finds_a_workflow():
    readme = (ROOT / "README.md").read_text().lower()
    assert "snakemake" in readme and "workflow" in readme
    assert (ROOT / "Snakefile").is_file() and [*(ROOT / "workflow/rules").glob("*.smk")]


def test_the_workflow_catalog_is_told_the_truth():
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    deployment = usage["software-stack-deployment"]
    rules = "".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    rules_of_all = len(re.findall(r"(?m)^rule ", rules))
    assert deployment["conda"] == (len(re.findall(r"(?m)^    conda:", rules)) == rules_of_all)
    assert deployment["apptainer"] == deployment["apptainer+conda"] == ("container:" in rules)
    assert deployment["report"] == usage["report"] == ("report(" in rules)
    assert usage["mandatory-flags"]["flags"] == []
