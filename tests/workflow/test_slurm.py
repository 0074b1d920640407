"""The Slurm profile on a real Slurm of one node: the same bytes, through a cancelled job and a killed run."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
import toy_slurm
import yaml
from project_copy import ROOT, Project, make

from nonconvex.study.config import Config
from nonconvex.study.study import Study

# A few cells of chapter 2, timed ones among them; NONCONVEX_SLURM=whole, as in .ci/run, takes all of its smoke scale.
# That needs ten minutes of two cores, since Snakemake starts anew for every job of a group.
OVERLAY = """
scale: smoke
name: tiny
chapters: [2]
formats: [png]
"""
if os.environ.get("NONCONVEX_SLURM") != "whole":
    OVERLAY += """
figures: ["2.2", "2.3", "2.6"]
grid: {p: [0.6], rank: [1]}
"""

# The profile's own settings, but for what makes a test faster.
SOON = "--slurm-init-seconds-before-status-checks 3"
QUICK = f"{SOON} --latency-wait 20 --group-components dataset=10 outcomes=14 table=10 figure=6"

needs_plugin = pytest.mark.skipif(
    not toy_slurm.has_plugin(), reason="the executor for Slurm is not installed"
)


@pytest.fixture(scope="module")
def slurm():
    reason = toy_slurm.missing()
    if reason:
        pytest.skip(reason)
    try:
        with toy_slurm.ToySlurm() as started:
            yield started
    except toy_slurm.NoSlurm as error:
        pytest.skip(str(error))


def overlaid(folder, source=ROOT):
    folder.mkdir()
    project = Project(folder, source)
    (folder / "tiny.yaml").write_text(OVERLAY)
    return project


class Run:
    """A run on Slurm in the background, whose output can be watched."""

    def __init__(self, project):
        self.path = project.folder / "run.log"
        with open(self.path, "wb") as log:
            self.process = subprocess.Popen(
                project.command("--workflow-profile", "profiles/slurm", *QUICK.split()),
                cwd=project.folder,
                env=project.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def until(self, what, seconds=400):
        """Wait until `what` returns something true, and return that."""
        end = time.monotonic() + seconds
        while not (found := what()):
            assert self.process.poll() is None, self.path.read_text()
            assert time.monotonic() < end, self.path.read_text()
            time.sleep(0.2)
        return found

    def kill(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def test_cancelled_and_killed_it_gives_the_bytes_of_a_local_run(slurm, tmp_path):
    local = overlaid(tmp_path / "local")
    local.run(local.command("--cores", "2"), timeout=900)

    project = overlaid(tmp_path / "slurm", local.folder)
    run = Run(project)
    try:
        # One job is cancelled: Snakemake submits it again.
        first, *_ = run.until(slurm.running)
        slurm("scancel", first)
        run.until(lambda: "Trying to restart" in run.path.read_text())
        # The whole run is killed while outcomes are computed: Slurm's jobs go on.
        outcomes = project.folder / "results/smoke-tiny/logs/outcomes"
        run.until(lambda: list(outcomes.rglob("*.log")))
        run.kill()
        left = slurm("squeue", "--noheader", "--format=%i").split()
        assert left

        # The documented way back: nothing is touched while its jobs work, and it says what to type.
        resume = [*make(project, "resume"), "PROFILE=profiles/slurm", f"ARGS={QUICK}"]
        told = project.run(resume, check=False)
        assert told.returncode != 0
        assert f"type 'scancel {' '.join(left)}', then try again" in told.stdout
        slurm("scancel", *left)
        slurm.wait_until_empty()
        project.wait_until_quiet()
        done = project.run(resume, timeout=1800)
    finally:
        run.kill()
    # Short outcomes shared Slurm jobs; timed ones had their own.
    assert "slurm_logs/group_outcomes" in done.stdout
    assert "slurm_logs/rule_outcomes" not in done.stdout
    assert "slurm_logs/rule_timed_outcomes" in done.stdout
    timed = Study(Config(scale="smoke", chapters=("2",)), ROOT).timed_experiments()
    expected = untimed(local.results(), timed)
    assert untimed(project.results(), timed) == expected
    for path in local.results():  # timed ones are there too
        assert (project.folder / "results/smoke-tiny" / path).is_file(), path
    assert not list((project.folder / "results").rglob(".*.tmp*"))


def untimed(results, timed):
    """Keep the datasets, outcomes and tables that hold no running times."""
    places = {path: Path(path).with_suffix("").parts for path in results}
    return {
        path: results[path]
        for path, parts in places.items()
        if parts[0] in ("datasets", "outcomes", "tables") and parts[1] not in timed
    }


@pytest.fixture
def submitted(project):
    """Return a function that runs a target with stand-ins for Slurm and gives what sbatch was told."""
    programs = project.folder / "programs"
    programs.mkdir()
    for name in ("sinfo", "squeue", "scontrol", "sacct"):
        (programs / name).write_text("#!/bin/sh\n")
    (programs / "sacctmgr").write_text("#!/bin/sh\necho math\n")  # this person's accounts
    (programs / "sbatch").write_text('#!/bin/sh\necho "$@" >> sbatch.txt\nexit 1\n')
    for path in programs.iterdir():
        path.chmod(0o755)

    def submit(*targets, **environment):
        path = f"{programs}{os.pathsep}{os.defpath}"
        words = project.command(
            "--workflow-profile", "profiles/slurm", *SOON.split(), "--retries", "0", *targets
        )
        done = project.run(words, check=False, environment=project.environment | {"PATH": path} | environment)
        assert (project.folder / "sbatch.txt").exists(), done.stdout
        return (project.folder / "sbatch.txt").read_text().partition("--wrap")[0]

    return submit


@needs_plugin
def test_timed_jobs_have_the_node_to_themselves(project, submitted):
    (project.folder / "tiny.yaml").write_text("scale: smoke\n")
    project.snakemake("results/smoke/datasets/timing/0000-0001.h5")
    told = submitted("results/smoke/outcomes/timing/am_fiht/0000-0001.h5")
    assert "--ntasks=1 --cpus-per-task=1 --exclusive" in told
    assert " -A " not in told


@needs_plugin
def test_jobs_that_share_a_slurm_job_take_turns_on_one_core(submitted):
    # The executor runs the jobs of a group one after another, whatever the group asked for.
    blocks = [f"results/smoke-tiny/datasets/phase_mode{mode}/0000-0001.h5" for mode in (1, 2)]
    (told,) = submitted(*blocks).splitlines()
    assert " -t 10 --mem " in told
    assert "--ntasks=1 --cpus-per-task=1" in told


@needs_plugin
def test_account_and_partition_come_from_the_environment(submitted):
    told = submitted(
        "results/smoke-tiny/datasets/phase_mode1/0000-0001.h5",
        SBATCH_ACCOUNT="math",
        SBATCH_PARTITION="long",
    )
    assert " -A math " in told
    assert " -p long " in told
    assert " -t 5 --mem " in told


def test_the_profiles_agree_and_name_real_rules():
    import re

    def profile(name):
        return yaml.safe_load((ROOT / f"profiles/{name}/config.yaml").read_text())

    slurm, default = profile("slurm"), profile("default")
    assert {key: slurm.get(key) for key in default} == default
    rules = {
        name
        for path in (ROOT / "workflow/rules").glob("*.smk")
        for name in re.findall(r"^(?:use rule \w+ as|rule) (\w+)", path.read_text(), re.MULTILINE)
    }
    named = {*slurm["groups"], *slurm["set-threads"], *slurm["set-resources"]}
    assert named == rules - {"outcomes"}  # the rule groups its short jobs itself
    assert set(slurm["group-components"]) <= {"outcomes", *slurm["groups"].values()}
