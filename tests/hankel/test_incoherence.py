import numpy as np
import pytest

from nonconvex.hankel import hankel_matrix, incoherence, spectrally_sparse_signal


def explicit(x, rank, n1):
    u, _, vh = np.linalg.svd(hankel_matrix(x, n1), full_matrices=False)
    left = np.linalg.norm(u[:, :rank], axis=1).max() ** 2 * u.shape[0] / rank
    right = np.linalg.norm(vh[:rank], axis=0).max() ** 2 * vh.shape[1] / rank
    return max(left, right)


@pytest.mark.parametrize(
    ("n_channels", "n_samples", "rank", "n1"),
    [(4, 60, 3, 30), (1, 101, 5, 50), (6, 40, 2, 1), (3, 40, 2, 40), (5, 90, 12, 45), (1, 500, 3, 200)],
)
@pytest.mark.parametrize("real", [False, True])
def test_agrees_with_an_explicit_svd(rng, n_channels, n_samples, rank, n1, real):
    if n1 == n_samples:
        rank = 1
    x = spectrally_sparse_signal(n_channels, n_samples, rank, damping=0.01, rng=rng)
    x = x.real if real and rank > 1 else x
    assert incoherence(x, rank=rank, n1=n1) == pytest.approx(explicit(x, rank, n1), rel=1e-8)


def test_is_accurate_for_ill_conditioned_signals(rng):
    x = spectrally_sparse_signal(5, 80, 4, first_factor=1e5, rng=rng)
    assert incoherence(x, rank=4) == pytest.approx(explicit(x, 4, 40), rel=1e-8)


def test_is_at_least_one_and_one_for_a_constant():
    assert incoherence(np.ones((3, 20)), rank=1) == pytest.approx(1.0)
    assert incoherence(np.ones(20), rank=1) >= 1.0


def test_does_not_depend_on_the_scale(rng):
    x = spectrally_sparse_signal(5, 80, 4, rng=rng)
    assert incoherence(1e6 * x, rank=4) == pytest.approx(incoherence(x, rank=4), rel=1e-10)
