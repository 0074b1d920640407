import numpy as np
import pytest

from nonconvex.hankel import draw_parameters, hankel_matrix, loss_mask, spectrally_sparse_signal, synthesise


def test_signal_is_the_sum_of_sinusoids(rng):
    f, d, tau = np.array([0.1, 0.37]), np.array([[1 + 1j, 2], [0.5, -1j]]), np.array([0.0, 0.02])
    t = np.arange(30)
    expected = d @ np.exp(np.outer(2j * np.pi * f - tau, t))
    np.testing.assert_allclose(synthesise(f, d, 30, tau), expected, rtol=1e-12)


@pytest.mark.parametrize("damping", [0.0, 0.01])
def test_hankel_matrix_has_the_rank_asked_for(rng, damping):
    x = spectrally_sparse_signal(4, 60, 5, damping=damping, rng=rng)
    assert x.dtype == complex
    assert np.linalg.matrix_rank(hankel_matrix(x), tol=1e-8 * np.linalg.norm(x)) == 5


def test_a_signal_is_its_two_steps():
    whole = spectrally_sparse_signal(4, 60, 5, first_factor=3.0, damping=0.01, rng=np.random.default_rng(1))
    f, d = draw_parameters(4, 5, first_factor=3.0, rng=np.random.default_rng(1))
    np.testing.assert_array_equal(synthesise(f, d, 60, 0.01), whole)


@pytest.mark.parametrize(("exponent", "largest"), [(1.0, 11.0), (0.5, 1 + 10**0.5)])
def test_law_of_the_parameters(exponent, largest):
    f, d = draw_parameters(50, 400, amplitude_exponent=exponent, rng=np.random.default_rng(2))
    assert f.shape == (400,)
    assert d.shape == (50, 400)
    assert 0 <= f.min() < 0.02 < 0.98 < f.max() < 1
    assert f.mean() == pytest.approx(0.5, abs=0.05)
    magnitude = np.abs(d)
    assert 2 <= magnitude.min() < 2.01
    assert largest - 0.02 < magnitude.max() <= largest
    a = np.log10(magnitude - 1) / exponent
    np.testing.assert_allclose(np.quantile(a, [0.25, 0.5, 0.75]), [0.25, 0.5, 0.75], atol=0.02)
    np.testing.assert_allclose(np.quantile(np.angle(d), [0.25, 0.5, 0.75]) / np.pi, [-0.5, 0, 0.5], atol=0.03)


def test_first_factor_changes_the_first_sinusoid_only():
    _, plain = draw_parameters(3, 4, rng=np.random.default_rng(3))
    _, factor = draw_parameters(3, 4, first_factor=7.0, rng=np.random.default_rng(3))
    np.testing.assert_allclose(factor[:, 0], 7 * plain[:, 0])
    np.testing.assert_array_equal(factor[:, 1:], plain[:, 1:])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((0, 10, 1), "n_channels must be"), ((2, 0, 1), "n_samples must be"), ((2, 10, 1.5), "rank must be")],
)
def test_bad_sizes(rng, arguments, message):
    with pytest.raises(ValueError, match=message):
        spectrally_sparse_signal(*arguments, rng=rng)


def test_bad_shapes(rng):
    with pytest.raises(ValueError, match="amplitudes"):
        synthesise([0.1], [[1, 2]], 10)
    with pytest.raises(ValueError, match="damping"):
        synthesise([0.1, 0.2], [[1, 2]], 10, [0.1, 0.2, 0.3])


@pytest.mark.parametrize("fraction", [0.05, 0.3, 0.5, 0.77, 0.9, 1.0])
def test_mode_1_removes_an_exact_number_of_entries(rng, fraction):
    mask = loss_mask(1, 7, 41, fraction, rng)
    assert mask.dtype == bool
    assert mask.shape == (7, 41)
    assert np.count_nonzero(~mask) == round((1 - fraction) * 7 * 41)


@pytest.mark.parametrize("fraction", [0.05, 0.3, 0.5, 0.77, 0.9, 1.0])
def test_mode_2_removes_an_exact_number_of_instants(rng, fraction):
    mask = loss_mask(2, 7, 41, fraction, rng)
    assert (mask.all(axis=0) | ~mask.any(axis=0)).all()
    assert np.count_nonzero(~mask.any(axis=0)) == round((1 - fraction) * 41)


@pytest.mark.parametrize(("n_channels", "fraction"), [(6, 0.5), (6, 0.8), (7, 0.6), (30, 0.95), (2, 1.0)])
def test_mode_3_removes_one_run_in_half_of_the_channels(rng, n_channels, fraction):
    mask = loss_mask(3, n_channels, 40, fraction, rng)
    half = n_channels // 2
    run = round((1 - fraction) * 40 * n_channels / half)
    lossy = np.flatnonzero(~mask.all(axis=1))
    assert np.count_nonzero(~mask) == half * run
    if run:
        assert lossy.size == half
        assert (mask[lossy] == mask[lossy[0]]).all()
        lost = np.flatnonzero(~mask[lossy[0]])
        assert lost[-1] - lost[0] + 1 == lost.size == run


def test_masks_are_uniform():
    rng = np.random.default_rng(4)
    trials = 4000
    for mode in (1, 2):
        share = np.mean([loss_mask(mode, 3, 8, 0.75, rng) for _ in range(trials)], axis=0)
        np.testing.assert_allclose(share, 0.75, atol=0.04)
    masks = np.array([loss_mask(3, 4, 8, 0.75, rng) for _ in range(trials)])
    np.testing.assert_allclose((~masks).any(axis=2).mean(axis=0), 0.5, atol=0.04)
    starts = [int(np.argmin(mask.all(axis=0))) for mask in masks]
    np.testing.assert_allclose(np.bincount(starts, minlength=5) / trials, 0.2, atol=0.03)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((4, 3, 10, 0.5), "mode must be 1, 2 or 3, got 4"),
        ((1, 0, 10, 0.5), "at least 1, got 0 and 10"),
        ((1, 3, 10, 0.0), "observed_fraction must be"),
        ((1, 3, 10, 1.1), "observed_fraction must be"),
        ((1, 3, 10, np.nan), "observed_fraction must be"),
        ((3, 1, 10, 0.9), "n_channels must be at least 2, got 1"),
        ((3, 4, 10, 0.4), "run of 12 lost samples .* only n_samples = 10"),
        ((3, 3, 10, 0.6), "run of 12 lost samples"),
    ],
)
def test_impossible_masks(rng, arguments, message):
    with pytest.raises(ValueError, match=message):
        loss_mask(*arguments, rng)
