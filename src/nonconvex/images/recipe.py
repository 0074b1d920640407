"""How a network is trained: stochastic gradient descent with momentum, and its schedule."""

import math
import sys
from dataclasses import dataclass

from nonconvex.images.arguments import choice, integer, number

SCHEDULES = ("constant", "steps", "cosine")
AUGMENTATIONS = ("none", "shift", "crop_flip")


@dataclass(frozen=True)
class Recipe:
    """How a network is trained.

    Attributes
    ----------
    epochs : int
    batch_size : int
        Images a step.
    learning_rate : float
        The first step size, of the mean cross-entropy over the batch.
    momentum : float
        From 0 to below 1.
    nesterov : bool
    weight_decay : float
        Of all parameters; it is added to the gradient.
    schedule : {"constant", "steps", "cosine"}
        "steps": divided by 10 at each milestone. "cosine": half a cosine wave over the epochs, down to 0
        after the last.
    milestones : tuple of float
        Shares of the epochs, ascending, between 0 and 1; for "steps" alone.
    warm_up : int
        So many epochs begin with a step size that grows linearly from 0.
    augmentation : {"none", "shift", "crop_flip"}
        "shift": up to 2 pixels each way. "crop_flip": up to 4 pixels each way, and mirrored every other time.
        What comes in at the border is black.
    steps_per_epoch : int or None
        None: an epoch is one pass over the data, without the last batch where it is incomplete, unless it is
        the only one. A number: an epoch is so many batches, whatever the size of the data, drawn without
        replacement pass after pass.
    """

    epochs: int
    batch_size: int
    learning_rate: float
    momentum: float = 0.9
    nesterov: bool = False
    weight_decay: float = 0.0
    schedule: str = "constant"
    milestones: tuple[float, ...] = ()
    warm_up: int = 0
    augmentation: str = "none"
    steps_per_epoch: int | None = None

    def __post_init__(self) -> None:
        integer("epochs", self.epochs, 1)
        integer("batch_size", self.batch_size, 1)
        number("learning_rate", self.learning_rate, sys.float_info.min)
        number("momentum", self.momentum, 0, 1)
        number("weight_decay", self.weight_decay, 0)
        choice("schedule", self.schedule, SCHEDULES)
        choice("augmentation", self.augmentation, AUGMENTATIONS)
        if not isinstance(self.nesterov, bool):
            raise ValueError(f"nesterov must be true or false, got {self.nesterov!r}")
        if self.nesterov and self.momentum == 0:
            raise ValueError("nesterov needs a momentum above 0, got 0")
        self._check_milestones()
        if integer("warm_up", self.warm_up, 0) > self.epochs:
            raise ValueError(f"warm_up must be at most epochs = {self.epochs}, got {self.warm_up}")
        if self.steps_per_epoch is not None:
            integer("steps_per_epoch", self.steps_per_epoch, 1)

    def _check_milestones(self) -> None:
        if not isinstance(self.milestones, (tuple, list)):
            raise ValueError(f"milestones must be shares of the epochs, got {self.milestones!r}")
        object.__setattr__(self, "milestones", tuple(self.milestones))
        for share in self.milestones:
            number("milestones", share, sys.float_info.min, 1)
        if list(self.milestones) != sorted(set(self.milestones)):
            raise ValueError(f"milestones must be ascending, got {self.milestones}")
        if (self.schedule == "steps") != bool(self.milestones):
            raise ValueError(
                "milestones must be given with the schedule 'steps' and with no other, got "
                f"{self.milestones} with {self.schedule!r}"
            )

    def steps(self, n_images: int) -> int:
        """Return the number of steps of an epoch on `n_images` images."""
        return self.steps_per_epoch or max(1, n_images // self.batch_size)

    def rate(self, epoch: int, step: int, steps: int) -> float:
        """Return the step size of step `step` of `steps` in epoch `epoch`, all counted from 0."""
        if epoch < self.warm_up:
            return self.learning_rate * (epoch * steps + step + 1) / (self.warm_up * steps)
        if self.schedule == "cosine":
            return self.learning_rate * (1 + math.cos(math.pi * epoch / self.epochs)) / 2
        # A product such as 0.29 x 100 may fall short of the whole number that is meant.
        passed = sum(epoch >= int(share * self.epochs + 1e-9) for share in self.milestones)
        return self.learning_rate / 10**passed
