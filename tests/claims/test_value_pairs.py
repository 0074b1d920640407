import numpy as np
import pytest

from nonconvex.claims.calibration.simulated import value_grid
from nonconvex.claims.quantities.much import much_better, much_larger, much_larger_than_elsewhere
from nonconvex.claims.quantities.ordering import order_values
from nonconvex.claims.quantities.pooled import median_interval, ratios
from nonconvex.claims.quantities.value_equal import values_equal, values_within
from nonconvex.claims.quantities.value_order import values_smaller


def pair(ratio, cells=7, trials=30):
    return value_grid(np.full(cells, ratio), 0.1, trials, np.random.default_rng(0))


def test_one_cell_is_the_test_of_one_cell():
    a, b = pair(1.3, cells=1)
    one, many = order_values(a[0], b[0], seed=3), values_smaller(a, b, seed=3)
    for name in ("outcome", "effect", "ci_low", "ci_high", "p_for", "p_against"):
        assert getattr(one, name) == pytest.approx(getattr(many, name))


@pytest.mark.parametrize(
    "ratio, order, equal", [(1.5, "R", "N"), (1.05, "I", "R"), (1.0, "N", "R"), (0.7, "N", "N")]
)
def test_order_and_equality(ratio, order, equal):
    a, b = pair(ratio, trials=100)
    assert values_smaller(a, b, seed=1).outcome == order
    assert values_equal(a, b, seed=1, margin=1.2).outcome == equal


def test_slightly_has_an_upper_end():
    outcomes = [values_smaller(*pair(r), seed=1, smallest=1.0, largest=2).outcome for r in (1.5, 2.0, 3.0)]
    assert outcomes == ["R", "I", "N"]


def test_a_reversed_cell_withholds_reproduced():
    a, b = pair(1.5)
    a[0], b[0] = b[0].copy(), a[0].copy()
    found = values_smaller(a, b, seed=1)
    assert found.outcome == "I"
    assert "significantly reversed cells: 1" in found.detail


def test_opposite_cells_are_not_similar():
    a, b = value_grid(np.array([2.0, 0.5, 2.0, 0.5]), 0.01, 30, np.random.default_rng(0))
    assert values_equal(a, b, seed=1).outcome == "I"


def test_lost_trials_lose_and_are_counted():
    a, b = pair(1.0)
    b[:, :15] = np.inf
    found = values_smaller(a, b, seed=1)
    assert found.outcome == "R"
    assert "105 count as the largest value" in found.detail


def test_given_convergence_needs_80_percent_in_three_cells():
    a, b = pair(1.5)
    b[:4, :10] = np.nan
    found = values_smaller(a, b, seed=1)
    assert found.outcome == "R"
    assert "3 of 7 cells, 90 pairs; values: 210 of 210 of A, 170 of 210 of B" in found.detail
    b[4, :10] = np.nan
    assert values_smaller(a, b, seed=1).outcome == "I"


def test_the_median_is_the_median():
    each = np.random.default_rng(0).random(31)
    median, low, high = median_interval(each, 1)
    assert median == np.median(each)
    assert low < median < high


@pytest.mark.parametrize("ratio, outcome", [(20.0, "R"), (5.0, "I"), (1.5, "N"), (0.1, "N")])
def test_much(ratio, outcome):
    a, b = pair(ratio)
    assert much_larger(a, b, seed=1, much=10, little=2).outcome == outcome


def test_much_or_many_more():
    a, b = pair(1.0)
    one, none = np.ones(a.shape, dtype=bool), np.zeros(a.shape, dtype=bool)
    bounds = {"seed": 1, "much": 10, "little": 2}
    assert much_better(a, b, one, none, **bounds).outcome == "R"
    assert much_better(a, b, none, one, **bounds).outcome == "N"
    assert much_better(a, b, one, one, **bounds).outcome == "N"
    assert much_better(a, 20 * b, none, none, **bounds).outcome == "R"
    # Small errors of a method that succeeds less do not make it much better.
    assert much_better(a, 20 * b, none, one, **bounds).outcome == "I"


def test_much_more_here_than_there():
    assert much_larger_than_elsewhere(pair(6.0), pair(2.0), seed=1, much=2).outcome == "R"
    assert much_larger_than_elsewhere(pair(2.0), pair(6.0), seed=1, much=2).outcome == "N"
    nothing = tuple(np.full((7, 30), np.nan) for _ in range(2))
    assert much_larger_than_elsewhere(pair(6.0), nothing, seed=1, much=2).outcome == "I"


@pytest.mark.parametrize("ratio, outcome", [(1.0, "R"), (1.5, "I"), (3.0, "N")])
def test_within_a_factor_of_the_best(ratio, outcome):
    best, a = pair(ratio, 1, 100)
    others = np.stack([best, np.full(best.shape, np.nan), 5 * best])
    assert values_within(a, others, seed=1, margin=1.5).outcome == outcome


def test_within_nothing():
    a, _ = pair(1.0, 1)
    assert values_within(a, np.full((2, *a.shape), np.nan), seed=1, margin=1.5).outcome == "I"


@pytest.mark.parametrize("fill", [np.nan, np.inf, 0.0, 1.0])
@pytest.mark.parametrize("shape", [(0, 30), (1, 1), (7, 1), (3, 5), (7, 30)])
def test_degenerate_values_do_not_crash(fill, shape):
    a = np.full(shape, fill)
    assert values_smaller(a, a, seed=1).outcome in "NI"
    assert values_equal(a, a, seed=1).outcome in "RI"
    assert much_larger(a, a, seed=1, much=10).outcome in "NI"
    assert isinstance(ratios(a, a), str) or shape[0] > 0
    if shape[1] == 1:
        assert values_smaller(a, a, seed=1).outcome == "I"
