"""T-MONO, T-EXP, T-PLATEAU, T-STEEP, T-SPREAD, T-NUMBER, T-EQ shares, and the rates they read."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from nonconvex.claims.quantities.band import geometric_in_band, in_band
from nonconvex.claims.quantities.exponential import falls_geometrically
from nonconvex.claims.quantities.linearity import linear_thresholds
from nonconvex.claims.quantities.numbers import all_within
from nonconvex.claims.quantities.plateau import drops_in, levels_off
from nonconvex.claims.quantities.share import shares_equal
from nonconvex.claims.quantities.spread import varies_little
from nonconvex.claims.quantities.trend import page, rises, threshold_rises
from nonconvex.claims.values import counted_rates, values


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def test_page_is_that_of_scipy(rng):
    values = rng.standard_normal((5, 30)) + 0.1 * np.arange(5)[:, None]
    ours, falls = page(values)
    theirs = stats.page_trend_test(values.T, method="asymptotic").pvalue
    assert ours == pytest.approx(theirs, rel=1e-9)
    assert ours + falls == pytest.approx(1.0)


def test_page_has_no_opinion_on_ties():
    assert page(np.ones((3, 4))) == (1.0, 1.0)


def test_a_lost_trial_counts_as_the_largest_value(rng):
    values = np.exp(np.linspace(0, 1, 4)[:, None] + 0.1 * rng.standard_normal((4, 20)))
    assert rises(values, seed=1).outcome == "R"
    lost = values.copy()
    lost[-1, :10] = np.inf
    assert rises(lost, seed=1).outcome == "R"
    lost = values.copy()
    lost[0, :15] = np.inf
    assert rises(lost, seed=1).outcome != "R"


def test_one_level_that_falls_back_is_not_a_rise(rng):
    values = np.exp(np.array([0, 0.5, 1, 0.6, 1.5])[:, None] + 0.1 * rng.standard_normal((5, 50)))
    found = rises(values, seed=1)
    assert found.outcome == "I"
    assert "significantly reversed steps: 1" in found.detail


def curves_at(places, x):
    """Return success without chance: share 1 beyond each place."""
    return np.repeat((x[None, :] > np.asarray(places)[:, None])[..., None], 20, axis=-1)


def test_thresholds_of_ratios_are_in_units_of_the_level():
    x, levels = np.arange(0.5, 3.01, 0.1), np.array([10.0, 20, 30])
    flat = curves_at([1.25, 1.25, 1.25], x)
    assert threshold_rises(flat, levels, x, seed=1).outcome == "N"
    assert threshold_rises(flat, levels, x, seed=1, ratio=True).effect == pytest.approx(3.0)
    inverse = curves_at([2.45, 1.25, 0.85], x)
    assert threshold_rises(inverse, levels, x, seed=1).outcome == "N"


def test_wholly_black_rows_say_nothing_against_a_rise():
    x, levels = np.arange(1.0, 6), np.array([1.0, 2, 3])
    assert threshold_rises(curves_at([9, 9, 9], x), levels, x, seed=1).outcome == "I"
    assert threshold_rises(curves_at([1.5, 3.5, 9], x), levels, x, seed=1).outcome == "R"


def test_a_coarse_grid_is_no_evidence_of_equality():
    levels = np.array([1.0, 2, 3])
    coarse, fine = np.arange(1.0, 6), np.arange(1.0, 6, 0.05)
    assert threshold_rises(curves_at([2.4, 2.4, 2.4], coarse), levels, coarse, seed=1).outcome == "I"
    assert threshold_rises(curves_at([2.42, 2.42, 2.42], fine), levels, fine, seed=1).outcome == "N"


def test_linear_thresholds_of_ratios(rng):
    levels, x = np.arange(10, 61, 10.0), np.arange(0.8, 2.01, 0.05)
    share = 1 / (1 + np.exp((1.3 - x) / 0.05))
    success = rng.random((6, len(x), 100)) < share[None, :, None]
    settings = {"falls": False, "seed": 1, "function": "x", "rivals": ["sqrt", "square"]}
    found = linear_thresholds(success, levels, x, ratio=True, **settings)
    assert found.outcome == "R"
    assert found.effect == pytest.approx(1.3, abs=0.05)
    assert linear_thresholds(success, levels, x, **settings).outcome != "R"


def test_even_decades_are_exponential_and_a_cap_is_no_answer():
    even = np.array([[100.0], [150], [205], [250]]).repeat(40, axis=1)
    ended = np.zeros(40, dtype=bool)
    assert falls_geometrically(even, ended).outcome == "R"
    uneven = np.array([[100.0], [110], [150], [310]]).repeat(40, axis=1)
    assert falls_geometrically(uneven, ended).outcome == "N"
    censored = even.copy()
    censored[3] = np.nan
    assert falls_geometrically(censored, ended).outcome == "I"
    assert falls_geometrically(censored, ~ended).outcome == "N"
    assert falls_geometrically(even[:, :0], ended[:0]).outcome == "I"


def test_a_decay_like_the_square_root_is_no_plateau(rng):
    x = np.array([3.3, 5, 10])
    noise = np.exp(0.1 * rng.standard_normal((3, 50)))
    assert levels_off(0.05 * noise, x, of=0.05, seed=1).outcome == "R"
    assert levels_off(0.05 * noise * (x / 3.3)[:, None] ** -0.5, x, of=0.05, seed=1).outcome == "N"
    assert levels_off(0.5 * noise, x, of=0.05, seed=1).outcome == "N"
    assert levels_off(0.05 * noise[:1], x[:1], of=0.05, seed=1).outcome == "I"


def test_the_drop_is_where_the_fall_is_steepest(rng):
    x = np.array([0.5, 1, 1.5, 2, 4])
    values = np.array([1, 1, 0.1, 0.08, 0.03])[:, None] * np.exp(0.1 * rng.standard_normal((5, 30)))
    found = drops_in(values, x, band=(1, 1.6), seed=1)
    assert (found.outcome, found.effect) == ("R", pytest.approx(np.sqrt(1.5)))
    assert drops_in(values, x, band=(2, 4), seed=1).outcome == "N"


def test_spread(rng):
    narrow, wide = (np.exp(s * rng.standard_normal((3, 40))) for s in (0.1, 1.2))
    assert varies_little(narrow, seed=1).outcome == "R"
    assert varies_little(wide, seed=1).outcome == "N"
    assert varies_little(np.vstack([narrow, wide[:1]]), seed=1).outcome == "I"
    assert varies_little(np.zeros((2, 10)), seed=1).outcome == "I"


def test_numbers_in_a_band():
    ones = np.ones(5) + 1e-12
    assert all_within(ones, band=(1 - 1e-8, 1 + 1e-8)).outcome == "R"
    assert all_within(ones + 1e-7, band=(1 - 1e-8, 1 + 1e-8), outer=(0.9, 1.1)).outcome == "I"
    assert all_within(np.append(ones, 1.1), band=(1 - 1e-8, 1 + 1e-8)).outcome == "N"
    assert all_within(np.append(ones, np.nan), band=(0, 2)).outcome == "N"
    assert all_within(ones[:0], band=(0, 2)).outcome == "I"


def test_shares_that_are_alike():
    assert shares_equal((20, 20), (20, 20)).outcome == "R"
    assert shares_equal((20, 20), (2, 20)).outcome == "N"
    assert shares_equal((12, 20), (12, 20)).outcome == "I"
    assert shares_equal((0, 0), (2, 20)).outcome == "I"


def test_a_geometric_mean_is_not_moved_by_one_large_value(rng):
    values = 0.2 * np.exp(0.1 * rng.standard_normal((4, 50)))
    values[0, 0] = 1e9
    assert geometric_in_band(values, (0.1, 1), seed=1).outcome == "R"
    assert in_band(values.mean(axis=0), (0.1, 1), seed=1).outcome != "R"


def test_rates_of_a_table_of_iterates():
    iteration = np.arange(0, 101, 10)
    falling = pd.DataFrame({"iteration": iteration, "error": 0.5 * 0.9**iteration, "status": "converged"})
    parts = [falling.assign(trial=0), falling.assign(trial=1, error=0.5), falling.assign(trial=2)]
    parts[2]["status"] = "diverged"
    table = pd.concat(parts).assign(algorithm="agd", n_neurons=2)
    table = table[["algorithm", "n_neurons", "trial", "status", "iteration", "error"]]
    rates = counted_rates(table)
    assert rates["rate"].to_numpy() == pytest.approx([0.9, 1.0, 1.0])


def test_a_level_that_is_not_reached_counts_with_all_iterations_made():
    table = pd.DataFrame(
        {
            "algorithm": ["agd", "agd", "gd"],
            "trial": [0, 1, 0],
            "status": ["converged", "iteration limit", "stalled"],
            "error": [1e-6, 0.1, 0.1],
            "iterations": [300, 4000, 50],
            "iterations_1e-3": [120.0, np.nan, np.nan],
        }
    )
    found, _ = values(table, "agd", "iterations_1e-3", range(2))
    assert found.tolist() == [[120.0, 4000.0]]
    # The stalled trial of the other method is no better off for having stalled early.
    assert values(table, "gd", "iterations_1e-3", range(1))[0].tolist() == [[4000.0]]
