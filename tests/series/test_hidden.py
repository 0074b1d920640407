import numpy as np
import pytest

from nonconvex.errors import UserError
from nonconvex.series.gaps import find_gaps, longest_gap
from nonconvex.series.hidden import draw_hidden


def test_gaps_are_cut_into_pieces():
    mask = np.ones((3, 10), bool)
    mask[:, 2:4] = False
    mask[0, 4] = False
    mask[1:, 6:9] = False
    pieces = {(gap.channels, gap.start, gap.length, gap.whole) for gap in find_gaps(mask)}
    assert pieces == {((0, 1, 2), 2, 2, True), ((0,), 4, 1, False), ((1, 2), 6, 3, False)}
    assert longest_gap(mask) == 3
    assert longest_gap(mask, touching=np.eye(3, 10, 2, dtype=bool)) == 3
    assert longest_gap(np.ones((2, 3), bool)) == 0


def test_share_and_seed():
    mask = np.random.default_rng(0).random((10, 200)) > 0.3
    hidden = draw_hidden(mask, 1)
    assert not (hidden & ~mask).any()
    assert hidden.sum() == pytest.approx(0.05 * mask.sum(), abs=10)
    np.testing.assert_array_equal(hidden, draw_hidden(mask, 1))
    assert (hidden != draw_hidden(mask, 2)).any()


def test_lost_instants_are_imitated_and_only_then():
    mask = np.ones((5, 100), bool)
    assert (mask & ~draw_hidden(mask, 1)).any(axis=0).all()
    mask[:, ::4] = False
    hidden = draw_hidden(mask, 1)
    assert set(hidden.sum(axis=0)) == {0, 5}


def test_runs_in_some_channels_are_imitated_in_those():
    mask = np.ones((6, 400), bool)
    mask[:3, 50:80] = False
    hidden = draw_hidden(mask, 1)
    assert hidden[:3].any() and not hidden[3:].any()
    assert longest_gap(mask & ~hidden, touching=hidden) >= 30


def test_no_channel_is_emptied():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        mask = rng.random((4, 30)) > 0.3
        mask[0] = False
        mask[0, rng.integers(30)] = True
        mask[1] = False
        mask[1, rng.choice(30, 2, replace=False)] = True
        left = mask & ~draw_hidden(mask, seed)
        assert (left.sum(axis=1) >= (mask.sum(axis=1) + 1) // 2).all()


def test_nothing_to_hide():
    mask = np.eye(3, 5, dtype=bool)
    with pytest.raises(UserError, match="no observed sample can be hidden"):
        draw_hidden(mask, 1)
