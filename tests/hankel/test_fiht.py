import importlib
import platform

import numpy as np
import pytest
from hankel.explicit import iterates

from nonconvex.hankel import fiht, loss_mask, spectrally_sparse_signal

MODULE = importlib.import_module("nonconvex.hankel.solvers.fiht")

# n_channels, n_samples, rank of the signal, rank told, n1, observed fraction, real
CASES = {
    "complex": (4, 40, 3, 3, 20, 0.7, False),
    "odd": (3, 41, 2, 2, 17, 0.6, False),
    "real": (4, 40, 2, 4, 20, 0.8, True),
    "one channel": (1, 60, 3, 3, 30, 0.7, False),
    "rank above a third of n2": (3, 30, 6, 6, 15, 0.9, False),
    "rank above half of n1": (3, 40, 2, 6, 8, 0.8, False),
    "rank too high": (3, 60, 2, 5, 30, 0.8, False),
    "full rank": (3, 40, 2, 6, 6, 0.8, False),
    "full rank, real": (3, 40, 2, 6, 35, 0.8, True),
    "some diverge": (8, 80, 4, 4, 40, 0.4, False),
}


def draw(n_channels, n_samples, rank, fraction, real=False, seed=7):
    rng = np.random.default_rng(seed)
    x = spectrally_sparse_signal(n_channels, n_samples, rank, rng=rng)
    return x.real.copy() if real else x, loss_mask(1, n_channels, n_samples, fraction, rng)


def error(recovery, x, mask):
    return np.linalg.norm((recovery.x - x)[~mask]) / np.linalg.norm(x[~mask])


def plain_channel(x, mask, rank, n1, tolerance, count, give_up=1.0):
    """One channel by explicit matrices and full SVDs: the iterates it makes and how it ends."""
    made, _ = iterates(x[None], mask[None], rank, n1, 0.0, count)
    made = [z[0] for z in made]
    for iteration in range(1, count + 1):
        old, new = made[iteration - 1 : iteration + 1]
        if np.linalg.norm((new - old)[mask]) <= tolerance * np.linalg.norm(old[mask]):
            return made[: iteration + 1], "converged"
        if give_up is not None and np.linalg.norm(new - old) > give_up * np.linalg.norm(old):
            return made[: iteration + 1], "diverged"
    return made, "iteration limit"


@pytest.mark.parametrize("give_up", [1.0, 0.5, None])
@pytest.mark.parametrize("case", CASES)
def test_each_channel_is_the_single_channel_algorithm(case, give_up):
    n_channels, n_samples, rank, told, n1, fraction, real = CASES[case]
    x, mask = draw(n_channels, n_samples, rank, fraction, real)
    seen = []
    recovery = fiht(
        x,
        mask,
        rank=told,
        n1=n1,
        tolerance=1e-5,
        max_iterations=12,
        give_up=give_up,
        callback=lambda _, z: seen.append(z),
    )
    for channel in range(n_channels):
        plain, status = plain_channel(x[channel], mask[channel], told, n1, 1e-5, 12, give_up)
        assert recovery.channels[channel] == (status, len(plain) - 1)
        plain += [plain[-1]] * (len(seen) - len(plain))
        for fast, slow in zip(seen, plain, strict=True):
            assert np.linalg.norm(fast[channel] - slow) <= 1e-10 * np.linalg.norm(slow)
    assert recovery.iterations == max(outcome.iterations for outcome in recovery.channels)
    if case == "some diverge" and give_up:
        assert 0 < sum(outcome.status == "diverged" for outcome in recovery.channels) < n_channels


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("block", [1, 2**15])
@pytest.mark.parametrize("n_samples", [90, 520])
def test_a_channel_does_not_depend_on_the_others(monkeypatch, n_samples, real, block):
    x, mask = draw(7, n_samples, 3, 0.5, real)
    x[2] = np.exp(0.3j * np.arange(n_samples)).real
    together = fiht(x, mask, rank=6 if real else 3)
    monkeypatch.setattr(MODULE, "BLOCK", block)
    # FFT libraries may round a stack of transforms unlike one transform where the compiler fuses operations.
    same = 0 if platform.machine() in ("x86_64", "AMD64") else 1e-12
    for some in ([0], [2], [6, 3], [1, 2, 4, 5, 6]):
        alone = fiht(x[some], mask[some], rank=6 if real else 3)
        np.testing.assert_allclose(alone.x, together.x[some], rtol=0, atol=same * np.abs(x).max())
        assert alone.channels == tuple(together.channels[channel] for channel in some)


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize(("mode", "fraction"), [(1, 0.6), (2, 0.7), (3, 0.9)])
def test_exact_recovery(mode, fraction, real):
    x, _ = draw(8, 120, 2, 1.0, real)
    mask = loss_mask(mode, 8, 120, fraction, np.random.default_rng(1))
    recovery = fiht(x, mask, rank=4 if real else 2, tolerance=1e-8)
    assert recovery.status == "converged"
    assert "in every channel" in recovery.reason
    assert recovery.x.dtype == x.dtype
    assert error(recovery, x, mask) < 1e-5


