import numpy as np
import pytest
from scipy import stats

from nonconvex.claims.quantities.ordering import mcnemar, order_success, order_values
from nonconvex.claims.quantities.ratio import equal_ratio


def pairs(wins, losses, both, neither):
    a = np.repeat([True, False, True, False], [wins, losses, both, neither])
    b = np.repeat([False, True, True, False], [wins, losses, both, neither])
    order = np.random.default_rng(0).permutation(len(a))
    return a[None, order], b[None, order]


def success(a, b):
    return order_success(a, ~a, b, ~b, seed=1)


def test_mcnemar_is_the_sign_test():
    assert mcnemar(7, 0) == pytest.approx(0.5**7)
    assert mcnemar(0, 0) == 1
    assert mcnemar(12, 3) == pytest.approx(stats.binomtest(12, 15, alternative="greater").pvalue)


@pytest.mark.parametrize(
    "counts, outcome",
    [
        ((7, 0, 50, 43), "R"),
        ((6, 0, 50, 44), "I"),  # P = .016, and fewer than 7 pairs
        ((30, 10, 30, 30), "R"),
        ((15, 10, 40, 35), "I"),
        ((0, 7, 50, 43), "N"),
        ((0, 0, 100, 0), "I"),  # wholly white
        ((0, 0, 0, 100), "I"),  # wholly black
        ((0, 0, 50, 50), "I"),  # no discordant pair, but 100 pairs do not show that there are none
    ],
)
def test_success_of_one_cell(counts, outcome):
    assert success(*pairs(*counts)).outcome == outcome


def test_many_pairs_that_agree_show_that_there_is_no_effect():
    a = np.random.default_rng(0).random((10, 100)) < 0.5
    found = success(a, a.copy())
    assert found.outcome == "N"
    assert found.p_against < 1e-4


def test_white_and_black_cells_do_not_dilute():
    a, b = pairs(30, 5, 30, 35)
    blank = np.ones((50, 100), dtype=bool)
    alone, among = success(a, b), success(np.vstack([a, blank, ~blank]), np.vstack([b, blank, ~blank]))
    assert alone.effect == among.effect
    assert among.outcome == "R"


def test_a_pair_that_is_neither_is_not_discordant():
    a, b = pairs(30, 0, 30, 40)
    nothing = np.zeros_like(a)
    assert order_success(a, ~a, b, nothing, seed=1).statistic == 0


def test_one_trial_decides_nothing():
    a = np.array([[True], [False]] * 20)
    assert success(a, ~a).outcome == "I"


def values(ratio, n=100):
    rng = np.random.default_rng(3)
    a = np.exp(rng.standard_normal(n))
    return a, a * ratio * np.exp(0.05 * rng.standard_normal(n))


@pytest.mark.parametrize(
    "ratio, order, equal", [(1.5, "R", "N"), (1.05, "I", "R"), (1.0, "N", "R"), (0.8, "N", "I")]
)
def test_values(ratio, order, equal):
    a, b = values(ratio)
    assert order_values(a, b, seed=1).outcome == order
    assert equal_ratio(a, b, seed=1).outcome == equal


def test_exchange_turns_values_around():
    a, b = values(1.5)
    forth, back = order_values(a, b, seed=1), order_values(b, a, seed=1)
    assert (forth.outcome, back.outcome) == ("R", "N")
    assert forth.effect == pytest.approx(1 / back.effect)


def test_failures_lose_and_are_counted():
    a, b = values(1.0)
    b[:40] = np.inf
    b[40:50] = np.nan
    found = order_values(a, b, seed=1)
    assert found.outcome == "R"
    assert "100 of A, 50 of B" in found.detail


def test_given_convergence_needs_80_percent():
    a, b = values(1.5)
    b[:10] = np.nan
    assert order_values(a, b, seed=1, given_convergence=True).outcome == "R"
    b[:30] = np.nan
    assert order_values(a, b, seed=1, given_convergence=True).outcome == "I"


@pytest.mark.parametrize("fill", [np.nan, 0.0, 1.0])
@pytest.mark.parametrize("n", [1, 5, 100])
@pytest.mark.parametrize("test", [order_values, equal_ratio])
def test_degenerate_values_do_not_crash(test, fill, n):
    found = test(np.full(n, fill), np.full(n, fill), seed=1)
    assert found.outcome in "RNI"
    assert n > 1 or found.outcome == "I"
