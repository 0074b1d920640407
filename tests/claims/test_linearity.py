import numpy as np
import pytest

from nonconvex.claims.calibration.simulated import FRACTIONS, RANKS, fraction_law
from nonconvex.claims.quantities.linearity import fit_line, floored, linear, linear_thresholds

RIVALS = ["sqrt", "square", "log"]


def judged(success, **settings):
    settings = {"falls": False, "seed": 2, "function": "x", "rivals": RIVALS} | settings
    return linear_thresholds(success, RANKS[: len(success)], FRACTIONS[: success.shape[1]], **settings)


def test_weights_are_those_of_the_covariance():
    rng = np.random.default_rng(0)
    x, y = np.arange(6.0), rng.random(6)
    root = rng.random((6, 6))
    covariance = root @ root.T + np.eye(6)
    design = np.column_stack([np.ones(6), x])
    inverse = np.linalg.inv(covariance)
    expected = np.linalg.solve(design.T @ inverse @ design, design.T @ inverse @ y)
    fit = fit_line(x, y, covariance)
    assert fit.slope == pytest.approx(expected[1])
    residual = y - design @ expected
    assert fit.x2 == pytest.approx(residual @ inverse @ residual)


def test_floor_is_a_quarter_of_the_median():
    raised = np.sqrt(np.diag(floored(np.diag([1e-8, 1.0, 4.0]), 0.0)))
    np.testing.assert_allclose(raised, [0.25, 1, 2])


@pytest.mark.parametrize(
    "law, outcome",
    [
        (0.013 + 0.0168 * RANKS, "R"),
        (0.085 * np.sqrt(RANKS), "N"),
        (0.06 + 0.0006 * RANKS**2, "N"),
        (0.45 - 0.007 * RANKS, "N"),
        (np.full(len(RANKS), 0.26), "I"),
    ],
)
def test_laws(law, outcome):
    found = judged(fraction_law(100, law, np.random.default_rng(1)))
    assert found.outcome == outcome
    assert "censored" in found.detail


def test_falling_lines_may_be_what_is_stated():
    success = fraction_law(100, 0.45 - 0.007 * RANKS, np.random.default_rng(1))
    assert judged(success, sign=-1).outcome == "R"
    assert judged(success, sign=1).outcome == "N"


@pytest.mark.parametrize("fill", [True, False])
@pytest.mark.parametrize("shape", [(19, 9, 100), (19, 9, 1), (2, 9, 5), (0, 9, 5), (19, 1, 5)])
def test_degenerate_tables(fill, shape):
    assert judged(np.full(shape, fill)).outcome == "I"


def test_trials_that_all_agree_keep_the_error_of_the_grid():
    steps = np.broadcast_to((FRACTIONS[None, :] > 0.02 * np.arange(19)[:, None])[..., None], (19, 9, 5))
    assert judged(steps).outcome == "I"


def test_few_trials_do_not_make_a_sure_slope():
    success = fraction_law(5, 0.013 + 0.0168 * RANKS, np.random.default_rng(3))
    found = judged(success)
    assert found.outcome != "N"
    assert found.ci_high - found.ci_low > 0.001
    assert "too few trials for their covariance" in judged(success, shared=True).detail


def test_the_covariance_of_shared_streams_is_used():
    success = fraction_law(100, 0.013 + 0.0168 * RANKS, np.random.default_rng(3))
    alone, shared = judged(success), judged(success, shared=True)
    assert shared.outcome == alone.outcome == "R"
    assert shared.effect != alone.effect


def test_rivals_that_also_fit_are_named():
    y = np.array([1.0, 2, 3, 4, 5]) / 10
    found = linear(np.arange(10.0, 15), y, np.eye(5) * 0.01**2, function="x", rivals=RIVALS)
    assert "rivals that also fit: sqrt, square, log" in found.detail
