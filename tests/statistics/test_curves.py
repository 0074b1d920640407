import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from nonconvex.statistics.curves import bracket, cell_widths, crossing, interior, isotonic

X = np.array([1.0, 2, 3, 4, 6, 8, 10, 13, 16])


@pytest.mark.parametrize("falls", [True, False])
def test_isotonic_agrees_with_scipy(falls):
    shares = np.random.default_rng(0).random((50, 9))
    expected = [isotonic_regression(row, increasing=not falls).x for row in shares]
    np.testing.assert_allclose(isotonic(shares, falls), expected, atol=1e-12)


def test_isotonic_keeps_monotone_curves():
    shares = np.array([1, 1, 0.8, 0.4, 0.4, 0])
    np.testing.assert_allclose(isotonic(shares, True), shares)


def test_widths_cover_the_window_and_are_the_step_on_even_grids():
    np.testing.assert_allclose(cell_widths(np.arange(5) * 3.0), 3)
    np.testing.assert_allclose(cell_widths(X), [1, 1, 1, 1.5, 2, 2, 2.5, 3, 3])


def test_area_moves_with_the_crossing_on_uneven_steps():
    steps = np.arange(1, len(X))
    curves = (np.arange(len(X)) < steps[:, None]).astype(float)
    moved = np.diff(curves @ cell_widths(X))
    np.testing.assert_allclose(moved, np.diff(crossing(curves, X, True)))


def test_crossing_interpolates_and_mirrors():
    falling = np.array([1, 1, 0.75, 0.25, 0, 0, 0, 0, 0])
    assert crossing(falling, X, True) == pytest.approx(3.5)
    assert crossing(falling[::-1], -X[::-1], False) == pytest.approx(-3.5)
    assert crossing(np.array([0.0, 0.5, 1]), np.array([0.1, 0.2, 0.3]), False) == pytest.approx(0.2)


def test_curves_without_a_crossing_are_censored_on_their_side():
    shares = np.array([np.ones(9), np.zeros(9)])
    np.testing.assert_array_equal(crossing(shares, X, True), [np.inf, -np.inf])
    np.testing.assert_array_equal(crossing(shares, X, False), [-np.inf, np.inf])
    low, high = bracket(shares, X, True)
    np.testing.assert_array_equal(low, [16, -np.inf])
    np.testing.assert_array_equal(high, [np.inf, 1])


def test_bracket_holds_the_crossing():
    shares = np.array([1, 0.9, 0.6, 0.3, 0, 0, 0, 0, 0])
    low, high = bracket(shares, X, True)
    assert (low, high) == (3, 4)
    assert interior(shares).sum() == 3
