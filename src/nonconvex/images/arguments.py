"""Checking what a user hands to the functions of this package."""

from collections.abc import Sequence

import numpy as np

from nonconvex.errors import nearest
from nonconvex.images.image_set import LabelledImages


def integer(name: str, value: object, low: int) -> int:
    """Return `value` as an int if it is an integer of at least `low`; ValueError otherwise."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or value < low:
        raise ValueError(f"{name} must be an integer of at least {low}, got {value!r}")
    return int(value)


def number(name: str, value: object, low: float, high: float = np.inf) -> float:
    """Return `value` as a float if it is a finite number from `low` to below `high`; ValueError otherwise."""
    if (
        isinstance(value, (bool, np.bool_))
        or not isinstance(value, (int, float, np.integer, np.floating))
        or not (np.isfinite(value) and low <= value < high)
    ):
        wanted = f"of at least {low:g}" if high == np.inf else f"from {low:g} to below {high:g}"
        raise ValueError(f"{name} must be a finite number {wanted}, got {value!r}")
    return float(value)


def choice(name: str, value: object, allowed: Sequence[str]) -> str:
    """Return `value` if it is one of the words `allowed`; ValueError otherwise."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(
            f"{name} must be one of {', '.join(allowed)}, got {value!r}{nearest(str(value), allowed)}"
        )
    return value


def images_alone(name: str, value: object) -> np.ndarray:
    """Return `value` if it is a uint8 array (n, height, width, channels), n may be 0; else ValueError."""
    if not isinstance(value, np.ndarray) or value.dtype != np.uint8 or value.ndim != 4:
        got = f"{value.dtype} {value.shape}" if isinstance(value, np.ndarray) else type(value).__name__
        raise ValueError(f"{name} must be a uint8 array (n, height, width, channels), got {got}")
    return value


def alike(**sets: LabelledImages) -> tuple[tuple[int, int, int], int]:
    """Return the shape (channels, height, width) and the number of classes that sets of images share.

    Raises
    ------
    ValueError
        For something that is no `LabelledImages`, and for images of another size than the first set's.
    """
    for name, one in sets.items():
        if not isinstance(one, LabelledImages):
            raise ValueError(f"{name} must be LabelledImages, got {type(one).__name__}")
    (first, model), *others = sets.items()
    for name, one in others:
        same_size(name, one.images, first, model.images)
    height, width, channels = model.images.shape[1:]
    return (channels, height, width), max(int(one.labels.max()) for one in sets.values()) + 1


def same_size(name: str, images: np.ndarray, first: str, model: np.ndarray) -> None:
    """Raise ValueError unless `images` have the height, width and channels of `model`."""
    if images.shape[1:] != model.shape[1:]:
        raise ValueError(
            f"{name} must have images (height, width, channels) = {model.shape[1:]} as {first} has, got "
            f"{images.shape[1:]}"
        )
