"""Labelled images as they are handed around: uint8 arrays of one size, with whole numbers for classes."""

from dataclasses import dataclass

import numpy as np

from nonconvex.arrays import refuse_masked


@dataclass(frozen=True)
class LabelledImages:
    """Images with their classes.

    Attributes
    ----------
    images : ndarray, shape (n, height, width, channels), uint8
        Brightness from 0 to 255.
    labels : ndarray, shape (n,), int64
        Classes, from 0.

    Raises
    ------
    ValueError
        For another shape or dtype, a negative label, or no image at all.
    """

    images: np.ndarray
    labels: np.ndarray

    def __post_init__(self) -> None:
        check_images("images", self.images)
        _check_labels("labels", self.labels, "images", len(self.images))

    def __len__(self) -> int:
        return len(self.images)


@dataclass(frozen=True)
class ImageSet:
    """What a file of images holds.

    Attributes
    ----------
    images : ndarray, shape (n, height, width, channels), uint8
    labels : ndarray, shape (n,), int64
        Classes 0, 1, 2, ...; each of them has an image.
    test_images, test_labels : ndarray or None
        As `images` and `labels`, of classes that these have; both or neither.
    mined : ndarray, shape (m, height, width, channels), uint8, or None
        Images of another origin, without labels.

    Raises
    ------
    ValueError
        For another shape or dtype, images of several sizes, or a class without an image.
    """

    images: np.ndarray
    labels: np.ndarray
    test_images: np.ndarray | None = None
    test_labels: np.ndarray | None = None
    mined: np.ndarray | None = None

    def __post_init__(self) -> None:
        check_images("images", self.images)
        _check_labels("labels", self.labels, "images", len(self.images))
        _check_classes(self.labels)
        if (self.test_images is None) != (self.test_labels is None):
            raise ValueError("test_images and test_labels go together: give both, or neither")
        if self.test_images is not None and self.test_labels is not None:
            self._check_alike("test_images", self.test_images)
            _check_labels("test_labels", self.test_labels, "test_images", len(self.test_images))
            if self.test_labels.max() > self.labels.max():
                raise ValueError(f"test_labels has the class {self.test_labels.max()}, and labels do not")
        if self.mined is not None:
            self._check_alike("mined", self.mined)

    def _check_alike(self, name: str, images: np.ndarray) -> None:
        check_images(name, images)
        if images.shape[1:] != self.images.shape[1:]:
            raise ValueError(f"{name} are {_size(images)}, and images are {_size(self.images)}")

    @property
    def n_classes(self) -> int:
        """Number of classes: the largest label, and one."""
        return int(self.labels.max()) + 1


def check_images(name: str, images: np.ndarray) -> None:
    """Raise ValueError for anything but at least one uint8 image, shape (n, height, width, channels)."""
    refuse_masked(name, images)
    if not isinstance(images, np.ndarray) or images.dtype != np.uint8:
        kind = f"dtype {images.dtype}" if isinstance(images, np.ndarray) else type(images).__name__
        raise ValueError(f"{name} must be an array of uint8, brightness from 0 to 255, got {kind}")
    if images.ndim != 4 or not images.size:
        raise ValueError(
            f"{name} must have the shape (n, height, width, channels), and at least one image, got "
            f"{images.shape}"
        )


def _check_labels(name: str, labels: np.ndarray, of: str, count: int) -> None:
    refuse_masked(name, labels)
    if not isinstance(labels, np.ndarray) or labels.dtype != np.int64:
        kind = f"dtype {labels.dtype}" if isinstance(labels, np.ndarray) else type(labels).__name__
        raise ValueError(f"{name} must be an array of int64, got {kind}")
    if labels.shape != (count,):
        raise ValueError(f"{name} must be one for each of the {count} {of}, got the shape {labels.shape}")
    if labels.min() < 0:
        place = int(np.argmin(labels))
        raise ValueError(f"{name} must be whole numbers from 0, got {labels[place]} at index {place}")


def _check_classes(labels: np.ndarray) -> None:
    there = np.unique(labels)
    gaps = np.flatnonzero(there != np.arange(len(there)))
    if gaps.size:
        raise ValueError(
            f"labels must number the classes 0, 1, 2, ..., and no image has the label {gaps[0]}, while some "
            f"have {there[gaps[0]]}"
        )


def _size(images: np.ndarray) -> str:
    return " x ".join(str(int(length)) for length in images.shape[1:])
