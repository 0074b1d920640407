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


def test_am_fiht_starts_on_data_that_have_no_low_rank():
    rng = np.random.default_rng(6)
    x = rng.standard_normal((20, 600))
    answer = am_fiht(x, rng.random(x.shape) < 0.5, rank=1, max_iterations=3)
    assert np.isfinite(answer.x).all()
