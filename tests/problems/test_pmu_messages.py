"""Mistakes in a recording of one's own, or in what the config says of it, are one sentence."""

from pathlib import Path

import numpy as np
import pytest
from problems.recordings import bundled, frame, own, write

from nonconvex.errors import UserError


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t[["time", "unit0_magnitude_kv"]], "the angle of 'unit0' is missing"),
        (lambda t: t.rename(columns={"time": "tme"}), "no column is named 'time'"),
        (lambda t: t[["time"]].assign(speed=1.0), "holds real channels; a recording of phasors has"),
        (lambda t: t.head(3), "too few samples, 3"),
        (lambda t: t.drop(index=20), "instants must be evenly spaced"),
        (lambda t: t.assign(unit1_angle_deg="north"), "'north' is not a number"),
        (lambda t: t.assign(unit1_angle_deg=np.nan), "channel 'unit1' has no value at all"),
    ],
)
def test_a_file_that_is_no_recording_is_one_sentence(change, message):
    change(frame()).to_csv("mine.csv", index=False)
    with pytest.raises(UserError, match=message) as caught:
        own("mine.csv")
    assert "\n" not in str(caught.value)


def test_a_ragged_file_is_one_sentence():
    write()
    with open("mine.csv", "a") as file:
        file.write("1.2,3\n")
    with pytest.raises(UserError, match="line 62: 2 cells where the header has 9"):
        own("mine.csv")


@pytest.mark.parametrize(
    ("pmu", "message"),
    [
        ({"sourse": "file"}, r"unknown key 'data\.pmu\.sourse'; did you mean 'source'"),
        ({"source": "fille"}, r"data\.pmu\.source is 'fille', which is unknown .*did you mean 'file'"),
        ({"source": "file"}, r"source is 'file', but data\.pmu\.file is empty"),
        ({"source": "file", "file": "none.csv"}, r"data\.pmu\.file is none\.csv, where there is no file"),
        ({"source": "file", "file": "mine.txt"}, "the name must end in one of"),
        ({"file": "mine.csv"}, r"data\.pmu\.file is given, but data\.pmu\.source is not 'file'"),
        ({"event_time": 1.0}, r"data\.pmu\.event_time is given, but data\.pmu\.source is not 'file'"),
        ({"missing": -9999}, r"data\.pmu\.missing is given, but data\.pmu\.source is not 'file'"),
        ({"missing": "none"}, r"data\.pmu\.missing must be a number or a list or null, not 'none' .*write a list: missing: "),
        ({"missing": ["-9999"]}, r"data\.pmu\.missing\[0\] must be a number, not '-9999' \(text\)"),
        ({"missing": []}, r"data\.pmu\.missing is empty"),
        ({"missing": [0, float("inf")]}, r"data\.pmu\.missing must be finite, not inf"),
        ({"rate": 60}, r"data\.pmu\.rate is 60, but the recording has 30 samples a second"),
        ({"rate": 0}, r"data\.pmu\.rate must be above 0"),
        ({"rate": float("nan")}, r"data\.pmu\.rate must be finite"),
        ({"rate": "30"}, r"data\.pmu\.rate must be a number or null, not '30'"),
        ({"source": "file", "file": "mine.csv", "rate": 30}, "the recording has 50 samples a second; correct it"),
        ({"source": "file", "file": "mine.csv", "event_time": 2.3}, "event_time is 2.3, outside the recording's 0 to 1.18"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_config_is_one_sentence(pmu, message):
    write()
    Path("mine.txt").write_text("time\n")
    with pytest.raises(UserError, match=message) as caught:
        bundled(name="mine", data={"pmu": pmu}).check()
    assert "\n" not in str(caught.value)


def test_an_own_recording_needs_a_name():
    with pytest.raises(UserError, match="needs a 'name'"):
        bundled(data={"pmu": {"source": "file", "file": "mine.csv"}})


def test_what_the_recording_decides_is_no_axis():
    with pytest.raises(UserError, match=r"grid\.pmu_mode1 has no parameter 'n_samples'"):
        own(write(), grid={"pmu_mode1": {"n_samples": 50}})
    assert own(write(), grid={"n_samples": 50}).experiment("pmu_mode1")["parameters"]["n_samples"] == 60


def test_milliseconds_at_120_frames_go_with_their_rate():
    table = frame()
    table["time"] = (np.arange(len(table)) / 120).round(3)
    table.to_csv("mine.csv", index=False)
    assert own("mine.csv", rate=120).experiment("pmu_mode1")["parameters"]["n_samples"] == len(table)
    table.drop(index=30).to_csv("mine.csv", index=False)
    with pytest.raises(UserError, match="instants must be evenly spaced"):
        own("mine.csv", rate=120)


def test_other_spellings_are_a_recording_and_doubt_is_a_sentence():
    table = frame()
    table.columns = [
        name.replace("_magnitude_kv", " Mag [kV]").replace("_angle_deg", " Ang [°]") for name in table
    ]
    table.to_csv("mine.csv", index=False)
    assert own("mine.csv").experiment("pmu_mode1")["parameters"]["n_channels"] == 4
    table.columns = [name.replace(" [°]", "") for name in table]
    table.to_csv("mine.csv", index=False)
    with pytest.raises(UserError, match="the angle's name does not say its unit"):
        own("mine.csv")
