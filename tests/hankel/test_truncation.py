import numpy as np
import pytest
from hankel.explicit import pseudoinverse

from nonconvex.hankel import hankel_matrix, spectrally_sparse_signal
from nonconvex.hankel.operators.diagonal_sums import DiagonalSums
from nonconvex.hankel.operators.lift import HankelLift
from nonconvex.hankel.operators.truncation import (
    ExactTruncation,
    FourierTruncation,
    GramTruncation,
    _orthonormal,
    choose_truncation,
)


@pytest.mark.parametrize("warm", [GramTruncation, FourierTruncation])
@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize(("shape", "n1"), [((5, 60), 30), ((1, 80), 30), ((5, 60), 4), ((30, 20), 1)])
def test_warm_truncation_settles_on_the_exact_one(rng, warm, real, shape, n1):
    z = spectrally_sparse_signal(*shape, 3, rng=rng) + 0.1 * rng.standard_normal(shape)
    z = z.real.copy() if real else z
    lift = HankelLift(*shape, n1, real=real)
    truncation = warm(lift, 3)
    for _ in range(30):
        x, sigma = truncation.truncate(z, 3)
    exact_x, exact_sigma = ExactTruncation(lift).truncate(z, 3)
    plain = np.linalg.svd(hankel_matrix(z, n1))
    np.testing.assert_allclose(exact_sigma, plain[1][:4], rtol=1e-8)
    np.testing.assert_allclose(sigma, exact_sigma, rtol=1e-3)
    assert np.abs(x - exact_x).max() < 1e-6 * np.abs(z).max()


@pytest.mark.parametrize("real", [False, True])
def test_single_precision_moves_a_truncation_little(rng, real):
    z = spectrally_sparse_signal(5, 60, 3, rng=rng) + 0.1 * rng.standard_normal((5, 60))
    z = z.real.copy() if real else z
    lift = HankelLift(5, 60, 30, real=real)
    rough, fine = GramTruncation(lift, 3), GramTruncation(lift, 3)
    for _ in range(5):
        (x, sigma), (fine_x, fine_sigma) = rough.truncate(z, 3, rough=True), fine.truncate(z, 3)
    assert x.dtype == z.dtype and 0 < np.abs(x - fine_x).max() < 1e-5 * np.abs(z).max()
    np.testing.assert_allclose(sigma, fine_sigma, rtol=1e-5)


def test_single_precision_leaves_alone_what_its_squares_would_lose(rng):
    """Singular values of 1e-4 times the largest are right in spite of `rough`."""
    z = spectrally_sparse_signal(5, 60, 2, rng=rng)
    z = z + 1e-4 * spectrally_sparse_signal(5, 60, 4, rng=rng)
    lift = HankelLift(5, 60, 30)
    truncation = GramTruncation(lift, 5)
    for _ in range(10):
        _, sigma = truncation.truncate(z, 5, rough=True)
    np.testing.assert_allclose(sigma, ExactTruncation(lift).truncate(z, 5)[1], rtol=1e-3)


def test_dependent_rows_become_orthonormal_too(rng):
    rows = rng.standard_normal((3, 20))
    for dependent in (rows, np.vstack([rows, rows[0] + 1e-9 * rows[1]]), np.vstack([rows, 0 * rows[0]])):
        basis = _orthonormal(dependent)
        np.testing.assert_allclose(basis @ basis.T, np.eye(len(dependent)), atol=1e-12)
        np.testing.assert_allclose(dependent @ basis.T @ basis, dependent, atol=1e-12)


@pytest.mark.parametrize(("single", "atol"), [(False, 1e-12), (True, 1e-4)])
@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("n1", [1, 2, 7, 12, 19, 20])
def test_diagonal_sums(rng, n1, real, single, atol):
    x = rng.standard_normal((3, 20)) + (0 if real else 1j * rng.standard_normal((3, 20)))
    h, sums = hankel_matrix(x, n1), DiagonalSums(HankelLift(3, 20, n1, real=real), single=single)
    basis = np.linalg.qr(h.conj().T)[0][:, :3]
    for _ in range(2):  # The buffers are used again.
        np.testing.assert_allclose(np.triu(sums.gram(x)), np.triu(h.conj().T @ h), atol=atol)
        projected = sums.projected(x, np.ascontiguousarray(basis.conj().T))
        plain = pseudoinverse(h @ basis @ basis.conj().T, 3, 20, n1)
        np.testing.assert_allclose(projected, plain, atol=atol)


@pytest.mark.parametrize(
    ("shape", "n1", "rank", "kind"),
    [
        ((30, 300), 150, 5, GramTruncation),
        ((10, 100), 50, 3, GramTruncation),
        ((1, 2000), 1000, 5, FourierTruncation),
        ((30, 20000), 10000, 5, FourierTruncation),
    ],
)
def test_choice_of_truncation(monkeypatch, shape, n1, rank, kind):
    monkeypatch.setattr(kind, "__init__", lambda self, lift, rank: None)
    assert isinstance(choose_truncation(HankelLift(*shape, n1), rank), kind)
