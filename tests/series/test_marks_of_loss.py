"""What stands for a lost value: words, numbers that the user names, statuses; and when nothing is lost."""

import json
from pathlib import Path

import numpy as np
import pytest
from series.conftest import write_rows

from nonconvex.errors import UserError
from nonconvex.series.read import read_series
from nonconvex.series.suspects import suspect


@pytest.fixture
def marked(folder, signal):
    """A function that writes the signal of `conftest` with a mark at some places, and returns their flags."""

    def write(mark, name="data.csv"):
        lost = np.zeros(signal.shape, bool)
        lost[0, 20:25] = lost[1, 50:54] = lost[2, [9, 33, 60]] = True
        rows = [
            ",".join(
                [repr(k / 20), *(mark if gone else repr(float(v)) for v, gone in zip(x, flags, strict=True))]
            )
            for k, (x, flags) in enumerate(zip(signal.T, lost.T, strict=True))
        ]
        (folder / name).write_text("\n".join(["time,a,b,c", *rows]) + "\n")
        return lost

    return write


@pytest.mark.parametrize("word", ["NA", "n/a", "NULL", "-", "--", "?", "-nan", "#N/A", " None ", "."])
def test_words_that_say_nothing(marked, word):
    lost = marked(word)
    np.testing.assert_array_equal(read_series("data.csv").mask, ~lost)


@pytest.mark.parametrize("mark", ["0", "-9999", "-1e37", "9.999999933815813e36", "BAD", "inf"])
def test_marks_that_the_user_names(marked, command, signal, mark):
    lost = marked(mark)
    named = "1e37" if mark.startswith("9.99") else mark
    np.testing.assert_array_equal(read_series("data.csv", missing=[named]).mask, ~lost)
    assert command("recover", "data.csv", "--rank", 4, "--missing", named, "--missing", "-7")[0] == 0
    recovered = read_series("data_recovered.csv").values
    assert np.linalg.norm(recovered - signal) < 1e-4 * np.linalg.norm(signal)


def test_zero_is_a_mark_in_the_magnitude_and_an_angle_of_zero_may_be_true(folder):
    columns = [np.arange(6.0), [1, 0, 1, 1, 1, 1], [0, 0, 0, 5, 0, 0]]
    write_rows("p.csv", ["time", "v_magnitude", "v_angle_deg"], columns)
    np.testing.assert_array_equal(read_series("p.csv", missing=["0"]).mask, [[1, 0, 1, 1, 1, 1]])
    columns[2][4] = -9999
    write_rows("p.csv", ["time", "v_magnitude", "v_angle_deg"], columns)
    np.testing.assert_array_equal(read_series("p.csv", missing=["0", "-9999"]).mask, [[1, 0, 1, 1, 0, 1]])


def test_a_magnitude_that_is_a_mark_takes_the_angle_along(folder, command):
    time = np.arange(80) / 20
    x = np.exp(3j * time) + 0.2
    magnitude, angle = np.abs(x), np.degrees(np.angle(x))
    given = [magnitude.copy(), angle.copy()]
    for column in given:
        column[30:34] = 0
    write_rows("p.csv", ["time", "v_magnitude", "v_angle_deg"], [time, *given])
    assert command("recover", "p.csv", "--rank", 2, "--missing", "0")[0] == 0
    rows = np.loadtxt("p_recovered.csv", delimiter=",", skiprows=1)
    np.testing.assert_allclose(rows[:, 1:].T, [magnitude, angle], atol=1e-3)


