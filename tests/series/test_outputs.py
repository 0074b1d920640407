"""All files or none, whatever is in the way; and an end without a traceback."""

import os
import signal
import subprocess
import sys
import time

import h5py
import numpy as np
import pytest

from nonconvex.errors import UserError
from nonconvex.series.outputs import write_together


def listing(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("name", ["data_recovered.csv", "data_recovered_report.json", "data_recovered.png"])
@pytest.mark.parametrize("kind", ["folder", "read-only"])
def test_what_is_in_the_way_is_named_before_any_work(real_csv, folder, command, monkeypatch, name, kind):
    monkeypatch.setattr("nonconvex.series.run.recover", None)
    if kind == "folder":
        (folder / name).mkdir()
    else:
        (folder / name).write_text("precious")
        (folder / name).chmod(0o444)
    before = listing(folder)
    status, _, complaint = command("recover", "data.csv", "--rank", 4)
    assert (status, complaint.count("\n"), listing(folder)) == (1, 1, before)
    assert f"{name} cannot be written: it is {'a folder' if kind == 'folder' else kind}" in complaint


def test_a_name_that_is_too_long_is_told_before_any_work(real_csv, folder, command, monkeypatch):
    monkeypatch.setattr("nonconvex.series.run.recover", None)
    status, _, complaint = command("recover", "data.csv", "--rank", 4, "--output", f"{'long' * 60}.csv")
    assert (status, complaint.count("\n")) == (1, 1) and "cannot be written (File name too long)" in complaint


def test_the_input_is_never_overwritten_by_a_companion(real_csv, folder, command):
    real_csv.rename("x_outliers.csv")
    before = listing(folder)
    status, _, complaint = command(
        "recover", "x_outliers.csv", "--rank", 4, "--method", "sap", "--output", "x.csv"
    )
    assert (status, listing(folder)) == (1, before)
    assert "x_outliers.csv is the input" in complaint


def test_a_folder_that_appears_meanwhile_leaves_what_was_there(folder):
    for name in ("a", "b"):
        (folder / name).write_text("old")
    (folder / "c").mkdir()
    with pytest.raises(UserError, match=r"c cannot be written"):
        write_together(
            {folder / name: lambda target: target.write_text("new") for name in ("new", "a", "b", "c")}
        )
    assert listing(folder) == {"a": b"old", "b": b"old"}


@pytest.mark.parametrize(
    "error",
    [
        OSError(28, "No space left on device"),
        OSError("Can't write data (file write failed: time = Thu\n, errno = 28, error message = 'No space')"),
        RuntimeError("Unable to flush file (errno = 28, error message = 'No space left on device')"),
    ],
)
def test_a_full_disk_is_one_sentence(folder, error):
    def fail(target):
        target.write_text("half")
        raise error

    with pytest.raises(UserError) as caught:
        write_together({folder / "a": lambda target: target.write_text("a"), folder / "b": fail})
    assert "cannot be written (No space left on device)" in str(caught.value)
    assert "\n" not in str(caught.value) and listing(folder) == {}


def test_spreadsheets_get_their_mark_and_their_ends_of_lines_back(folder, command):
    rows = [f"{k / 10},{'' if k in (7, 8) else np.cos(k / 5):.6}" for k in range(40)]
    (folder / "s.csv").write_bytes(("\ufeff" + "\r\n".join(["time,é", *rows]) + "\r\n").encode())
    assert command("recover", "s.csv", "--rank", 2)[0] == 0
    written = (folder / "s_recovered.csv").read_bytes()
    assert written.startswith("\ufefftime,é\r\n".encode()) and written.count(b"\r\n") == 41


def start(*words):
    return subprocess.Popen(
        [sys.executable, "-m", "nonconvex", "recover", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_nobody_reads_the_lines(real_csv, folder):
    command = start("data.csv", "--rank", "4")
    command.stdout.close()
    with command.stderr:
        assert (command.stderr.read(), command.wait()) == ("", 0)
    assert (folder / "data_recovered.csv").exists()


def test_an_interruption_is_one_line(folder):
    rng = np.random.default_rng(3)
    x = rng.standard_normal((20, 4000))
    x[:, 100:110] = np.nan
    with h5py.File("long.h5", "w") as file:
        file["series"] = x
        file.attrs["sampling_rate"] = 10
    command = start("long.h5", "--rank", "30", "--tolerance", "1e-12", "--max-iterations", "100000")
    assert "20 real channels" in command.stdout.readline()
    time.sleep(0.5)
    os.kill(command.pid, signal.SIGINT)
    _, complaint = command.communicate()
    assert (command.returncode, complaint) == (130, "interrupted; nothing was written\n")
    assert sorted(path.name for path in folder.iterdir()) == ["long.h5"]
