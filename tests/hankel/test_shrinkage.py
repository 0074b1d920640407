"""Triplets above a threshold of matrices that change little, beside full SVDs of them."""

import importlib

import numpy as np
import pytest

from nonconvex.hankel import admm
from nonconvex.hankel.operators.spectrum import eigenpairs_above

SHRINKAGE = importlib.import_module("nonconvex.hankel.operators.shrinkage")
THRESHOLD = 2.0
ROWS, COLUMNS = 60, 40


def matrix(rng, leading, rest=1.0, dtype=complex):
    """A matrix with these leading singular values, and the others from `rest` down."""
    values = np.concatenate([leading, np.linspace(rest, 0.1, COLUMNS - len(leading))])
    u, v = (
        np.linalg.qr(rng.standard_normal((size, COLUMNS)) + 1j * rng.standard_normal((size, COLUMNS)))[0]
        if dtype is complex
        else np.linalg.qr(rng.standard_normal((size, COLUMNS)))[0]
        for size in (ROWS, COLUMNS)
    )
    return u, values, v.conj().T


def shrunk(a):
    u, sigma, vh = np.linalg.svd(a, full_matrices=False)
    return (u * np.maximum(sigma - THRESHOLD, 0)) @ vh


def of_triplets(found):
    image = found.right * found.sigma if found.image is None else found.image
    return (image * (1 - THRESHOLD / found.sigma)) @ found.right.conj().T


@pytest.fixture
def decompositions(monkeypatch):
    """Counts the full decompositions."""
    made, decompose = [], SHRINKAGE.Shrinkage._decompose
    monkeypatch.setattr(
        SHRINKAGE.Shrinkage, "_decompose", lambda self, *given: made.append(0) or decompose(self, *given)
    )
    return made


@pytest.mark.parametrize("dtype", [float, complex])
def test_a_subspace_is_followed(rng, dtype, decompositions):
    u, values, vh = matrix(rng, [30, 20, 9, 5], dtype=dtype)
    a, change, shrinkage = (u * values) @ vh, np.inf, SHRINKAGE.Shrinkage(np.dtype(dtype))
    for _ in range(20):
        found = shrinkage.triplets(a, THRESHOLD, change, 0.05)
        assert np.linalg.norm(of_triplets(found) - shrunk(a)) <= 1e-4
        step = (1e-3 * rng.standard_normal(a.shape)).astype(dtype)
        a, change = a + step, np.linalg.norm(step)
    assert len(decompositions) < 5


def test_a_change_inside_the_subspace_needs_no_decomposition(rng, decompositions):
    u, values, vh = matrix(rng, [30, 20, 9, 5])
    shrinkage = SHRINKAGE.Shrinkage(np.dtype(complex))
    shrinkage.triplets((u * values) @ vh, THRESHOLD, np.inf, 1e-3)
    values[0] += 10
    found = shrinkage.triplets((u * values) @ vh, THRESHOLD, 10.0, 1e-3)
    np.testing.assert_allclose(found.sigma[::-1], values[:4], rtol=1e-8)
    assert len(decompositions) == 1


@pytest.mark.parametrize(
    ("place", "value", "kept"), [(4, 2.5, 5), (3, 1.9, 3), (3, 2.05, 4)], ids=["rises", "falls", "comes near"]
)
def test_a_value_that_crosses_the_threshold_is_found(rng, decompositions, place, value, kept):
    u, values, vh = matrix(rng, [30, 20, 9, 5])
    shrinkage = SHRINKAGE.Shrinkage(np.dtype(complex))
    shrinkage.triplets((u * values) @ vh, THRESHOLD, np.inf, 1e-3)
    change = abs(value - values[place])
    values[place] = value
    found = shrinkage.triplets((u * values) @ vh, THRESHOLD, change, 1e-3)
    assert found.sigma.size == kept
    assert len(decompositions) == 2


def test_a_subspace_that_is_not_settled_is_found_anew(rng, decompositions):
    u, values, vh = matrix(rng, [2.3, 2.2], rest=1.95)
    shrinkage = SHRINKAGE.Shrinkage(np.dtype(complex))
    shrinkage.triplets((u * values) @ vh, THRESHOLD, np.inf, 1e-3)
    turned = vh.copy()
    turned[0], turned[9] = 0.9999 * vh[0] + 0.01414 * vh[9], 0.9999 * vh[9] - 0.01414 * vh[0]
    shrinkage.triplets((u * values) @ turned, THRESHOLD, 0.04, 1e-6)
    assert len(decompositions) == 2


@pytest.mark.parametrize("kind", ["f", "F", "d", "D"])
@pytest.mark.parametrize("size", [1, 2, 50])
def test_eigenpairs_above_a_value(rng, kind, size):
    a = rng.standard_normal((size, size)) + (1j * rng.standard_normal((size, size)) if kind in "FD" else 0)
    gram = (a.conj().T @ a).astype(kind)
    exact, tolerance = np.linalg.eigvalsh(gram.astype("D")), 1e-4 if kind in "fF" else 1e-11
    for value, count in ((-1.0, size), (float(exact[size // 2]) + 1e-3, size - size // 2 - 1), (1e9, 0)):
        values, vectors = eigenpairs_above(np.tril(gram), value)
        np.testing.assert_allclose(values, exact, atol=tolerance)
        assert vectors.shape == (size, count)
        assert vectors.dtype == gram.dtype
        np.testing.assert_allclose(gram @ vectors, vectors * values[size - count :], atol=10 * tolerance)
        np.testing.assert_allclose(vectors.conj().T @ vectors, np.eye(count), atol=tolerance)


def test_single_precision_ends_where_its_rounding_would_show(rng):
    u, values, vh = matrix(rng, [30, 20, 9, 5])
    shrinkage = SHRINKAGE.Shrinkage(np.dtype(complex))
    assert shrinkage.precision(1.0, 1.0) == np.complex128
    shrinkage.triplets((u * values) @ vh, THRESHOLD, np.inf, 1.0)
    assert shrinkage.precision(1e-3, 1.0) == np.complex64
    assert shrinkage.precision(1e-6, 1.0) == np.complex128
    assert shrinkage.precision(1e-3, 1.0, 1e-100) == np.complex128


def test_the_noise_is_that_of_single_precision(rng):
    u, values, vh = matrix(rng, np.linspace(300, 3, 30))
    a, shrinkage = (u * values) @ vh, SHRINKAGE.Shrinkage(np.dtype(complex))
    shrinkage.triplets(a, THRESHOLD, np.inf, 1.0)
    found = shrinkage.triplets(a.astype(np.complex64), THRESHOLD, np.inf, 1e-6)
    error = np.linalg.norm(
        (a @ found.right) * (1 - THRESHOLD / found.sigma) @ found.right.conj().T - shrunk(a)
    )
    assert error < 3 * shrinkage._noise < 100 * error


def test_double_precision_ends_a_run_in_single(rng):
    x = rng.standard_normal((30, 2)) @ rng.standard_normal((2, 40))
    answer = admm(x + 10 * (rng.random(x.shape) < 0.02), n1=1, tolerance=1e-12, max_iterations=3000)
    assert answer.status == "converged"
    assert np.linalg.norm(answer.x - x) < 1e-9 * np.linalg.norm(x)
