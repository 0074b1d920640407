import numpy as np
import pytest

from nonconvex.claims.calibration.simulated import FRACTIONS, RANKS, fraction_lines, rank_lines
from nonconvex.claims.quantities.threshold import threshold_higher, thresholds_equal


def higher(a, b, x=RANKS):
    return threshold_higher(a, b, x, falls=True, seed=5)


def test_higher_and_its_exchange():
    a, b = rank_lines(100, 1.5, np.random.default_rng(0))
    forth, back = higher(a, b), higher(b, a)
    assert (forth.outcome, back.outcome) == ("R", "N")
    assert forth.effect == pytest.approx(-back.effect)
    assert forth.margin == pytest.approx(back.margin)
    # B's thresholds are 36 p, A's 54 p: the mean difference is 18 x .25.
    assert forth.ci_low < 4.5 < forth.ci_high


def test_a_significantly_reversed_row_withholds_reproduced():
    a, b = rank_lines(100, 1.5, np.random.default_rng(0))
    a[-1], b[-1] = b[-1].copy(), a[-1].copy()
    found = higher(a, b)
    assert found.outcome == "I"
    assert "reversed rows: 1" in found.detail


def test_identical_outcomes_are_not_higher_but_coincide():
    a, _ = rank_lines(100, 1.0, np.random.default_rng(0))
    assert higher(a, a.copy()).outcome == "N"
    assert thresholds_equal(a, a.copy(), RANKS, falls=True, seed=1).outcome == "R"


def test_five_identical_trials_are_not_known_without_error():
    a, _ = rank_lines(5, 1.0, np.random.default_rng(0))
    found = higher(a, a.copy())
    assert found.ci_low < 0 < found.ci_high


@pytest.mark.parametrize("fill", [True, False])
@pytest.mark.parametrize("shape", [(9, 19, 100), (9, 19, 1), (1, 19, 5), (0, 19, 5), (9, 1, 5)])
def test_degenerate_rows_say_nothing(fill, shape):
    a = np.full(shape, fill)
    x = RANKS[: shape[1]]
    assert higher(a, a, x).outcome == "I"
    assert thresholds_equal(a, a, x, falls=True, seed=1, steps=1).outcome == "I"


def test_white_rows_against_black_rows():
    white, black = np.ones((9, 19, 100), dtype=bool), np.zeros((9, 19, 100), dtype=bool)
    # No line is seen at all: both leave the window, on opposite sides.
    assert higher(white, black).outcome == "I"


def test_sharp_transitions_are_known_to_one_step_only():
    a = np.broadcast_to((RANKS[None, :] < 9 + 3 * np.arange(9)[:, None])[..., None], (9, 19, 100))
    found = thresholds_equal(a, a, RANKS, falls=True, seed=1, steps=1)
    assert found.outcome == "I"
    assert found.ci_high == pytest.approx(3, abs=0.1)
    assert "9 rows known to one step only" in found.detail


def test_blank_rows_do_not_dilute():
    a, b = rank_lines(100, 1.3, np.random.default_rng(0))
    blank = np.zeros((20, *a.shape[1:]), dtype=bool)
    assert higher(np.concatenate([a, blank]), np.concatenate([b, blank])).effect == higher(a, b).effect


def test_opposite_rows_do_not_coincide():
    a, b = fraction_lines(100, 0.15, np.random.default_rng(0))
    one, other = a.copy(), b.copy()
    one[::2], other[::2] = b[::2], a[::2]
    found = thresholds_equal(one, other, FRACTIONS, falls=False, seed=1, steps=1)
    assert found.outcome == "I"


def test_the_seed_repeats_the_interval():
    a, b = rank_lines(100, 1.1, np.random.default_rng(0))
    assert higher(a, b) == higher(a, b)
    assert higher(a, b) != threshold_higher(a, b, RANKS, falls=True, seed=6)
