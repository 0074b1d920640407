"""Lottery tickets in networks for images: train, prune the smallest weights, rewind, train again."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nonconvex.images.arguments import alike, choice, integer, number
from nonconvex.images.checkpoint import Checkpoint, digest
from nonconvex.images.device import choose_device, torch_build
from nonconvex.images.image_set import LabelledImages
from nonconvex.images.model_facts import LAYERS
from nonconvex.images.models.build import build_model, check_model
from nonconvex.images.progress import Progress
from nonconvex.images.pruning import counts, prunable
from nonconvex.images.pruning_rounds import PruningRounds
from nonconvex.images.recipe import Recipe
from nonconvex.images.reproducible import reproducible


@dataclass(frozen=True, eq=False)
class Tickets:
    """The outcome of every round; round 0 is of the network that nothing is pruned of.

    Attributes
    ----------
    pruning_ratio : ndarray, shape (rounds,), float64
        Share of the prunable weights that are pruned.
    validation_accuracy, test_accuracy : ndarray, shape (rounds,), float64
        At the epoch with the best validation accuracy, the first of equal ones.
    last_test_accuracy : ndarray, shape (rounds,), float64
        At the last epoch.
    best_epoch : ndarray, shape (rounds,), int64
        Epochs made until then, from 1; -1 where a round has diverged.
    loss : ndarray, shape (rounds,), float64
        Mean training loss of the last epoch.
    status : str
        "finished", or "diverged" where a round's loss is not finite; that round and later ones have NaN.
    """

    pruning_ratio: np.ndarray
    validation_accuracy: np.ndarray
    test_accuracy: np.ndarray
    last_test_accuracy: np.ndarray
    best_epoch: np.ndarray
    loss: np.ndarray
    status: str


MEASURED = ("validation_accuracy", "test_accuracy", "last_test_accuracy", "best_epoch", "loss")


def lottery_ticket(
    train: LabelledImages,
    validation: LabelledImages,
    test: LabelledImages,
    *,
    model: str,
    recipe: Recipe,
    rounds: int,
    share: float = 0.2,
    layers: str = "all",
    rewind: int = 0,
    seed: int,
    device: str = "auto",
    folder: str | Path | None = None,
    say: Callable[[str], object] | None = None,
) -> Tickets:
    """Prune the smallest `share` of the weights that are left after each round of training but the last.

    Each round begins at the same weights, masked, with another order of the images. Weights are ranked by
    size in the whole network. The same call gives the same bytes on one machine and build of torch.

    Parameters
    ----------
    train, validation, test : LabelledImages
        The validation images pick the epoch that counts, and the test images pick nothing.
    model : str
        One of `nonconvex.images.models.build.MODELS`.
    recipe : Recipe
        Of every round.
    rounds : int
        Number of trainings.
    share : float
        0.2: the network keeps 0.8 of its weights, then 0.64 and so on, rounded to whole weights.
    layers : {"all", "convolutions"}
        What may be pruned: all convolutions and matrices, or all convolutions but the first. Biases and batch
        normalisation never are.
    rewind : int
        Rounds begin at the weights that round 0 had after so many epochs; 0: the first weights.
    seed : int
        Of the first weights, the order and the moves.
    device : {"auto", "cpu", "cuda"}
        "auto": the GPU where torch has one.
    folder : path, optional
        Where the state is kept, so that after a kill the same call goes on, with the same result: files
        `lottery_ticket-*.pt`, which may be deleted once the result is kept.
    say : callable, optional
        Takes a line on the progress every few seconds and after each round.

    Returns
    -------
    Tickets

    Raises
    ------
    ValueError
        For arguments out of range or unknown, images of unequal sizes, a model without such layers, too few
        weights for so many rounds, or no GPU where one is asked for.

    References
    ----------
    J. Frankle, M. Carbin, "The lottery ticket hypothesis: finding sparse, trainable neural networks", Proc.
    ICLR, 2019.
    """
    shape, n_classes = alike(train=train, validation=validation, test=test)
    check_model(model, shape, n_classes)
    if not isinstance(recipe, Recipe):
        raise ValueError(f"recipe must be a Recipe, got {type(recipe).__name__}")
    integer("rounds", rounds, 1)
    number("share", share, 0, 1)
    choice("layers", layers, LAYERS)
    if integer("rewind", rewind, 0) > recipe.epochs:
        raise ValueError(f"rewind must be at most epochs = {recipe.epochs}, got {rewind}")
    integer("seed", seed, 0)
    place = choose_device(device)
    with reproducible():
        key = digest(
            train=train, validation=validation, test=test, model=model, recipe=recipe, rounds=rounds,
            share=share, layers=layers, rewind=rewind, seed=seed, build=torch_build(place),
        )  # fmt: skip
        progress = Progress(say, rounds * recipe.epochs * recipe.steps(len(train)))
        kept = Checkpoint(folder, "lottery_ticket", key, progress.say)
        network = build_model(model, shape=shape, n_classes=n_classes, seed=seed).to(place)
        total = sum(weights.numel() for weights in prunable(network, layers).values())
        sizes = counts(total, share, rounds)
        if not total:
            raise ValueError(f'layers "convolutions" leaves nothing to prune in {model}: take "all"')
        if not sizes[-1]:
            raise ValueError(f"share = {share} in {rounds} rounds leaves none of {total} weights: take less")
        made = PruningRounds(
            train, validation, test, network, recipe, layers=layers, rewind=rewind, seed=seed, sizes=sizes
        )
        made.run(kept, progress)
        found = {name: np.full(rounds, np.nan) for name in MEASURED}
        for at, row in enumerate(made.rows):
            for name in MEASURED:
                found[name][at] = row[name]
        best = np.nan_to_num(found.pop("best_epoch"), nan=-1).astype(np.int64)
        status = "diverged" if made.diverged else "finished"
        return Tickets(1 - np.array(sizes) / total, best_epoch=best, status=status, **found)
