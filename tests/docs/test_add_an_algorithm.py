"""docs/add-an-algorithm.md, done as it says."""

import csv

import pytest
from docs.pages import digests, follow
from project_copy import Project


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return Project(tmp_path_factory.mktemp("algorithm"))


@pytest.fixture(scope="module")
def before(project):
    was = digests(project)
    follow("add-an-algorithm.md", project)
    return was


def test_the_other_algorithms_stay_as_they_are(project, before):
    after = digests(project)
    new = set(after) - set(before)
    assert new and all(name.startswith("outcomes of cadzow on phase_mode") for name in new)
    assert {name: after[name] for name in before} == before


def test_it_recovers_signals_beside_the_others(project, before):
    project.edit(
        "workflow/experiments/chapter2.yaml", "panels: [am_fiht_beta0,", "panels: [cadzow, am_fiht_beta0,"
    )
    project.snakemake()
    results = project.folder / "results/smoke-tiny"
    with open(results / "tables/phase_mode1.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["algorithm"] == "cadzow"]
    assert len(rows) == 2
    assert {row["success"] for row in rows} == {"True"}
    with open(results / "figures/fig2.2.csv", newline="") as file:
        assert "cadzow" in {row["algorithm"] for row in csv.DictReader(file)}


def test_what_it_does_not_take_is_told_before_anything_runs(project, before, tmp_path):
    twin = Project.twin(project, tmp_path / "twin")
    twin.edit(
        "workflow/experiments/chapter2.yaml", "options: {tolerance: 1.0e-8}", "options: {tolerence: 1.0e-8}"
    )
    printed = twin.snakemake("-n", check=False).stdout
    assert "the options of cadzow: there is none called 'tolerence'" in printed
    assert "did you mean 'tolerance'?" in printed
    assert "Traceback" not in printed
