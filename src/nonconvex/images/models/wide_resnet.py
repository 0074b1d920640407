"""Wide ResNets: batch normalisation and ReLU before each convolution."""

from torch import Tensor, nn

from nonconvex.images.models.resnet import Mean, convolution


class Block(nn.Module):
    """Two 3 x 3 convolutions; where the size changes, the shortcut begins after the first ReLU."""

    def __init__(self, n_in: int, n_out: int, stride: int) -> None:
        super().__init__()
        self.before = nn.Sequential(nn.BatchNorm2d(n_in), nn.ReLU(inplace=True))
        self.body = nn.Sequential(
            convolution(n_in, n_out, 3, stride),
            nn.BatchNorm2d(n_out),
            nn.ReLU(inplace=True),
            convolution(n_out, n_out, 3),
        )
        self.shortcut = None if n_in == n_out else convolution(n_in, n_out, 1, stride)

    def forward(self, x: Tensor) -> Tensor:
        """Return the block's output."""
        ready = self.before(x)
        return self.body(ready) + (x if self.shortcut is None else self.shortcut(ready))


def wide_resnet(channels: int, n_classes: int, depth: int, factor: int) -> nn.Module:
    """Return WRN-depth-factor, without dropout."""
    layers: list[nn.Module] = [convolution(channels, 16, 3)]
    n_in = 16
    for stage in range(3):
        n_out = 16 * factor * 2**stage
        for place in range((depth - 4) // 6):
            layers.append(Block(n_in, n_out, 2 if stage and not place else 1))
            n_in = n_out
    return nn.Sequential(
        *layers, nn.BatchNorm2d(n_in), nn.ReLU(inplace=True), Mean(), nn.Linear(n_in, n_classes)
    )
