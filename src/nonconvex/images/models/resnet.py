"""ResNets for small images: a 3 x 3 first convolution of stride 1, and no pooling after it."""

from collections.abc import Sequence

from torch import Tensor, nn


def convolution(n_in: int, n_out: int, size: int, stride: int = 1) -> nn.Conv2d:
    """Return a convolution without bias that keeps the image's size, but for the stride."""
    return nn.Conv2d(n_in, n_out, size, stride=stride, padding=size // 2, bias=False)


class Residual(nn.Module):
    """``relu(body(x) + x)``, with a projection of x where its size changes."""

    def __init__(self, body: nn.Module, n_in: int, n_out: int, stride: int) -> None:
        super().__init__()
        self.body = body
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or n_in != n_out:
            self.shortcut = nn.Sequential(convolution(n_in, n_out, 1, stride), nn.BatchNorm2d(n_out))
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        """Return the block's output."""
        return self.relu(self.body(x) + self.shortcut(x))


def basic(n_in: int, width: int, stride: int) -> tuple[Residual, int]:
    """Return a block of two 3 x 3 convolutions, and how many channels come out."""
    body = nn.Sequential(
        convolution(n_in, width, 3, stride),
        nn.BatchNorm2d(width),
        nn.ReLU(inplace=True),
        convolution(width, width, 3),
        nn.BatchNorm2d(width),
    )
    return Residual(body, n_in, width, stride), width


def bottleneck(n_in: int, width: int, stride: int) -> tuple[Residual, int]:
    """Return a block of 1 x 1, 3 x 3 and 1 x 1 convolutions, and how many channels come out."""
    body = nn.Sequential(
        convolution(n_in, width, 1),
        nn.BatchNorm2d(width),
        nn.ReLU(inplace=True),
        convolution(width, width, 3, stride),
        nn.BatchNorm2d(width),
        nn.ReLU(inplace=True),
        convolution(width, 4 * width, 1),
        nn.BatchNorm2d(4 * width),
    )
    return Residual(body, n_in, 4 * width, stride), 4 * width


class Mean(nn.Module):
    """The mean over all pixels."""

    def forward(self, x: Tensor) -> Tensor:
        """Return (n, channels)."""
        # AdaptiveAvgPool2d has no deterministic gradient on GPUs.
        return x.mean((2, 3))


def resnet(
    channels: int, n_classes: int, widths: Sequence[int], depths: Sequence[int], *, wide: bool
) -> nn.Module:
    """Return a ResNet of stages that have these widths and numbers of blocks; `wide` ones are bottlenecks."""
    block = bottleneck if wide else basic
    layers: list[nn.Module] = [
        convolution(channels, widths[0], 3),
        nn.BatchNorm2d(widths[0]),
        nn.ReLU(inplace=True),
    ]
    n_in = widths[0]
    for stage, (width, depth) in enumerate(zip(widths, depths, strict=True)):
        for place in range(depth):
            one, n_in = block(n_in, width, 2 if stage and not place else 1)
            layers.append(one)
    return nn.Sequential(*layers, Mean(), nn.Linear(n_in, n_classes))