@pytest.mark.parametrize("real", [False, True])
def test_one_dimensional_input_gives_one_dimensional_output(real):
    x, mask = draw(1, 120, 2, 0.7, real)
    recovery = fiht(x[0], mask[0], rank=4 if real else 2, tolerance=1e-8)
    assert recovery.x.shape == (120,)
    assert len(recovery.channels) == 1
    assert np.linalg.norm(recovery.x - x[0]) < 1e-5 * np.linalg.norm(x)


def test_channels_may_have_frequencies_of_their_own():
    rng = np.random.default_rng(3)
    x = np.vstack([spectrally_sparse_signal(1, 120, 2, rng=rng) for _ in range(4)])
    mask = loss_mask(1, 4, 120, 0.6, rng)
    assert error(fiht(x, mask, rank=2), x, mask) < 1e-4


@pytest.mark.parametrize(
    ("fraction", "status", "iterations"),
    [(0.45, "diverged", 1), (0.55, "diverged", 2), (0.61, "diverged", 2), (0.63, "converged", 27)],
)
def test_a_lift_of_full_rank_leaves_lost_samples_at_zero(fraction, status, iterations):
    # Then x_l = (1 - (-q)^(l+1)) P(m) with q = 1/p - 1: the error grows when p < 1/2, and the second relative
    # change, q^2 / (1 - q), exceeds 1 when p < 0.618.
    x, _ = draw(3, 100, 2, 1.0)
    mask = loss_mask(2, 3, 100, fraction, np.random.default_rng(2))
    recovery = fiht(x, mask, rank=8, n1=8)
    assert (recovery.status, recovery.iterations) == (status, iterations)
    np.testing.assert_allclose(recovery.x[~mask], 0, atol=1e-10)
    if status == "diverged":
        assert "3 of 3 channels" in recovery.reason
    else:
        np.testing.assert_allclose(recovery.x[mask], x[mask], rtol=1e-5)


def test_one_diverging_channel_makes_the_trial_diverge_and_the_others_go_on():
    x, mask = draw(3, 80, 2, 0.7)
    mask[1] = False
    mask[1, [3, 40, 77]] = True
    recovery = fiht(x, mask, rank=2)
    assert [outcome.status for outcome in recovery.channels] == ["converged", "diverged", "converged"]
    assert recovery.status == "diverged"
    assert f"1 at iteration {recovery.channels[1].iterations}" in recovery.reason
    good = [0, 2]
    assert np.linalg.norm((recovery.x - x)[good]) < 1e-4 * np.linalg.norm(x[good])


def test_a_run_without_the_rule_goes_on_where_the_rule_gives_up_and_may_recover():
    x, mask = draw(12, 80, 4, 0.5, seed=3)
    given_up, on = fiht(x, mask, rank=4), fiht(x, mask, rank=4, give_up=None)
    assert given_up.status == "diverged"
    assert on.status == "converged"
    assert error(on, x, mask) < 1e-4 < error(given_up, x, mask)
    for ended, other in zip(given_up.channels, on.channels, strict=True):
        assert other == ended if ended.status == "converged" else other.iterations > ended.iterations


def test_the_guard_on_the_norm_stays_without_the_rule():
    # x_l = (1 - (-q)^(l+1)) P(m) with q = 1/p - 1 = 1.5: above 1000 times the data when q^(l+1) > 999, l = 17.
    x, _ = draw(3, 100, 2, 1.0)
    mask = loss_mask(2, 3, 100, 0.4, np.random.default_rng(2))
    recovery = fiht(x, mask, rank=8, n1=8, give_up=None)
    assert (recovery.status, recovery.iterations) == ("diverged", 17)


def test_ill_conditioned_channels_beside_a_good_and_a_zero_one():
    t = np.arange(60)
    x = np.vstack([np.exp(1j * t) + 1e-5 * np.exp(2j * t), np.exp(1j * t) + np.exp(2j * t), 0 * t])
    mask = loss_mask(1, 3, 60, 0.8, np.random.default_rng(5))
    recovery = fiht(x, mask, rank=2, tolerance=1e-9)
    assert recovery.status == "converged"
    np.testing.assert_allclose(recovery.x, x, atol=1e-7)
    assert not recovery.x[2].any()


