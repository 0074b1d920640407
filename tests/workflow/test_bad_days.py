"""A full disk, a disk that is not to be written, two runs at once, results from elsewhere: told, nothing spoilt."""

import os
import shutil
import subprocess
import sys

import pytest
from project_copy import ROOT, Project, make

from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.steps.block_file import content_sha256
from nonconvex.study.config import check_config, read_config

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("finished"))
    project.run(make(project, "run"))
    return project


@pytest.fixture
def project(finished, tmp_path):
    """The same version in a folder of its own, with no results."""
    return Project(tmp_path, finished.folder)


@pytest.fixture
def disk(project):
    """A small disk of its own under results/; returns a function that changes its mount options."""
    results = project.folder / "results"
    results.mkdir()

    def mount(options):
        return subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", results], capture_output=True
        ).returncode

    if os.getuid() != 0 or mount("size=48k"):
        pytest.skip("only root can make a small disk")
    try:
        yield lambda options: mount(f"remount,{options}")
    finally:
        subprocess.run(["umount", "--lazy", results], check=True)


def temporaries(project):
    return list((project.folder / "results").rglob(".*.tmp*"))


def test_a_full_disk_stops_a_run_and_more_space_finishes_it(project, disk, finished):
    done = project.run(make(project, "run"), check=False)
    assert done.returncode != 0
    assert "No space left on device" in done.stdout
    whole = finished.results()
    assert all(whole[name] == content for name, content in project.results().items())
    assert not temporaries(project)
    disk("size=20m")
    project.run(make(project, "resume"))
    assert project.results() == whole


@pytest.mark.parametrize("kilobytes", [4, 8])
def test_a_step_tells_of_a_full_disk_in_one_sentence(project, disk, kilobytes):
    """Full before the block is whole, and full before its sidecar is."""
    disk(f"size={kilobytes}k")
    raw = read_config(ROOT / "config.yaml", [project.folder / "tiny.yaml"])
    pipeline = Pipeline(check_config(raw, ROOT / "workflow/schemas/config.schema.yaml"), ROOT)
    product = pipeline.dataset("phase_mode1", "0000-0001")
    words = [sys.executable, "-m", "nonconvex", "dataset", "--plan", product.plan_text]
    words += ["--digest", product.digest, "--output", "results/0000-0001.h5"]
    environment = project.environment | {"PYTHONPATH": str(project.folder / "src")}
    done = project.run(words, check=False, environment=environment)
    assert done.returncode != 0
    told = done.stdout.splitlines()[-1]
    assert told.startswith("error: ")
    assert "cannot be written: No space left on device. Nothing half-written was left" in told
    assert not temporaries(project)
    for path in (project.folder / "results").glob("*.h5"):
        content_sha256(path)


def test_a_read_only_folder_is_told_before_anything_runs(project, disk, finished):
    disk("size=20m")
    shutil.copytree(finished.folder / "results", project.folder / "results", dirs_exist_ok=True)
    disk("ro")
    assert "Nothing to be done" in project.run(make(project, "run")).stdout  # whole: no need to write
    before = project.results()
    done = project.run([*make(project, "run"), "TRIALS=3"], check=False)
    assert done.returncode != 0
    assert "error: results/smoke-tiny cannot be written, and there is something to make in it" in done.stdout
    assert "Traceback" not in done.stdout
    assert project.results() == before


def test_of_two_runs_at_once_one_is_refused(project, finished):
    runs = [
        subprocess.Popen(
            make(project, "run"),
            cwd=project.folder,
            env=project.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(2)
    ]
    told = [run.communicate(timeout=300)[0] for run in runs]
    codes = [run.returncode for run in runs]
    assert 0 in codes, told
    for code, text in zip(codes, told, strict=True):
        refused = "a run is going on in this folder" in text or "Directory cannot be locked" in text
        assert refused if code else "Finished" in text or "Nothing to be done" in text, text
    assert project.results() == finished.results()


def test_results_copied_from_another_commit_keep_what_still_holds(project, finished):
    """Without Snakemake's memory, as after a copy: only what the edited algorithm made goes, by name."""
    shutil.copytree(finished.folder / "results", project.folder / "results")
    path = project.folder / "src/nonconvex/hankel/solvers/ram_fiht.py"
    path.write_text(path.read_text() + "\n_EDITED = True\n")
    told = project.nonconvex("verify", check=False).stdout
    assert "the outcomes of ram_fiht on phase_mode1, trials 0000-0001: it was made by other code" in told
    assert "outcomes of am_fiht on" not in told
    output = project.run([*make(project, "run"), f"PYTHONPATH={project.folder}/src"]).stdout
    assert "Running ram_fiht on" in output
    assert "Running am_fiht on" not in output
    assert "Drawing trials" not in output
    tables = [p.folder / "results/smoke-tiny/tables/phase_mode1.csv" for p in (project, finished)]
    assert tables[0].read_bytes() == tables[1].read_bytes()
