"""Rounds of training and pruning, with all that they carry from one epoch to the next."""

from typing import Any

import numpy as np
import torch
from torch import nn

from nonconvex.images.batches import Batches
from nonconvex.images.checkpoint import Checkpoint
from nonconvex.images.evaluation import accuracy
from nonconvex.images.image_set import LabelledImages
from nonconvex.images.progress import Progress
from nonconvex.images.pruning import prunable, prune
from nonconvex.images.recipe import Recipe
from nonconvex.images.seeds import derived
from nonconvex.images.standardise import Standard
from nonconvex.images.training import Training


class PruningRounds:
    """The rounds of `nonconvex.images.solvers.lottery_ticket`.

    Parameters
    ----------
    train, validation, test : LabelledImages
    network : torch.nn.Module
        With its first weights, on the device.
    recipe : Recipe
    layers : str
    rewind : int
    seed : int
    sizes : list of int
        How many of the weights that may be pruned each round has.
    """

    def __init__(
        self,
        train: LabelledImages,
        validation: LabelledImages,
        test: LabelledImages,
        network: nn.Module,
        recipe: Recipe,
        *,
        layers: str,
        rewind: int,
        seed: int,
        sizes: list[int],
    ) -> None:
        self.train, self.validation, self.test = train, validation, test
        self.network, self.recipe, self.rewind, self.seed, self.sizes = network, recipe, rewind, seed, sizes
        self.standard = Standard(train.images, next(network.parameters()).device)
        self.weights = prunable(network, layers)
        self.masks = {
            name: torch.ones(weights.shape, dtype=torch.bool) for name, weights in self.weights.items()
        }
        self.start = self._copy()
        self.rows: list[dict[str, Any]] = []
        # Of the epoch with the best validation accuracy so far; weights are cheaper to copy than to test.
        self.row: dict[str, Any] = {}
        self.best: dict[str, Any] = {}
        self.diverged = False
        self.training = self._begin()

    def _copy(self) -> dict[str, Any]:
        return {name: value.detach().clone() for name, value in self.network.state_dict().items()}

    def _begin(self) -> Training:
        self.network.load_state_dict(self.start)
        seed = derived(self.seed, len(self.rows))
        batches = Batches(self.train.images, self.train.labels, self.recipe, self.standard, seed)
        self.row, self.best = {"validation_accuracy": -1.0}, {}
        return Training(self.network, batches, self.recipe, self.masks)

    def run(self, kept: Checkpoint, progress: Progress) -> None:
        """Make the rounds that are left."""
        self._restore(kept.load())
        rounds, epochs, steps = len(self.sizes), self.recipe.epochs, self.training.batches.steps
        progress.skip((len(self.rows) * epochs + len(self.training.losses)) * steps)
        while len(self.rows) < rounds and not self.diverged:
            where = f"round {len(self.rows) + 1} of {rounds}"
            while not self.training.done:
                loss = self.training.advance()
                now = len(self.training.losses)
                reached = self._measure(now) if np.isfinite(loss) else np.nan
                kept.save(self.state)
                line = f"{where}, epoch {now} of {epochs}: loss {loss:.4f}, validation accuracy {reached:.3f}"
                progress.advance(steps, line)
            self._end()
            kept.save(self.state, now=True)
            progress.say(f"{where}: {self._outcome()}")

    def _measure(self, epoch: int) -> float:
        reached = accuracy(self.network, self.validation, self.standard)
        if epoch == self.rewind and not self.rows:
            self.start = self._copy()
        if reached > self.row["validation_accuracy"]:
            self.row, self.best = {"validation_accuracy": reached, "best_epoch": epoch}, self._copy()
        return reached

    def _end(self) -> None:
        finite = all(bool(weights.isfinite().all()) for weights in self.weights.values())
        self.diverged = self.training.diverged or not finite
        if self.diverged:
            return
        last = self._copy()
        row = {**self.row, "loss": self.training.losses[-1]}
        row["last_test_accuracy"] = accuracy(self.network, self.test, self.standard)
        self.network.load_state_dict(self.best)
        row["test_accuracy"] = accuracy(self.network, self.test, self.standard)
        self.network.load_state_dict(last)
        self.rows.append(row)
        if len(self.rows) < len(self.sizes):
            self.masks = prune(self.weights, self.masks, self.sizes[len(self.rows)])
            self.training = self._begin()

    def _outcome(self) -> str:
        if self.diverged:
            return "the loss is not finite any more, and later rounds are left out"
        row = self.rows[-1]
        return (
            f"loss {row['loss']:.4f}, validation accuracy {row['validation_accuracy']:.3f} and test accuracy "
            f"{row['test_accuracy']:.3f} after epoch {row['best_epoch']}"
        )

    def state(self) -> dict[str, Any]:
        """Return all that the rest of the run depends on."""
        return {
            "rows": self.rows,
            "row": self.row,
            "best": self.best,
            "diverged": self.diverged,
            "masks": self.masks,
            "start": self.start,
            "training": self.training.state(),
        }

    def _restore(self, state: Any) -> None:
        if state is None:
            return
        self.rows, self.masks, self.start = state["rows"], state["masks"], state["start"]
        self.diverged = state["diverged"]
        self.training = self._begin()
        self.row, self.best = state["row"], state["best"]
        self.training.restore(state["training"])
