import numpy as np
import pytest

from nonconvex.hankel.operators.lanczos import leading_triplets


def random_matrix(rows, columns, sigma, real, seed=3):
    rng = np.random.default_rng(seed)

    def basis(size):
        a = rng.standard_normal((size, len(sigma)))
        return np.linalg.qr(a if real else a + 1j * rng.standard_normal(a.shape))[0]

    return (basis(rows) * sigma) @ basis(columns).conj().T


def triplets(a, count, start=None, **options):
    start = np.ones(len(a), a.dtype) if start is None else start
    return leading_triplets(lambda v: a @ v, lambda u: a.conj().T @ u, start, a.shape[1], count, **options)


def check(a, count, u, sigma, vh):
    expected = np.linalg.svd(a, compute_uv=False)[:count]
    np.testing.assert_allclose(sigma, expected, atol=1e-12 * max(1.0, expected[0]))
    np.testing.assert_allclose(u.conj().T @ u, np.eye(count), atol=1e-12)
    np.testing.assert_allclose(vh @ vh.conj().T, np.eye(count), atol=1e-12)
    np.testing.assert_allclose(a @ vh.conj().T, u * sigma, atol=1e-11 * max(1.0, expected[0]))
    np.testing.assert_allclose(u.conj().T @ a, (vh.T * sigma).T, atol=1e-11 * max(1.0, expected[0]))


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize(
    "sigma",
    [
        [5, 4, 3, 1, 1e-3],
        np.linspace(2, 1, 60),
        [3.0, 3.0 - 1e-6, 1.0, 0.5],
        [1.0, 1e-9, 1e-12],
        [7.0],
        1.1 ** -np.arange(80.0),
    ],
)
def test_it_finds_what_a_full_svd_finds(sigma, real):
    a = random_matrix(90, 80, np.asarray(sigma, float), real)
    for count in (1, 3, 6):
        check(a, count, *triplets(a, count))


def test_all_triplets_of_a_small_matrix():
    a = random_matrix(7, 5, np.arange(5.0, 0, -1), False)
    check(a, 5, *triplets(a, 5))
    check(a[:1, :1], 1, *triplets(a[:1, :1], 1))


def test_a_space_that_closes_early_is_continued():
    a = np.diag([4.0, 3.0, 2.0, 1.0])
    check(a, 3, *triplets(a, 3, start=np.array([0, 1.0, 0, 0])))
    check(np.eye(6), 4, *triplets(np.eye(6), 4))
    check(np.zeros((6, 4)), 2, *triplets(np.zeros((6, 4)), 2))


def test_a_value_alone_costs_fewer_steps():
    a = random_matrix(300, 300, np.r_[50, 40, 30, np.linspace(3, 1, 297)], False)
    products, exact = [0, 0], np.linalg.svd(a, compute_uv=False)
    for case in (0, 1):

        def times(v, case=case):
            products[case] += 1
            return a @ v

        start = np.ones(300, complex)
        u, sigma, _ = leading_triplets(times, lambda u: a.conj().T @ u, start, 300, 4, only_values=case)
        np.testing.assert_allclose(sigma, exact[:4], rtol=1e-12)
        np.testing.assert_allclose(u[:, :3].conj().T @ u[:, :3], np.eye(3), atol=1e-12)
    assert products[1] < products[0]
