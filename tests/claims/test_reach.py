"""How far from its beginning a curve is a straight line."""

import numpy as np
import pytest

from claims.drawn import outcome
from nonconvex.claims.quantities.laws import change
from nonconvex.claims.quantities.reach import STRAIGHT, reaches, straight_up_to

X = np.arange(1, 21) / 20
LEVELS = np.arange(1.0, 6)


def curves(bends, trials=30, spread=0.1, seed=0):
    """Curves x + c x², of which each trial has its own size."""
    each = np.exp(spread * np.random.default_rng(seed).standard_normal((len(bends), 1, trials)))
    return (X[:, None] + np.asarray(bends, dtype=float)[:, None, None] * X[:, None] ** 2) * each


def plain(curve):
    """The last end up to which a curve is straight, by a loop."""
    for end in range(5, len(X) + 1):
        line = np.polyval(np.polyfit(X[:end], curve[:end], 1), X[:end])
        if np.abs(curve[:end] - line).max() > STRAIGHT * np.ptp(line):
            return X[end - 2]
    return X[-1]


@pytest.mark.parametrize("bend", [0, 1, 1.5, 2, 4, 8])
def test_the_reach_is_that_of_a_loop_and_at_most_one_step_more(bend):
    curve = X + bend * X**2
    found = float(straight_up_to(curve, X, "x"))
    assert plain(curve) - 1e-9 <= found < plain(curve) + 0.05 + 1e-9
    np.testing.assert_allclose(straight_up_to(np.stack([curve, 3 * curve]), X, "x"), found)


def test_a_straight_curve_reaches_to_the_end_and_a_parabola_to_the_first_place():
    assert straight_up_to(2 * X, X, "x") == 1.0
    # One that is bent near the first places, and straight beyond, too.
    late = np.concatenate([np.full(5, 0.3) + 0.1 * (np.arange(5) == 2), np.arange(6, 101)])
    assert straight_up_to(late, np.arange(1.0, 101), "x") == 1.0
    near = np.concatenate([[0.001, 0.002, 0.005, 0.01, 0.02], X])
    assert straight_up_to(near**2, near, "x") == near[0]
    assert straight_up_to(near**2, near, "square") == 1.0


def test_a_reach_shrinks_or_not():
    shrinks = change(reaches(curves([1.5, 2, 3, 4, 6]), LEVELS, X, 3, "x"))
    assert outcome(shrinks, "< 1/1.1", "> 1/1.1", guarded=True) == "R"
    assert next(iter(shrinks.rows)) == "from 1 to 2"
    grows = change(reaches(curves([6, 4, 3, 2, 1.5]), LEVELS, X, 3, "x"))
    assert outcome(grows, "< 1/1.1", "> 1/1.1") == "N"
    never = change(reaches(curves([0] * 5), LEVELS, X, 3, "x"))
    assert never.at(0.05) == pytest.approx((1, 1, 1))
    assert "straight up to 1, 1, 1, 1, 1 of 1 at 5 of 5 levels" in never.detail


@pytest.mark.parametrize("shape", [(5, 4, 30), (0, 20, 30), (5, 20, 0)])
def test_a_curve_of_too_few_places_has_no_reach(shape):
    found = reaches(np.ones(shape), LEVELS[: shape[0]], X[: shape[1]], 3, "x")
    assert change(found).short


def test_lost_places_are_left_out():
    values = curves([1.5, 2, 3, 4, 6])
    values[2, 10] = np.inf
    values[4] = np.inf
    found = reaches(values, LEVELS, X, 3, "x")
    assert found.levels.tolist() == [1, 2, 3, 4]
    assert np.isfinite(found.drawn).all()
