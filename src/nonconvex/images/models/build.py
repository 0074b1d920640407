"""A model by its name, with weights that the seed alone says."""

from collections.abc import Callable
from functools import partial

import torch
from torch import nn

from nonconvex.images.arguments import choice, integer
from nonconvex.images.model_facts import check_size
from nonconvex.images.models.lenet import lenet5, lenet_300_100
from nonconvex.images.models.resnet import resnet
from nonconvex.images.models.wide_resnet import wide_resnet
from nonconvex.images.seeds import torch_seed

RESIDUAL: dict[str, Callable[[int, int], nn.Module]] = {
    "resnet8": partial(resnet, widths=(16, 32, 64), depths=(1, 1, 1), wide=False),
    "resnet20": partial(resnet, widths=(16, 32, 64), depths=(3, 3, 3), wide=False),
    "resnet50": partial(resnet, widths=(64, 128, 256, 512), depths=(3, 4, 6, 3), wide=True),
    "wrn_10_2": partial(wide_resnet, depth=10, factor=2),
    "wrn_16_4": partial(wide_resnet, depth=16, factor=4),
    "wrn_28_10": partial(wide_resnet, depth=28, factor=10),
}
LENETS = {"lenet_300_100": lenet_300_100, "lenet5": lenet5}
MODELS = (*LENETS, *RESIDUAL)


def build_model(name: str, *, shape: tuple[int, int, int], n_classes: int, seed: int) -> nn.Module:
    """Return a network with its first weights, on the CPU.

    Matrices of LeNets have torch's uniform draw; convolutions of the others have He's normal draw by the
    number of outputs, as the cited repositories have it.

    Parameters
    ----------
    name : str
        One of `MODELS`.
    shape : tuple of int
        (channels, height, width) of the images.
    n_classes : int
        Number of outputs.
    seed : int
        It alone says the weights, whatever was drawn before; torch's own random state is left as it was.

    Returns
    -------
    torch.nn.Module
        Takes float32 (n, channels, height, width), returns float32 (n, n_classes), before the softmax.

    Raises
    ------
    ValueError
        For an unknown name, sizes that are no positive integers, or images too small for the model.
    """
    check_model(name, shape, n_classes)
    integer("seed", seed, 0)
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(torch_seed(seed))
        if name in LENETS:
            return LENETS[name](shape, n_classes)
        model = RESIDUAL[name](shape[0], n_classes)
        for part in model.modules():
            if isinstance(part, nn.Conv2d):
                nn.init.kaiming_normal_(part.weight, mode="fan_out", nonlinearity="relu")
        return model


def check_model(name: str, shape: tuple[int, int, int], n_classes: int) -> None:
    """Raise ValueError for what `build_model` would not take."""
    choice("model", name, MODELS)
    if not isinstance(shape, (tuple, list)) or len(shape) != 3:
        raise ValueError(f"shape must be (channels, height, width), got {shape!r}")
    for word, size in zip(("channels", "height", "width"), shape, strict=True):
        integer(f"shape's {word}", size, 1)
    integer("n_classes", n_classes, 1)
    check_size(name, *shape[1:])
