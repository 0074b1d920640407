"""Promise 3: nothing half-written, nothing lost."""

import os
import shutil
import signal
import subprocess
import time

import pytest
from project_copy import Project, make

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("clean"))
    project.run(make(project, "run"))
    return project


@pytest.fixture
def clean(finished):
    return finished.results()


@pytest.fixture
def project(finished, tmp_path):
    """The same version in a folder of its own, with no results."""
    return Project(tmp_path, finished.folder)


def start(project):
    return subprocess.Popen(
        make(project, "run"),
        cwd=project.folder,
        env=project.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def kill_when(project, pattern, process):
    """Kill the whole process group as soon as a result of that pattern is there."""
    for _ in range(1200):
        if list((project.folder / "results/smoke-tiny").glob(pattern)) or process.poll() is not None:
            break
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_one_core_gives_the_same_bytes(project, clean):
    project.run([*make(project, "run"), "CORES=1"])
    assert project.results() == clean


@pytest.mark.parametrize("when", ["datasets/*/*.h5", "outcomes/*/*/*.h5", "tables/*.csv"])
def test_a_killed_run_is_finished_by_make_resume(project, clean, when):
    kill_when(project, when, start(project))
    stray = project.folder / "results/smoke-tiny/tables/.phase_mode1.999999.tmp.csv"
    stray.parent.mkdir(parents=True, exist_ok=True)
    stray.write_text("half a table")
    project.run(make(project, "resume"))
    assert project.results() == clean
    assert not list((project.folder / "results").rglob(".*.tmp*"))


def test_a_killed_run_without_snakemakes_memory(project, clean):
    kill_when(project, "outcomes/*/am_fiht/*.h5", start(project))
    shutil.rmtree(project.folder / ".snakemake")
    block = project.folder / "results/smoke-tiny/datasets/phase_mode1/0000-0001.h5"
    block.write_bytes(block.read_bytes()[:5000])  # what a full disk or another tool may leave
    project.run(make(project, "resume"))
    assert project.results() == clean


def test_nothing_is_touched_while_a_run_goes_on(project):
    process = start(project)
    for _ in range(1200):
        if (project.folder / ".snakemake/locks").is_dir() and any(
            (project.folder / ".snakemake/locks").iterdir()
        ):
            break
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGSTOP)  # it would end before a slow machine has asked twice
    try:
        for target in ("run", "resume"):
            done = project.run(make(project, target), check=False)
            assert done.returncode != 0
            assert "error: a run is going on in this folder (process" in done.stdout
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_dry_run_removes_nothing(project, clean):
    project.run(make(project, "run"))
    project.run([*make(project, "run"), "SET=seed=7", "ARGS=-n"])
    assert project.results() == clean


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_after_a_stop_plain_make_goes_on(project, clean, sent):
    """Ctrl-C, or a polite kill of all processes: no lock stays, and nothing needs a special command."""
    process = start(project)
    for _ in range(1200):
        if list((project.folder / "results/smoke-tiny").glob("outcomes/*/*/*.h5")):
            break
        time.sleep(0.05)
    os.killpg(process.pid, sent)
    process.wait(60)
    project.wait_until_quiet()
    project.run(make(project, "run"))
    assert project.results() == clean
    assert not list((project.folder / "results").rglob(".*.tmp*"))
