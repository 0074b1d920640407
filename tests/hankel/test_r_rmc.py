import importlib
import time

import numpy as np
import pytest
from hankel.robust_explicit import draw, error, plain_r_rmc

from nonconvex.hankel import r_rmc

ENTRIES = importlib.import_module("nonconvex.hankel.operators.entries")

# n_channels, n_samples, n1, rank asked for, real, options
CASES = {
    "tall": (4, 40, 20, 3, False, {}),
    "tall, real": (4, 40, 15, 4, True, {}),
    "plain matrix, wide": (12, 30, 1, 2, False, {}),
    "plain matrix, wide, real": (12, 30, 1, 4, True, {}),
    "plain matrix, tall": (30, 12, 1, 2, False, {"incoherence": 2.0}),
    "wide with several blocks": (3, 60, 4, 2, False, {"incoherence": 2.0}),
    "one channel, even": (1, 60, 30, 3, False, {}),
    "one channel, odd, real": (1, 61, 30, 4, True, {}),
    "full rank": (4, 12, 1, 4, False, {}),
    "own incoherence": (4, 40, 20, 2, False, {"incoherence": 3.0}),
    "released fraction": (4, 40, 20, 2, False, {"fraction": 0.5}),
    "many blocks of work": (3, 500, 250, 2, True, {}),
}
PATHS = {"Gram matrix": 10**9, "Lanczos": 0}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("case", CASES)
def test_it_is_the_released_algorithm(case, path, monkeypatch):
    n_channels, n_samples, n1, rank, real, options = CASES[case]
    monkeypatch.setattr(ENTRIES, "GRAM_COLUMNS", PATHS[path])
    count = 10 if n_samples < 500 else 4
    x, observed, mask = draw(n_channels, n_samples, 2, loss=0.4, bad=0.1, real=real)
    seen = []
    recovery = r_rmc(
        observed,
        mask,
        rank=rank,
        n1=n1,
        tolerance=0.0,
        max_iterations=count,
        callback=lambda _, z: seen.append(z),
        **options,
    )
    plain = plain_r_rmc(observed, mask, rank, n1, count, **options)
    assert len(seen) == count + 1
    assert plain[-1].residual > 1e-6, "rounding decides how a frozen run goes on: choose another case"
    size = np.linalg.norm(x)
    for fast, slow in zip(seen, plain, strict=True):
        assert np.linalg.norm(fast - slow.x) <= 1e-10 * size
    np.testing.assert_allclose(recovery.history, [step.residual for step in plain[1:]], atol=1e-10 * size)
    assert np.linalg.norm(recovery.outliers - plain[-1].outliers) <= 1e-10 * size
    assert not recovery.outliers[~mask].any()
    assert recovery.rank == plain[-1].rank
    assert recovery.x.dtype == recovery.outliers.dtype == x.dtype
    np.testing.assert_array_equal(recovery.x, seen[-1])


@pytest.mark.parametrize("path", PATHS)
def test_the_rank_grows_to_the_one_asked_for_and_the_answer_is_near(path, monkeypatch):
    monkeypatch.setattr(ENTRIES, "GRAM_COLUMNS", PATHS[path])
    x, observed, mask = draw(6, 120, 3, loss=0.3, bad=0.05)
    recovery = r_rmc(observed, mask, rank=3, incoherence=3.0)
    assert (recovery.status, recovery.rank) == ("converged", 3)
    assert recovery.history[-1] <= 1e-3
    assert error(recovery, x, mask) < 1e-2
    true = np.where(mask, observed - x, 0)
    assert np.linalg.norm(recovery.outliers - true) < 2e-2 * np.linalg.norm(true)


def test_as_released_it_freezes_with_its_stop_rule_met():
    x, observed, mask = draw(10, 100, 5, loss=0.5, bad=0.1)
    recovery = r_rmc(observed, mask, rank=5)
    longer = r_rmc(observed, mask, rank=5, tolerance=1e-8, max_iterations=200)
    assert recovery.status == longer.status == "converged"
    assert error(recovery, x, mask) > 1e-2
    assert error(longer, x, mask) == pytest.approx(error(recovery, x, mask), rel=1e-2)


def test_recovery_of_a_plain_matrix(rng):
    x = 10 * rng.standard_normal((80, 2)) @ rng.standard_normal((2, 90))
    mask = rng.random(x.shape) < 0.8
    observed = x + 50 * (rng.random(x.shape) < 0.03)
    recovery = r_rmc(observed, mask, rank=2, n1=1, incoherence=10.0)
    assert recovery.status == "converged"
    assert error(recovery, x, mask) < 1e-3


def test_tolerance_is_in_the_units_of_the_data():
    _, observed, mask = draw(4, 60, 2, loss=0.3, bad=0.05)
    expected = r_rmc(observed, mask, rank=2)
    assert expected.status == "converged"
    for scale in (2.0**12, 2.0**300, 2.0**-300):
        scaled = r_rmc(scale * observed, mask, rank=2, tolerance=1e-3 * scale)
        np.testing.assert_array_equal(scaled.x, scale * expected.x)
        np.testing.assert_array_equal(scaled.outliers, scale * expected.outliers)
        np.testing.assert_array_equal(scaled.history, scale * expected.history)
    assert r_rmc(2.0**20 * observed, mask, rank=2).iterations > expected.iterations


