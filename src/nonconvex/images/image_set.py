"""Images with labels."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class LabelledImages:
    """Images with labels.

    Attributes
    ----------
    images : ndarray, shape (n, height, width, channels), uint8
    labels : ndarray, shape (n,), int64
        From 0 on.
    """

    images: np.ndarray
    labels: np.ndarray

    def __post_init__(self) -> None:
        images, labels = self.images, self.labels
        if not isinstance(images, np.ndarray) or images.dtype != np.uint8 or images.ndim != 4:
            raise ValueError("images must be a uint8 array (n, height, width, channels)")
        if images.size == 0:
            raise ValueError(
                f"images must have shape (n, height, width, channels), none 0, got {images.shape}"
            )
        if not isinstance(labels, np.ndarray) or labels.dtype != np.int64 or labels.shape != images.shape[:1]:
            raise ValueError(f"labels must be an int64 array of shape {images.shape[:1]}")
        if labels.min() < 0:
            raise ValueError(f"labels must be from 0 on, got {labels.min()}")

    def __len__(self) -> int:
        return len(self.labels)
