"""Training on masks: trials in batches of one layout, so that no trial's numbers depend on the others."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import finite_array, per_trial, same_shape
from nonconvex.networks.descent import Descent
from nonconvex.networks.models.masked_relu import MaskedRelu
from nonconvex.networks.models.pruned import checked_masks, layout, pruned_trials
from nonconvex.networks.solvers.descend import descend
from nonconvex.networks.steps import Step

BATCH_BYTES = 100_000_000
"""Inputs that a batch may copy."""


def descend_masked(
    inputs: Sequence[ArrayLike],
    outputs: Sequence[ArrayLike],
    masks: ArrayLike,
    start: ArrayLike,
    truth: ArrayLike,
    *,
    step: Step,
    max_iterations: int,
    target: float | None = None,
    levels: Sequence[float] = (),
    record: Sequence[int] = (),
    stall_exit: bool = False,
    single: bool = False,
    solver: Callable[..., Descent] = descend,
) -> Descent:
    """Run Algorithm 1 of Chapter 6 on every trial: heavy-ball descent on the weights that a mask keeps.

    All samples are used in every iteration. The outcome of a trial does not depend on which other trials are
    in the batch, to the last bit.

    Parameters
    ----------
    inputs : sequence of T arrays, shape (n_samples, n_features) each
    outputs : sequence of T arrays, shape (n_samples,) each
    masks : array_like of bool, shape (T, n_features, n_neurons)
        M, True where a weight is kept.
    start, truth : array_like, shape (T, n_features, n_neurons)
        W^(0), zero where the mask prunes, and W*. The mask may lack a part of W*: errors are relative to all
        of it.
    step : nonconvex.networks.steps.Step
        eta and beta.
    max_iterations, target, levels, record, stall_exit
        As `nonconvex.networks.descend` has them.
    single : bool
        As `nonconvex.networks.pruned_trials` has it.
    solver : callable
        Called like `descend`.

    Returns
    -------
    Descent
        Weights are (T, n_features, n_neurons), zero where the mask prunes.

    Raises
    ------
    ValueError
        If an argument is not finite or out of range, shapes do not agree, a neuron has no weight left, or a
        start is not zero where the mask prunes.
    """
    checked = checked_masks(masks)
    start = finite_array("start", start, ("n_trials", "n_features", "n_neurons"))
    truth = finite_array("truth", truth, ("n_trials", "n_features", "n_neurons"))
    same_shape("start", start, checked.shape)
    same_shape("truth", truth, checked.shape)
    runs, order = [], []
    for index, trials in batches(inputs, outputs, checked, single=single):
        run = solver(
            trials,
            trials.compact(start[index]),
            trials.compact_truth(truth[index]),
            step=step,
            max_iterations=max_iterations,
            target=target,
            levels=levels,
            record=record,
            stall_exit=stall_exit,
        )
        runs.append((trials.expand(run.weights), run))
        order.append(index)
    back = np.argsort(np.concatenate(order))
    fields = ("error", "iterations", "status", "reached", "history")
    weights = np.concatenate([one for one, _ in runs])[back]
    return Descent(
        weights, *(np.concatenate([getattr(run, name) for _, run in runs])[back] for name in fields)
    )


def batches(
    inputs: Sequence[ArrayLike], outputs: Sequence[ArrayLike], masks: np.ndarray, *, single: bool = False
) -> Iterator[tuple[np.ndarray, MaskedRelu]]:
    """Yield the numbers and the problems of trials that have one layout, a hundred megabytes at a time.

    Parameters
    ----------
    inputs, outputs : sequences of T arrays
    masks : ndarray of bool, shape (T, n_features, n_neurons)
        Checked.
    single : bool

    Raises
    ------
    ValueError
        As `nonconvex.networks.pruned_trials`.
    """
    inputs, outputs = per_trial("inputs", inputs), per_trial("outputs", outputs)
    if not len(inputs) == len(outputs) == len(masks):
        raise ValueError(
            "inputs, outputs and masks must have one entry per trial, "
            f"got {len(inputs)}, {len(outputs)} and {len(masks)}"
        )
    n_samples = len(np.asarray(inputs[0]))
    layouts = [layout(mask, n_samples, single) for mask in masks]
    for of in sorted(set(layouts)):
        members = np.flatnonzero([one == of for one in layouts])
        gathered, width = of
        bytes_each = width * n_samples * (masks.shape[2] if gathered else 1) * (4 if single else 8)
        size = max(1, BATCH_BYTES // bytes_each)
        for first in range(0, len(members), size):
            index = members[first : first + size]
            chosen = [inputs[i] for i in index], [outputs[i] for i in index]
            yield index, pruned_trials(*chosen, masks[index], single=single)
