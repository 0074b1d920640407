"""The reference run: kept from results, drawn elsewhere, gone on from; altered, it is refused by name."""

import json
import shutil

import pandas as pd
import pytest
from reference.kept import reference
from small_protocol import SmallProject

from nonconvex.commands.reference_run.keep import other_data
from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.reference.store import read_reference
from nonconvex.study.config import Config

MODES = """
  modes:
    title: Modes
    family: masks
    parameters:
      n_channels: {thesis: 4, source: chosen}
      n_samples: {thesis: 16, source: chosen}
      p: {thesis: 0.75, source: chosen}
      mode: {thesis: [1, 2], source: chosen}
    trials: {thesis: 1}
    block: {thesis: 1}
figures:
  "2.1": {kind: loss_modes, title: Modes, caption: Modes., experiments: [modes]}
"""  # no algorithm runs, and no claim reads it


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """The small project after its first look, kept as the reference."""
    project = SmallProject(tmp_path_factory.mktemp("kept"))
    project.edit("workflow/experiments/chapter2.yaml", "figures:\n", MODES.lstrip("\n"))
    project.decide("trials=1")
    table = "results/thesis/tables/modes.csv"
    project.run([*project.command()[:3], "--cores", "1", table, "--config", "scale=thesis"])
    reference(project, "keep")
    return project


@pytest.fixture
def later(first, tmp_path):
    """The same project with the reference, and without results."""
    project = SmallProject.twin(first, tmp_path / "later")
    shutil.rmtree(project.folder / "results")
    shutil.rmtree(project.folder / ".snakemake")
    return project


def test_what_is_kept_is_what_was_there(first):
    kept = read_reference(first.folder / "reference")
    kept.check()
    assert {name: entry["trials"] for name, entry in kept.experiments.items()} == {
        "easy": 1,
        "hard": 1,
        "modes": 1,
    }
    for name, entry in kept.experiments.items():
        table = first.folder / f"results/thesis/tables/{name}.csv"
        assert kept.table_bytes(name) == table.read_bytes()
        assert entry["rows"] == len(pd.read_csv(table))
        assert entry["core_seconds"] > 0 or name == "modes"
    ledger = pd.read_csv(first.folder / "reference/claims.csv", keep_default_na=False)
    verdicts = ledger.loc[ledger["row"] == "claim"].set_index("claim")["verdict"]
    assert dict(verdicts) == {"T001": "reproduced", "T002": "open", "T003": "reproduced"}


def test_kept_again_it_is_the_same_bytes(first, tmp_path):
    project = SmallProject.twin(first, tmp_path / "again")
    before = {p.name: p.read_bytes() for p in (project.folder / "reference").rglob("*") if p.is_file()}
    shutil.rmtree(project.folder / "reference")
    reference(project, "keep")
    after = {p.name: p.read_bytes() for p in (project.folder / "reference").rglob("*") if p.is_file()}
    assert after == before


def test_from_there_it_is_drawn_and_nothing_is_computed(later):
    reference(later, "draw")
    words = [
        "--allowed-rules",
        "all",
        "figure",
        "claims",
        "ledger",
        "page",
        "--configfile",
        "reference/config.yaml",
    ]
    call = [*later.command()[:3], "--cores", "2", *words]
    later.run(call)
    results = later.folder / "results/thesis-reference"
    assert (results / "figures/fig2.2.png").is_file()
    assert "<b>thesis</b>, the reference run" in (results / "index.html").read_text()
    assert not (results / "outcomes").exists()
    kept = (later.folder / "reference/figures/fig2.2.csv").read_bytes()
    assert (results / "figures/fig2.2.csv").read_bytes() == kept
    rows = [
        pd.read_csv(path, keep_default_na=False)
        for path in (later.folder / "reference/claims.csv", results / "claims.csv")
    ]
    assert list(rows[0]["verdict"]) == list(rows[1]["verdict"])
    reference(later, "draw")
    assert "Nothing to be done" in later.run([*call, "-n"]).stdout


def test_gone_on_from_it_ends_as_one_run_does(first, later, tmp_path):
    reference(later, "resume", "--cores", "2")
    hard, modes = (f"results/thesis/tables/{name}.csv" for name in ("hard", "modes"))
    for path in (hard, modes):
        assert (later.folder / path).read_bytes() == (first.folder / path).read_bytes()
    told = later.decide()
    assert "Running am_fiht on trials 0000-0000" not in told
    whole = SmallProject.twin(first, tmp_path / "whole")
    whole.decide()
    for path in (hard, "results/thesis/tables/easy.csv"):
        assert (later.folder / path).read_bytes() == (whole.folder / path).read_bytes()
    assert (
        "is stale"
        not in later.nonconvex("verify", "--config", "scale=thesis", check=False, configfile=None).stdout
    )


def test_changed_code_is_told_and_left_out(later):
    later.edit("src/nonconvex/hankel/solvers/am_fiht.py", "yield x\n", "yield x + 0\n")
    assert "easy is as it was: since the reference run, the code of am_fiht has changed" in reference(
        later, "draw"
    )
    assert "easy is left out: since the reference run, the code of am_fiht has changed" in reference(
        later, "resume"
    )
    assert not (later.folder / "results/thesis/tables/easy.csv").exists()


def test_another_protocol_is_told(later):
    later.edit("workflow/experiments/chapter2.yaml", "n_samples: {thesis: 32", "n_samples: {thesis: 34")
    assert "the protocol of experiment has changed" in reference(later, "draw")


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (lambda folder: (folder / "tables/easy.csv.xz").unlink(), "easy.csv.xz is missing"),
        (lambda folder: (folder / "claims.csv").write_text("claim\n"), "claims.csv was altered"),
        (lambda folder: (folder / "reference.json").unlink(), "there is no reference run here"),
        (lambda folder: (folder / "reference.json").write_text("{"), "cannot be read as the list"),
        (lambda folder: (folder / "more.csv").write_text(""), "more.csv is not listed"),
        (lambda folder: _version(folder / "reference.json"), "is of another version"),
    ],
)
def test_an_altered_reference_is_refused_by_name(first, tmp_path, harm, told):
    folder = tmp_path / "reference"
    shutil.copytree(first.folder / "reference", folder)
    harm(folder)
    with pytest.raises(UserError, match=told):
        read_reference(folder).check()


def _version(path):
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": "nonconvex reference 0"}))


def test_an_unknown_experiment_is_told(first):
    with pytest.raises(UserError, match="the reference has no experiment 'eazy'; did you mean 'easy'"):
        read_reference(first.folder / "reference").table("eazy")


def test_only_the_plain_scale_is_kept(first):
    told = first.nonconvex("reference", "keep", "--config", "scale=smoke", check=False, configfile=None)
    assert "the reference is a run of scale thesis" in told.stdout


def test_runs_on_other_data_than_anyone_has_are_not_kept(pytestconfig, monkeypatch):
    pipeline = Pipeline(Config("thesis"), pytestconfig.rootpath)
    names = ["pmu_mode1", "phase_mode1"]
    assert other_data(pipeline, names) == []
    recorded = pipeline.experiment("pmu_mode1")
    monkeypatch.setitem(recorded, "source", {**recorded["source"], "sha256": "0" * 64})
    assert other_data(pipeline, names) == ["pmu_mode1"]