def test_zero_data_give_zero(monkeypatch):
    for path in PATHS.values():
        monkeypatch.setattr(ENTRIES, "GRAM_COLUMNS", path)
        recovery = r_rmc(np.zeros((3, 20)), rank=2)
        assert (recovery.status, recovery.iterations) == ("converged", 1)
        assert not recovery.x.any()
        assert not recovery.outliers.any()


def test_a_step_far_too_long_or_a_nan_is_divergence(monkeypatch):
    _, observed, mask = draw(4, 40, 2, loss=0.5, bad=0.1)
    recovery = r_rmc(observed, mask, rank=2, fraction=1e-3, incoherence=1e9)
    assert recovery.status == "diverged"
    assert "exceeds 1000 times the data" in recovery.reason

    take, calls = ENTRIES.ObservedEntries.take, []

    def broken(self, low_rank, out):
        calls.append(take(self, low_rank, out))
        if len(calls) == 3:
            out.fill(np.nan)

    monkeypatch.setattr(ENTRIES.ObservedEntries, "take", broken)
    recovery = r_rmc(observed, mask, rank=2, incoherence=3.0)
    assert (recovery.status, recovery.iterations) == ("diverged", 2)


def test_iteration_limit():
    _, observed, mask = draw(4, 40, 2, loss=0.5, bad=0.1)
    recovery = r_rmc(observed, mask, rank=2, max_iterations=3)
    assert (recovery.status, recovery.iterations, len(recovery.history)) == ("iteration limit", 3, 3)
    assert "after 3 iterations" in recovery.reason


@pytest.mark.parametrize("path", PATHS)
def test_values_at_unobserved_places_are_ignored_and_runs_repeat(path, monkeypatch):
    monkeypatch.setattr(ENTRIES, "GRAM_COLUMNS", PATHS[path])
    _, observed, mask = draw(4, 40, 2, loss=0.3, bad=0.1)
    expected = r_rmc(observed, mask, rank=2).x
    np.testing.assert_array_equal(r_rmc(np.where(mask, observed, np.nan), rank=2).x, expected)
    np.testing.assert_array_equal(r_rmc(np.where(mask, observed, 1e300), mask, rank=2).x, expected)


def test_one_dimensional_input_gives_one_dimensional_output():
    _, observed, mask = draw(1, 80, 1, loss=0.2, bad=0.05)
    recovery = r_rmc(observed[0], mask[0], rank=1)
    assert recovery.x.shape == recovery.outliers.shape == (80,)


def test_callback_costs_no_seconds_and_may_change_what_it_gets():
    _, observed, mask = draw(4, 40, 2, loss=0.3, bad=0.1)

    def slow(iteration, z):
        z.fill(0)
        time.sleep(0.05)

    before = time.perf_counter()
    recovery = r_rmc(observed, mask, rank=2, max_iterations=5, tolerance=0.0, callback=slow)
    assert recovery.seconds <= time.perf_counter() - before - 6 * 0.05
    assert len(recovery.elapsed) == 6
    expected = r_rmc(observed, mask, rank=2, max_iterations=5, tolerance=0.0)
    np.testing.assert_array_equal(recovery.x, expected.x)


GOOD = np.ones((3, 10))


@pytest.mark.parametrize(
    ("observed", "options", "message"),
    [
        (GOOD, {"n1": 0}, "n1 must be from 1 to n_samples = 10, got 0"),
        (GOOD, {"rank": 0}, "rank must be from 1 to"),
        (GOOD, {"n1": 1, "rank": 4}, "rank must be from 1 to .* = 3 for a Hankel matrix of 3 x 10, got 4"),
        (GOOD, {"rank": 1.0}, "rank must be an integer"),
        (GOOD, {"incoherence": 0}, r"incoherence must be a number above 0 and at most 1e\+09, got 0"),
        (GOOD, {"incoherence": np.nan}, "incoherence must be a number"),
        (GOOD, {"incoherence": True}, "incoherence must be a number"),
        (GOOD, {"fraction": 1.5}, "fraction must be a number above 0 and at most 1, got 1.5"),
        (GOOD, {"fraction": "half"}, "fraction must be a number"),
        (GOOD, {"tolerance": -1}, "tolerance must be"),
        (GOOD, {"max_iterations": 0}, "max_iterations must be a positive integer"),
        (GOOD, {"mask": np.arange(3)[:, None] * np.ones(10) > 0}, "no observation in channel 0"),
        (GOOD * np.nan, {}, "no observed entry"),
        (GOOD * np.inf, {}, "channel 0, sample 0"),
    ],
)
def test_bad_input(observed, options, message):
    with pytest.raises(ValueError, match=message):
        r_rmc(observed, **{"rank": 1} | options)
