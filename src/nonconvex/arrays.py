"""The first look at an array that a user hands in: no mask to lose, numbers, a size that can be squared."""

import numpy as np
from numpy.typing import ArrayLike

# Products of six factors of this size, and of its reciprocal, are still numbers.
LARGEST = 1e50


def plain_array(name: str, value: ArrayLike, kinds: str = "biuf") -> np.ndarray:
    """Return `value` as an array whose dtype is of one of `kinds`; its entries may be NaN or infinite.

    Raises
    ------
    ValueError
        For a masked array or one inside a list, rows of unequal length, or a dtype of another kind.
    """
    refuse_masked(name, value)
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be a rectangular array, got rows of unequal length") from None
    if array.dtype.kind not in kinds:
        wanted = "real or complex numbers" if "c" in kinds else "real numbers"
        raise ValueError(f"{name} must hold {wanted}, got dtype {array.dtype}")
    return array


def refuse_masked(name: str, value: object, remedy: str = "leave out what is masked") -> None:
    """Raise ValueError for a masked array, also inside lists: numpy would drop the mask without a word."""
    if isinstance(value, (list, tuple)):
        for part in value:
            refuse_masked(name, part, remedy)
    if isinstance(value, np.ma.MaskedArray):
        raise ValueError(f"{name} is a numpy masked array, whose mask would be dropped: {remedy}")


def refuse_non_finite(name: str, array: np.ndarray) -> None:
    """Raise ValueError for NaN or infinity in an array of numbers, with the place."""
    bad = ~np.isfinite(array)
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(f"{name} must be finite, got {array[place]} at index {place}")


def refuse_extreme(name: str, array: np.ndarray) -> None:
    """Raise ValueError where the largest entry of a finite array is too large or too small to be squared."""
    parts = (array.real, array.imag) if array.dtype.kind == "c" else (array,)
    largest = max((max(float(part.max()), -float(part.min())) for part in parts if part.size), default=0.0)
    if largest > LARGEST or 0 < largest < 1 / LARGEST:
        raise ValueError(
            f"{name} has {largest:g} as its largest size, which cannot be squared and multiplied: take units "
            f"in which it is from {1 / LARGEST:g} to {LARGEST:g}"
        )
