"""The times of a series: rounded ones pass, a lost row does not, and seconds are wanted."""

import h5py
import numpy as np
import pytest
from series.conftest import write_rows

from nonconvex.errors import UserError
from nonconvex.series.read import read_series
from nonconvex.series.timeline import check_sampling


def rate_of(time):
    return check_sampling(np.asarray(time), "instant {}".format)


@pytest.mark.parametrize(("rate", "decimals"), [(120, 3), (60, 3), (240, 3), (50, 2), (29.97, 3), (11, 2)])
@pytest.mark.parametrize("start", [0, 1.7e9])
def test_rounded_times_pass_and_a_lost_row_does_not(rate, decimals, start):
    time = start + np.round(np.arange(150) / rate, decimals)
    assert rate_of(time) == pytest.approx(rate, rel=0.01)
    assert rate_of(time.astype(np.float32).astype(float) if not start else time) == pytest.approx(
        rate, rel=0.01
    )
    for gone in (1, 70, 148):
        with pytest.raises(
            UserError, match=f"instant {gone}: the time steps by .* one that is lost needs its row"
        ):
            rate_of(np.delete(time, gone))


def test_a_rate_that_changes_is_no_rounding():
    time = np.cumsum([0.0, *[0.008] * 120, *[0.009] * 80])
    with pytest.raises(UserError, match="evenly spaced"):
        rate_of(np.round(time, 3))


def test_whole_seconds_do_not_hide_a_lost_one():
    with pytest.raises(UserError, match="steps by 2 s where most steps are 1 s"):
        rate_of([0.0, 1, 2, 4, 5, 6])


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ("2031-02-03 04:05:06.000", "'2031-02-03 04:05:06.000' is not a number; the time must be in seconds"),
        ("12:00:01", "the time must be in seconds, a number such as 0.033"),
        ("", "the time is missing or infinite; each row needs its time in seconds"),
        ("inf", "'inf' is infinite; the time must be in seconds"),
        ("1893456000.25", "the time 1893456000.25 is not after the 1893456000.25 before it"),
    ],
)
def test_what_is_no_time_in_seconds(folder, cells, sentence):
    rows = [f"{1893456000 + k / 4},{k}" for k in range(6)]
    (folder / "t.csv").write_text("\n".join(["time,x", *rows[:2], f"{cells},1", *rows[2:]]))
    with pytest.raises(UserError) as caught:
        read_series("t.csv")
    assert sentence in str(caught.value) and "line 4, column 'time'" in str(caught.value)


@pytest.mark.parametrize(("unit", "passes"), [("s", True), (b"seconds since start", True), ("ms", False)])
def test_the_unit_that_a_file_states(folder, unit, passes):
    with h5py.File("t.h5", "w") as file:
        file["series"], file["time"] = np.ones((2, 5)), np.arange(5.0)
        file["time"].attrs["units"] = unit
    if passes:
        assert read_series("t.h5").sampling_rate == 1
    else:
        with pytest.raises(UserError, match="dataset 'time' is in 'ms'; the time must be in seconds"):
            read_series("t.h5")


def test_milliseconds_at_120_frames_are_recovered(folder, command):
    time = np.arange(120) / 120
    x = np.array([np.cos(20 * time), np.sin(20 * time)])
    x[0, 30:36] = np.nan
    write_rows("f.csv", ["time", "a", "b"], [np.round(time, 3), *x])
    assert command("recover", "f.csv", "--rank", 2)[0] == 0
