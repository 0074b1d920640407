"""Which weights of a pruned network are kept: drawing them, and how much they overlap (thesis, Chapter 6)."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.arrays import refuse_masked
from nonconvex.networks.arguments import choice, finite_array, number, positive_integer, same_shape

KINDS = ("random", "shared_index", "identical", "disjoint", "chain", "partly_identical")


def check_sizes(n_features: int, n_neurons: int, kept: int, spread: float, kind: str) -> None:
    """Raise ValueError when supports of this kind with `kept` weights, up to `spread` more, cannot exist."""
    choice("supports", kind, KINDS)
    largest = _size_bounds(positive_integer("kept", kept), spread)[1]
    needed = {
        "disjoint": n_neurons * largest,
        "chain": n_neurons * (largest - 1) + 1,
        "partly_identical": min(n_neurons, 2) * largest,
    }.get(kind, largest)
    if needed > n_features:
        raise ValueError(
            f"supports = {kind!r} of {n_neurons} neurons with up to {largest} weights each need {needed} "
            f"features, and n_features = {n_features}"
        )
    if kind == "chain" and _size_bounds(kept, spread)[0] < 2 <= n_neurons:
        raise ValueError(f"supports = 'chain' needs at least 2 weights in a neuron, and kept = {kept}")


def draw_sizes(kept: int, spread: float, n_neurons: int, *, rng: np.random.Generator) -> np.ndarray:
    """Draw r_j uniformly from the integers within `kept` times 1 - `spread` to 1 + `spread`.

    Parameters
    ----------
    kept : int
        r-tilde that is aimed at (thesis, Section 6.4: `spread` 0.1 in Figures 6.2 and 6.4, else 0).
    spread : float
        From 0 to below 1.
    n_neurons : int
        K.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray, shape (n_neurons,), int64

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    low, high = _size_bounds(positive_integer("kept", kept), spread)
    return rng.integers(low, high + 1, size=positive_integer("n_neurons", n_neurons))


def draw_supports(
    n_features: int, sizes: Sequence[int] | np.ndarray, kind: str = "random", *, rng: np.random.Generator
) -> np.ndarray:
    """Draw the mask of a network whose neurons keep `sizes` weights.

    ================  =================================================================================
    kind              supports
    ================  =================================================================================
    random            independent, without replacement
    shared_index      one index in all of them, the others independent: all pairs meet, and r-tilde is r
    identical         the same index set; of other sizes, the first of one random order
    disjoint          no two meet
    chain             neurons j and j + 1 share one index, no others meet
    partly_identical  two groups, of ceil(0.6 K) neurons and the rest: identical within, disjoint between
    ================  =================================================================================

    Parameters
    ----------
    n_features : int
        d.
    sizes : sequence of int, length K
        r_j.
    kind : str
        One of the above.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray, shape (n_features, n_neurons), bool

    Raises
    ------
    ValueError
        For an unknown kind, or sizes for which there are too few features.
    """
    n_features = positive_integer("n_features", n_features)
    refuse_masked("sizes", sizes)
    if np.ndim(sizes) != 1 or len(sizes) == 0:
        raise ValueError(f"sizes must have one entry per neuron, got {sizes!r}")
    sizes = [positive_integer(f"sizes[{j}]", size) for j, size in enumerate(sizes)]
    check_sizes(n_features, len(sizes), max(sizes), 0, kind)
    mask = np.zeros((n_features, len(sizes)), dtype=bool)
    order = rng.permutation(n_features)
    split, first = math.ceil(0.6 * len(sizes)), 0
    for j, size in enumerate(sizes):
        if kind == "random":
            chosen = rng.choice(n_features, size, replace=False)
        elif kind == "shared_index":
            chosen = np.append(rng.choice(order[1:], size - 1, replace=False), order[0])
        elif kind == "identical":
            chosen = order[:size]
        elif kind == "partly_identical":
            chosen = order[:size] if j < split else order[n_features - size :]
        else:
            chosen = order[first : first + size]
            first += size - (kind == "chain")
        mask[chosen, j] = True
    return mask


