import numpy as np
import pytest
from hankel.explicit import pseudoinverse

import nonconvex.hankel.operators.lift as lift_module
from nonconvex.hankel import hankel_matrix
from nonconvex.hankel.operators.lift import HankelLift, antidiagonal_counts

SIZES = [(3, 20, 8), (3, 21, 10), (1, 17, 9), (4, 12, 1), (2, 9, 9), (5, 31, 4)]


def gaussian(rng, real, *shape):
    x = rng.standard_normal(shape)
    return x if real else x + 1j * rng.standard_normal(shape)


def as_columns(left):
    """A left factor (r, n_channels, n1) as a matrix in the row order of the thesis."""
    return left.transpose(2, 1, 0).reshape(-1, left.shape[0])


def test_rows_run_over_time_blocks_channels_fastest():
    x = np.arange(8).reshape(2, 4)
    expected = [[0, 1], [4, 5], [1, 2], [5, 6], [2, 3], [6, 7]]
    np.testing.assert_array_equal(hankel_matrix(x, 3), expected)


def test_default_n1_is_half_and_n1_of_one_is_the_plain_matrix():
    x = np.arange(10).reshape(2, 5)
    assert hankel_matrix(x).shape == (4, 4)
    np.testing.assert_array_equal(hankel_matrix(x, 1), x)
    assert hankel_matrix(np.arange(7)).shape == (3, 5)


def test_hankel_matrix_is_a_copy():
    x = np.zeros((2, 5))
    hankel_matrix(x, 1)[:] = 1
    assert not x.any()


@pytest.mark.parametrize("n1", [0, 6, 2.0, True, "3"])
def test_bad_n1(n1):
    with pytest.raises(ValueError, match="n1 must be"):
        hankel_matrix(np.ones((2, 5)), n1)


@pytest.mark.parametrize("shape", [(), (0,), (2, 3, 4)])
def test_bad_shape(shape):
    with pytest.raises(ValueError, match="x must be"):
        hankel_matrix(np.ones(shape))


@pytest.mark.parametrize(("n_channels", "n_samples", "n1"), SIZES)
def test_weights_count_the_entries_of_each_antidiagonal(n_channels, n_samples, n1):
    h = hankel_matrix(np.arange(n_samples), n1)
    np.testing.assert_array_equal(antidiagonal_counts(n_samples, n1), np.bincount(h.ravel()))


@pytest.mark.parametrize("block", [1, 130, lift_module.BLOCK])
@pytest.mark.parametrize("real", [True, False])
@pytest.mark.parametrize(("n_channels", "n_samples", "n1"), SIZES)
def test_products_agree_with_the_explicit_matrix(rng, monkeypatch, n_channels, n_samples, n1, real, block):
    monkeypatch.setattr(lift_module, "BLOCK", block)
    lift = HankelLift(n_channels, n_samples, n1, real=real)
    x = gaussian(rng, real, n_channels, n_samples)
    left = gaussian(rng, real, 3, n_channels, n1)
    right = gaussian(rng, real, 3, lift.n2)
    h = hankel_matrix(x, n1)
    xs, ls, rs = lift.spectrum(x), lift.left_spectrum(left), lift.right_spectrum(right)
    u, v = as_columns(left), right.T
    np.testing.assert_allclose(as_columns(lift.times_right(xs, rs)), h @ v, atol=1e-12)
    np.testing.assert_allclose(lift.left_times(ls, xs), u.conj().T @ h, atol=1e-12)
    z = u @ v.conj().T
    expected = pseudoinverse(z, n_channels, n_samples, n1)
    np.testing.assert_allclose(lift.pseudoinverse(ls, rs), expected, atol=1e-12)
    np.testing.assert_allclose(lift.adjoint(ls, rs), expected * lift.weights, atol=1e-12)
    for product in (lift.times_right(xs, rs), lift.left_times(ls, xs), lift.adjoint(ls, rs)):
        assert product.dtype == (float if real else complex)


@pytest.mark.parametrize("real", [True, False])
def test_adjoint_identity(rng, real):
    lift = HankelLift(3, 25, 11, real=real)
    x, left = gaussian(rng, real, 3, 25), gaussian(rng, real, 2, 3, 11)
    right = gaussian(rng, real, 2, lift.n2)
    ls, rs = lift.left_spectrum(left), lift.right_spectrum(right)
    lifted = np.vdot(as_columns(left) @ right.conj(), hankel_matrix(x, 11))
    np.testing.assert_allclose(np.vdot(lift.adjoint(ls, rs), x), lifted, rtol=1e-12)


@pytest.mark.parametrize("real", [True, False])
@pytest.mark.parametrize(("n_channels", "n_samples", "n1"), SIZES)
def test_pseudoinverse_undoes_the_lift(rng, n_channels, n_samples, n1, real):
    lift = HankelLift(n_channels, n_samples, n1, real=real)
    x = gaussian(rng, real, n_channels, n_samples)
    u, s, vh = np.linalg.svd(hankel_matrix(x, n1), full_matrices=False)
    left = np.ascontiguousarray((u * s).T.reshape(-1, n1, n_channels).transpose(0, 2, 1))
    back = lift.pseudoinverse(lift.left_spectrum(left), lift.right_spectrum(vh.conj()))
    np.testing.assert_allclose(back, x, atol=1e-12)


@pytest.mark.parametrize(
    ("n_samples", "length"), [(300, 300), (601, 605), (1999, 2000), (2000, 2048), (5000, 5000)]
)
def test_transform_length(n_samples, length):
    assert HankelLift(1, n_samples, 10).length == length
