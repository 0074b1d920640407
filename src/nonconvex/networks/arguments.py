"""Checking what a user hands to the functions of this package."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.arrays import plain_array, refuse_extreme, refuse_masked, refuse_non_finite

Item = TypeVar("Item")


def positive_integer(name: str, value: object) -> int:
    """Return `value` as an int if it is an integer of at least 1; ValueError otherwise."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{name} must be a positive integer, got {value!r}")
    return int(value)


def number(name: str, value: object, low: float, high: float = np.inf) -> float:
    """Return `value` as a float if it is a finite number from `low` to `high`; ValueError otherwise."""
    if (
        isinstance(value, (bool, np.bool_))
        or not isinstance(value, (int, float, np.integer, np.floating))
        or not (np.isfinite(value) and low <= value <= high)
    ):
        wanted = f"of at least {low:g}" if high == np.inf else f"from {low:g} to {high:g}"
        raise ValueError(f"{name} must be a finite number {wanted}, got {value!r}")
    return float(value)


def choice(name: str, value: str, allowed: Sequence[str]) -> str:
    """Return `value` if it is one of the words `allowed`; ValueError otherwise."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
    return value


def finite_array(name: str, value: ArrayLike, axes: tuple[str, ...]) -> np.ndarray:
    """Return `value` as a float64 array with finite entries and one axis per word of `axes`.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    value : array_like
        What the user gave; integers and single precision become float64.
    axes : tuple of str
        Names of the axes, for the message; every axis must have at least one entry.

    Returns
    -------
    ndarray, float64

    Raises
    ------
    ValueError
        For ragged, masked or non-real data, another number of axes, an empty axis, NaN or infinity, and
        where the largest entry is too large or too small to be squared.
    """
    array = plain_array(name, value)
    if array.ndim != len(axes) or array.size == 0:
        raise ValueError(f"{name} must have shape ({', '.join(axes)}), none of them 0, got {array.shape}")
    array = array.astype(float, copy=False)
    refuse_non_finite(name, array)
    refuse_extreme(name, array)
    return array


def matrices(name: str, value: ArrayLike) -> np.ndarray:
    """Return `value` as a float64 array (..., n_features, n_neurons) that may hold NaN or infinity."""
    array = plain_array(name, value).astype(float, copy=False)
    if array.ndim < 2 or array.size == 0:
        raise ValueError(
            f"{name} must hold matrices (n_features, n_neurons), none of them 0, got {array.shape}"
        )
    return array


def node_indices(labelled: ArrayLike, n_nodes: int) -> np.ndarray:
    """Return the indices of labelled nodes, shape (n_labelled,), int; ValueError where they are none."""
    refuse_masked("labelled", labelled)
    array = np.asarray(labelled)
    if array.dtype.kind not in "iu" or array.ndim != 1 or array.size == 0:
        raise ValueError(
            "labelled must be a non-empty one-dimensional array of node indices, "
            f"got dtype {array.dtype} and shape {array.shape}"
        )
    outside = np.flatnonzero((array < 0) | (array >= n_nodes))
    if outside.size:
        raise ValueError(
            f"labelled must hold indices from 0 to {n_nodes - 1}, got {array[outside[0]]} "
            f"at index {outside[0]}"
        )
    return array


def per_trial(name: str, values: Iterable[Item]) -> list[Item]:
    """Return the entries of a sequence with one array per trial; ValueError where it is no sequence."""
    try:
        return list(values)
    except TypeError:
        raise ValueError(f"{name} must be a sequence of one array per trial, got {values!r}") from None


def same_shape(name: str, array: np.ndarray, shape: tuple[int, ...]) -> None:
    """Raise ValueError unless `array` has the given shape."""
    if array.shape != tuple(shape):
        raise ValueError(f"{name} must have shape {tuple(shape)}, got {array.shape}")
