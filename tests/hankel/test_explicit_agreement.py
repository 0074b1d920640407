import numpy as np
import pytest
from hankel.explicit import iterates

from nonconvex.hankel import am_fiht, loss_mask, ram_fiht, spectrally_sparse_signal

# n_channels, n_samples, rank, n1, observed fraction, real
CASES = {
    "complex": (4, 40, 3, 20, 0.7, False),
    "odd": (3, 41, 2, 17, 0.6, False),
    "real": (4, 40, 4, 20, 0.8, True),
    "plain matrix": (12, 15, 2, 1, 0.8, False),
    "one channel": (1, 60, 3, 30, 0.7, False),
    "rank above a third of n2": (6, 30, 6, 15, 0.9, False),
    "rank too high": (5, 60, 5, 30, 0.8, False),
    "rank above half of the rows": (8, 30, 5, 1, 0.9, True),
}


def instance(case):
    n_channels, n_samples, rank, n1, fraction, real = CASES[case]
    rng = np.random.default_rng(7)
    if case == "rank too high":
        x = spectrally_sparse_signal(n_channels, n_samples, 2, rng=rng)
        return x, loss_mask(1, n_channels, n_samples, fraction, rng), rank, n1
    if real:
        x = spectrally_sparse_signal(n_channels, n_samples, rank // 2 or 1, rng=rng).real.copy()
    else:
        x = spectrally_sparse_signal(n_channels, n_samples, rank, rng=rng)
    return x, loss_mask(1, n_channels, n_samples, fraction, rng), rank, n1


def fast_iterates(solver, x, mask, **options):
    seen = []
    solver(x, mask, tolerance=0.0, callback=lambda iteration, z: seen.append(z), **options)
    return seen


def assert_same(fast, plain):
    assert len(fast) == len(plain)
    for number, (a, b) in enumerate(zip(fast, plain, strict=True)):
        assert np.linalg.norm(a - b) <= 1e-10 * np.linalg.norm(b), number


@pytest.mark.parametrize("beta", [0.0, 0.05])
@pytest.mark.parametrize("case", CASES)
def test_am_fiht_is_the_algorithm_of_the_thesis(case, beta):
    x, mask, rank, n1 = instance(case)
    fast = fast_iterates(am_fiht, x, mask, rank=rank, n1=n1, beta=beta, max_iterations=10)
    plain, _ = iterates(x, mask, rank, n1, beta, 10)
    assert_same(fast, plain)


@pytest.mark.parametrize("beta", [0.0, 0.05])
@pytest.mark.parametrize("case", CASES)
def test_ram_fiht_is_the_algorithm_of_the_thesis(case, beta):
    x, mask, rank, n1 = instance(case)
    fast = fast_iterates(ram_fiht, x, mask, rank=rank, n1=n1, beta=beta, incoherence=1.02, max_iterations=10)
    plain, trims = iterates(x, mask, rank, n1, beta, 10, mu=1.02)
    assert trims == 10
    assert_same(fast, plain)


def test_ram_fiht_that_trims_now_and_then():
    x, mask, rank, n1 = instance("complex")
    for mu in np.linspace(1.5, 4, 26):
        plain, trims = iterates(x, mask, rank, n1, 0.05, 10, mu=mu)
        if 0 < trims < 10:
            break
    assert 0 < trims < 10
    fast = fast_iterates(ram_fiht, x, mask, rank=rank, n1=n1, beta=0.05, incoherence=mu, max_iterations=10)
    assert_same(fast, plain)


def test_ram_fiht_without_trimming_is_am_fiht():
    x, mask, rank, n1 = instance("complex")
    am = am_fiht(x, mask, rank=rank, n1=n1)
    ram = ram_fiht(x, mask, rank=rank, n1=n1, incoherence=1e6)
    np.testing.assert_array_equal(am.x, ram.x)


@pytest.mark.parametrize(("beta", "weight"), [("squared", 0.3**2 / 5), ("linear", 0.3 / 5)])
def test_named_weights(beta, weight):
    rng = np.random.default_rng(0)
    x, mask = spectrally_sparse_signal(4, 50, 2, rng=rng), loss_mask(1, 4, 50, 0.7, rng)
    named = am_fiht(x, mask, rank=2, beta=beta, max_iterations=5)
    given = am_fiht(x, mask, rank=2, beta=weight, max_iterations=5)
    np.testing.assert_allclose(named.x, given.x, rtol=1e-12)
