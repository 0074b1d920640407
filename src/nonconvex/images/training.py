"""One network being trained, epoch by epoch; it can be stopped and taken up again between two of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from nonconvex.images.batches import Batches
from nonconvex.images.recipe import Recipe


class Training:
    """Stochastic gradient descent with momentum on the mean cross-entropy.

    Parameters
    ----------
    model : torch.nn.Module
        On the device of the batches; it is changed.
    batches : Batches
    recipe : Recipe
    masks : mapping of str to Tensor of bool, optional
        By the names of the model's parameters: where False, a weight is 0 and stays so.
    """

    def __init__(
        self, model: nn.Module, batches: Batches, recipe: Recipe, masks: Mapping[str, Tensor] | None = None
    ) -> None:
        self.model, self.batches, self.recipe = model, batches, recipe
        named = dict(model.named_parameters())
        self.masked = [
            (named[name], mask.to(named[name])) for name, mask in (masks or {}).items() if not mask.all()
        ]
        with torch.no_grad():
            for weights, mask in self.masked:
                weights.mul_(mask)
        self.optimizer = torch.optim.SGD(
            model.parameters(),
            lr=recipe.learning_rate,
            momentum=recipe.momentum,
            nesterov=recipe.nesterov,
            weight_decay=recipe.weight_decay,
        )
        self.losses: list[float] = []

    @property
    def done(self) -> bool:
        """Whether no epoch is left: all were made, or the loss of the last one is not finite."""
        return len(self.losses) == self.recipe.epochs or self.diverged

    @property
    def diverged(self) -> bool:
        """Whether the loss of the last epoch is not finite."""
        return bool(self.losses) and not np.isfinite(self.losses[-1])

    def advance(self) -> float:
        """Make one epoch and return the mean of its batches' losses."""
        epoch, steps = len(self.losses), self.batches.steps
        total = torch.zeros((), dtype=torch.float64, device=self.batches.labels.device)
        self.model.train()
        for step, (images, labels) in enumerate(self.batches.epoch(epoch)):
            self.optimizer.param_groups[0]["lr"] = self.recipe.rate(epoch, step, steps)
            self.optimizer.zero_grad(set_to_none=True)
            loss = functional.cross_entropy(self.model(images), labels)
            loss.backward()
            for weights, mask in self.masked:
                weights.grad.mul_(mask)
            self.optimizer.step()
            total += loss.detach()
        self.losses.append(total.item() / steps)
        return self.losses[-1]

    def state(self) -> dict[str, Any]:
        """Return all that the next epochs depend on, and the losses so far."""
        return {
            "losses": list(self.losses),
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to what `state` was when it was taken."""
        self.losses = list(state["losses"])
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
