"""Large problems are worked on in single precision for a while: the answers stay those of double precision."""

import numpy as np
import pytest

from nonconvex.hankel import am_fiht, incoherence, loss_mask, precision, ram_fiht, spectrally_sparse_signal
from nonconvex.hankel.operators.lift import HankelLift
from nonconvex.hankel.operators.tangent import TangentMatrix


def problem(real=False, fraction=0.5, rank=8):
    rng = np.random.default_rng(5)
    x = spectrally_sparse_signal(30, 300, rank // 2 if real else rank, rng=rng)
    return x.real.copy() if real else x, loss_mask(1, 30, 300, fraction, rng)


def solve(method, x, mask, **options):
    if method is ram_fiht:
        options["incoherence"] = incoherence(x, rank=8)
    return method(x, mask, rank=8, **options)


@pytest.fixture
def precisions(monkeypatch):
    """The precision of every step taken."""
    seen = []
    truncate = TangentMatrix.truncate
    monkeypatch.setattr(
        TangentMatrix, "truncate", lambda self: seen.append(self.stack.dtype.itemsize) or truncate(self)
    )
    return seen


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("method", [am_fiht, ram_fiht])
def test_answers_are_those_of_double_precision(method, real, precisions, monkeypatch):
    x, mask = problem(real)
    recovery = solve(method, x, mask)
    assert len(set(precisions)) == 2
    assert precisions[0] == precisions[-1] == max(precisions)
    monkeypatch.setattr(precision, "LARGE", np.inf)
    precisions.clear()
    expected = solve(method, x, mask)
    assert len(set(precisions)) == 1
    assert recovery.status == expected.status == "converged"
    assert recovery.iterations == expected.iterations
    assert recovery.x.dtype == x.dtype
    assert np.linalg.norm(recovery.x - expected.x) <= 1e-7 * np.linalg.norm(x)
    np.testing.assert_allclose(recovery.history, expected.history, rtol=0.02)


def test_a_tighter_tolerance_is_met(precisions):
    x, mask = problem()
    recovery = am_fiht(x, mask, rank=8, tolerance=1e-12)
    assert len(set(precisions)) == 2
    assert recovery.status == "converged"
    assert np.linalg.norm(recovery.x - x) <= 1e-11 * np.linalg.norm(x)


def test_a_loose_tolerance_is_met_in_double_precision(precisions):
    x, mask = problem()
    recovery = am_fiht(x, mask, rank=8, tolerance=1e-3)
    assert recovery.status == "converged"
    assert precisions[-1] == max(precisions)


def test_what_is_observed_in_full_is_returned_exactly(precisions):
    x, _ = problem()
    recovery = am_fiht(x, np.ones(x.shape, bool), rank=8)
    assert recovery.iterations == 1
    assert set(precisions) == {16}
    assert np.linalg.norm(recovery.x - x) <= 1e-13 * np.linalg.norm(x)


def test_a_run_that_diverges_ends_as_in_double_precision(monkeypatch):
    x, mask = problem(fraction=0.1)
    recovery = solve(am_fiht, x, mask)
    monkeypatch.setattr(precision, "LARGE", np.inf)
    expected = solve(am_fiht, x, mask)
    assert recovery.status == expected.status == "diverged"
    assert recovery.iterations == expected.iterations


@pytest.mark.parametrize("real", [False, True])
def test_products_in_single_precision(rng, real):
    double, single = (HankelLift(3, 20, 8, real=real, single=single) for single in (False, True))
    left, right, x = (
        rng.standard_normal(shape) + (0 if real else 1j * rng.standard_normal(shape))
        for shape in ((4, 3, 8), (4, 13), (3, 20))
    )
    answers = []
    for lift in (double, single):
        left_, right_, x_ = (array.astype(lift.dtype) for array in (left, right, x))
        u, v, spectrum = lift.left_spectrum(left_), lift.right_spectrum(right_), lift.spectrum(x_)
        products = lift.times_right(spectrum, v), lift.left_times(u, spectrum)
        assert {product.dtype for product in products} == {lift.dtype}
        assert lift.pseudoinverse(u, v).dtype == double.dtype
        answers.append([*products, lift.pseudoinverse(u, v)])
    for one, other in zip(*answers, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)
