"""LeNet-300-100 and LeNet-5, with ReLU, as pruning papers have them."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn
from torch.nn import functional


class HalveByMax(nn.Module):
    """The largest of each 2 x 2 pixels."""

    def forward(self, x: Tensor) -> Tensor:
        """Return (n, channels, height // 2, width // 2)."""
        if not x.is_cuda:
            return functional.max_pool2d(x, 2)
        # On GPUs torch takes no max_pool2d where algorithms must be deterministic.
        height, width = x.shape[2] // 2 * 2, x.shape[3] // 2 * 2
        rows = torch.maximum(x[:, :, 0:height:2], x[:, :, 1:height:2])
        return torch.maximum(rows[..., 0:width:2], rows[..., 1:width:2])


def dense(sizes: Iterable[int]) -> list[nn.Module]:
    """Return matrices between layers of these sizes, with ReLU between them."""
    layers: list[nn.Module] = []
    sizes = list(sizes)
    for i in range(len(sizes) - 1):
        layers += [nn.Linear(sizes[i], sizes[i + 1]), nn.ReLU()]
    return layers[:-1]


def lenet_300_100(shape: tuple[int, int, int], n_classes: int) -> nn.Module:
    """Return the network of two hidden layers."""
    channels, height, width = shape
    return nn.Sequential(nn.Flatten(), *dense([channels * height * width, 300, 100, n_classes]))


def lenet5(shape: tuple[int, int, int], n_classes: int) -> nn.Module:
    """Return the network of two convolutions and three matrices."""
    channels, height, width = shape
    left = [(size // 2 - 4) // 2 for size in (height, width)]
    return nn.Sequential(
        nn.Conv2d(channels, 6, 5, padding=2),
        HalveByMax(),  # before ReLU: the same numbers, of a quarter of the pixels
        nn.ReLU(),
        nn.Conv2d(6, 16, 5),
        HalveByMax(),
        nn.ReLU(),
        nn.Flatten(),
        *dense([16 * left[0] * left[1], 120, 84, n_classes]),
    )
