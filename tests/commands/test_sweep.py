"""Half-written files go when their writer is gone, and only then."""

import os
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from nonconvex.commands.sweep import sweep, sweep_products
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


def test_a_table_with_fewer_trials_stays_and_gets_older_than_its_blocks(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(
        "nonconvex.commands.sweep.fewer_trials", lambda pipeline: {"few": "it has 1 of 4 trials"}
    )
    paths = {name: tmp_path / name for name in ("few.csv", "other.csv", "block.h5", "few.json")}
    for path in paths.values():
        path.write_text("x")
    os.utime(paths["block.h5"], (1000.0, 1000.0))

    def table(name):
        inputs, outputs = (str(paths["block.h5"]), str(tmp_path / "none.h5")), (str(paths[f"{name}.csv"]),)
        files = (*outputs, str(paths["few.json"])) if name == "few" else outputs
        return SimpleNamespace(
            kind="table", name=name, inputs=inputs, outputs=outputs, files=files, problem=lambda: "stale"
        )

    sweep_products([table("few"), table("other")], SimpleNamespace(folder=tmp_path))
    assert paths["few.csv"].stat().st_mtime == paths["few.json"].stat().st_mtime == 999.0
    assert not paths["other.csv"].exists()
    assert capsys.readouterr().out == "removed the other: stale\n"
