"""Half-written files go when their writer is gone, and only then."""

import os
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from nonconvex.commands.sweep import sweep
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.config import Config

ROOT = Path(__file__).parents[2]


@pytest.fixture
def half_written(tmp_path, monkeypatch):
    """Return a function that leaves the file of a process, and tells whether the sweep removes it."""
    monkeypatch.chdir(tmp_path)
    pipeline = Pipeline(Config("smoke", figures=("2.2",)), ROOT)

    def removed(process, age=0):
        path = Path(f"results/smoke/outcomes/phase_mode1/am_fiht/.0000-0001.{process}.tmp.h5")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"half")
        os.utime(path, (time.time() - age,) * 2)
        sweep(pipeline)
        return not path.exists()

    return removed


def test_a_living_writer_keeps_its_file(half_written):
    assert not half_written(os.getpid())


def test_a_dead_writer_does_not(half_written):
    done = subprocess.Popen(["true"])
    done.wait()
    assert half_written(done.pid)


def test_a_zombie_does_not(half_written):
    # As where the first process of a machine does not look after orphans.
    done = subprocess.Popen(["true"])
    while psutil.Process(done.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert half_written(done.pid)
    done.wait()


def test_a_younger_process_of_the_same_number_does_not(half_written):
    assert half_written(os.getpid(), age=1e6)
