"""Checking what a user hands to the functions of this package."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike


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
        For ragged or non-real data, another number of axes, an empty axis, NaN or infinity.
    """
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be a rectangular array, got rows of unequal length") from None
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, got dtype {array.dtype}")
    if array.ndim != len(axes) or array.size == 0:
        raise ValueError(f"{name} must have shape ({', '.join(axes)}), none of them 0, got {array.shape}")
    array = array.astype(float, copy=False)
    if not np.isfinite(array).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite, got {array[place]} at index {place}")
    return array


def same_shape(name: str, array: np.ndarray, shape: tuple[int, ...]) -> None:
    """Raise ValueError unless `array` has the given shape."""
    if array.shape != tuple(shape):
        raise ValueError(f"{name} must have shape {tuple(shape)}, got {array.shape}")
