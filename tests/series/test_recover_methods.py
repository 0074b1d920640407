"""The other methods of `recover`: with outliers, channel by channel, and without a rank."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from series.conftest import write_rows

from nonconvex.series.read import read_series
from nonconvex.series.recover import recover


@pytest.fixture
def wrong(losses):
    """Which observed samples of the series are outliers."""
    flags = losses & (np.random.default_rng(6).random(losses.shape) < 0.06)
    assert flags.sum() >= 8
    return flags


@pytest.fixture
def outliers_csv(folder, signal, losses, wrong):
    values = np.where(losses, signal, np.nan) + wrong * np.where(signal > 0, -4.0, 5.0)
    write_rows(folder / "data.csv", ["time", "a", "b", "c"], [np.arange(80) / 20, *values])
    return folder / "data.csv"


def rows_of(name):
    with open(name, newline="") as file:
        return list(csv.DictReader(file))


def read_report():
    return json.loads(Path("data_recovered_report.json").read_text(encoding="utf-8"))


def relative(x, truth):
    return np.linalg.norm(x - truth) / np.linalg.norm(truth)


def test_gaps_and_outliers_from_the_command_line(outliers_csv, signal, losses, wrong):
    words = ["recover", "data.csv", "--rank", "4", "--method", "sap"]
    done = subprocess.run(
        [sys.executable, "-m", "nonconvex", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"outliers: {wrong.sum()} of the observed samples" in done.stdout
    recovered, given = read_series("data_recovered.csv").values, read_series("data.csv").values
    assert relative(recovered, signal) < 1e-2
    np.testing.assert_array_equal(recovered[losses & ~wrong], given[losses & ~wrong])
    found = rows_of("data_recovered_outliers.csv")
    assert [(round(20 * float(row["time"])), "abc".index(row["channel"])) for row in found] == [
        (sample, channel) for sample, channel in np.argwhere(wrong.T)
    ]
    for row in found:
        place = "abc".index(row["channel"]), round(20 * float(row["time"]))
        observed, estimate = float(row["observed"]), float(row["estimate"])
        assert observed == pytest.approx(given[place]) and estimate == pytest.approx(recovered[place])
        assert float(row["size"]) == pytest.approx(abs(observed - estimate)) and float(row["size"]) > 3


def test_report_of_outliers(outliers_csv, command, wrong):
    status, _, _ = command("recover", outliers_csv, "--rank", 4, "--method", "sap", "--threshold-scale", 1.5)
    report = read_report()
    assert status == 0
    assert report["outliers"]["samples"] == wrong.sum()
    assert report["outliers"]["channels"] == dict(zip("abc", wrong.sum(axis=1).tolist(), strict=True))
    assert report["observed_values"] == "kept, outliers replaced"
    assert report["options"]["threshold_scale"] == 1.5
    assert report["hidden"]["error"] < 1e-2
    answer = recover(read_series(outliers_csv), rank=4, method="sap")
    assert report["hidden"]["outliers_left_out"] == (answer.check.hidden & wrong).sum()
    np.testing.assert_array_equal(answer.outliers, wrong)


def test_completion_alone_suffers_from_the_outliers(outliers_csv, signal, losses):
    series = read_series(outliers_csv)
    errors = {
        method: relative(recover(series, rank=4, method=method).values[~losses], signal[~losses])
        for method in ("am_fiht", "sap")
    }
    assert errors["sap"] < 1e-2
    assert errors["am_fiht"] > 0.1


def test_refused_when_nearly_everything_is_an_outlier(real_csv, command):
    words = ["recover", real_csv, "--rank", 4, "--method", "sap", "--threshold-scale", 0.01]
    status, _, complaint = command(*words)
    assert status == 1
    assert (
        "of the observed samples would be outliers" in complaint and "larger --threshold-scale" in complaint
    )


def test_no_outliers_leave_an_empty_list(real_csv, command):
    status, printed, _ = command("recover", real_csv, "--rank", 4, "--method", "sap")
    assert status == 0
    assert "outliers: 0 of the observed samples (0.0 %)" in printed
    assert Path("data_recovered_outliers.csv").read_text() == "time,channel,observed,estimate,size\n"


def test_outliers_of_phasors(folder, command):
    time = np.arange(80) / 20
    x = np.exp(2j * np.pi * np.outer([1, 1], 1.1 * time)) * np.array([[1.0], [0.7j]]) + 0.3
    bad = x.copy()
    bad[0, [5, 40]] += 3
    columns = [part for row in bad for part in (np.abs(row), np.degrees(np.angle(row)))]
    columns[2][10:13] = np.nan
    header = [f"{name}_{part}" for name in "ab" for part in ("magnitude", "angle_deg")]
    write_rows("data.csv", ["time", *header], [time, *columns])
    assert command("recover", "data.csv", "--rank", 2, "--method", "sap")[0] == 0
    found = rows_of("data_recovered_outliers.csv")
    assert [(row["channel"], float(row["time"])) for row in found] == [("a", 0.25), ("a", 2.0)]
    assert float(found[0]["observed_magnitude"]) == pytest.approx(abs(bad[0, 5]))
    assert float(found[0]["estimate_angle_deg"]) == pytest.approx(np.degrees(np.angle(x[0, 5])), abs=1)
    assert relative(read_series("data_recovered.csv").values, x) < 1e-2


@pytest.mark.parametrize("rank", ["4", "auto"])
def test_each_channel_alone(real_csv, command, signal, rank):
    words = ["recover", real_csv, "--rank", rank, "--method", "fiht", "--max-iterations", 2000]
    status, _, complaint = command(*words)
    assert (status, complaint) == (0, "")
    report = read_report()
    assert (report["method"], report["rank"], report["outliers"]) == ("fiht", 4, None)
    assert relative(read_series("data_recovered.csv").values, signal) < 1e-3
    assert not Path("data_recovered_outliers.csv").exists()


def test_without_a_rank(real_csv, command, signal):
    words = ["recover", real_csv, "--method", "svt", "--max-iterations", 5000]
    status, _, complaint = command(*words)
    assert (status, complaint) == (0, "")
    report = read_report()
    assert report["rank_was"] == "found" and report["options"]["n1"] == 40
    assert relative(read_series("data_recovered.csv").values, signal) < 0.3
    status, _, complaint = command(*words, "--n1", 1)
    assert status == 1 and "rank 1 is not below n1 = 1" in complaint
