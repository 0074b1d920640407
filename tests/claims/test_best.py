import numpy as np
import pytest

from nonconvex.claims.calibration.simulated import value_grid
from nonconvex.claims.quantities.best import smallest_of_all


def judged(ratios, trials=30, **others):
    a, b = value_grid(np.array(ratios), 0.1, trials, np.random.default_rng(0))
    return smallest_of_all(a, {"rival": b, **{name: b * factor for name, factor in others.items()}}, seed=1)


@pytest.mark.parametrize(
    "ratios, outcome",
    [
        ([2.0] * 5, "R"),
        ([2.0] * 4 + [1.05], "R"),  # four of five levels
        ([2.0] * 3 + [1.05] * 2, "I"),
        ([2.0] * 4 + [0.5], "I"),  # one level is clearly lost
        ([2.0] * 3 + [0.5] * 2, "N"),
    ],
)
def test_levels(ratios, outcome):
    assert judged(ratios).outcome == outcome


def test_three_levels_must_count():
    a, b = value_grid(np.full(6, 2.0), 0.1, 30, np.random.default_rng(0))
    b[2:, 5:] = np.nan  # too few pairs at four levels
    found = smallest_of_all(a, {"rival": b}, seed=1)
    assert found.outcome == "I"
    assert "2 of 6 levels" in found.detail
    assert smallest_of_all(a[:0], {"rival": b[:0]}, seed=1).outcome == "I"


def test_the_method_that_is_better_is_named():
    found = judged([4.0] * 5, worse=2.0, better=0.1)
    assert found.outcome == "N"
    assert "not smaller than: better 5)" in found.detail


def test_a_method_that_does_not_converge_is_left_out_and_counted():
    a, b = value_grid(np.full(5, 2.0), 0.1, 30, np.random.default_rng(0))
    found = smallest_of_all(a, {"rival": b, "lost": np.full(a.shape, np.nan)}, seed=1)
    assert found.outcome == "R"
    assert "5 comparisons left out" in found.detail
