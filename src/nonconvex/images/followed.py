"""A network trained while its accuracy on test images is followed."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from torch import nn

from nonconvex.images.batches import Batches
from nonconvex.images.evaluation import accuracy, predict
from nonconvex.images.image_set import LabelledImages
from nonconvex.images.progress import Progress
from nonconvex.images.recipe import Recipe
from nonconvex.images.standardise import Standard
from nonconvex.images.training import Training


class Followed:
    """Training with the test accuracy before it and after its epochs.

    Parameters
    ----------
    network : torch.nn.Module
        With its first weights, on the device.
    data : LabelledImages
        Trained on.
    test : LabelledImages or None
        None: nothing is followed.
    recipe : Recipe
    seed : int
        Of the order and the moves.
    first : int, optional
        The first so many epochs are followed, and the last one; all of them where it is not given.
    """

    def __init__(
        self,
        network: nn.Module,
        data: LabelledImages,
        test: LabelledImages | None,
        recipe: Recipe,
        seed: int,
        first: int | None = None,
    ) -> None:
        self.network, self.test, self.recipe = network, test, recipe
        self.first = recipe.epochs if first is None else first
        self.standard = Standard(data.images, next(network.parameters()).device)
        self.training = Training(
            network, Batches(data.images, data.labels, recipe, self.standard, seed), recipe
        )
        self.accuracies: list[float] = []

    def run(self, save: Callable[[bool], None], progress: Progress, words: str) -> None:
        """Make the epochs that are left; `save` is called after each, with whether it was the last one."""
        steps, epochs = self.training.batches.steps, self.recipe.epochs
        progress.skip(len(self.training.losses) * steps)
        line = f"{words}: found in the folder"
        if self.test is not None and not self.accuracies:
            self.accuracies = [accuracy(self.network, self.test, self.standard)]
        while not self.training.done:
            loss = self.training.advance()
            line = f"{words}, epoch {len(self.training.losses)} of {epochs}: loss {loss:.4f}"
            if self.test is not None and not self.diverged:
                self.accuracies.append(self._measured(self.test))
                if np.isfinite(self.accuracies[-1]):
                    line += f", test accuracy {self.accuracies[-1]:.3f}"
            save(self.training.done)
            progress.advance(steps, line)
        progress.say("the loss is not finite any more: " + line if self.diverged else line)

    def _measured(self, test: LabelledImages) -> float:
        if len(self.training.losses) <= self.first or self.training.done:
            return accuracy(self.network, test, self.standard)
        return float("nan")

    @property
    def diverged(self) -> bool:
        """Whether the loss of the last epoch is not finite."""
        return self.training.diverged

    def predict(self, images: np.ndarray) -> np.ndarray:
        """Return the most probable class of each image, int64."""
        return predict(self.network, images, self.standard)

    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the test accuracies (epochs + 1,) and the losses (epochs,).

        NaN after divergence, and accuracies where they were not followed.
        """
        accuracies, losses = np.full(self.recipe.epochs + 1, np.nan), np.full(self.recipe.epochs, np.nan)
        accuracies[: len(self.accuracies)] = self.accuracies
        made = self.training.losses[:-1] if self.diverged else self.training.losses
        losses[: len(made)] = made
        return accuracies, losses

    def state(self) -> dict[str, Any]:
        """Return all that the rest of the run depends on."""
        return {"training": self.training.state(), "accuracies": list(self.accuracies)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to what `state` was when it was taken."""
        self.training.restore(state["training"])
        self.accuracies = list(state["accuracies"])