def draw_uniform(mask: ArrayLike, *, rng: np.random.Generator, bound: float = 0.5) -> np.ndarray:
    """Draw W* on a mask: entries uniform on [-bound, bound], 0 where `mask` is False (thesis, Section 6.4).

    A value is drawn for every entry, so that masks of one shape share their draws.

    Returns
    -------
    ndarray, shape of `mask`, float64

    Raises
    ------
    ValueError
        If `mask` is not a mask, or `bound` is out of range.
    """
    mask = checked_mask("mask", mask)
    return np.where(mask, rng.uniform(-number("bound", bound, 0), bound, size=mask.shape), 0.0)


def start_at(
    distance: float, truth: ArrayLike, mask: ArrayLike | None = None, *, rng: np.random.Generator
) -> np.ndarray:
    """Draw a start with ``||W0 - W*||_F = distance * ||W*||_F``, in a direction uniform on the sphere.

    Parameters
    ----------
    distance : float
        Relative distance; the thesis has "less than lambda" (Section 6.4).
    truth : array_like, shape (n_features, n_neurons)
        W*.
    mask : array_like of bool, shape (n_features, n_neurons), optional
        Where W0 may differ from W*; everywhere when not given.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray, shape (n_features, n_neurons), float64

    Raises
    ------
    ValueError
        If an argument is out of range or the shapes do not agree.
    """
    truth = finite_array("truth", truth, ("n_features", "n_neurons"))
    direction = rng.standard_normal(truth.shape)
    if mask is not None:
        mask = checked_mask("mask", mask)
        same_shape("mask", mask, truth.shape)
        direction[~mask] = 0
    length = number("distance", distance, 0) * np.linalg.norm(truth) / np.linalg.norm(direction)
    return truth + length * direction


def effective_size(mask: ArrayLike) -> float:
    """Return r-tilde of a mask (thesis, Eq. r_tilde).

    ``1/(8 K^4) (sum_jk (1 + delta_jk) (r_j + r_k)^(1/2))^2`` with delta_jk = 1 where the supports of neurons
    j and k have an index in common, j = k included. It is r when all supports have r entries and meet, and
    between r / 8 and r for the mean r of any.

    Parameters
    ----------
    mask : array_like of bool, shape (n_features, n_neurons)

    Raises
    ------
    ValueError
        If `mask` is not a mask.
    """
    mask = checked_mask("mask", mask)
    sizes = mask.sum(axis=0)
    total = ((1 + _meet(mask)) * np.sqrt(sizes[:, None] + sizes)).sum()
    return float(total**2 / (8 * mask.shape[1] ** 4))


def meeting_share(mask: ArrayLike) -> float:
    """Return the share of the K^2 pairs of neurons, each with itself included, whose supports meet.

    Raises
    ------
    ValueError
        If `mask` is not a mask.
    """
    return float(_meet(checked_mask("mask", mask)).mean())


def checked_mask(name: str, mask: ArrayLike) -> np.ndarray:
    """Return `mask` as an array (n_features, n_neurons) of bool; ValueError where it is none.

    A neuron must have a weight left.
    """
    array = finite_array(name, mask, ("n_features", "n_neurons"))
    if not np.isin(array, (0, 1)).all():
        place = tuple(int(i) for i in np.argwhere(~np.isin(array, (0, 1)))[0])
        raise ValueError(f"{name} must be True or False, got {array[place]:g} at index {place}")
    empty = np.flatnonzero(~array.any(axis=0))
    if empty.size:
        raise ValueError(f"{name} must leave every neuron a weight, and neuron {empty[0]} has none")
    return array.astype(bool)


def _meet(mask: np.ndarray) -> np.ndarray:
    counts = mask.astype(float)
    return (counts.T @ counts > 0).astype(float)


def _size_bounds(kept: int, spread: float) -> tuple[int, int]:
    """Return the smallest and the largest r_j; what rounding adds to a product is taken off again."""
    number("spread", spread, 0, 0.999)
    return max(1, math.ceil(kept * (1 - spread) - 1e-9)), math.floor(kept * (1 + spread) + 1e-9)
