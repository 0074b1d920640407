"""docs/add-a-family.md, done as it says: a folder, a line, and the files of a chapter; run end to end."""

import csv

import pytest
from docs.pages import digests, follow, texts
from project_copy import Project


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("family"))
    (project.folder / "tiny.yaml").write_text('{scale: smoke, chapters: ["9"], formats: [png]}\n')
    return project


@pytest.fixture(scope="module")
def added(project):
    """Do what the page says; return what was there before."""
    before = texts(project), digests(project)
    follow("add-a-family.md", project)
    return before


def test_one_line_of_what_was_there_is_another(project, added):
    before, _ = added
    after = texts(project)
    changed = [path for path in before if after[path] != before[path]]
    assert changed == [project.folder / "src/nonconvex/problems/registry.py"]
    (registry,) = changed
    assert set(after[registry].splitlines()) - set(before[registry].splitlines()) == {'    "location",'}


def test_nothing_that_was_there_is_stale(project, added):
    _, before = added
    assert digests(project) == before


def test_it_runs_from_the_data_to_the_page(project, added):
    project.snakemake()
    results = project.folder / "results/smoke"
    with open(results / "tables/trimming.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * 60 * 2
    won = {
        name: [row["success"] == "True" for row in rows if row["algorithm"] == name]
        for name in ("mean", "trimmed")
    }
    assert sum(won["trimmed"]) > 0.9 * 180 > sum(won["mean"])
    assert (results / "figures/fig9.1.png").stat().st_size > 10_000
    with open(results / "claims.csv", newline="") as file:
        verdicts = {row["verdict"] for row in csv.DictReader(file) if row["claim"] == "C901"}
    assert verdicts == {"reproduced"}
    assert "Means with outliers" in (results / "index.html").read_text()
    assert "products are whole" in project.nonconvex("verify").stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("trim: 0.25", "trim: 0.75", "the options of trimmed: trim must be from 0 to below 0.5, got 0.75"),
        ("trim: 0.25", "trm: 0.25", "the options of trimmed: trimmed_mean() got an unexpected keyword argument 'trm'"),
        ("method: trimmed_mean, label: mean", "method: mean, label: mean", "there is no method 'mean' (known: trimmed_mean)"),
        ("thesis: 0.1", "thesis: 1.5", "bad = 1.5 must be from 0 to below 1"),
    ],
)  # fmt: skip
def test_its_mistakes_are_one_sentence(project, added, tmp_path, old, new, message):
    twin = Project.twin(project, tmp_path / "twin")
    twin.edit("workflow/experiments/chapter9.yaml", old, new)
    printed = twin.snakemake("-n", check=False).stdout
    assert f"experiment trimming: {message}" in printed.replace("trimming: mean: ", "trimming: ")
    assert "Traceback" not in printed


def test_a_stream_that_depends_on_a_name_that_there_is_not_is_told(project, added, tmp_path):
    """Cells that differ would share their draws."""
    twin = Project.twin(project, tmp_path / "twin")
    twin.edit("src/nonconvex/problems/location/data.py", '"noise": ("n_samples",)', '"noise": ("n_sample",)')
    printed = twin.snakemake("-n", check=False).stdout
    assert "the stream 'noise' depends on 'n_sample', which none of its experiments has" in printed
    assert "did you mean 'n_samples'?" in printed
