import numpy as np
import pytest

from nonconvex.hankel import am_fiht, incoherence, ram_fiht

GOOD = np.ones((3, 10))
MASK = np.ones((3, 10), bool)


def at(value, dtype=float):
    x = GOOD.astype(dtype)
    x[1, 4] = value
    return x


def without(channel):
    mask = MASK.copy()
    mask[channel] = False
    return mask


BAD_DATA = [
    (at(np.nan), MASK, r"observed is nan .* channel 1, sample 4"),
    (at(np.inf), MASK, r"observed is inf .* channel 1, sample 4"),
    (at(-np.inf), None, r"observed is -inf .* channel 1, sample 4"),
    (at(complex(0, np.nan), complex), MASK, r"channel 1, sample 4"),
    (GOOD * np.nan, None, "no observed entry: all are missing"),
    (GOOD, ~MASK, "no observed entry: all are missing"),
    (GOOD, without(2), "no observation in channel 2"),
    (GOOD, MASK[:2], r"mask must have the shape of observed, \(3, 10\), got \(2, 10\)"),
    (GOOD, MASK.astype(int), "mask must hold booleans .* got dtype int64"),
    (GOOD[None], None, r"got shape \(1, 3, 10\)"),
    (np.ones((3, 0)), None, r"got shape \(3, 0\)"),
    (5.0, None, r"got shape \(\)"),
    ([[1, 2], [3]], None, "observed must be a rectangular array"),
    ([["a", "b"]], None, "observed must hold integers, floats or complex numbers"),
    (GOOD > 0, None, "got dtype bool"),
    (np.ma.masked_invalid(at(np.nan)), None, "numpy masked array"),
]


@pytest.mark.parametrize(("observed", "mask", "message"), BAD_DATA)
def test_bad_data(observed, mask, message):
    with pytest.raises(ValueError, match=message):
        am_fiht(observed, mask, rank=1)
    with pytest.raises(ValueError, match=message):
        ram_fiht(observed, mask, rank=1, incoherence=2.0)


BAD_OPTIONS = [
    ({"rank": 0}, "rank must be from 1 to .* = 6 .* 15 x 6, got 0"),
    ({"rank": 7}, "rank must be from 1 to .* = 6 .* got 7"),
    ({"rank": 4, "n1": 1}, "rank must be from 1 to .* = 3 .* 3 x 10, got 4"),
    ({"rank": 1.0}, "rank must be an integer, got 1.0"),
    ({"rank": True}, "rank must be an integer, got True"),
    ({"n1": 0}, "n1 must be from 1 to n_samples = 10, got 0"),
    ({"n1": 11}, "n1 must be from 1 to n_samples = 10, got 11"),
    ({"n1": 2.5}, "n1 must be an integer .* got 2.5"),
    ({"step": 0}, "step must be .* got 0"),
    ({"step": np.inf}, "step must be .* got inf"),
    ({"beta": 1.0}, "beta must be .* got 1.0"),
    ({"beta": -0.1}, "beta must be .* got -0.1"),
    ({"beta": np.nan}, "beta must be .* got nan"),
    ({"beta": "cubic"}, "beta must be .* got 'cubic'"),
    ({"tolerance": -1e-6}, "tolerance must be .* got -1e-06"),
    ({"tolerance": np.nan}, "tolerance must be .* got nan"),
    ({"max_iterations": 0}, "max_iterations must be a positive integer, got 0"),
    ({"max_iterations": 10.0}, "max_iterations must be a positive integer, got 10.0"),
]


@pytest.mark.parametrize(("options", "message"), BAD_OPTIONS)
def test_bad_options(options, message):
    options = {"rank": 1} | options
    with pytest.raises(ValueError, match=message):
        am_fiht(GOOD, **options)
    with pytest.raises(ValueError, match=message):
        ram_fiht(GOOD, **options, incoherence=2.0)


@pytest.mark.parametrize("mu", [0.99, -1, np.inf, np.nan, "2", None])
def test_bad_incoherence(mu):
    with pytest.raises(ValueError, match="incoherence must be a finite number of at least 1"):
        ram_fiht(GOOD, rank=1, incoherence=mu)


def test_a_time_instant_lost_in_all_channels_is_fine():
    mask = MASK.copy()
    mask[:, 5] = False
    np.testing.assert_allclose(am_fiht(GOOD, mask, rank=1).x, GOOD, rtol=1e-4)


def test_incoherence_refuses_what_it_cannot_determine(rng):
    with pytest.raises(ValueError, match=r"rank must not exceed the numerical rank .* 1, got 2"):
        incoherence(GOOD, rank=2)
    with pytest.raises(ValueError, match="channel 1, sample 4"):
        incoherence(at(np.nan), rank=1)
    with pytest.raises(ValueError, match="rank must be from 1"):
        incoherence(GOOD, rank=7)
