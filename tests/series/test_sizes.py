"""Numbers of any size give the same answers, and channels of unlike sizes do not drown each other."""

import json
from pathlib import Path

import numpy as np
import pytest
from series.conftest import write_rows

from nonconvex.series.scale import channel_sizes, size

TIME = np.arange(120) / 30


def report():
    return json.loads(Path("data_recovered_report.json").read_text())


def lose(x, seed=2):
    rng = np.random.default_rng(seed)
    x = x.copy()
    x[rng.random(x.shape) < 0.1] = np.nan
    for row in x:
        row[rng.integers(5, 100) :][:8] = np.nan
    return x


def write(x, header="abcdefg"):
    write_rows("data.csv", ["time", *header[: len(x)]], [TIME, *x])


@pytest.mark.parametrize("factor", [1e-180, 1e180, 1e-300, 1e300])
@pytest.mark.parametrize(
    "words",
    [
        ("--rank", "auto"),
        ("--rank", 4, "--method", "ram_fiht"),
        ("--method", "svt"),
        ("--rank", 4, "--method", "sap"),
    ],
)
def test_a_factor_changes_nothing_but_the_size(
    folder, command_with_picture, command, signal, losses, factor, words
):
    gappy = np.where(losses, signal, np.nan)
    drawn = command_with_picture if words == ("--rank", "auto") else command
    answers = []
    for scale in (1, factor):
        write_rows("data.csv", ["time", "a", "b", "c"], [np.arange(80) / 20, *gappy * scale])
        status, printed, _ = drawn("recover", "data.csv", *words)
        said = report()
        answers.append((status, said["rank"], said["iterations"], said["hidden"]["error"]))
        values = np.loadtxt("data_recovered.csv", delimiter=",", skiprows=1)[:, 1:].T / scale
        assert "nan" not in printed
        answers.append(values)
    assert answers[0][:3] == answers[2][:3] and answers[0][0] == 0
    assert answers[0][3] == pytest.approx(answers[2][3], rel=1e-3, abs=1e-12)
    np.testing.assert_allclose(answers[3], answers[1], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("factor", [1, 1e-180, 1e180])
def test_noise_is_refused_at_any_size(folder, command, factor):
    noise = np.random.default_rng(7).standard_normal((3, 120)) * factor
    write(lose(noise))
    status, _, complaint = command("recover", "data.csv", "--rank", "auto")
    assert status == 1 and "the relative error on the hidden samples is" in complaint


def test_phasors_of_any_size_are_drawn(folder, command_with_picture):
    x = np.exp(5j * TIME) * 1e200
    x[[20, 21]] = np.nan
    write_rows("data.csv", ["time", "v_magnitude", "v_angle_deg"], [TIME, np.abs(x), np.degrees(np.angle(x))])
    assert command_with_picture("recover", "data.csv", "--rank", 1)[0] == 0


@pytest.mark.parametrize(("scale", "tolerance", "rank"), [(1, 60, 1), (64, 64 * 60, 1), (64, 60, 4)])
def test_a_given_stage_tolerance_is_in_the_units_of_the_data(
    folder, command, signal, losses, scale, tolerance, rank
):
    gappy = np.where(losses, signal, np.nan) * scale
    write_rows("data.csv", ["time", *"abc"], [np.arange(80) / 20, *gappy])
    words = ["--rank", 4, "--method", "sap", "--stage-tolerance", tolerance, "--force"]
    command("recover", "data.csv", *words)
    assert report()["rank"] == rank
    assert report()["options"]["stage_tolerance"] == pytest.approx(tolerance)


def plant():
    """Volts, amperes and megawatts that share a constant and two oscillations."""
    rng = np.random.default_rng(12)
    waves = np.array([f(2 * np.pi * rate * TIME) for rate in (0.9, 1.7) for f in (np.cos, np.sin)])
    middle, swing = np.array([[1.3e5], [90], [0.4], [33]]), np.array([[900], [12], [0.09], [5]])
    return middle + swing * (rng.uniform(-1, 1, (4, 4)) @ waves)


def test_unlike_channels_are_remarked_and_scaled_when_asked_to(folder, command):
    x = plant()
    write(lose(x))
    errors = []
    for words in ((), ("--scale-channels",)):
        status, printed, _ = command("recover", "data.csv", "--rank", 5, "--tolerance", "1e-5", *words)
        values = np.loadtxt("data_recovered.csv", delimiter=",", skiprows=1)[:, 1:].T
        errors.append((np.linalg.norm(values - x, axis=1) / np.linalg.norm(x, axis=1)).max())
        assert status == 0 and report()["scaled_by_channel_sizes"] == bool(words)
        remark = "note: channels differ in size, 'a' about 1.3e+05 and 'c' about 0."
        assert (remark in printed) == (not words)
    assert errors[1] < errors[0] / 3


def test_like_channels_are_not_remarked(folder, command):
    write(lose(plant()[1:] / np.array([[90], [4], [33]])))
    assert "channels differ" not in command("recover", "data.csv", "--rank", 5)[1]


def test_the_worst_channel_and_better_straight_lines_are_said(folder, command):
    x = plant()
    write(lose(x))
    _, printed, _ = command("recover", "data.csv", "--rank", 1)
    errors = report()["hidden"]["channel_errors"]
    worst = max(errors, key=errors.get)
    assert f"worst channel: '{worst}', relative error {100 * errors[worst]:.2g} %" in printed
    assert "note: straight lines in time do better; try another --rank" in printed
    write(lose(np.vstack([x[1:2], np.sin(TIME)])))
    _, printed, _ = command("recover", "data.csv", "--rank", 5)
    assert "note: straight lines in time do better in" not in printed


def test_a_channel_that_is_not_recovered_is_not_hidden_by_a_large_one(folder, command):
    x = lose(np.vstack([1e4 + np.sin(TIME), np.random.default_rng(1).standard_normal(120)]))
    write(x)
    status, printed, _ = command("recover", "data.csv", "--rank", 3)
    assert status == 0 and "note: the error is above 50% in 'b'; do not use what was filled there" in printed


@pytest.mark.parametrize("words", [(), ("--scale-channels",)])
def test_zeros_stay_zeros_and_have_no_size(folder, command, words):
    x = lose(np.vstack([1e4 * np.sin(TIME), np.zeros(120)]))
    write(x)
    _, printed, _ = command("recover", "data.csv", "--rank", 2, *words)
    assert "channels differ" not in printed
    np.testing.assert_allclose(
        np.loadtxt("data_recovered.csv", delimiter=",", skiprows=1)[:, 2], 0, atol=1e-6
    )
    write(np.where(np.isnan(x), np.nan, 0))
    assert command("recover", "data.csv", "--rank", 1, *words)[0] == 0


def test_sizes_of_channels():
    x = np.array([[3e200, -4e200], [0, 0], [1e-200, 0]])
    seen = np.array([[True, True], [True, True], [True, False]])
    np.testing.assert_allclose(channel_sizes(x, seen), [np.sqrt(12.5) * 1e200, 0, 1e-200])
    assert size(np.array([3, 4j])) == pytest.approx(np.sqrt(12.5))
