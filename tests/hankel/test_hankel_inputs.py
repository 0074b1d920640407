"""The battery of odd inputs, for every function of nonconvex.hankel that takes arrays."""

import numpy as np
import pytest
from input_battery import (
    Case,
    check_refused,
    check_size,
    check_the_same,
    refused,
    sizes,
    take_arrays,
    the_same,
)

from nonconvex import hankel

RNG = np.random.default_rng(5)
TIME = np.arange(24)
SERIES = np.array([[1.0], [0.5]]) * np.cos(0.6 * TIME) + np.array([[0.2], [-0.7]]) * np.sin(0.6 * TIME)
MASK = hankel.loss_mask(1, 2, 24, 0.8, RNG)
PLACES = hankel.corruption_places(1, 2, 24, 0.1, RNG)
DRAWS = RNG.random((2, int(PLACES.sum())))

SOLVERS = {
    "am_fiht": {"rank": 2},
    "ram_fiht": {"rank": 2, "incoherence": 3.0},
    "fiht": {"rank": 2},
    "svt": {},
    "sap": {"rank": 2, "stage_tolerance": 0.0},
    "r_rmc": {"rank": 2},
    "admm": {},
}


# SVT's threshold and R-RMC's tolerance are in the units of the data: other units, another answer.
DEGREES = {name: {} if name in ("svt", "r_rmc") else {"observed": 1} for name in SOLVERS}


def solved(name):
    def call(observed, mask):
        answer = getattr(hankel, name)(observed, mask, max_iterations=30, **SOLVERS[name])
        return answer.x

    return call


# A series may be complex, one channel may be given by itself, and values where the mask is False do not count.
SIGNAL = ("complex", "one axis less")
CASES = [
    *(
        Case(name, solved(name), {"observed": SERIES, "mask": MASK}, ("complex",), ("mask",), DEGREES[name])
        for name in SOLVERS
    ),
    Case("incoherence", lambda x: hankel.incoherence(x, rank=2), {"x": SERIES}, SIGNAL, (), {"x": 0}),
    Case("hankel_matrix", hankel.hankel_matrix, {"x": SERIES}, (*SIGNAL, "nan", "inf"), (), {"x": 1}),
    Case(
        "synthesise",
        lambda frequencies, amplitudes: hankel.synthesise(frequencies, amplitudes, 9),
        {"frequencies": np.array([0.1, 0.32]), "amplitudes": SERIES[:, :2]},
        ("complex",),
        (),
        {"amplitudes": 1},
    ),
    Case(
        "damped",
        lambda damping: hankel.synthesise([0.1, 0.2], SERIES[:, :2], 9, damping),
        {"damping": np.array([0.1, 0.2])},
        ("0-d", "one axis less"),
    ),
    Case(
        "spectrally_sparse_signal",
        lambda damping: hankel.spectrally_sparse_signal(
            2, 9, 2, damping=damping, rng=np.random.default_rng(1)
        ),
        {"damping": np.array([0.1, 0.2])},
        ("0-d", "one axis less"),
    ),
    Case(
        "draw_outliers",
        lambda truth: hankel.draw_outliers(truth, 1, 0.2, rng=np.random.default_rng(1)),
        {"truth": SERIES},
        ("complex",),
        (),
        {"truth": 1},
    ),
    Case(
        "outliers_at",
        hankel.outliers_at,
        {"places": PLACES, "truth": SERIES, "size": DRAWS[0], "turn": DRAWS[1]},
        ("complex",),
        ("places",),
        {"truth": 1},
    ),
]


@pytest.mark.parametrize(("case", "array", "change"), [*refused(CASES)])
def test_refused(case, array, change):
    check_refused(case, array, change)


@pytest.mark.parametrize(("case", "array", "change"), [*the_same(CASES)])
def test_the_same(case, array, change):
    check_the_same(case, array, change)


@pytest.mark.parametrize(("case", "arrays", "factor"), [*sizes(CASES)])
def test_very_small_and_very_large(case, arrays, factor):
    check_size(case, arrays, factor)


def test_every_function_that_takes_arrays_has_a_case():
    assert take_arrays(hankel) <= {case.name for case in CASES}
