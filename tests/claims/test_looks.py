"""After how many trials claims are looked at, and the levels of the looks."""

import numpy as np
import pytest
from scipy import stats

from nonconvex.claims.looks import looks, next_look
from nonconvex.statistics.spending import look_levels


def test_looks_are_declared():
    assert looks(100) == (10, 25, 50, 100)
    assert looks(30) == (10, 30)
    assert looks(20) == (10, 20)
    assert looks(200) == (20, 50, 100, 200)
    assert looks(1000) == (100, 250, 500, 1000)
    assert [looks(number) for number in (1, 3, 10, 12, 40)] == [(1,), (3,), (10,), (12,), (40,)]


@pytest.mark.parametrize(
    "declared, available, needed",
    [
        (100, 0, 10),
        (100, 9, 10),
        (100, 10, 25),
        (100, 60, 100),
        (100, 100, None),
        (3, 0, 3),
        (3, 5, None),
        (200, 20, 50),
        (1000, 99, 100),
        (1000, 100, 250),
        (1000, 1000, None),
    ],
)
def test_the_next_look(declared, available, needed):
    assert next_look(declared, available) == needed


def test_the_levels_of_four_looks():
    assert look_levels((10, 25, 50, 100)) == pytest.approx((0.0079, 0.0116, 0.0170, 0.0257), abs=5e-5)


@pytest.mark.parametrize("declared", [200, 1000])
def test_the_same_shares_of_the_trials_have_the_same_levels(declared):
    assert [trials / declared for trials in looks(declared)] == [trials / 100 for trials in looks(100)]
    assert look_levels(looks(declared)) == pytest.approx(look_levels(looks(100)), rel=1e-6)


@pytest.mark.parametrize("trials", [(10, 30), (10, 20)])
def test_the_levels_of_two_looks(trials):
    first, last = look_levels(trials)
    # What may be spent after the fraction t of the trials is .05 ln(1 + (e - 1) t).
    assert first == pytest.approx(0.05 * np.log1p((np.e - 1) * trials[0] / trials[1]))
    bounds = stats.norm.isf(np.array([first, last]) / 2)
    both = stats.multivariate_normal(cov=[[1, np.sqrt(10 / trials[1])], [np.sqrt(10 / trials[1]), 1]])
    assert 1 - both.cdf(bounds, lower_limit=-bounds) == pytest.approx(0.05, abs=1e-5)


def test_one_look_has_the_whole_level():
    assert look_levels((3,)) == pytest.approx((0.05,))
    assert look_levels((10,), 0.1) == pytest.approx((0.1,))


@pytest.mark.parametrize("trials", [(10, 25, 50, 100), (10, 30), (10, 20)])
@pytest.mark.parametrize("total", [0.05, 0.2])
def test_all_looks_together_err_as_often_as_one(trials, total):
    rng = np.random.default_rng(7)
    paths, leaves = 200_000, np.zeros(200_000, dtype=bool)
    sums = np.zeros(paths)
    for before, now, level in zip((0, *trials), trials, look_levels(trials, total), strict=False):
        sums += np.sqrt(now - before) * rng.standard_normal(paths)
        leaves |= np.abs(sums) > stats.norm.isf(level / 2) * np.sqrt(now)
    assert leaves.mean() == pytest.approx(total, abs=4 * np.sqrt(total * (1 - total) / paths))


def test_levels_grow_and_are_below_the_total():
    levels = look_levels((10, 25, 50, 100))
    assert list(levels) == sorted(levels)
    assert max(levels) < 0.05 < sum(levels)
