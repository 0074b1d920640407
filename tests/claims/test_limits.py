import numpy as np
import pytest

from nonconvex.claims.quantities.failing import fails_everywhere
from nonconvex.claims.quantities.gap import slightly_more
from nonconvex.claims.quantities.numbers import below_limit

X = np.arange(1, 17) * 0.05


@pytest.mark.parametrize(
    "successes, error, trials, outcome",
    [
        ([0, 0, 0], 0.6, 30, "R"),
        ([0, 0, 0], 0.05, 30, "I"),
        ([0, 0, 1], 0.6, 30, "I"),
        ([0, 0, 9], 0.6, 30, "N"),
        ([0, 0, 0], 0.6, 5, "I"),
        ([], 0.6, 30, "I"),
    ],
)
def test_fails_in_all_cases(successes, error, trials, outcome):
    success = np.arange(trials) < np.array(successes, dtype=int).reshape(-1, 1)
    assert fails_everywhere(success, np.where(success, 1e-5, error), above=0.1).outcome == outcome


@pytest.mark.parametrize(
    "values, outcome", [([0.001, 0.01], "R"), ([0.001, 0.02], "I"), ([0.001, 0.06], "N"), ([], "I")]
)
def test_limit(values, outcome):
    assert below_limit(np.array(values), limit=0.01, beyond=0.05).outcome == outcome


def curve(place, trials=100, seed=0):
    luck = np.random.default_rng(seed).logistic(size=(len(X), trials))
    return (X[:, None] - place) / 0.02 + luck > 0


@pytest.mark.parametrize("gain, outcome", [(0.05, "R"), (0.0, "I"), (-0.05, "N"), (0.2, "N")])
def test_slightly_more(gain, outcome):
    a, b = curve(0.4 - gain), curve(0.4)
    found = slightly_more(a, b, X, falls=False, largest=0.1, seed=1)
    assert found.outcome == outcome
    assert found.effect == pytest.approx(gain, abs=0.02)


@pytest.mark.parametrize("trials", [1, 100])
@pytest.mark.parametrize("fill", [True, False])
def test_blank_curves_say_nothing(trials, fill):
    a = np.full((len(X), trials), fill)
    assert slightly_more(a, a, X, falls=False, largest=0.1, seed=1).outcome == "I"
    assert slightly_more(a[:1], a[:1], X[:1], falls=False, largest=0.1, seed=1).outcome == "I"
