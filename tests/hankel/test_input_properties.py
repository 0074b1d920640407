"""Whatever arrays come: a public function returns finite numbers of the right shape, or names what is wrong."""

import inspect
import re
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as some
from hypothesis.extra.numpy import arrays
from input_battery import flat

from nonconvex import hankel, networks

EXAMPLES = settings(
    derandomize=True, max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
NUMBERS = [np.dtype(kind) for kind in ("f8", "f4", "i8", "u1", "c16", "c8", ">f8")]
ODD = [np.dtype(kind) for kind in ("?", "O", "U3")]
PLAIN = some.one_of(some.floats(-10, 10), some.sampled_from([0.0, 1.0, -1.0, 1e-180, 1e150, np.nan, np.inf]))


def values_of(kind):
    """Return what an array of a dtype is filled with: mostly harmless numbers, some that are none."""
    if kind.kind in "fc":
        narrow = kind.itemsize == (4 if kind.kind == "f" else 8)
        return some.sampled_from([0.0, 1.0, -2.5, 3.0]) | (PLAIN if not narrow else some.just(np.nan))
    if kind.kind in "iu":
        return some.integers(0, 9)
    return {"b": some.booleans(), "O": some.sampled_from([None, 1, "x"]), "U": some.just("x")}[kind.kind]


def array(shapes, kinds=(*NUMBERS, *ODD), values=None):
    return some.sampled_from(kinds).flatmap(
        lambda kind: arrays(kind, shapes, elements=values or values_of(kind))
    )


def shape(*ndims, largest=7):
    return some.sampled_from(ndims).flatmap(lambda n: some.tuples(*[some.integers(0, largest)] * n))


def tame(shapes):
    """Return mostly good arrays, which get further into a function than odd ones."""
    good = arrays(np.dtype("f8"), shapes, elements=some.floats(-3, 3))
    return good | good | array(shapes)


def outcome(function, *given, **options):
    """Return the answer, or None for a ValueError that names one of the arguments."""
    names = [name for name in inspect.signature(function).parameters if name != "callback"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return function(*given, **options)
        except ValueError as error:
            assert re.search(rf"\b({'|'.join(names)}|{'|'.join(AS_SAID)})\b", str(error)), str(error)
            return None


AS_SAID = ("observed entry", "observation", "channel", "sample")
"""What stands for `observed` and `mask` in sentences about a place in them."""

RECOVERIES = {
    "am_fiht": ("rank",), "ram_fiht": ("rank", "incoherence"), "fiht": ("rank",), "svt": (), "sap": ("rank",),
    "r_rmc": ("rank",), "admm": (),
}  # fmt: skip


@pytest.mark.parametrize("name", RECOVERIES)
@EXAMPLES
@given(data=some.data())
def test_recoveries(name, data):
    observed = data.draw(tame(some.tuples(some.integers(1, 3), some.integers(1, 9)) | shape(0, 1, 2, 3)))
    mask = data.draw(some.none() | arrays(np.dtype(bool), observed.shape) | array(shape(1, 2), ODD))
    options = {"rank": data.draw(some.integers(-1, 5) | some.sampled_from([1, 1, 1, 2.0, None, True]))}
    options["incoherence"] = data.draw(some.sampled_from([1.0, 2.5, 0.5, np.nan]))
    options = {key: options[key] for key in RECOVERIES[name]}
    if data.draw(some.booleans()):
        options["n1"] = data.draw(some.integers(-1, 11))
    answer = outcome(getattr(hankel, name), observed, mask, **options, max_iterations=4)
    if answer is not None:
        assert answer.x.shape == np.shape(observed)
        assert np.isfinite(answer.x).all() or answer.status == "diverged"


ERRORS = ("relative_error", "aligned_error", "spectral_error")


@pytest.mark.parametrize("name", ["mean_outputs", *ERRORS, "population_risk"])
@EXAMPLES
@given(data=some.data())
def test_networks_of_two_arrays(name, data):
    first = data.draw(tame(shape(1, 2, 3, largest=4)))
    same = (*first.shape[-1:], 2) if name == "mean_outputs" else first.shape
    second = data.draw(tame(some.just(same) | shape(1, 2, 3, largest=4)))
    if name in ERRORS:  # of a truth that is zero there is no relative error
        assume(second.dtype.kind not in "biufc" or np.any(second != 0, axis=(-2, -1)[-second.ndim :]).all())
    answer = outcome(getattr(networks, name), first, second)
    if answer is not None:
        lead = first.shape[:-1] if name == "mean_outputs" else first.shape[:-2]
        assert first.ndim != second.ndim or name == "mean_outputs" or np.shape(answer) == lead
        tame_ones = all((np.abs(one.astype(float)) < 1e100).all() for one in (first, second))
        assert not tame_ones or all(np.isfinite(one).all() for one in flat(answer))


@EXAMPLES
@given(data=some.data())
def test_scores_that_are_kept(data):
    scores = data.draw(tame(shape(0, 1, 2, 3)))
    ratio = data.draw(some.floats(-0.5, 1.5) | some.sampled_from([np.nan, "half", 0.5]))
    kept = outcome(networks.keep_largest, scores, ratio)
    if kept is not None:
        assert kept.shape == scores.shape and kept.dtype == bool
