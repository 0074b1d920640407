"""A row by the code of a commit: what tells a change of code from one of machines."""

import subprocess

import pytest
from reference.test_recheck import SOLVER
from small_protocol import SmallProject

from nonconvex.commands.audit.again import computed
from nonconvex.commands.reference_run.then import computed_at, project_at
from nonconvex.errors import UserError
from nonconvex.pipeline.changes import code_of
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import Config

KEY = ("am_fiht", 0, 0)


@pytest.fixture(scope="module")
def committed(tmp_path_factory):
    """The small project as a clone with one commit, and an edit since that changes numbers."""
    project = SmallProject(tmp_path_factory.mktemp("then"))
    who = ["-c", "user.name=n", "-c", "user.email=n@example.org"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "first"]):
        subprocess.run(["git", *words], cwd=project.folder, check=True)
    project.edit(SOLVER, "yield x\n", "yield 1.01 * x\n")
    return project.folder


@pytest.fixture
def experiment(committed, monkeypatch):
    monkeypatch.chdir(committed)
    return Pipeline(Config("thesis")).experiment("easy")


def test_a_row_is_what_the_code_of_the_commit_gives(committed, experiment):
    with project_at("HEAD") as project:
        (then,) = computed_at(project, "easy", KEY, code_of(experiment))
    (now,) = computed(experiment, *KEY, {})  # by the library of this process, which nobody edited
    assert then.columns.tolist() == now.columns.tolist()
    assert then["error"].iloc[0] == pytest.approx(now["error"].iloc[0], rel=1e-6)


def test_a_commit_with_other_code_is_refused(experiment):
    with (
        project_at("HEAD") as project,
        pytest.raises(UserError, match="a commit with other code than easy was made by"),
    ):
        computed_at(project, "easy", KEY, {**code_of(experiment), "am_fiht": "0" * 16})


@pytest.mark.usefixtures("experiment")
def test_what_is_no_commit_is_refused():
    with pytest.raises(UserError, match="AGAINST=nowhere is no commit of this clone"), project_at("nowhere"):
        pass
