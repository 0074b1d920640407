import hashlib
import itertools
import subprocess
import sys
import time

import numpy as np
import pytest

from nonconvex.hankel import am_fiht, incoherence, loss_mask, ram_fiht, spectrally_sparse_signal


def solve(solver, x, mask, **options):
    if solver is ram_fiht:
        options["incoherence"] = incoherence(x, rank=options["rank"], n1=options.get("n1"))
    return solver(x, mask, **options)


def error(recovery, x, mask):
    return np.linalg.norm((recovery.x - x)[~mask]) / np.linalg.norm(x[~mask])


both = pytest.mark.parametrize("solver", [am_fiht, ram_fiht])


@both
@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize(("mode", "fraction"), [(1, 0.6), (2, 0.7), (3, 0.9)])
def test_exact_recovery(solver, mode, fraction, real):
    rng = np.random.default_rng(1)
    x = spectrally_sparse_signal(8, 100, 2, rng=rng)
    x, rank = (x.real.copy(), 4) if real else (x, 2)
    mask = loss_mask(mode, 8, 100, fraction, rng)
    recovery = solve(solver, x, mask, rank=rank, tolerance=1e-8)
    assert recovery.status == "converged"
    assert recovery.x.dtype == x.dtype
    assert error(recovery, x, mask) < 1e-5


@both
@pytest.mark.parametrize("real", [False, True])
def test_one_dimensional_input_gives_one_dimensional_output(solver, real):
    rng = np.random.default_rng(2)
    x = spectrally_sparse_signal(1, 120, 2, rng=rng)[0]
    x, rank = (x.real.copy(), 4) if real else (x, 2)
    mask = loss_mask(1, 1, 120, 0.7, rng)[0]
    recovery = solve(solver, x, mask, rank=rank, tolerance=1e-8)
    assert recovery.x.shape == x.shape
    assert error(recovery, x, mask) < 1e-5


@both
def test_matrix_completion_with_n1_of_one(solver, rng):
    x = rng.standard_normal((40, 2)) @ rng.standard_normal((2, 50))
    mask = loss_mask(1, 40, 50, 0.6, rng)
    assert error(solve(solver, x, mask, rank=2, n1=1, tolerance=1e-8), x, mask) < 1e-5


@both
@pytest.mark.parametrize("shape", [(5, 60), (1, 600)])
def test_complete_data_come_back_even_if_the_rank_is_too_high(solver, shape):
    x = spectrally_sparse_signal(*shape, 2, rng=np.random.default_rng(3))
    extra = {"incoherence": 300.0} if solver is ram_fiht else {}
    recovery = solver(x, rank=5, **extra)
    assert recovery.status == "converged"
    assert np.linalg.norm(recovery.x - x) < 1e-10 * np.linalg.norm(x)


@both
@pytest.mark.parametrize("shape", [(3, 20), (1, 600)])
def test_zero_data_give_zero(solver, shape):
    extra = {"incoherence": 2.0} if solver is ram_fiht else {}
    recovery = solver(np.zeros(shape), rank=2, **extra)
    assert recovery.status == "converged"
    assert not recovery.x.any()


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(4)
    x = spectrally_sparse_signal(6, 80, 3, rng=rng)
    return x, loss_mask(1, 6, 80, 0.5, rng)


@both
def test_scaling_the_data_scales_the_answer(solver, problem):
    x, mask = problem
    a, b = solve(solver, x, mask, rank=3), solve(solver, -1e6j * x, mask, rank=3)
    assert a.iterations == b.iterations
    np.testing.assert_allclose(b.x, -1e6j * a.x, rtol=1e-9)


@both
def test_values_at_unobserved_places_are_ignored(solver, problem):
    x, mask = problem
    options = {"rank": 3} | ({"incoherence": 1.8} if solver is ram_fiht else {})
    expected = solver(x, mask, **options).x
    for junk in (0, np.nan, np.inf, 1e300):
        np.testing.assert_array_equal(solver(np.where(mask, x, junk), mask, **options).x, expected)
    np.testing.assert_array_equal(solver(np.where(mask, x, np.nan), **options).x, expected)


@both
def test_permuting_the_channels_permutes_the_answer(solver, problem):
    x, mask = problem
    order = np.array([3, 0, 5, 1, 4, 2])
    a = solve(solver, x, mask, rank=3).x
    b = solve(solver, x[order], mask[order], rank=3).x
    np.testing.assert_allclose(b, a[order], rtol=1e-9)


@both
def test_memory_layout_of_the_input_does_not_matter(solver, problem):
    x, mask = problem
    options = {"rank": 3} | ({"incoherence": 1.8} if solver is ram_fiht else {})
    expected = solver(x, mask, **options).x
    np.testing.assert_array_equal(
        solver(np.asfortranarray(x), np.asfortranarray(mask), **options).x, expected
    )


@both
def test_input_is_left_alone_and_lists_work(solver):
    x, mask = [[1, 2, 4, 8, 16, 32]], [[True, True, True, False, True, True]]
    extra = {"incoherence": 6.0} if solver is ram_fiht else {}
    recovery = solver(x, mask, rank=1, tolerance=1e-10, **extra)
    assert recovery.x.dtype == float
    np.testing.assert_allclose(recovery.x, x, rtol=1e-6)
    assert x == [[1, 2, 4, 8, 16, 32]]


