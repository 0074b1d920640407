"""Images moved and mirrored at random."""

import numpy as np
import torch
from torch import Tensor

PADDING = {"none": 0, "shift": 2, "crop_flip": 4}


def padded(images: np.ndarray, augmentation: str) -> np.ndarray:
    """Return the images with the black border that they are moved into, uint8."""
    edge = PADDING[augmentation]
    return np.pad(images, ((0, 0), (edge, edge), (edge, edge), (0, 0))) if edge else images


class Moves:
    """How each of n images is moved: drawn at once, taken batch by batch.

    Parameters
    ----------
    augmentation : {"none", "shift", "crop_flip"}
    size : tuple of int
        (height, width) of the images.
    n : int
    rng : numpy.random.Generator
    """

    def __init__(self, augmentation: str, size: tuple[int, int], n: int, rng: np.random.Generator) -> None:
        edge = PADDING[augmentation]
        self.moved = edge > 0
        if self.moved:
            down, right = rng.integers(0, 2 * edge + 1, (2, n, 1))
            columns = np.broadcast_to(np.arange(size[1]), (n, size[1]))
            if augmentation == "crop_flip":
                columns = np.where(rng.random((n, 1)) < 0.5, columns[:, ::-1], columns)
            self.rows, self.columns = down + np.arange(size[0]), right + columns

    def take(self, images: Tensor, chosen: np.ndarray, start: int) -> Tensor:
        """Return `chosen` padded images, (n, height, width, channels), moved by moves `start` and on."""
        index = torch.from_numpy(chosen)
        if not self.moved:
            return images[index.to(images.device)]
        part = slice(start, start + len(chosen))
        rows, columns = torch.from_numpy(self.rows[part]), torch.from_numpy(self.columns[part])
        places = (index[:, None, None], rows[:, :, None], columns[:, None, :])
        return images[tuple(place.to(images.device) for place in places)]
