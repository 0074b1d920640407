"""Phasors whose columns are nearly named as they should be are read as phasors, or refused: never as two channels."""

import numpy as np
import pytest
from series.conftest import write_rows

from nonconvex.errors import UserError
from nonconvex.series.columns import read_layout


def layout(*names):
    return read_layout(["time", *names], "a.csv")


@pytest.mark.parametrize(
    ("names", "channel", "turn"),
    [
        (("east_MAGNITUDE_kV", "east_ANGLE_DEG"), "east", 360),
        (("eastMag", "eastAngRad"), "east", 2 * np.pi),
        (("Mag East (kV)", "Ang East (degrees)"), "East", 360),
        (("east amplitude", "east phase [°]"), "east", 360),
        (("bus7_vm_pu", "bus7_va_degree"), "bus_7", 360),
        (("east_magnitude_pu", "east_angle_radians"), "east", 2 * np.pi),
        (("EASTMAG", "EASTANG_DEG"), "EAST", 360),
        (("east_mag", "east_deg"), "east", 360),
        (("I_amp", "I_phi_rad"), "I", 2 * np.pi),
    ],
)
def test_other_spellings_are_read_and_said(names, channel, turn):
    found = layout(*names)
    assert found.kind == "phasor"
    (one,) = found.channels
    assert (one.name, one.columns, one.turn) == (channel, (1, 2), pytest.approx(turn))
    assert f"'{names[0]}' and '{names[1]}' are read as the magnitude and the angle" in found.notes[0]


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (("lake_mag", "lake_ang"), "name them 'lake_magnitude' and 'lake_angle_deg' or 'lake_angle_rad'"),
        (("CurrentMag2", "CurrentPhase2"), "does not say its unit; name them 'Current_2_magnitude'"),
        (("lake_kV", "lake_ang_deg"), "'lake_kV' and 'lake_ang_deg' look like the magnitude and the angle"),
        (("lake_volts_mag", "lake_ang_deg"), "look like the magnitude and the angle of one phasor"),
        (("I2", "I2_angle"), "'I2' and 'I2_angle' look like"),
        (("V3_kV", "V3_deg"), "'V3_kV' and 'V3_deg' look like"),
        (("|V|", "∠V"), "'|V|' and '∠V' look like"),
        (("lake_Vm", "lake_Va"), "'lake_Vm' and 'lake_Va' look like"),
        (("bus3_V", "bus3_delta"), "'bus3_V' and 'bus3_delta' look like"),
        (("lake_mag", "lake_Magnitude", "lake_ang_deg"), "has more than one partner"),
        (
            ("lake_Mag", "lake_Ang_deg", "freq"),
            "'freq' is a plain channel in a file of magnitudes and angles",
        ),
        (("0.0", "0.1", "0.2"), "if the file has a row for each channel, turn it"),
    ],
)
def test_what_is_in_doubt_is_refused_with_the_form_wanted(names, sentence):
    with pytest.raises(UserError) as caught:
        layout(*names)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "names",
    [
        ("angle",),
        ("angle", "speed"),
        ("gen1_angle", "gen1_speed", "gen2_angle", "gen2_speed"),
        ("gen1_delta", "gen1_omega"),
        ("rotor_angle", "load_mag"),
        ("wind_deg", "wind_speed"),
        ("phase_a", "phase_b", "phase_c"),
        ("va", "vb", "vc", "vm"),
        ("mag", "pressure"),
        ("x_real", "x_imag"),
        ("triangle", "rectangle"),
    ],
)
def test_what_is_plain_stays_plain(names):
    found = layout(*names)
    assert (found.kind, [one.name for one in found.channels]) == ("real", list(names))


def test_the_other_spelling_gives_the_same_numbers_and_comes_back(folder, command):
    time = np.arange(90) / 30
    x = np.array([[1.0], [0.7]]) * np.exp(1j * (5 * time + np.array([[0.2], [1.4]]))) + 0.1
    parts = [part for row in x for part in (np.abs(row), np.degrees(np.angle(row)))]
    for column in parts:
        column[[11, 12, 40]] = np.nan
    documented = [f"{name}_{half}" for name in "pq" for half in ("magnitude_pu", "angle_deg")]
    nearly = [f"{name} {half}" for name in "pq" for half in ("Mag (pu)", "Ang (deg)")]
    for file, header in (("right.csv", documented), ("near.csv", nearly)):
        write_rows(file, ["time", *header], [time, *parts])
        assert command("recover", file, "--rank", 2)[0] == 0
    right, near = ((folder / f"{one}_recovered.csv").read_text().splitlines() for one in ("right", "near"))
    assert near[0] == ",".join(["time", *nearly])
    assert near[1:] == right[1:]


def test_other_heads_of_columns():
    for header, sentence in (
        ("bus,0.0,0.1", "if the file has a row for each channel, turn it"),
        ("0.0,1.5,2.5", "holds numbers, where the names of the columns must be"),
        ("time_ms,a,b", "no column is named 'time' or 'time_s', in seconds; 'time_ms' is not in seconds"),
    ):
        with pytest.raises(UserError) as caught:
            read_layout(header.split(","), "a.csv")
        assert sentence in str(caught.value)


def test_a_lone_angle_that_jumps_by_a_turn_is_remarked(folder, command):
    time = np.arange(80) / 20
    angle = np.degrees(np.angle(np.exp(9j * time)))
    angle[30] = np.nan
    write_rows("a.csv", ["time", "angle"], [time, angle])
    assert "'angle' jumps by 360 as an angle does" in command("recover", "a.csv", "--rank", 2)[1]
