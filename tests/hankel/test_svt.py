import importlib
import subprocess
import sys
import time

import numpy as np
import pytest
from hankel.explicit import pseudoinverse

from nonconvex.hankel import hankel_matrix, loss_mask, spectrally_sparse_signal, svt

DUAL = importlib.import_module("nonconvex.hankel.operators.dual").DualMatrix

# n_channels, n_samples, rank, n1, observed fraction, real, options
CASES = {
    "tall": (4, 40, 3, 20, 0.6, False, {}),
    "tall, real": (4, 40, 2, 15, 0.6, True, {}),
    "plain matrix, wide": (12, 30, 2, 1, 0.7, False, {}),
    "plain matrix, wide, real": (12, 30, 2, 1, 0.7, True, {}),
    "plain matrix, tall": (30, 12, 2, 1, 0.7, False, {}),
    "wide with several blocks": (3, 60, 2, 4, 0.6, False, {}),
    "one channel": (1, 60, 3, 30, 0.7, False, {}),
    "as many blocks as samples": (2, 20, 2, 20, 0.7, False, {}),
    "own tau and delta": (4, 40, 3, 20, 0.6, False, {"tau": 700.0, "delta": 1.5}),
    "small tau": (4, 40, 3, 20, 0.6, False, {"tau": 0.5, "delta": 0.4}),
    "tau far below the singular values": (4, 40, 3, 20, 0.6, False, {"tau": 1e-5, "delta": 0.3}),
    "many blocks of work": (3, 900, 2, 450, 0.6, True, {}),
}


def draw(n_channels, n_samples, rank, fraction, real=False, seed=7):
    rng = np.random.default_rng(seed)
    x = spectrally_sparse_signal(n_channels, n_samples, rank, rng=rng)
    return x.real.copy() if real else x, loss_mask(1, n_channels, n_samples, fraction, rng)


def error(recovery, x, mask):
    return np.linalg.norm((recovery.x - x)[~mask]) / np.linalg.norm(x[~mask])


def plain_svt(x, mask, n1, count, tau=None, delta=None):
    """SVT as its authors print it, on the explicit matrix: H^dagger, relative residual and rank of each iterate."""
    n_channels, n_samples = x.shape
    known, seen = hankel_matrix(np.where(mask, x, 0), n1), hankel_matrix(mask, n1)
    tau = 5 * np.sqrt(known.size) if tau is None else tau
    delta = 1.2 / seen.mean() if delta is None else delta
    y = np.ceil(tau / (delta * np.linalg.norm(known, 2))) * delta * known
    made = [(np.zeros_like(x), None, 0)]
    for _ in range(count):
        u, sigma, vh = np.linalg.svd(y, full_matrices=False)
        low_rank = (u * np.maximum(sigma - tau, 0)) @ vh
        residual = np.where(seen, known - low_rank, 0)
        signal = pseudoinverse(low_rank, n_channels, n_samples, n1)
        made.append((signal, np.linalg.norm(residual) / np.linalg.norm(known), int(np.sum(sigma > tau))))
        y = y + delta * residual
    return made


@pytest.mark.parametrize("case", CASES)
def test_it_is_the_algorithm_of_its_authors(case, rounding):
    n_channels, n_samples, rank, n1, fraction, real, options = CASES[case]
    count = 10 if n_samples < 900 else 2
    x, mask = draw(n_channels, n_samples, rank, fraction, real)
    seen = []
    recovery = svt(
        x, mask, n1=n1, tolerance=0.0, max_iterations=count, callback=lambda _, z: seen.append(z), **options
    )
    plain = plain_svt(x, mask, n1, count, **options)
    assert len(seen) == len(plain) == count + 1
    for fast, (slow, *_) in zip(seen, plain, strict=True):
        assert np.linalg.norm(fast - slow) <= rounding * np.linalg.norm(x)
    np.testing.assert_allclose(recovery.history, [residual for _, residual, _ in plain[1:]], atol=rounding)
    assert recovery.rank == plain[-1][2] > 0
    assert recovery.x.dtype == x.dtype
    np.testing.assert_array_equal(recovery.x, seen[-1])


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("n1", [None, 20])
def test_recovery_on_the_hankel_matrix(real, n1):
    x, mask = draw(6, 60, 2, 0.6, real)
    recovery = svt(x, mask, n1=n1)
    assert recovery.status == "converged"
    assert recovery.history[-1] <= 1e-4
    assert recovery.rank == (4 if real else 2)
    assert error(recovery, x, mask) < 2e-3


def test_recovery_of_a_plain_matrix(rng):
    x = rng.standard_normal((50, 2)) @ rng.standard_normal((2, 70))
    mask = loss_mask(1, 50, 70, 0.6, rng)
    recovery = svt(x, mask, n1=1)
    assert recovery.status == "converged"
    assert error(recovery, x, mask) < 1e-2