def test_single_precision_is_computed_in_double(problem):
    x, mask = problem
    assert am_fiht(x.astype(np.complex64), mask, rank=3).x.dtype == complex
    assert am_fiht(x.real.astype(np.float32), mask, rank=6).x.dtype == float


@both
def test_the_stop_rule_is_what_it_says(solver, problem):
    x, mask = problem
    seen = []
    recovery = solve(solver, x, mask, rank=3, tolerance=1e-4, callback=lambda _, z: seen.append(z[mask]))
    changes = [np.linalg.norm(b - a) / np.linalg.norm(a) for a, b in itertools.pairwise(seen)]
    assert recovery.status == "converged"
    assert "1e-04" in recovery.reason.replace("0.0001", "1e-04")
    assert changes[-1] <= 1e-4
    assert min(changes[:-1]) > 1e-4
    assert recovery.iterations == len(changes) == len(recovery.history)
    np.testing.assert_allclose(recovery.history, changes, rtol=1e-6)


@both
def test_iteration_limit(solver, problem):
    x, mask = problem
    recovery = solve(solver, x, mask, rank=3, tolerance=0.0, max_iterations=4)
    assert (recovery.status, recovery.iterations) == ("iteration limit", 4)
    assert "after 4 iterations" in recovery.reason


def test_blow_up_is_reported():
    rng = np.random.default_rng(0)
    x, mask = spectrally_sparse_signal(6, 60, 8, rng=rng), loss_mask(1, 6, 60, 0.1, rng)
    recovery = am_fiht(x, mask, rank=8, beta=0.0)
    assert recovery.status == "diverged"
    assert "exceeds 1000 times the data" in recovery.reason
    assert recovery.iterations < 300


@both
@pytest.mark.parametrize("scale", [2.0**1015, 2.0**-1000])
def test_the_largest_and_smallest_numbers_are_no_problem(solver, problem, scale):
    x, mask = problem
    options = {"rank": 3} | ({"incoherence": 1.8} if solver is ram_fiht else {})
    np.testing.assert_array_equal(solver(x * scale, mask, **options).x, solver(x, mask, **options).x * scale)


@both
def test_callback_sees_every_iterate_and_costs_no_seconds(solver, problem):
    x, mask = problem
    seen = []

    def slow(iteration, z):
        seen.append((iteration, z))
        time.sleep(0.05)

    before = time.perf_counter()
    recovery = solve(solver, x, mask, rank=3, max_iterations=6, tolerance=0.0, callback=slow)
    wall = time.perf_counter() - before
    assert [iteration for iteration, _ in seen] == list(range(7))
    np.testing.assert_array_equal(seen[-1][1], recovery.x)
    assert recovery.seconds <= wall - 7 * 0.05
    assert len(recovery.elapsed) == 7
    assert recovery.elapsed[-1] == recovery.seconds
    assert (np.diff(recovery.elapsed) > 0).all()


def test_a_callback_may_change_what_it_gets(problem):
    x, mask = problem
    plain = am_fiht(x, mask, rank=3)
    spoilt = am_fiht(x, mask, rank=3, callback=lambda _, z: z.fill(0))
    np.testing.assert_array_equal(plain.x, spoilt.x)


SCRIPT = """
import hashlib
import numpy as np
from nonconvex.hankel import am_fiht, loss_mask, ram_fiht, spectrally_sparse_signal
rng = np.random.default_rng(5)
x = spectrally_sparse_signal({n_channels}, {n_samples}, 3, rng=rng)
mask = loss_mask(1, {n_channels}, {n_samples}, 0.6, rng)
np.random.seed(int({seed}))
digest = hashlib.sha256()
for recovery in (am_fiht(x, mask, rank=3), ram_fiht(x, mask, rank=3, incoherence=1.5, max_iterations=20)):
    digest.update(recovery.x.tobytes())
print(digest.hexdigest())
"""


@pytest.mark.parametrize("size", [(6, 80), (1, 1200)])
def test_same_bytes_from_run_to_run(size):
    digests = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT.format(n_channels=size[0], n_samples=size[1], seed=seed)],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in (0, 1)
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 2 * hashlib.sha256().digest_size


MEMORY = """
import resource
import numpy as np
from nonconvex.hankel import am_fiht, loss_mask, ram_fiht, spectrally_sparse_signal
rng = np.random.default_rng(6)
am_fiht(spectrally_sparse_signal(2, 30, 1, rng=rng), rank=1)
x, mask = spectrally_sparse_signal(20, 600, 15, rng=rng), loss_mask(1, 20, 600, 0.5, rng)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
{call}
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in kilobytes on Linux only")
@pytest.mark.parametrize(
    "call", ["am_fiht(x, mask, rank=15)", "ram_fiht(x, mask, rank=15, incoherence=1.5, max_iterations=15)"]
)
def test_a_full_size_solve_needs_less_than_50_megabytes(call):
    output = subprocess.run(
        [sys.executable, "-c", MEMORY.format(call=call)], check=True, capture_output=True, text=True
    ).stdout
    assert float(output) < 50
