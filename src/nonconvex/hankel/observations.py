"""Checking what a user hands to a solver, and the observed set every solver works with."""

from dataclasses import dataclass
from typing import TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.arrays import refuse_masked
from nonconvex.hankel.operators.lift import choose_n1


@dataclass(frozen=True, eq=False)
class Observations:
    """The observed entries P(M) of a signal, divided by a power of two that brings the largest one near 1.

    The division is exact, changes no digit of any answer, and keeps squares from overflowing.

    Attributes
    ----------
    data : ndarray, shape (n_channels, n_samples), float64 or complex128
        Observed values, zero elsewhere.
    places : ndarray, shape (m,), int
        Flat indices of the observed entries, ascending.
    values : ndarray, shape (m,)
        The observed values, in the order of `places`.
    scale : float
        The power of two: data in the user's units are ``scale * data``.
    user_shape : tuple of int
        The shape the user gave: (n_channels, n_samples) or (n_samples,).
    """

    data: np.ndarray
    places: np.ndarray
    values: np.ndarray
    scale: float
    user_shape: tuple[int, ...]

    @property
    def fraction(self) -> float:
        """Realised fraction of observations, p = m / (n_channels n_samples)."""
        return self.places.size / self.data.size

    @property
    def real(self) -> bool:
        """Whether the signal is real."""
        return self.data.dtype.kind == "f"

    def to_user(self, x: np.ndarray) -> np.ndarray:
        """Return a new array: `x` in the units and the shape of the user."""
        return (x * self.scale).reshape(self.user_shape)

    def sample(self, x: np.ndarray) -> np.ndarray:
        """Return the entries of `x` on the observed set, shape (m,)."""
        return x.ravel().take(self.places)

    def residual(self, x: np.ndarray) -> np.ndarray:
        """Return G = P(M - X), shape (n_channels, n_samples): the gradient step's direction."""
        gradient = np.zeros_like(self.data)
        gradient.ravel()[self.places] = self.values - self.sample(x)
        return gradient


def read_observations(observed: ArrayLike, mask: ArrayLike | None = None) -> Observations:
    """Check the data and the mask of a solver call.

    Parameters
    ----------
    observed : array_like, shape (n_channels, n_samples) or (n_samples,)
        Data. Integers and single precision become float64, single-precision complex becomes complex128.
    mask : array_like of bool, same shape, optional
        True where observed; values elsewhere are ignored, whatever they are. Without a mask, NaN means
        missing.

    Returns
    -------
    Observations

    Raises
    ------
    ValueError
        For data that are not a numeric 1-D or 2-D array, a numpy masked array, a mask of another shape or
        type, NaN or infinity at an observed place, no observation at all, or a channel without any (its
        amplitudes are not determined).
    """
    data = _as_signal(observed)
    user_shape = data.shape
    mask = np.isfinite(data) | np.isinf(data) if mask is None else _as_mask(mask, user_shape)
    data, mask = np.atleast_2d(data), np.atleast_2d(mask)
    _refuse_non_finite(data, mask)
    if not mask.any():
        raise ValueError("observed has no observed entry: all are missing")
    empty = np.flatnonzero(~mask.any(axis=1))
    if empty.size:
        raise ValueError(
            f"observed has no observation in channel {empty[0]} (counting from 0), so its amplitudes are not "
            f"determined; {empty.size} of {mask.shape[0]} channels are empty: leave them out"
        )
    places = np.flatnonzero(mask)
    values = data.ravel().take(places)
    scale = _power_of_two_near(values)
    values = values / scale
    clean = np.zeros_like(data)
    clean.ravel()[places] = values
    return Observations(clean, places, values, scale, user_shape)


def check_rank(rank: int, n1: int | None, data: np.ndarray) -> tuple[int, int]:
    """Return (rank, n1) as integers that fit `data`, n1 defaulting to n_samples // 2; else ValueError."""
    n_channels, n_samples = data.shape
    n1 = choose_n1(n1, n_samples)
    rows, columns = n_channels * n1, n_samples + 1 - n1
    if isinstance(rank, (bool, np.bool_)) or not isinstance(rank, (int, np.integer)):
        raise ValueError(f"rank must be an integer, got {rank!r}")
    if not 1 <= rank <= min(rows, columns):
        raise ValueError(
            f"rank must be from 1 to min(n_channels n1, n2) = {min(rows, columns)} "
            f"for a Hankel matrix of {rows} x {columns}, got {rank}"
        )
    return int(rank), n1


def check_stop(tolerance: float, max_iterations: int) -> tuple[float, int]:
    """Return (tolerance, max_iterations) if they make sense; ValueError otherwise."""
    if not is_number(tolerance) or not 0 <= tolerance < np.inf:
        raise ValueError(f"tolerance must be a finite number of at least 0, got {tolerance!r}")
    if (
        isinstance(max_iterations, bool)
        or not isinstance(max_iterations, (int, np.integer))
        or max_iterations < 1
    ):
        raise ValueError(f"max_iterations must be a positive integer, got {max_iterations!r}")
    return float(tolerance), int(max_iterations)


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether `value` is a real scalar number (not a bool)."""
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def _as_signal(observed: ArrayLike) -> np.ndarray:
    refuse_masked("observed", observed, "pass observed.data and mask=~observed.mask")
    try:
        data = np.asarray(observed)
    except ValueError as error:
        raise ValueError(f"observed must be a rectangular array of numbers: {error}") from None
    if data.dtype.kind not in "iufc" or data.dtype.itemsize > 16 or data.dtype.char == "g":
        raise ValueError(f"observed must hold integers, floats or complex numbers, got dtype {data.dtype}")
    if data.ndim not in (1, 2) or data.size == 0:
        raise ValueError(
            "observed must be a non-empty array of shape (n_channels, n_samples) or (n_samples,), "
            f"got shape {data.shape}"
        )
    return data.astype(complex if data.dtype.kind == "c" else float, order="C")


def _as_mask(mask: ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    refuse_masked("mask", mask, "pass an array of booleans")
    mask = np.asarray(mask)
    if mask.dtype != bool:
        raise ValueError(f"mask must hold booleans (True = observed), got dtype {mask.dtype}")
    if mask.shape != shape:
        raise ValueError(f"mask must have the shape of observed, {shape}, got {mask.shape}")
    return mask


def _refuse_non_finite(data: np.ndarray, mask: np.ndarray) -> None:
    bad = np.argwhere(mask & ~np.isfinite(data))
    if bad.size:
        channel, sample = bad[0]
        raise ValueError(
            f"observed is {data[channel, sample]} at the observed place channel {channel}, sample {sample} "
            "(counting from 0); set mask to False where a value is missing"
        )


def _power_of_two_near(values: np.ndarray) -> float:
    largest = max(np.abs(values.real).max(), np.abs(values.imag).max())
    if largest == 0:
        return 1.0
    # The bound keeps the reciprocal finite when all values are subnormal.
    return float(np.ldexp(1.0, max(np.frexp(largest)[1] - 1, -1000)))
