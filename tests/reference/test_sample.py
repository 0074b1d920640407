"""The draw: every row as likely, the bound true, and expensive rows not passed over."""

import numpy as np
import pytest
from scipy import stats

from nonconvex.commands.audit.audit import upper_bound
from nonconvex.commands.audit.sample import affordable, draw


def test_a_seed_draws_the_same_rows_again_and_another_seed_others():
    assert np.array_equal(draw(1000, 50, 7), draw(1000, 50, 7))
    assert not np.array_equal(draw(1000, 50, 7), draw(1000, 50, 8))
    assert len(set(draw(1000, 50, 7))) == 50
    assert sorted(draw(30, 50, 7)) == list(range(30))


@pytest.mark.parametrize(("size", "wrong"), [(10, 1), (25, 4), (50, 1)])
def test_wrong_rows_are_found_at_the_rate_of_the_hypergeometric_law(size, wrong):
    """`wrong` of 50 rows are altered: the first ones, which the draw does not know."""
    seeds = 2000
    found = np.array([(draw(50, size, seed) < wrong).sum() for seed in range(seeds)])
    expected = seeds * stats.hypergeom(50, wrong, size).pmf(np.arange(wrong + 1))
    seen = np.bincount(found, minlength=wrong + 1)
    if size == 50:
        assert (found == wrong).all()
    else:
        often = expected > 5
        assert (
            stats.chisquare(seen[often], expected[often] * seen[often].sum() / expected[often].sum()).pvalue
            > 1e-3
        )


def test_every_row_is_as_likely():
    drawn = np.bincount(np.concatenate([draw(40, 10, seed) for seed in range(2000)]), minlength=40)
    assert stats.chisquare(drawn).pvalue > 1e-3


def test_the_bound_is_that_of_clopper_and_pearson():
    assert upper_bound(0, 50) == pytest.approx(1 - 0.05 ** (1 / 50))
    assert f"{upper_bound(0, 50):.1%}" == "5.8%"
    assert upper_bound(3, 3) == 1
    for wrong, size in ((1, 50), (4, 20)):
        assert stats.binom(size, upper_bound(wrong, size)).cdf(wrong) == pytest.approx(0.05)


@pytest.mark.parametrize("wrong", [1, 10, 40])
def test_the_bound_misses_at_most_one_time_in_twenty(wrong):
    """Of 200 rows, `wrong` are; drawn without replacement, the bound is on the safe side."""
    found = stats.hypergeom(200, wrong, 50)
    missed = sum(found.pmf(k) for k in range(wrong + 1) if k <= 50 and upper_bound(k, 50) < wrong / 200)
    assert missed <= 0.05


def test_minutes_settle_how_many_rows_before_any_is_drawn():
    """A few rows of a hundred seconds among many short ones: the time is kept, and they are drawn."""
    seconds = np.where(np.arange(10_000) % 500 == 0, 100.0, 0.3)
    size = affordable(seconds, 10)
    samples = [seconds[draw(len(seconds), size, seed)] for seed in range(500)]
    assert 0.9 < np.mean([sample.sum() < 600 for sample in samples]) < 1
    assert np.mean([(sample == 100).mean() for sample in samples]) == pytest.approx(1 / 500, rel=0.2)


def test_all_rows_are_taken_where_the_time_is_enough_and_none_where_it_is_not():
    assert affordable(np.full(20, 3.0), 1) == 20
    assert affordable(np.full(21, 3.0), 1) == 20
    assert affordable(np.full(5, 3.0), 0.01) == 0
