"""Pruned one-hidden-layer networks (thesis, Chapter 6), trained on the weights that are kept."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import finite_array, per_trial, same_shape
from nonconvex.networks.models.masked_relu import CommonInputs, GatheredInputs, MaskedRelu
from nonconvex.networks.supports import checked_mask

WIDTH = 8
"""Compact weights are padded to a multiple of this."""

# Products with gathered inputs are matrix-vector products: a network in which a neuron keeps more than this
# share of the features that any of them keeps is faster as one matrix product. While everything fits a core's
# cache the limit is higher.
SHARE = 0.4
SHARE_CACHED = 0.6
CACHED_BYTES = 512_000


def pruned_trials(
    inputs: Sequence[ArrayLike], outputs: Sequence[ArrayLike], masks: ArrayLike, *, single: bool = False
) -> MaskedRelu:
    """Prepare the training problems of T trials (thesis, Eq. optimization_problem_5) for `descend`.

    The problems have compact weights, (T, width, K), in which only what is kept has a place:
    ``trials.compact(weights)`` and ``trials.compact_truth(truth)`` make them of weights of shape
    (T, n_features, K), and ``trials.expand(compact)`` turns them back. `nonconvex.networks.descend_masked`
    does all this.

    Parameters
    ----------
    inputs : sequence of T arrays, shape (n_samples, n_features) each
        All trials have one size. They are copied.
    outputs : sequence of T arrays, shape (n_samples,) each
        Observed outputs y.
    masks : array_like of bool, shape (T, n_features, n_neurons)
        M, True where a weight is kept.
    single : bool
        Keep inputs, and multiply with them, in single precision: half the time where success is an error of
        1e-4. Iterates stay in double precision.

    Returns
    -------
    MaskedRelu
        With methods ``outputs``, ``loss``, ``gradient``, ``hessian`` and ``sharpness`` of compact weights.
        The width, and with it the last bits of an outcome, is that of the trial that needs most.

    Raises
    ------
    ValueError
        If an argument is not finite, the shapes do not agree, or a neuron has no weight left.

    References
    ----------
    S. Zhang, M. Wang, S. Liu, P.-Y. Chen, J. Xiong, "Why lottery ticket wins? A theoretical perspective of
    sample complexity on pruned neural networks", Proc. NeurIPS, 2707-2720, 2021.
    """
    inputs, outputs = per_trial("inputs", inputs), per_trial("outputs", outputs)
    samples = [finite_array(f"inputs[{i}]", x, ("n_samples", "n_features")) for i, x in enumerate(inputs)]
    observed = [finite_array(f"outputs[{i}]", y, ("n_samples",)) for i, y in enumerate(outputs)]
    checked = checked_masks(masks)
    if not len(samples) == len(observed) == len(checked):
        raise ValueError(
            "inputs, outputs and masks must have one entry per trial, "
            f"got {len(samples)}, {len(observed)} and {len(checked)}"
        )
    for i, (x, y) in enumerate(zip(samples, observed, strict=True)):
        same_shape(f"inputs[{i}]", x, samples[0].shape)
        same_shape(f"outputs[{i}]", y, samples[0].shape[:1])
    same_shape("masks", checked, (len(samples), samples[0].shape[1], checked.shape[2]))
    layouts = [layout(mask, len(samples[0]), single) for mask in checked]
    gathered = all(of[0] for of in layouts)
    width = max(of[1] if gathered else _common_width(mask) for of, mask in zip(layouts, checked, strict=True))
    form = GatheredInputs if gathered else CommonInputs
    return form.from_inputs(samples, observed, checked, width, np.float32 if single else np.float64)


def layout(mask: np.ndarray, n_samples: int, single: bool) -> tuple[bool, int]:
    """Return whether a trial's inputs are gathered by neuron, and the width of its compact weights.

    It depends on the trial alone: trials of one layout in a batch have the numbers that each has alone.
    """
    gathered, common = _padded(int(mask.sum(axis=0).max())), _common_width(mask)
    bytes_gathered = gathered * mask.shape[1] * n_samples * (4 if single else 8)
    share = SHARE_CACHED if bytes_gathered <= CACHED_BYTES else SHARE
    return (True, gathered) if gathered <= share * common else (False, common)


def checked_masks(masks: ArrayLike) -> np.ndarray:
    """Return `masks` as (n_trials, n_features, n_neurons) of bool; ValueError where they are none."""
    array = finite_array("masks", masks, ("n_trials", "n_features", "n_neurons"))
    return np.stack([checked_mask(f"masks[{i}]", mask) for i, mask in enumerate(array)])


def _common_width(mask: np.ndarray) -> int:
    return _padded(int(mask.any(axis=1).sum()))


def _padded(count: int) -> int:
    """Return the width for `count` entries and at least one place for what a mask leaves out of W*."""
    return -(-(count + 1) // WIDTH) * WIDTH
