"""What is published of each model: how many parameters it has and what an image costs."""

from dataclasses import dataclass

SMALLEST = {"lenet5": 12}
"""Height and width, in pixels, below which nothing is left after two convolutions and two poolings."""

LAYERS = ("all", "convolutions")
"""Which layers may be pruned."""


@dataclass(frozen=True)
class ModelFacts:
    """What is published of a model.

    Attributes
    ----------
    shape : tuple of int
        (channels, height, width) of the images that the numbers are of; of 10 classes.
    n_parameters : float
        Weights and biases that are learned.
    multiply_adds : float
        Of convolutions and matrix products, forward, for one image, to three digits; training takes about
        three times as many.
    digits : int
        Significant digits of `n_parameters`.
    """

    shape: tuple[int, int, int]
    n_parameters: float
    multiply_adds: float
    digits: int


# ResNets have 1 x 1 convolutions on shortcuts where the size changes, and a 3 x 3 first one of stride 1.
MODEL_FACTS = {
    "lenet_300_100": ModelFacts((1, 28, 28), 266_610, 266e3, 6),
    "lenet5": ModelFacts((1, 28, 28), 61_706, 417e3, 5),
    "resnet8": ModelFacts((3, 32, 32), 0.078e6, 12.5e6, 2),
    "resnet20": ModelFacts((3, 32, 32), 0.27e6, 40.8e6, 2),
    "resnet50": ModelFacts((3, 32, 32), 23.5e6, 1.30e9, 3),
    "wrn_10_2": ModelFacts((3, 32, 32), 0.30e6, 44.5e6, 2),
    "wrn_16_4": ModelFacts((3, 32, 32), 2.7e6, 393e6, 2),
    "wrn_28_10": ModelFacts((3, 32, 32), 36.5e6, 5.24e9, 3),
}


def check_size(name: str, height: int, width: int) -> None:
    """Raise ValueError for images that are too small for a model."""
    least = SMALLEST.get(name, 1)
    if min(height, width) < least:
        raise ValueError(f"{name} needs images of at least {least} x {least} pixels, got {height} x {width}")
