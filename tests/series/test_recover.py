import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from series.conftest import write_rows

from nonconvex.series.progress import Progress
from nonconvex.series.read import read_series

WRITTEN = ["data_recovered.csv", "data_recovered.png", "data_recovered_report.json"]


def files(folder):
    return sorted(path.name for path in folder.iterdir())


def read_report():
    return json.loads(Path("data_recovered_report.json").read_text(encoding="utf-8"))


def read_cells(name):
    return [line.split(",") for line in Path(name).read_text().splitlines()]


def test_from_the_command_line(real_csv, folder, signal, losses):
    done = subprocess.run(
        [sys.executable, "-m", "nonconvex", "recover", "data.csv", "--rank", "4"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "converged" in done.stdout
    assert files(folder) == ["data.csv", *WRITTEN]
    recovered = read_series("data_recovered.csv")
    assert recovered.mask.all()
    assert np.linalg.norm(recovered.values - signal) < 1e-4 * np.linalg.norm(signal)
    np.testing.assert_array_equal(recovered.values[losses], signal[losses])


def test_report(real_csv, command, losses):
    status, printed, _ = command("recover", real_csv, "--rank", 4, "--n1", 30)
    report = read_report()
    assert status == 0
    assert (report["rank"], report["n1"], report["status"]) == (4, 30, "converged")
    assert report["input"]["loss_share"] == pytest.approx(1 - losses.mean())
    assert report["input"]["instants_lost_in_all_channels"] == (~losses).all(axis=0).sum()
    assert report["options"]["beta"] == "squared"
    assert report["hidden"]["samples"] == pytest.approx(0.05 * losses.sum(), abs=3)
    assert 0 < report["hidden"]["error"] < 1e-3 < report["hidden"]["interpolation_error"]
    assert report["refused"] is None
    assert f"{report['hidden']['samples']} observed samples hidden" in printed


def test_what_is_hidden_is_counted_apart_from_what_is_lost_beside_it(folder, command, signal):
    values = signal.copy()
    values[:, 20:60:3] = np.nan
    write_rows("data.csv", ["time", "a", "b", "c"], [np.arange(80) / 20, *values])
    _, printed, _ = command("recover", "data.csv", "--rank", 4)
    hidden = json.loads(Path("data_recovered_report.json").read_text())["hidden"]
    run, gap = hidden["longest_run_samples"], hidden["longest_gap_samples"]
    assert 1 <= run <= hidden["samples"] and run <= gap
    beside = f", {gap} with what is lost beside them" if gap > run else ""
    assert f"pieces like the gaps (up to {run} in a row{beside}); relative error" in printed


def test_same_bytes_again(real_csv, command_with_picture, folder):
    command_with_picture("recover", real_csv, "--rank", 4)
    first = {name: (folder / name).read_bytes() for name in WRITTEN}
    command_with_picture("recover", real_csv, "--rank", 4)
    assert first == {name: (folder / name).read_bytes() for name in WRITTEN}


def test_observed_cells_keep_their_text(folder, command, signal, losses):
    with open("data.csv", "w") as file:
        file.write("time,a,b,c\n")
        for k, row in enumerate(np.where(losses, signal, np.nan).T):
            file.write(f"{k / 20:.2f}," + ",".join("" if np.isnan(v) else f"{v:+.12e}" for v in row) + "\n")
    command("recover", "data.csv", "--rank", 4)
    before, after = read_cells("data.csv"), read_cells("data_recovered.csv")
    for old, new in zip(before, after, strict=True):
        assert [n for o, n in zip(old, new, strict=True) if o] == [o for o in old if o]
        assert all(new)
    command("recover", "data.csv", "--rank", 4, "--replace-all", "--output", "all.csv")
    assert "e+" not in (folder / "all.csv").read_text()


def test_phasors_come_back_in_their_columns(folder, command):
    time = np.arange(60) / 30
    x = np.array([[1.0], [0.8]]) * np.exp(1j * (2 * np.pi * 1.5 * time + 0.3)) + 0.2
    unwrapped = np.degrees(np.unwrap(np.angle(x[0])))
    wrapped = np.angle(x[1])
    magnitude = np.abs(x)
    lost = np.zeros(60, bool)
    lost[[5, 6, 20, 33, 50, 59]] = True
    columns = [time, magnitude[0], unwrapped, magnitude[1], wrapped]
    gappy = [time, *(np.where(lost, np.nan, column) for column in columns[1:])]
    gappy[1][6] = magnitude[0, 6]
    header = ["time", "a_magnitude_pu", "a_angle_deg", "b_magnitude_pu", "b_angle_rad"]
    write_rows("p.csv", header, gappy)
    status, _, _ = command("recover", "p.csv", "--rank", 2, "--tolerance", "1e-9")
    assert status == 0
    rows = read_cells("p_recovered.csv")
    assert rows[0] == header
    np.testing.assert_allclose(np.array(rows[1:], float).T, columns, atol=1e-4)
    assert rows[7][1] == repr(float(magnitude[0, 6]))


def test_ram_fiht_estimates_its_incoherence_or_is_told(real_csv, command):
    words = ["recover", real_csv, "--rank", 4, "--method", "ram_fiht", "--beta", "linear"]
    status, _, _ = command(*words)
    report = read_report()
    assert status == 0
    assert report["options"]["incoherence"] > 1
    assert report["hidden"]["error"] < 1e-3
    command(*words, "--incoherence", 9)
    assert read_report()["options"]["incoherence"] == 9


def test_progress(capsys):
    x = np.ones((1, 4))
    progress = Progress("check", x > 0, every=0)
    progress(0, x)
    progress(1, 1.5 * x)
    assert capsys.readouterr().err == "check: iteration 1, relative change 5.0e-01\n"
    Progress("check", x > 0)(0, x)
    assert capsys.readouterr().err == ""


def refused(command, folder, *words):
    before = files(folder)
    status, _, complaint = command("recover", *words)
    assert status == 1
    assert files(folder) == before
    assert complaint.startswith("error: ") and complaint.count("\n") == 1
    return complaint


def test_refused_when_the_error_is_large(folder, command):
    noise = np.random.default_rng(0).standard_normal((4, 60))
    noise[0, 10:14] = np.nan
    write_rows("data.csv", ["time", *"abcd"], [np.arange(60.0), *noise])
    words = ["data.csv", "--rank", 3, "--tolerance", "1e-3"]
    assert "the relative error on the hidden samples is" in refused(command, folder, *words)
    status, _, complaint = command("recover", *words, "--force")
    assert status == 1
    assert "because of --force" in complaint
    assert files(folder) == ["data.csv", *WRITTEN]
    assert "hidden samples" in read_report()["refused"]


def test_refused_when_not_converged(real_csv, folder, command):
    complaint = refused(command, folder, real_csv, "--rank", 4, "--max-iterations", 6)
    assert "did not converge" in complaint and "after 6 iterations" in complaint


def test_refused_when_zeros_would_be_the_answer(real_csv, folder, command):
    complaint = refused(command, folder, real_csv, "--rank", 8, "--n1", 8)
    assert "rank 8 is not below n1 = 8 while" in complaint
    complaint = refused(command, folder, real_csv, "--rank", 2, "--n1", 79)
    assert "rank 2 is not below n2 = samples + 1 - n1 = 2" in complaint and "smaller --n1" in complaint
    assert "rank 1 is not below n1 = 1" in refused(command, folder, real_csv, "--rank", "auto", "--n1", 1)


def test_rank_of_n1_is_fine_while_every_instant_was_observed(folder, command):
    time = np.arange(60.0)
    x = np.outer([1.0, 2, 3, 4], np.cos(time / 9))
    x[0, 5:8] = x[2, 30] = np.nan
    write_rows("data.csv", ["time", *"abcd"], [time, *x])
    assert command("recover", "data.csv", "--rank", 1, "--n1", 1)[0] == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "--rank is missing: give a whole number"),
        (["--method", "svt", "--rank", "auto"], "--rank means nothing to svt; leave it out"),
        (["--method", "fiht", "--rank", "41"], "--rank must be from 1 to min(n_channels n1, n2) = 40"),
        (["--method", "fiht", "--rank", "8", "--n1", "8"], "samples are lost and channels are alone"),
        (["--rank", "4", "--threshold-scale", "2"], "--threshold-scale means nothing to am_fiht"),
        (["--rank", "4", "--method", "sap", "--threshold-scale", "0"], "threshold_scale must be"),
        (["--rank", "four"], "--rank must be a whole number or auto"),
        (["--rank", "0"], "--rank must be from 1 to"),
        (["--rank", "4", "--n1", "81"], "--n1 must be from 1 to n_samples = 80"),
        (["--rank", "4", "--beta", "cubed"], "--beta must be squared, linear or a number"),
        (["--rank", "4", "--beta", "1.5"], "beta must be"),
        (["--rank", "4", "--tolerance", "-1"], "tolerance must be"),
        (["--rank", "4", "--seed", "-1"], "--seed must be at least 0"),
        (["--rank", "4", "--method", "amfiht"], "did you mean 'am_fiht'?"),
        (["--rank", "4", "--incoherence", "2"], "--incoherence means nothing to am_fiht"),
        (["--rank", "4", "--output", "data.csv"], "is the input"),
        (["--rank", "4", "--output", "x.h5"], "has the format of data.csv"),
        (["--rank", "4", "--output", "data.csv/x.csv"], "cannot be written"),
    ],
)
def test_wrong_options(real_csv, folder, command, words, sentence):
    assert sentence in refused(command, folder, "data.csv", *words)


def test_an_empty_channel_is_named(folder, command):
    x = np.ones((2, 9))
    x[1] = np.nan
    write_rows("data.csv", ["time", "a", "b"], [np.arange(9.0), *x])
    assert "channel 'b' has no observed sample" in refused(command, folder, "data.csv", "--rank", 1)


def test_nothing_is_left_when_the_last_file_fails(real_csv, folder, command, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("nonconvex.series.run.save", fail)
    assert "No space left" in refused(command, folder, real_csv, "--rank", 4)


@pytest.mark.skipif(sys.platform == "darwin", reason="names are UTF-8 there")
def test_a_file_may_have_a_name_of_any_bytes(real_csv, folder):
    name = os.fsdecode(b"s\xe9rie.csv")
    Path("data.csv").rename(name)
    words = [sys.executable, "-m", "nonconvex", "recover", name, "--rank", "4"]
    done = subprocess.run(words, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"s\\xe9rie.csv: 3 real channels")
    assert b"\nwritten: s\xe9rie_recovered.csv" in done.stdout
    report = json.loads(Path(os.fsdecode(b"s\xe9rie_recovered_report.json")).read_text(encoding="utf-8"))
    assert report["input"]["file"] == "s\\xe9rie.csv"
