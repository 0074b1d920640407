import numpy as np
import pytest
from series.conftest import write_rows

from nonconvex.errors import UserError
from nonconvex.series.read import read_series

TIME = [0, 0.1, 0.2, 0.3, 0.4]


def test_real_channels(real_csv, signal, losses):
    series = read_series(real_csv)
    assert series.kind == "real"
    assert series.names == ("a", "b", "c")
    assert series.sampling_rate == pytest.approx(20)
    np.testing.assert_array_equal(series.mask, losses)
    np.testing.assert_array_equal(series.values[losses], signal[losses])
    assert np.isnan(series.values[~losses]).all()


@pytest.mark.parametrize(("suffix", "turn"), [("deg", 360), ("rad", 2 * np.pi)])
def test_phasors_and_half_lost_ones(folder, suffix, turn):
    x = np.exp(1j * np.array([0.1, 0.4, -2, 3, 1])) * [1, 2, 3, 4, 5]
    magnitude, angle = np.abs(x), np.angle(x) * turn / (2 * np.pi)
    magnitude[1], angle[3] = np.nan, np.nan
    header = ["v_angle_" + suffix, "time_s", "v_magnitude_kV"]
    write_rows(folder / "p.csv", header, [angle, TIME, magnitude])
    series = read_series(folder / "p.csv")
    assert (series.kind, series.names, series.unit) == ("phasor", ("v",), "kV")
    np.testing.assert_array_equal(series.mask, [[True, False, True, False, True]])
    np.testing.assert_allclose(series.values[series.mask], x[[0, 2, 4]])
    assert np.isnan(series.values[~series.mask]).all()


def test_forms_of_text_that_are_accepted(folder):
    (folder / "a.csv").write_bytes(
        b"\xef\xbb\xbftime, x\r\n0,1\r\n0.017, nan\r\n0.033,NaN\r\n0.05,\r\n0.067,2e0\r\n\r\n"
    )
    series = read_series(folder / "a.csv")
    assert series.names == ("x",)
    np.testing.assert_array_equal(series.mask, [[True, False, False, False, True]])


ROWS = "0,1\n1,2\n2,3\n3,4\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "bad.csv is empty"),
        ("t,x\n" + ROWS, "line 1: no column is named 'time' or 'time_s'"),
        ("Time,x\n" + ROWS, "did you mean 'Time'"),
        ("time,time_s\n" + ROWS, "both 'time' and 'time_s'"),
        ("time\n0\n1\n2\n3\n", "line 1: there is no channel"),
        ("time;x\n0;1\n", "separated by semicolons; use commas"),
        ("time,\n" + ROWS, "line 1: column 2 has no name"),
        ("time,x,x\n0,1,2\n", "line 1: the column name 'x' is given twice (columns 2 and 3)"),
        ("time,x\n0,1\n1,2\n2\n3,4\n", "line 4: 1 cell where the header has 2"),
        ("time,x\n0,1\n\n1,2\n2,3\n3,4\n", "line 3: 0 cells where the header has 2"),
        ("time,x\n0,1\n1,two\n2,3\n3,4\n", "line 3, column 'x': 'two' is not a number"),
        ("time,x\n0,1\n1,1_0\n2,3\n3,4\n", "line 3, column 'x': '1_0' is not a number"),
        ("time,x\n0,1\n1,-inf\n2,3\n3,4\n", "line 3, column 'x': '-inf' is infinite"),
        ("time,x\n0,1\n1,2\n,3\n3,4\n", "line 4, column 'time': the time is missing"),
        ("time,x\n0,1\n1,2\n2,3\n4,4\n5,1\n", "line 5, column 'time': the time steps by 2 s where most"),
        ("time,x\n0,1\n1,2\n1,3\n2,4\n", "line 4, column 'time': the time 1 is not after the 1"),
        ("time,x\n0,1\n1,2\n2,3\n", "too few samples, 3; at least 4"),
        ("time,x\n", "too few samples, 0"),
        ('time,x\n0,"1\n1,2\n', "is not valid CSV"),
        ("time,v_magnitude\n" + ROWS, "'v_magnitude' has no partner; the angle of 'v' is missing"),
        ("time,v_angle_deg\n" + ROWS, "'v_angle_deg' has no partner; the magnitude of 'v' is missing"),
        ("time,v_magnitude,v_angle\n0,1,2\n", "name it 'v_angle_deg' or 'v_angle_rad'"),
        ("time,v_magnitude,v_magnitude_pu\n0,1,2\n", "both give the magnitude of 'v'"),
        ("time,v_magnitude,v_angle_deg,x\n0,1,2,3\n", "'x' is a plain channel"),
        (
            "time,v_magnitude,v_angle_deg\n0,1,2\n1,-1,2\n2,1,2\n3,1,2\n",
            "line 3, column 'v_magnitude': the magnitude -1 is negative",
        ),
    ],
)
def test_bad_files_are_told_in_one_sentence(folder, text, sentence):
    (folder / "bad.csv").write_text(text)
    with pytest.raises(UserError) as caught:
        read_series("bad.csv")
    assert sentence in str(caught.value)
    assert str(caught.value).startswith("bad.csv")
    assert "\n" not in str(caught.value)


def test_missing_foreign_and_unreadable_files(folder):
    with pytest.raises(UserError, match="cannot be read"):
        read_series("none.csv")
    with pytest.raises(UserError, match="the name must end in one of"):
        read_series("data.xlsx")
    (folder / "latin.csv").write_bytes(b"time,\xe9\n")
    with pytest.raises(UserError, match="not text in UTF-8"):
        read_series("latin.csv")
    with pytest.raises(UserError, match="leave --dataset out"):
        read_series("latin.csv", "series")
