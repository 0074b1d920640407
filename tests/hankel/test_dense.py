import numpy as np
import pytest

from nonconvex.hankel import am_fiht, loss_mask, spectrally_sparse_signal
from nonconvex.hankel.operators import dense


def gaussian(rng, dtype, *shape):
    x = rng.standard_normal(shape)
    return x.astype(dtype) if dtype is float else x + 1j * rng.standard_normal(shape)


@pytest.mark.parametrize("dtype", [float, complex])
def test_products(rng, dtype):
    a, b = gaussian(rng, dtype, 3, 20), gaussian(rng, dtype, 4, 20)
    np.testing.assert_allclose(dense.inner(a, b), a.conj() @ b.T)
    coefficients, out = gaussian(rng, dtype, 3, 4), b.copy()
    dense.add_combination(out, coefficients, a)
    np.testing.assert_allclose(out, b + coefficients.T @ a)
    dense.set_combination(out, coefficients, a)
    np.testing.assert_allclose(out, coefficients.T @ a)


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("kind", ["regular", "repeated rows", "zero", "more rows than length"])
def test_factorisations(rng, dtype, kind):
    rows = gaussian(rng, dtype, 4, 20)
    if kind == "repeated rows":
        rows[2] = rows[0]
    elif kind == "zero":
        rows[:] = 0
    elif kind == "more rows than length":
        rows = np.ascontiguousarray(rows[:, :3])
    gram = rows.conj() @ rows.T
    factor = dense.triangular_factor(rows)
    np.testing.assert_allclose(factor.conj().T @ factor, gram, atol=1e-12)
    spanning, change, factor = dense.orthonormalise(rows)
    basis = change.T @ spanning
    np.testing.assert_allclose(basis.conj() @ basis.T, np.eye(len(basis)), atol=1e-12)
    np.testing.assert_allclose(factor.T @ basis, rows, atol=1e-12)


def test_svd_falls_back_when_gesdd_does_not_converge(rng, monkeypatch):
    x, mask = spectrally_sparse_signal(4, 40, 3, rng=rng), loss_mask(1, 4, 40, 0.7, rng)
    expected = am_fiht(x, mask, rank=3)

    def fails(*args, **kwargs):
        raise np.linalg.LinAlgError("SVD did not converge")

    monkeypatch.setattr(np.linalg, "svd", fails)
    recovery = am_fiht(x, mask, rank=3)
    assert recovery.status == "converged"
    np.testing.assert_allclose(recovery.x, expected.x, rtol=1e-8)