def test_statuses_of_one_channel_and_of_all(folder, command, signal):
    lines = ["time,a,a_status,b,c,quality"]
    for k, row in enumerate(signal.T):
        a, b, c = (repr(float(value)) for value in row)
        bad, all_bad = k in (20, 21), k == 50
        lines.append(
            f"{k / 20},{'77' if bad else a},{'BAD' if bad else 'ok'},{b},{c},{'lost' if all_bad else 'good'}"
        )
    Path("s.csv").write_text("\n".join(lines) + "\n")
    series = read_series("s.csv")
    assert series.names == ("a", "b", "c")
    expected = np.ones(signal.shape, bool)
    expected[0, [20, 21]] = expected[:, 50] = False
    np.testing.assert_array_equal(series.mask, expected)
    _, printed, _ = command("recover", "s.csv", "--rank", 4)
    assert "the column 'a_status' is read as a status: 2 of 80 instants are bad" in printed
    recovered = Path("s_recovered.csv").read_text().splitlines()
    assert recovered[0] == lines[0] and recovered[21].split(",")[2] == "BAD"
    assert float(recovered[21].split(",")[1]) == pytest.approx(signal[0, 20], abs=1e-4)


def test_codes_that_nobody_explains_are_refused_and_a_constant_one_is_left(folder):
    rows = [f"{k},{k % 3},{8 * (k == 2)}" for k in range(6)]
    Path("s.csv").write_text("\n".join(["time,a,a_flag", *rows]))
    with pytest.raises(UserError, match=r"'a_flag' is a status whose codes \(such as '0'\)"):
        read_series("s.csv")
    Path("s.csv").write_text("\n".join(["time,a,a_flag", *(row[:-1] + "0" for row in rows)]))
    assert "says the same everywhere" in read_series("s.csv").notes[0]
    Path("s.csv").write_text("\n".join(["time,valve_status,a", *rows]))
    assert read_series("s.csv").names == ("valve_status", "a")


def test_nothing_lost_is_no_recovery(folder, command, signal):
    write_rows("whole.csv", ["time", "a", "b", "c"], [np.arange(80) / 20, *signal])
    status, printed, _ = command("recover", "whole.csv", "--rank", 4)
    assert status == 0
    assert "nothing is lost, so nothing was filled or written; a lost value is an empty cell" in printed
    assert [path.name for path in folder.iterdir()] == ["whole.csv"]
    assert command("recover", "whole.csv", "--rank", 4, "--replace-all")[0] == 0


@pytest.mark.parametrize("mark", ["0", "-9999", "1e30"])
def test_a_value_that_repeats_is_suspected(marked, command, mark):
    marked(mark)
    status, _, complaint = command("recover", "data.csv", "--rank", 4)
    assert status == 1 and complaint.count("\n") == 1
    assert "nothing is lost" in complaint and f"the value {float(mark):g} is there 1" in complaint
    assert complaint.rstrip().endswith(f"--missing {float(mark):g}")


def test_a_suspicion_beside_lost_values_is_a_note(marked, command):
    marked("0")
    lines = Path("data.csv").read_text().splitlines()
    lines[70] = lines[70].rsplit(",", 1)[0] + ","
    Path("data.csv").write_text("\n".join(lines))
    _, printed, _ = command("recover", "data.csv", "--rank", 4, "--force")
    assert "note: the value 0 is there 1" in printed
    assert json.loads(Path("data_recovered_report.json").read_text())["input"]["loss_share"] < 0.01


def test_what_is_no_mark_is_not_suspected(folder):
    time = np.arange(60)
    after = np.where(time < 30, 1.02, 0.98 + 0.001 * np.cos(time))
    columns = [
        time,
        np.round(np.cos(time / 9), 1),
        np.where(time < 30, 0.0, 1.0),
        np.ones(60),
        time % 7,
        after,
    ]
    write_rows("q.csv", ["time", "rounded", "switch", "constant", "counter", "after"], columns)
    assert suspect(read_series("q.csv")) is None


def test_a_series_that_passes_zero_exactly_is_not_suspected(folder):
    time = np.arange(120) / 30
    wave = np.cos(2 * np.pi * 0.7 * time + 0.2) * np.exp(-time / 9)
    wave[np.flatnonzero(np.diff(np.sign(wave)))] = 0
    assert (wave == 0).sum() >= 3
    write_rows("q.csv", ["time", "a"], [time, wave])
    assert suspect(read_series("q.csv")) is None
    write_rows("q.csv", ["time", "a"], [time, np.where(np.arange(120) % 31 == 4, 0.0, wave)])
    assert suspect(read_series("q.csv")).value == 0
