"""Labelled images, batch by batch, in an order that the seed and the epoch alone say."""

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from nonconvex.images.augmentation import Moves, padded
from nonconvex.images.recipe import Recipe
from nonconvex.images.seeds import stream
from nonconvex.images.standardise import Standard

ORDER, MOVES = 0, 1


class Batches:
    """Training images, shuffled anew in each pass, moved, standardised.

    Parameters
    ----------
    images : ndarray, shape (n, height, width, channels), uint8
    labels : ndarray, shape (n,), int64
    recipe : Recipe
    standard : Standard
    seed : int
    """

    def __init__(
        self, images: np.ndarray, labels: np.ndarray, recipe: Recipe, standard: Standard, seed: int
    ) -> None:
        self.recipe, self.standard, self.seed = recipe, standard, seed
        self.n, self.size = len(images), images.shape[1:3]
        self.steps = recipe.steps(self.n)
        self.images, self.labels = (
            torch.from_numpy(np.require(array, requirements=["C", "W"])).to(standard.device)
            for array in (padded(images, recipe.augmentation), labels)
        )

    def epoch(self, number: int) -> Iterator[tuple[Tensor, Tensor]]:
        """Yield the batches of epoch `number`: float32 (b, channels, height, width), int64 (b,)."""
        order = self._order(number)
        moves = Moves(self.recipe.augmentation, self.size, len(order), stream(self.seed, MOVES, number))
        for start in range(0, len(order), self.recipe.batch_size):
            chosen = order[start : start + self.recipe.batch_size]
            labels = self.labels[torch.from_numpy(chosen).to(self.labels.device)]
            yield self.standard(moves.take(self.images, chosen, start)), labels

    def _order(self, number: int) -> np.ndarray:
        if self.recipe.steps_per_epoch is None:
            return self._pass(number)[: self.steps * self.recipe.batch_size]
        first = number * self.steps * self.recipe.batch_size
        last = first + self.steps * self.recipe.batch_size
        passes = [self._pass(one) for one in range(first // self.n, -(-last // self.n))]
        begin = first % self.n
        return np.concatenate(passes)[begin : begin + last - first]

    def _pass(self, number: int) -> np.ndarray:
        return stream(self.seed, ORDER, number).permutation(self.n)
