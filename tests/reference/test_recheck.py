"""Rechecking: after a change of code that changes no number, an experiment is as today's; else it stays stale."""

import shutil

import pytest
from reference.kept import reference
from small_protocol import SmallProject

from nonconvex.reference.store import read_reference

SOLVER = "src/nonconvex/hankel/solvers/am_fiht.py"


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """The small project after its first look, kept as the reference, without results."""
    project = SmallProject(tmp_path_factory.mktemp("kept"))
    project.decide("trials=1")
    reference(project, "keep")
    shutil.rmtree(project.folder / "results")
    shutil.rmtree(project.folder / ".snakemake")
    return project


@pytest.fixture
def later(first, tmp_path):
    return SmallProject.twin(first, tmp_path / "later")


def test_code_that_changes_no_number_is_taken_as_todays(later):
    before = read_reference(later.folder / "reference")
    later.edit(SOLVER, "yield x\n", "yield x + 0\n")
    told = reference(later, "recheck", "--seed", "3")
    assert "rows, drawn with SEED=3" in told
    assert "easy: 1 of 1 rows agree" in told
    after = read_reference(later.folder / "reference")
    after.check()
    easy, was = after.experiments["easy"], before.experiments["easy"]
    assert easy["code"]["am_fiht"] != was["code"]["am_fiht"]
    assert [note["rows"] for note in easy["rechecks"]] == [1]
    assert {k: v for k, v in easy.items() if k not in ("code", "rechecks")} == {
        k: v for k, v in was.items() if k != "code"
    }
    assert after.content("tables/easy.csv.xz") == before.content("tables/easy.csv.xz")
    assert after.content("claims.csv") == before.content("claims.csv")
    assert "were computed again by the changed code" in (later.folder / "reference/README.md").read_text()
    assert "is left out" not in reference(later, "resume", "--cores", "2")
    assert "only its code has changed" in reference(later, "recheck")


def test_code_that_changes_numbers_stays_stale(later):
    kept = (later.folder / "reference/reference.json").read_bytes()
    later.edit(SOLVER, "yield x\n", "yield 1.01 * x\n")
    told = reference(later, "recheck", check=False)
    assert "easy, am_fiht, p=0.9, rank=1, trial 0: " in told
    assert "easy: 0 of 1 rows agree" in told
    assert "easy stays stale: 1 of its rows differ" in told
    assert (later.folder / "reference/reference.json").read_bytes() == kept


def test_another_protocol_is_not_rechecked(later):
    later.edit("workflow/experiments/chapter2.yaml", "n_samples: {thesis: 32", "n_samples: {thesis: 34")
    later.edit(SOLVER, "yield x\n", "yield x + 0\n")
    kept = (later.folder / "reference/reference.json").read_bytes()
    assert "no experiment of the reference is such that only its code has changed" in reference(
        later, "recheck"
    )
    assert (later.folder / "reference/reference.json").read_bytes() == kept


def test_a_sample_of_nothing_is_refused(later):
    assert "SAMPLE must be a number of rows" in reference(later, "recheck", "--sample", "0", check=False)