def test_it_fails_on_data_of_full_rank():
    x, mask = draw(10, 100, 12, 0.5)
    recovery = svt(x, mask, n1=1, max_iterations=100)
    assert recovery.status == "iteration limit"
    assert "after 100 iterations" in recovery.reason
    assert error(recovery, x, mask) > 0.5


@pytest.mark.parametrize("real", [False, True])
def test_one_dimensional_input_gives_one_dimensional_output(real):
    x, mask = draw(1, 80, 1, 0.7, real)
    recovery = svt(x[0], mask[0])
    assert recovery.x.shape == (80,)
    assert np.linalg.norm(recovery.x - x[0]) < 1e-2 * np.linalg.norm(x)


def test_too_large_a_step_is_reported_as_divergence():
    x, mask = draw(4, 40, 2, 0.5)
    recovery = svt(x, mask, delta=9.0)
    assert recovery.status == "diverged"
    assert "smaller delta" in recovery.reason
    assert np.isfinite(recovery.x).all()
    assert svt(x, mask, delta=9e5).status == "diverged"


def test_tau_is_in_the_units_of_the_data():
    x, mask = draw(4, 40, 2, 0.6)
    expected = svt(x, mask, tau=100.0)
    for scale in (2.0**12, 2.0**900, 2.0**-900):
        np.testing.assert_array_equal(svt(scale * x, mask, tau=scale * 100).x, scale * expected.x)
    assert svt(64 * x, mask).iterations != svt(x, mask).iterations


def test_zero_data_give_zero():
    recovery = svt(np.zeros((3, 20)))
    assert (recovery.status, recovery.rank, recovery.iterations) == ("converged", 0, 1)
    assert not recovery.x.any()


def test_values_at_unobserved_places_are_ignored():
    x, mask = draw(4, 40, 2, 0.6)
    expected = svt(x, mask).x
    np.testing.assert_array_equal(svt(np.where(mask, x, np.nan)).x, expected)
    np.testing.assert_array_equal(svt(np.where(mask, x, 1e300), mask).x, expected)


def test_no_signal_is_made_without_a_callback(monkeypatch):
    x, mask = draw(4, 40, 2, 0.6)
    made, signal = [], DUAL.signal
    monkeypatch.setattr(DUAL, "signal", lambda self, low_rank: made.append(0) or signal(self, low_rank))
    svt(x, mask)
    assert len(made) == 1


def test_callback_costs_no_seconds_and_may_change_what_it_gets():
    x, mask = draw(4, 40, 2, 0.6)

    def slow(iteration, z):
        z.fill(0)
        time.sleep(0.05)

    before = time.perf_counter()
    recovery = svt(x, mask, max_iterations=5, tolerance=0.0, callback=slow)
    assert recovery.seconds <= time.perf_counter() - before - 6 * 0.05
    assert len(recovery.elapsed) == 6
    assert recovery.seconds == recovery.elapsed[-1]
    np.testing.assert_array_equal(recovery.x, svt(x, mask, max_iterations=5, tolerance=0.0).x)


MEMORY = """
import resource
import numpy as np
from nonconvex.hankel import loss_mask, spectrally_sparse_signal, svt
rng = np.random.default_rng(6)
svt(spectrally_sparse_signal(2, 30, 1, rng=rng))
x, mask = spectrally_sparse_signal(20, 600, 15, rng=rng), loss_mask(1, 20, 600, 0.5, rng)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
svt(x, mask, max_iterations=2)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in kilobytes on Linux only")
def test_a_full_size_solve_holds_little_more_than_one_tall_matrix():
    output = subprocess.run([sys.executable, "-c", MEMORY], check=True, capture_output=True, text=True).stdout
    assert float(output) < 60


GOOD = np.ones((3, 10))


@pytest.mark.parametrize(
    ("observed", "options", "message"),
    [
        (GOOD, {"n1": 0}, "n1 must be from 1 to n_samples = 10, got 0"),
        (GOOD, {"tau": 0}, "tau must be a number above 0 and below inf, got 0"),
        (GOOD, {"tau": np.inf}, "tau must be a number above 0"),
        (GOOD, {"tau": "5"}, "tau must be a number above 0"),
        (GOOD, {"tau": 1e15}, r"tau is in the units of the data and must be at most 1e\+10 delta"),
        (1e-15 * GOOD, {}, "tau is in the units of the data"),
        (GOOD, {"delta": -1.0}, "delta must be a number above 0 and below 1e.06, got -1.0"),
        (GOOD, {"delta": np.nan}, "delta must be a number"),
        (GOOD, {"delta": True}, "delta must be a number"),
        (GOOD, {"tolerance": -1}, "tolerance must be"),
        (GOOD, {"max_iterations": 0}, "max_iterations must be a positive integer"),
        (GOOD, {"mask": np.arange(3)[:, None] * np.ones(10) > 0}, "no observation in channel 0"),
        (GOOD * np.nan, {}, "no observed entry"),
        (GOOD * np.inf, {}, "channel 0, sample 0"),
    ],
)
def test_bad_input(observed, options, message):
    with pytest.raises(ValueError, match=message):
        svt(observed, **options)
