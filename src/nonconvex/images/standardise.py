"""Pixels to numbers: from 0 to 1, then less the mean and over the deviation of each channel."""

import numpy as np
import torch
from torch import Tensor


class Standard:
    """Mean and standard deviation of each channel of training images, and what they make of pixels.

    Parameters
    ----------
    images : ndarray, shape (n, height, width, channels), uint8
    device : torch.device
    """

    def __init__(self, images: np.ndarray, device: torch.device) -> None:
        values = np.arange(256) / 255
        # Counts are exact, whatever the order of the images.
        counts = [np.bincount(images[..., one].ravel(), minlength=256) for one in range(images.shape[3])]
        shares = np.array(counts) / counts[0].sum()
        mean = shares @ values
        deviation = np.sqrt(np.maximum(shares @ values**2 - mean**2, 0))
        deviation[deviation < 1 / 255 / 255] = 1  # a channel that is the same everywhere
        self.device = device
        self.slope = self._channels(1 / (255 * deviation))
        self.offset = self._channels(-mean / deviation)

    def _channels(self, values: np.ndarray) -> Tensor:
        return torch.tensor(values, dtype=torch.float32, device=self.device)[:, None, None]

    def __call__(self, images: Tensor) -> Tensor:
        """Return float32 (n, channels, height, width) of uint8 (n, height, width, channels)."""
        return torch.addcmul(self.offset, images.permute(0, 3, 1, 2).to(torch.float32), self.slope)
