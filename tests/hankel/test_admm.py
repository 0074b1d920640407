import importlib
import time

import numpy as np
import pytest
from hankel.robust_explicit import draw, error, plain_admm

from nonconvex.hankel import admm

SHRINKAGE = importlib.import_module("nonconvex.hankel.operators.shrinkage")
SPLITTING = importlib.import_module("nonconvex.hankel.operators.splitting")

# n_channels, n_samples, n1, real, options
CASES = {
    "tall": (4, 40, 20, False, {}),
    "tall, real": (4, 40, 15, True, {}),
    "plain matrix, wide": (12, 30, 1, False, {}),
    "plain matrix, wide, real": (12, 30, 1, True, {}),
    "plain matrix, tall": (30, 12, 1, False, {}),
    "wide with several blocks": (3, 60, 4, False, {}),
    "one channel, even": (1, 60, 30, False, {}),
    "one channel, odd, real": (1, 61, 30, True, {}),
    "as many blocks as samples": (2, 20, 20, False, {}),
    "own weight and penalty": (4, 40, 20, False, {"weight": 0.1, "penalty": 0.02}),
    "threshold too small for a Gram matrix": (4, 40, 20, False, {"penalty": 1e5}),
    "many blocks of work": (3, 500, 250, True, {}),
}


@pytest.mark.parametrize("missing", ["released", "free"])
@pytest.mark.parametrize("case", CASES)
def test_it_is_the_algorithm_of_the_cited_program(case, missing, rounding):
    n_channels, n_samples, n1, real, options = CASES[case]
    count = 10 if n_samples < 500 else 3
    x, observed, mask = draw(n_channels, n_samples, 2, loss=0.4, bad=0.1, real=real)
    seen = []
    recovery = admm(
        observed,
        mask,
        n1=n1,
        missing=missing,
        tolerance=0.0,
        max_iterations=count,
        callback=lambda _, z: seen.append(z),
        **options,
    )
    plain = plain_admm(observed, mask, n1, count, missing, **options)
    assert len(seen) == count + 1
    assert not seen[0].any()
    size = np.linalg.norm(x)
    for fast, slow in zip(seen[1:], plain, strict=True):
        assert np.linalg.norm(fast - slow.x) <= rounding * size
    np.testing.assert_allclose(recovery.history, [step.residual for step in plain], atol=rounding)
    assert np.linalg.norm(recovery.outliers - plain[-1].outliers) <= rounding * size
    assert not recovery.outliers[~mask].any()
    assert recovery.rank == plain[-1].rank > 0
    assert recovery.x.dtype == recovery.outliers.dtype == x.dtype
    np.testing.assert_array_equal(recovery.x, seen[-1])


def test_the_variants_agree_when_nothing_is_missing():
    _, observed, mask = draw(4, 40, 2, loss=0.0, bad=0.1)
    released, free = (admm(observed, mask, missing=missing).x for missing in ("released", "free"))
    np.testing.assert_allclose(released, free, atol=1e-12)


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("loss", [0.0, 0.3])
def test_free_recovers_and_names_the_outliers(loss, real):
    x, observed, mask = draw(8, 80, 2, loss=loss, bad=0.05, real=real)
    recovery = admm(observed, mask, missing="free")
    assert recovery.status == "converged"
    assert recovery.rank == (4 if real else 2)
    assert error(recovery, x, mask) < 1e-4
    true = np.where(mask, observed - x, 0)
    assert np.linalg.norm(recovery.outliers - true) < 1e-4 * np.linalg.norm(true)


def test_shrinking_at_missing_entries_decides_the_loss_that_is_survived():
    outcome = {
        (loss, missing): error(admm(observed, mask, missing=missing), x, mask)
        for loss in (0.1, 0.5)
        for x, observed, mask in [draw(10, 100, 2, loss=loss, bad=0.05)]
        for missing in ("released", "free")
    }
    assert outcome[0.1, "released"] < 1e-2
    assert outcome[0.1, "free"] < 1e-4
    assert outcome[0.5, "released"] > 0.5
    assert outcome[0.5, "free"] < 1e-4


def test_recovery_of_a_plain_matrix(rng):
    x = rng.standard_normal((60, 2)) @ rng.standard_normal((2, 70))
    mask = rng.random(x.shape) < 0.8
    observed = x + 20 * (rng.random(x.shape) < 0.03)
    recovery = admm(observed, mask, n1=1, missing="free")
    assert (recovery.status, recovery.rank) == ("converged", 2)
    assert error(recovery, x, mask) < 1e-3


def test_the_limit_solves_the_convex_programme():
    _, observed, mask = draw(3, 24, 2, loss=0.3, bad=0.1)
    recovery = admm(observed, mask, n1=1, missing="free", tolerance=1e-9, max_iterations=20000)
    assert recovery.status == "converged"
    weight = 1 / np.sqrt(24)
    outliers = np.where(mask, observed - recovery.x, 0)

    def cost(x):
        return np.linalg.norm(x, "nuc") + weight * np.abs(np.where(mask, observed - x, 0)).sum()

    least = cost(recovery.x)
    assert outliers.any()
    rng = np.random.default_rng(0)
    for size in (1e-3, 1e-1, 1.0):
        for _ in range(20):
            change = rng.standard_normal(outliers.shape) + 1j * rng.standard_normal(outliers.shape)
            assert cost(recovery.x + size * change) >= least - 1e-6