def test_complete_data_come_back_even_if_the_rank_is_too_high():
    x, mask = draw(5, 60, 2, 1.0)
    recovery = fiht(x, mask, rank=5)
    assert recovery.status == "converged"
    assert np.linalg.norm(recovery.x - x) < 1e-10 * np.linalg.norm(x)


def test_a_failing_stacked_svd_is_made_one_by_one(monkeypatch):
    x, mask = draw(3, 60, 2, 0.7)
    expected = fiht(x, mask, rank=2)
    svd = np.linalg.svd

    def fragile(a, *arguments, **options):
        if a.ndim == 3:
            raise np.linalg.LinAlgError("SVD did not converge")
        return svd(a, *arguments, **options)

    monkeypatch.setattr(np.linalg, "svd", fragile)
    np.testing.assert_array_equal(fiht(x, mask, rank=2).x, expected.x)


def test_iteration_limit():
    x, mask = draw(3, 60, 2, 0.7)
    recovery = fiht(x, mask, rank=2, tolerance=0.0, max_iterations=3)
    assert (recovery.status, recovery.iterations) == ("iteration limit", 3)
    assert "after 3 iterations: 0, 1, 2" in recovery.reason
    assert recovery.channels == (("iteration limit", 3),) * 3


def test_history_clock_and_callback():
    x, mask = draw(4, 60, 2, 0.7)
    seen = []
    recovery = fiht(
        x, mask, rank=2, callback=lambda iteration, z: seen.append((iteration, z.copy(), z.fill(0)))
    )
    assert [iteration for iteration, *_ in seen] == list(range(recovery.iterations + 1))
    np.testing.assert_array_equal(seen[-1][1], recovery.x)
    np.testing.assert_array_equal(recovery.x, fiht(x, mask, rank=2).x)
    assert len(recovery.elapsed) == recovery.iterations + 1
    assert recovery.seconds == recovery.elapsed[-1]
    change = [
        np.linalg.norm(((seen[1][1] - seen[0][1]) * mask)[k]) / np.linalg.norm((seen[0][1] * mask)[k])
        for k in range(4)
    ]
    assert len(recovery.history) == recovery.iterations
    np.testing.assert_allclose(recovery.history[0], max(change), rtol=1e-10)
    assert recovery.history[-1] <= 1e-6


def test_scaling_and_values_at_unobserved_places():
    x, mask = draw(3, 60, 2, 0.6)
    expected = fiht(x, mask, rank=2).x
    for scale in (2.0**1015, 2.0**-1000):
        np.testing.assert_array_equal(fiht(x * scale, mask, rank=2).x, expected * scale)
    np.testing.assert_array_equal(fiht(np.where(mask, x, np.nan), rank=2).x, expected)
    np.testing.assert_array_equal(fiht(np.where(mask, x, 1e300), mask, rank=2).x, expected)


GOOD = np.ones((3, 10))


@pytest.mark.parametrize(
    ("observed", "options", "message"),
    [
        (GOOD, {"rank": 7}, "rank must be from 1 to .* = 5 .* 5 x 6, got 7"),
        (GOOD, {"rank": 2, "n1": 1}, "rank must be from 1 to .* = 1 .* 1 x 10, got 2"),
        (GOOD, {"rank": 0}, "rank must be from 1"),
        (GOOD, {"rank": 1.5}, "rank must be an integer"),
        (GOOD, {"rank": 1, "n1": 11}, "n1 must be from 1 to n_samples = 10, got 11"),
        (GOOD, {"rank": 1, "tolerance": -1}, "tolerance must be"),
        (GOOD, {"rank": 1, "max_iterations": 0}, "max_iterations must be a positive integer"),
        *(
            (
                GOOD,
                {"rank": 1, "give_up": bad},
                f"give_up must be a finite number above 0, or None, got {bad!r}",
            )
            for bad in (0, -1.0, np.inf, np.nan, True, "1")
        ),
        (GOOD, {"rank": 1, "mask": np.arange(3)[:, None] * np.ones(10) > 0}, "no observation in channel 0"),
        (GOOD * np.nan, {"rank": 1}, "no observed entry"),
        (GOOD * np.inf, {"rank": 1}, "channel 0, sample 0"),
    ],
)
def test_bad_input(observed, options, message):
    with pytest.raises(ValueError, match=message):
        fiht(observed, **options)
