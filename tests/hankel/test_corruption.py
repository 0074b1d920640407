import numpy as np
import pytest

from nonconvex.hankel import spectrally_sparse_signal
from nonconvex.hankel.corruption import corruption_places, draw_outliers, outliers_at

SHAPE = (6, 50)


def places(mode, bad, seed=1, shape=SHAPE):
    return corruption_places(mode, *shape, bad, np.random.default_rng(seed))


@pytest.mark.parametrize("mode", [1, 2, 3])
@pytest.mark.parametrize("bad", [0.0, 0.09, 0.2, 1.0])
def test_the_fraction_is_one_of_all_entries_and_exact(mode, bad):
    count = round(bad * 300) if mode == 1 else 6 * round(bad * 50)
    for seed in range(5):
        assert places(mode, bad, seed).sum() == count


def test_the_thesis_corrupts_27_of_300_columns():
    bad = corruption_places(3, 30, 300, 0.09, np.random.default_rng(4))
    columns = np.flatnonzero(bad.all(axis=0))
    assert bad.sum() == 30 * 27
    assert np.array_equal(columns, np.arange(columns[0], columns[0] + 27))


def test_each_mode_has_its_form():
    scattered, instants, run = places(1, 0.2), places(2, 0.2), places(3, 0.2)
    assert not np.array_equal(scattered, np.broadcast_to(scattered[0], SHAPE))
    assert np.array_equal(instants, np.broadcast_to(instants[0], SHAPE))
    assert np.array_equal(run, np.broadcast_to(run[0], SHAPE))
    assert np.abs(np.diff(run[0].astype(int))).sum() <= 2
    assert np.abs(np.diff(instants[0].astype(int))).sum() > 2


@pytest.mark.parametrize("mode", [1, 2, 3])
def test_places_are_uniform(mode):
    rng = np.random.default_rng(2)
    hits = sum(corruption_places(mode, 2, 10, 0.2, rng).astype(int) for _ in range(3000)) / 3000
    # A run of 2 in 10 starts at one of 9 places, so the two ends are covered half as often as the rest.
    expected = np.full(10, 0.2) if mode < 3 else np.r_[1, np.full(8, 2), 1] / 9
    np.testing.assert_allclose(hits, np.broadcast_to(expected, (2, 10)), atol=0.035)


def test_law_of_the_outliers(rng):
    x = spectrally_sparse_signal(30, 300, 5, amplitude_exponent=0.5, rng=rng)
    s = draw_outliers(x, 1, 0.3, rng=rng)
    average = np.linalg.norm(x) / np.sqrt(x.size)
    size = np.abs(s[s != 0]) / average
    assert (s != 0).mean() == pytest.approx(0.3, abs=1e-12)
    np.testing.assert_allclose(np.quantile(size, [0, 0.25, 0.5, 0.75, 1]), [1, 2, 3, 4, 5], atol=0.15)
    np.testing.assert_allclose(
        np.quantile(np.angle(s[s != 0]) / np.pi, [0.25, 0.5, 0.75]), [-0.5, 0, 0.5], atol=0.06
    )


def test_quadrant_outliers_are_the_others_with_a_quarter_of_their_angle(rng):
    x = spectrally_sparse_signal(4, 60, 2, rng=rng)
    around, quadrant = (
        draw_outliers(x, 2, 0.2, angle=angle, rng=np.random.default_rng(5)) for angle in ("any", "quadrant")
    )
    np.testing.assert_allclose(np.abs(around), np.abs(quadrant), rtol=1e-12)
    bad = around != 0
    assert (quadrant[bad].real > 0).all()
    assert (quadrant[bad].imag > 0).all()
    turn = np.angle(around[bad]) % (2 * np.pi)
    np.testing.assert_allclose(np.angle(quadrant[bad]), turn / 4, rtol=1e-9)


def test_outliers_follow_their_draws():
    truth = np.array([[3.0, -3.0], [3.0, 3.0]])
    bad = np.array([[False, True], [True, False]])
    s = outliers_at(bad, truth, [0.0, 1.0], [0.0, 0.5])
    np.testing.assert_allclose(s, [[0, 3], [-15, 0]], atol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((4, 6, 50, 0.1), "mode must be 1, 2 or 3, got 4"),
        ((1, 0, 50, 0.1), "n_channels and n_samples must be at least 1, got 0 and 50"),
        ((1, 6, 50, -0.1), "bad_fraction must be at least 0 and at most 1, got -0.1"),
        ((3, 6, 50, float("nan")), "bad_fraction"),
    ],
)
def test_bad_places(arguments, message, rng):
    with pytest.raises(ValueError, match=message):
        corruption_places(*arguments, rng)


def test_bad_outliers(rng):
    x, bad = np.ones(SHAPE), places(1, 0.1)
    draws = rng.random(30)
    with pytest.raises(ValueError, match="angle must be one of any, quadrant, got 'half'"):
        outliers_at(bad, x, draws, draws, "half")
    with pytest.raises(ValueError, match=r"must have shape \(30,\)"):
        outliers_at(bad, x, draws[:-1], draws)
    with pytest.raises(ValueError, match="shape of truth"):
        outliers_at(bad[:, 1:], x, draws, draws)
