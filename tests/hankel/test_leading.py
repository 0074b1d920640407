"""The truncated singular value decomposition of the start, where its Krylov method has a hard time."""

import numpy as np
import pytest

from nonconvex.hankel import am_fiht, hankel_matrix
from nonconvex.hankel.operators.leading import leading_factors
from nonconvex.hankel.operators.lift import HankelLift


@pytest.mark.parametrize(("channels", "n1"), [(1, 300), (20, 300), (11, 8)])
@pytest.mark.parametrize("rank", [1, 2])
def test_few_triplets_without_a_gap(channels, n1, rank):
    """Noise has no gap after its first singular values: the usual Krylov dimension does not suffice."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal((channels, 600)) + 1j * rng.standard_normal((channels, 600))
    _, sigma, right = leading_factors(HankelLift(channels, 600, n1, real=False), x, rank)
    exact = np.linalg.svd(hankel_matrix(x, n1), compute_uv=False)[:rank]
    np.testing.assert_allclose(sigma, exact, rtol=1e-8)
    np.testing.assert_allclose(right.conj() @ right.T, np.eye(rank), atol=1e-10)


@pytest.mark.parametrize("real", [True, False])
@pytest.mark.parametrize(("channels", "n1"), [(1, 400), (3, 20)])
def test_a_rank_above_the_signal_s_is_found_where_propack_gives_up(channels, n1, real, monkeypatch):
    def gives_up(*_, **options):
        raise np.linalg.LinAlgError

    monkeypatch.setattr("nonconvex.hankel.operators.leading.svds", gives_up)
    time, rng = np.arange(800) / 50, np.random.default_rng(7)
    x = rng.standard_normal((channels, 2)) @ np.cos(np.outer([8.1, 13.3], time))
    if not real:
        x = x * np.exp(1j * time)
    for lossy in (False, True):
        x = np.where(rng.random(x.shape) < 0.9, x, 0) if lossy else x
        _, sigma, right = leading_factors(HankelLift(channels, 800, n1, real=real), x, 6)
        matrix = hankel_matrix(x, n1)
        exact = np.linalg.svd(matrix, compute_uv=False)[:6]
        np.testing.assert_allclose(sigma, exact, rtol=1e-8, atol=1e-10 * exact[0])
        np.testing.assert_allclose(right.conj() @ right.T, np.eye(6), atol=1e-10)
        residual = np.linalg.norm(matrix - matrix @ right.T @ right.conj(), 2)
        assert residual <= 1.001 * np.linalg.svd(matrix, compute_uv=False)[6] + 1e-9 * exact[0]


def test_am_fiht_starts_on_data_that_have_no_low_rank():
    rng = np.random.default_rng(6)
    x = rng.standard_normal((20, 600))
    answer = am_fiht(x, rng.random(x.shape) < 0.5, rank=1, max_iterations=3)
    assert np.isfinite(answer.x).all()