def test_penalty_is_in_one_over_the_units_of_the_data():
    _, observed, mask = draw(4, 40, 2, loss=0.3, bad=0.1)
    options = {"penalty": 0.5, "max_iterations": 20}
    expected = admm(observed, mask, **options)
    for scale in (2.0**12, 2.0**300, 2.0**-300):
        scaled = admm(scale * observed, mask, **options | {"penalty": 0.5 / scale})
        np.testing.assert_array_equal(scaled.x, scale * expected.x)
        np.testing.assert_array_equal(scaled.outliers, scale * expected.outliers)
        np.testing.assert_array_equal(scaled.history, expected.history)
    assert (
        admm(64 * observed, mask, missing="free").iterations
        != admm(observed, mask, missing="free").iterations
    )


@pytest.mark.parametrize("loss", [0.3, 0.95])
def test_following_a_subspace_and_single_precision_change_no_outcome(monkeypatch, loss):
    _, observed, mask = draw(10, 100, 2, loss=loss, bad=0.05)
    fast = admm(observed, mask, missing="free")
    monkeypatch.setattr(SHRINKAGE, "FEW", np.inf)
    monkeypatch.setattr(SHRINKAGE, "HARMLESS", 0.0)
    plain = admm(observed, mask, missing="free")
    assert (fast.status, fast.rank, fast.iterations) == (plain.status, plain.rank, plain.iterations)
    assert np.linalg.norm(fast.x - plain.x) <= 3e-6 * np.linalg.norm(plain.x)
    np.testing.assert_allclose(fast.history, plain.history, rtol=0.05)


def test_zero_data_give_zero():
    recovery = admm(np.zeros((3, 20)))
    assert (recovery.status, recovery.rank, recovery.iterations) == ("converged", 0, 1)
    assert not recovery.x.any()
    assert not recovery.outliers.any()


def test_a_residual_that_is_not_finite_is_divergence(monkeypatch):
    _, observed, mask = draw(4, 40, 2, loss=0.3, bad=0.1)
    monkeypatch.setattr(SPLITTING.Splitting, "exchange", lambda self, threshold: np.nan)
    recovery = admm(observed, mask)
    assert (recovery.status, recovery.iterations) == ("diverged", 1)
    assert "not finite" in recovery.reason


def test_iteration_limit():
    _, observed, mask = draw(4, 40, 2, loss=0.5, bad=0.1)
    recovery = admm(observed, mask, max_iterations=3)
    assert (recovery.status, recovery.iterations, len(recovery.history)) == ("iteration limit", 3, 3)
    assert "after 3 iterations" in recovery.reason


def test_values_at_unobserved_places_are_ignored_and_runs_repeat():
    _, observed, mask = draw(4, 40, 2, loss=0.3, bad=0.1)
    expected = admm(observed, mask).x
    np.testing.assert_array_equal(admm(np.where(mask, observed, np.nan)).x, expected)
    np.testing.assert_array_equal(admm(np.where(mask, observed, 1e300), mask).x, expected)


def test_one_dimensional_input_gives_one_dimensional_output():
    _, observed, mask = draw(1, 80, 1, loss=0.2, bad=0.05)
    recovery = admm(observed[0], mask[0], missing="free")
    assert recovery.x.shape == recovery.outliers.shape == (80,)


def test_no_signal_is_made_without_a_callback(monkeypatch):
    _, observed, mask = draw(4, 40, 2, loss=0.3, bad=0.1)
    made, signal = [], SPLITTING.Splitting.signal
    monkeypatch.setattr(SPLITTING.Splitting, "signal", lambda self: made.append(0) or signal(self))
    admm(observed, mask, max_iterations=5)
    assert len(made) == 1


def test_callback_costs_no_seconds_and_may_change_what_it_gets():
    _, observed, mask = draw(4, 40, 2, loss=0.3, bad=0.1)

    def slow(iteration, z):
        z.fill(0)
        time.sleep(0.05)

    before = time.perf_counter()
    recovery = admm(observed, mask, max_iterations=5, tolerance=0.0, callback=slow)
    assert recovery.seconds <= time.perf_counter() - before - 6 * 0.05
    assert len(recovery.elapsed) == 6
    np.testing.assert_array_equal(recovery.x, admm(observed, mask, max_iterations=5, tolerance=0.0).x)


GOOD = np.ones((3, 10))


@pytest.mark.parametrize(
    ("observed", "options", "message"),
    [
        (GOOD, {"n1": 0}, "n1 must be from 1 to n_samples = 10, got 0"),
        (GOOD, {"missing": "masked"}, 'missing must be "released" or "free", got \'masked\''),
        (GOOD, {"missing": ["free"]}, 'missing must be "released" or "free"'),
        (GOOD, {"weight": 0}, "weight must be a number above 0 and below inf, got 0"),
        (GOOD, {"weight": True}, "weight must be a number"),
        (GOOD, {"penalty": np.inf}, "penalty must be a number above 0 and below inf, got inf"),
        (GOOD, {"penalty": 1e200}, "1 / penalty and weight / penalty are in the units of the data"),
        (1e-200 * GOOD, {}, "1 / penalty and weight / penalty are in the units of the data"),
        (GOOD, {"tolerance": -1}, "tolerance must be"),
        (GOOD, {"max_iterations": 0}, "max_iterations must be a positive integer"),
        (GOOD, {"mask": np.arange(3)[:, None] * np.ones(10) > 0}, "no observation in channel 0"),
        (GOOD * np.nan, {}, "no observed entry"),
        (GOOD * np.inf, {}, "channel 0, sample 0"),
    ],
)
def test_bad_input(observed, options, message):
    with pytest.raises(ValueError, match=message):
        admm(observed, **options)
