import numpy as np
import pytest

from nonconvex.claims.quantities.timing import Arm, slower


def arm(seconds, iterations, reached=10, n=10):
    wobble = np.exp(0.05 * np.random.default_rng(0).standard_normal(n))
    return Arm(seconds * wobble, iterations * np.ones(n), np.arange(n) < reached)


FAST = arm(1.0, 50)


@pytest.mark.parametrize(
    "seconds, iterations, stated, outcome",
    [
        (8.0, 100, 8.3, "R"),
        (2.0, 100, 8.3, "I"),  # too far from what is stated
        (30.0, 100, 8.3, "I"),
        (8.0, 40, 8.3, "I"),  # the iterations point the other way
        (0.5, 20, 8.3, "N"),
        (0.5, 100, 8.3, "I"),
        (1000.0, 100, None, "R"),
        (1.0, 50, None, "I"),
    ],
)
def test_seconds_and_iterations(seconds, iterations, stated, outcome):
    assert slower(FAST, arm(seconds, iterations), seed=1, stated=stated).outcome == outcome


def test_at_least():
    outcomes = [slower(FAST, arm(s, 50 * s), seed=1, smallest=3).outcome for s in (6.0, 2.0, 1.0)]
    assert outcomes == ["R", "N", "N"]


def test_a_slow_method_that_ends_early_needs_more_than_it_took():
    early = arm(8.0, 100, reached=0)
    assert slower(FAST, early, seed=1, smallest=3).outcome == "R"
    assert slower(FAST, early, seed=1, stated=8.3).outcome == "I"
    assert slower(FAST, arm(1.0, 50, reached=0), seed=1, smallest=3).outcome == "I"


def test_a_fast_method_must_come_to_its_goal():
    found = slower(arm(1.0, 50, reached=7), arm(8.0, 100), seed=1)
    assert found.outcome == "I"
    assert "goal reached in 7 (fast) and 10 (slow) of 10 trials" in found.detail


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_trials_decide_nothing(n):
    assert slower(arm(1.0, 50, n=n), arm(8.0, 100, n=n), seed=1).outcome in ("I" if n < 2 else "RI")
