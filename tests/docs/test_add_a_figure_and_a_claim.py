"""docs/add-a-figure.md and docs/add-a-claim.md, done as they say."""

import csv

import pytest
from docs.pages import follow
from project_copy import Project


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("figure"))
    follow("add-a-figure.md", project)
    follow("add-a-claim.md", project)
    project.edit("tiny.yaml", 'figures: ["2.2"]', 'figures: ["2.2", "2.12", "2.13"]')
    project.edit("tiny.yaml", "rank: [1]", "rank: [1, 2]")
    project.snakemake()
    return project


def rows(project, path):
    with open(project.folder / "results/smoke-tiny" / path, newline="") as file:
        return list(csv.DictReader(file))


def test_a_figure_of_a_kind_that_there_is(project):
    drawn = rows(project, "figures/fig2.12.csv")
    assert {(row["algorithm"], row["value"]) for row in drawn} == {("am_fiht", "1"), ("am_fiht", "2")}
    assert (project.folder / "results/smoke-tiny/figures/fig2.12.png").stat().st_size > 10_000


def test_a_new_kind(project):
    drawn = rows(project, "figures/fig2.13.csv")
    assert {row["share"] for row in drawn} == {"0.25", "0.5", "0.75", "1.0"}
    assert len({row["algorithm"] for row in drawn}) == 3
    page = (project.folder / "results/smoke-tiny/index.html").read_text()
    assert "Errors of AM-FIHT and RAM-FIHT" in page


def test_a_new_kind_has_its_mistakes_told(project, tmp_path):
    twin = Project.twin(project, tmp_path / "twin")
    twin.edit(
        "workflow/experiments/chapter2.yaml",
        "kind: error_shares\n",
        "kind: error_shares\n    options: {pannels: []}\n",
    )
    assert (
        "figure 2.13: unknown key 'pannels'; did you mean 'panels'?"
        in twin.snakemake("-n", check=False).stdout
    )


def test_a_claim(project):
    judged = [row for row in rows(project, "claims.csv") if row["claim"] == "C900"]
    assert {row["reading"] for row in judged} >= {"nine in ten", "at low ranks"}
    (whole,) = [row for row in judged if row["kind"] == "claim" and row["reading"] == "overall"]
    assert whole["verdict"] == "not judged at this scale"
    assert "2 trials, and the first look needs 10" in whole["why"]
