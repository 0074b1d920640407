"""Iterative magnitude pruning: train, prune the smallest weights, begin again (thesis, Section 6.4.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import choice, finite_array, number, positive_integer, same_shape
from nonconvex.networks.distances import aligned_error
from nonconvex.networks.generalisation import population_risk
from nonconvex.networks.pruned_batches import descend_masked
from nonconvex.networks.pruned_steps import pruned_step
from nonconvex.networks.pruning import RANKINGS, keep_largest

RESUMES = ("rewind", "onward")


@dataclass(frozen=True, eq=False)
class PruningRounds:
    """The outcome of every trial and round; round 0 is of the network that nothing is pruned of.

    Attributes
    ----------
    weights : ndarray, shape (n_rounds, n_trials, n_features, n_neurons), float64
        At the end of each round's training; may hold NaN or infinity after divergence.
    masks : ndarray, the same shape, bool
    test_error : ndarray, shape (n_rounds, n_trials), float64
        Root mean square difference from the teacher's outputs over all Gaussian inputs
        (`nonconvex.networks.population_risk`).
    oracle_error : ndarray, shape (n_rounds, n_trials), float64
        ``||W - W* P||_F / ||W*||_F`` for the best permutation P of neurons.
    status : ndarray of str, shape (n_trials,)
        "finished", or "diverged" where a round's weights are not finite; its later rounds have NaN.
    """

    weights: np.ndarray
    masks: np.ndarray
    test_error: np.ndarray
    oracle_error: np.ndarray
    status: np.ndarray


def iterative_pruning(
    inputs: Sequence[ArrayLike],
    outputs: Sequence[ArrayLike],
    start: ArrayLike,
    truth: ArrayLike,
    *,
    eta: float,
    beta: float = 0.5,
    share: float = 0.2,
    rounds: int = 11,
    max_iterations: int = 600,
    resume: str = "rewind",
    by: str = "network",
    single: bool = False,
) -> PruningRounds:
    """Prune the smallest `share` of the weights that are left after each round of training but the last.

    The outcome of a trial does not depend on which other trials are in the batch, to the last bit.

    Parameters
    ----------
    inputs : sequence of T arrays, shape (n_samples, n_features) each
    outputs : sequence of T arrays, shape (n_samples,) each
    start, truth : array_like, shape (T, n_features, n_neurons)
        W^(0), of all weights, and W*; the truth is used for errors only.
    eta, beta : float
        Step, which multiplies the gradient of the mean network's loss, and heavy-ball weight.
    share : float
        0.2: the network keeps 0.8 of its weights, then 0.64 and so on, rounded to whole weights.
    rounds : int
        Number of trainings.
    max_iterations : int
        Iterations of each.
    resume : {"rewind", "onward"}
        Begin each round at W^(0), masked, or at the last round's weights, masked.
    by : {"network", "neuron"}
        Whether weights are ranked in the whole network or in each neuron.
    single : bool
        Products in single precision; iterates and test errors are in double.

    Returns
    -------
    PruningRounds

    Raises
    ------
    ValueError
        If an argument is not finite or out of range, shapes do not agree, or too few weights would be left.

    References
    ----------
    J. Frankle, M. Carbin, "The lottery ticket hypothesis: finding sparse, trainable neural networks", Proc.
    ICLR, 2019.
    """
    check_options(
        eta=eta,
        beta=beta,
        share=share,
        rounds=rounds,
        max_iterations=max_iterations,
        resume=resume,
        by=by,
        single=single,
    )
    start = finite_array("start", start, ("n_trials", "n_features", "n_neurons"))
    truth = finite_array("truth", truth, ("n_trials", "n_features", "n_neurons"))
    same_shape("truth", truth, start.shape)
    step = pruned_step(n_neurons=start.shape[2], eta=eta, beta=beta)
    masks = np.ones(start.shape, dtype=bool)
    weights, found, kept = start, [], []
    alive = np.ones(len(start), dtype=bool)
    for number_of in range(rounds):
        if number_of:
            ratio = 1 - (1 - share) ** number_of
            masks = np.stack(
                [
                    keep_largest(np.where(m, np.abs(w), -np.inf), ratio, by)
                    for m, w in zip(masks, np.where(alive[:, None, None], weights, 0.0), strict=True)
                ]
            )
        begin = np.where(masks, start if resume == "rewind" else np.nan_to_num(weights), 0.0)
        begin[~alive] = np.where(masks[~alive], start[~alive], 0.0)
        run = descend_masked(
            inputs, outputs, masks, begin, truth, step=step, max_iterations=max_iterations, single=single
        )
        alive &= run.status != "diverged"
        weights = np.where(alive[:, None, None], run.weights, np.nan)
        found.append(weights)
        kept.append(masks)
    everything = np.stack(found)
    return PruningRounds(
        everything,
        np.stack(kept),
        np.sqrt(population_risk(everything, truth)),
        np.stack([aligned_error(one, truth) for one in found]),
        np.where(alive, "finished", "diverged"),
    )


def check_options(
    *,
    eta: float | None = None,
    beta: float = 0.5,
    share: float = 0.2,
    rounds: int = 11,
    max_iterations: int = 600,
    resume: str = "rewind",
    by: str = "network",
    single: bool = False,
) -> None:
    """Raise ValueError for an option of `iterative_pruning` that is out of range."""
    pruned_step(n_neurons=1, eta=eta, beta=beta)
    if number("share", share, 0, 1) == 1:
        raise ValueError("share must be below 1, got 1")
    positive_integer("rounds", rounds)
    positive_integer("max_iterations", max_iterations)
    choice("resume", resume, RESUMES)
    choice("by", by, RANKINGS)
    if not isinstance(single, bool):
        raise ValueError(f"single must be true or false, got {single!r}")
