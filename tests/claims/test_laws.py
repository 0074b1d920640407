import numpy as np
import pytest

from nonconvex.claims.quantities.band import in_band, slopes_through_origin
from nonconvex.claims.quantities.proportional import proportional

LEVELS = np.array([0.01, 0.02, 0.04, 0.08, 0.12, 0.16, 0.2])


def drawn(law, trials=30, levels=LEVELS):
    rng = np.random.default_rng(0)
    return law(levels)[:, None] * np.exp(0.03 * rng.standard_normal((len(levels), trials)))


@pytest.mark.parametrize(
    "law, outcome",
    [
        (lambda x: 0.35 * x, "R"),
        (lambda x: x**1.3, "N"),
        (lambda x: 0.01 + x, "N"),
        (np.sqrt, "N"),
        (lambda x: 1 / x, "N"),
        (np.ones_like, "N"),
    ],
)
def test_proportional(law, outcome):
    assert proportional(drawn(law), LEVELS, seed=1).outcome == outcome


def test_few_levels_or_trials_do_not_make_a_line():
    few = proportional(drawn(lambda x: x, levels=LEVELS[:4]), LEVELS[:4], seed=1)
    assert few.outcome == "I"
    assert few.effect == pytest.approx(1, abs=0.05)
    assert "too few levels or trials" in few.detail
    assert proportional(drawn(lambda x: x, trials=5), LEVELS, seed=1).outcome == "I"


def test_trials_must_converge_at_all_levels():
    found = drawn(lambda x: x)
    found[3, :10] = np.nan
    assert "20 of 30 trials" in proportional(found, LEVELS, seed=1).detail
    assert proportional(found, LEVELS, seed=1).outcome == "I"


def test_slope_through_the_origin():
    np.testing.assert_allclose(slopes_through_origin(0.35 * LEVELS[:, None] * [1, 2], LEVELS), [0.35, 0.7])


@pytest.mark.parametrize("mean, outcome", [(0.35, "R"), (0.4, "I"), (0.43, "I"), (0.5, "N"), (0.1, "N")])
def test_band(mean, outcome):
    each = mean * (1 + 0.05 * np.random.default_rng(0).standard_normal(30))
    assert in_band(each, (0.3, 0.4), seed=1, outer=(0.25, 0.45)).outcome == outcome
    if outcome == "I" and mean > 0.4:
        assert in_band(each, (0.3, 0.4), seed=1).outcome == "N"


@pytest.mark.parametrize("n", [0, 1, 2, 30])
@pytest.mark.parametrize("fill", [np.nan, 0.35, 9.0])
def test_degenerate_bands(n, fill):
    found = in_band(np.full(n, fill), (0.3, 0.4), seed=1)
    assert found.outcome == ("I" if n < 2 or np.isnan(fill) else "R" if fill < 1 else "N")
