"""Supports of pruned networks: how many weights, which pairs meet, and r-tilde."""

import numpy as np
import pytest

from nonconvex.networks import (
    draw_sizes,
    draw_supports,
    draw_uniform,
    effective_size,
    meeting_share,
    start_at,
)
from nonconvex.networks.pruned_steps import pruned_step
from nonconvex.networks.supports import KINDS, check_sizes


def plain_effective_size(mask):
    """Eq. r_tilde, term by term."""
    k, total = mask.shape[1], 0.0
    for i in range(k):
        for j in range(k):
            meet = bool(set(np.flatnonzero(mask[:, i])) & set(np.flatnonzero(mask[:, j])))
            total += (1 + meet) * np.sqrt(mask[:, i].sum() + mask[:, j].sum())
    return total**2 / (8 * k**4)


@pytest.mark.parametrize("kind", KINDS)
def test_masks_have_the_sizes_and_the_formula_s_effective_size(kind, rng):
    sizes = np.array([6, 7, 5, 6, 7])
    mask = draw_supports(60, sizes, kind, rng=rng)
    np.testing.assert_array_equal(mask.sum(axis=0), sizes)
    found = effective_size(mask)
    assert found == pytest.approx(plain_effective_size(mask), rel=1e-12)
    assert sizes.mean() / 8 <= found <= sizes.mean() * (1 + 1e-12)


@pytest.mark.parametrize(
    "kind, expected, share",
    [
        ("shared_index", 20, 1),
        ("identical", 20, 1),
        ("disjoint", 7.2, 0.2),
        ("chain", 11.552, 0.52),
        ("partly_identical", 11.552, 0.52),
    ],
)
def test_effective_size_of_architectures_with_20_weights(kind, expected, share, rng):
    mask = draw_supports(100, [20] * 5, kind, rng=rng)
    assert effective_size(mask) == pytest.approx(expected, rel=1e-12)
    assert meeting_share(mask) == pytest.approx(share)


def test_kinds_of_supports_are_what_they_are_called(rng):
    shared = draw_supports(50, [4, 5, 6], "shared_index", rng=rng)
    assert shared.all(axis=1).sum() >= 1
    same = draw_supports(50, [4, 4, 4], "identical", rng=rng)
    assert (same == same[:, :1]).all()
    assert draw_supports(50, [9] * 5, "disjoint", rng=rng).sum(axis=1).max() == 1
    chain = draw_supports(50, [9] * 5, "chain", rng=rng).astype(int)
    np.testing.assert_array_equal(chain.T @ chain, 9 * np.eye(5) + np.eye(5, k=1) + np.eye(5, k=-1))
    groups = draw_supports(50, [9] * 5, "partly_identical", rng=rng)
    assert (groups[:, :3] == groups[:, :1]).all() and (groups[:, 3] == groups[:, 4]).all()
    assert not (groups[:, 0] & groups[:, 4]).any()


def test_sizes_are_within_a_tenth(rng):
    sizes = np.concatenate([draw_sizes(20, 0.1, 5, rng=rng) for _ in range(60)])
    assert set(sizes) == {18, 19, 20, 21, 22}
    assert set(draw_sizes(20, 0, 5, rng=rng)) == {20}


def test_weights_and_starts_are_on_the_mask_at_the_exact_distance(rng):
    mask = draw_supports(30, [4, 6, 5], rng=rng)
    truth = draw_uniform(mask, rng=rng)
    assert not truth[~mask].any() and (np.abs(truth) <= 0.5).all() and (truth[mask] != 0).all()
    for where in (mask, None):
        start = start_at(0.7, truth, where, rng=rng)
        assert np.linalg.norm(start - truth) == pytest.approx(0.7 * np.linalg.norm(truth), rel=1e-12)
        assert start[~mask].any() == (where is None)


def test_steps_are_the_readings_of_the_printed_one():
    etas = [pruned_step(rule, n_neurons=10, eta=0.5).eta for rule in ("printed", "times_k", "times_k2")]
    assert etas == [0.5, 5.0, 50.0]
    assert pruned_step("theorem", n_neurons=7, beta=0.2).eta == 0.5
    with pytest.raises(ValueError, match="eta must be a finite number"):
        pruned_step(n_neurons=5)
    with pytest.raises(ValueError, match="eta must not be given"):
        pruned_step("theorem", n_neurons=5, eta=1.0)
    with pytest.raises(ValueError, match="beta must be below 1"):
        pruned_step(n_neurons=5, eta=1.0, beta=1)
    with pytest.raises(ValueError, match="rule must be one of"):
        pruned_step("printd", n_neurons=5, eta=1.0)


def test_supports_that_cannot_exist_are_refused(rng):
    with pytest.raises(ValueError, match="'disjoint' of 5 neurons with up to 20 weights each need 100"):
        draw_supports(99, [20] * 5, "disjoint", rng=rng)
    with pytest.raises(ValueError, match="up to 22 weights each need 22"):
        check_sizes(21, 5, 20, 0.1, "random")
    with pytest.raises(ValueError, match="'chain' needs at least 2 weights"):
        check_sizes(21, 5, 1, 0, "chain")
    with pytest.raises(ValueError, match="supports must be one of"):
        draw_supports(20, [2], "rings", rng=rng)
    with pytest.raises(ValueError, match=r"sizes\[1\] must be a positive integer"):
        draw_supports(20, [2, 0], rng=rng)
    with pytest.raises(ValueError, match="sizes must have one entry per neuron"):
        draw_supports(20, [], rng=rng)
    with pytest.raises(ValueError, match="spread must be a finite number"):
        draw_sizes(20, 1.5, 3, rng=rng)
    with pytest.raises(ValueError, match="mask must leave every neuron a weight, and neuron 1"):
        effective_size([[True, False], [True, False]])
    with pytest.raises(ValueError, match="distance must be a finite number"):
        start_at(-1, np.ones((3, 2)), rng=rng)
