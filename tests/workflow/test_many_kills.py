"""Promise 3 under fire: dozens of kills at random moments, then one `make resume`, and the bytes of a clean run."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pytest
from project_copy import ROOT, Project, make

from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.steps.block_file import content_sha256
from nonconvex.study.config import check_config, read_config

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

RESULTS = "results/smoke-tiny"
OVERLAY = """
scale: smoke
name: tiny
chapters: [2]
figures: ["2.2"]
formats: [png]
trials: 4
grid: {p: [0.6], rank: [1]}
"""


def overlaid(folder, source=ROOT):
    project = Project(folder, source)
    (folder / "tiny.yaml").write_text(OVERLAY)
    return project


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    project = overlaid(tmp_path_factory.mktemp("clean"))
    project.snakemake()
    return project


class Siege:
    """One project under fire; every random moment comes from one seed."""

    def __init__(self, project):
        self.project, self.chance, self.kills = project, random.Random(20211), 0
        raw = read_config(ROOT / "config.yaml", [project.folder / "tiny.yaml"])
        pipeline = Pipeline(check_config(raw, ROOT / "workflow/schemas/config.schema.yaml"), ROOT)
        self.products = pipeline.block_products("phase_mode1")

    def start(self, words):
        path = {"PYTHONPATH": str(self.project.folder / "src")}
        return subprocess.Popen(
            words,
            cwd=self.project.folder,
            env=self.project.environment | path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def wait(self, what, pause=0.05):
        end = time.monotonic() + 60
        while not what() and time.monotonic() < end:
            time.sleep(pause)

    def kill(self, process, group=False):
        """Kill a process that this test started, with its group or alone; count it when it was alive."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL) if group else process.kill()
        self.kills += process.wait() == -signal.SIGKILL

    def temporaries(self):
        return [path for path in (self.project.folder / "results").rglob(".*.tmp*")]

    def check_blocks(self):
        """Whatever has a block's name is whole."""
        for product in self.products:
            path = self.project.folder / product.outputs[0]
            if path.exists():
                content_sha256(path)

    def step(self, product):
        """Start one step, as a rule would."""
        words = [sys.executable, "-m", "nonconvex", product.kind, "--plan", product.plan_text]
        words += ["--digest", product.digest, "--output", *product.outputs]
        words += ["--input", *product.inputs] if product.inputs else []
        return self.start(words)

    def worker(self, product):
        """Kill one step: while it writes, or at any moment of its life."""
        process = self.step(product)
        folder = (self.project.folder / product.outputs[0]).parent
        if self.chance.random() < 0.6:
            mark = f".{process.pid}.tmp"
            self.wait(lambda: process.poll() is not None or (folder.is_dir() and any(mark in n for n in os.listdir(folder))), pause=0.0005)  # fmt: skip
        else:
            time.sleep(self.chance.uniform(0, 0.6))
        self.kill(process)

    def run(self, group):
        """Kill a whole run, its main process alone or all of it, some time after it began to work."""
        process = self.start(self.project.command("--cores", "2", "--nolock", "--retries", "2"))
        logs = self.project.folder / RESULTS / "logs"
        before = {path: path.stat().st_mtime for path in logs.rglob("*.log")}
        self.wait(lambda: process.poll() is not None or any(before.get(p) != p.stat().st_mtime for p in logs.rglob("*.log")))  # fmt: skip
        time.sleep(self.chance.uniform(0, 1))
        self.kill(process, group)

    def workers_of_a_run(self, count):
        """Kill some of the steps of one run, which tries them again; then the run itself."""
        process = self.start(self.project.command("--cores", "2", "--nolock", "--retries", "9"))
        for _ in range(count):
            self.wait(lambda: process.poll() is not None or steps_below(process.pid))
            time.sleep(self.chance.uniform(0, 0.4))
            for step in steps_below(process.pid)[:1]:
                step.kill()
                self.kills += 1
        self.kill(process, group=True)


def steps_below(process):
    """Return the steps that a run's process has started and that still run."""
    found = []
    try:
        for child in psutil.Process(process).children(recursive=True):
            words = child.cmdline()
            if words[1:3] == ["-m", "nonconvex"] and child.status() != psutil.STATUS_ZOMBIE:
                found.append(child)
    except psutil.Error:
        pass
    return found


def test_dozens_of_kills_lose_nothing(tmp_path, clean):
    siege = Siege(overlaid(tmp_path, clean.folder))
    datasets = [p for p in siege.products if p.kind == "dataset"]
    outcomes = [p for p in siege.products if p.kind == "outcomes"]
    for product in datasets * 2:
        siege.worker(product)
        siege.check_blocks()
    siege.run(group=True)
    siege.workers_of_a_run(6)
    siege.check_blocks()
    shutil.rmtree(tmp_path / ".snakemake")
    for product in datasets:
        assert siege.step(product).wait() == 0
    # On a fast machine some steps end before their moment comes: go on until there were enough kills.
    for product in siege.chance.choices(outcomes, k=90):
        if siege.kills >= 30:
            break
        siege.worker(product)
        siege.check_blocks()
    for group in (False, True, False):
        siege.run(group)
        siege.check_blocks()
    assert siege.kills >= 30
    siege.project.wait_until_quiet()
    siege.project.run(make(siege.project, "resume"))
    assert siege.project.results() == clean.results()
    assert not siege.temporaries()
