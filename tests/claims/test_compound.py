import pytest

from nonconvex.claims.compound import combine_parts, combine_readings, combine_samples
from nonconvex.claims.decision import Decision


def part(outcome, p_for=1.0, p_against=1.0):
    return Decision(outcome, p_for=p_for, p_against=p_against)


@pytest.mark.parametrize(
    "parts, every, any_part",
    [
        ([part("R", p_for=1e-4)] * 3, "R", "R"),
        ([part("R", p_for=0.02), part("I"), part("I")], "I", "I"),
        ([part("R", p_for=1e-4), part("N", p_against=1e-4), part("R")], "N", "R"),
        ([part("R", p_for=1e-4), part("N", p_against=0.005), part("R")], "I", "R"),
        ([part("N", p_against=1e-4)] * 3, "N", "N"),
        ([part("N", p_against=0.02)], "N", "N"),
    ],
)
def test_parts(parts, every, any_part):
    assert combine_parts(parts, "every") == every
    assert combine_parts(parts, "any") == any_part


@pytest.mark.parametrize(
    "outcomes, expected",
    [
        ("RR", "R"),
        ("NN", "N"),
        ("RN", "depends"),
        ("RI", "I"),
        ("RNI", "depends"),
        ("NI", "I"),
        ("II", "I"),
        ("R", "R"),
    ],
)
def test_readings(outcomes, expected):
    assert combine_readings(dict(enumerate(outcomes))) == expected


def test_a_second_sample_must_agree():
    assert combine_samples("R", None) == "R"
    assert combine_samples("R", "R") == "R"
    assert combine_samples("R", "N") == "I"
