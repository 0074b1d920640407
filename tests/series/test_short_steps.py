"""AM-FIHT as `recover` calls it: steps of 1/p up to 47 % lost, and never above 1.9."""

import numpy as np
import pytest

from nonconvex.hankel import am_fiht
from nonconvex.series.methods import solve


@pytest.fixture
def oscillations():
    """Six channels that share two oscillations."""
    rng = np.random.default_rng(3)
    turns = 2 * np.pi * np.outer([0.031, 0.083], np.arange(120))
    return rng.uniform(-1, 1, (6, 4)) @ np.vstack([np.cos(turns), np.sin(turns)])


def outages(shape, loss, seed=3):
    """Lose whole channels for 12 to 30 samples at a time, and keep both ends."""
    rng, mask = np.random.default_rng(seed), np.ones(shape, bool)
    while mask.mean() > 1 - loss:
        start = rng.integers(1, shape[1] - 30)
        mask[rng.integers(shape[0]), start : start + rng.integers(12, 31)] = False
    return mask


def error(answer, x, mask):
    return np.linalg.norm((answer.x - x)[~mask]) / np.linalg.norm(x[~mask])


def test_outages_of_more_than_half_are_recovered_where_a_step_of_1_over_p_diverges(oscillations):
    mask = outages(oscillations.shape, 0.6)
    settings = {"rank": 4, "n1": 60}
    assert am_fiht(oscillations, mask, **settings).status == "diverged"
    answer, _ = solve("am_fiht", oscillations, mask, settings)
    assert answer.status == "converged" and error(answer, oscillations, mask) < 1e-3


def test_less_lost_is_what_the_library_makes_of_it(oscillations):
    mask = outages(oscillations.shape, 0.4)
    settings = {"rank": 4, "n1": 60}
    answer, _ = solve("am_fiht", oscillations, mask, settings)
    expected = am_fiht(oscillations, mask, **settings)
    np.testing.assert_array_equal(answer.x, expected.x)
    same = am_fiht(oscillations, mask, step=1 / mask.mean(), **settings)
    np.testing.assert_allclose(same.x, expected.x, rtol=0, atol=1e-9)
    assert same.iterations == expected.iterations
