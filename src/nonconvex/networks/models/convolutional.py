"""One-hidden-layer non-overlapping convolutional networks (thesis, Chapter 4)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import finite_array, per_trial, positive_integer, same_shape
from nonconvex.networks.models.pooled_relu import PooledRelu


def draw_patches(n_samples: int, n_patches: int, patch_size: int, *, rng: np.random.Generator) -> np.ndarray:
    """Draw Gaussian inputs x_n ~ N(0, I) as patches P_i x_n, N = `n_samples`, M = `n_patches`, p = M d.

    Fewer samples drawn with the same generator are the first of more samples.

    Parameters
    ----------
    n_samples, n_patches, patch_size : int
        N, M and d.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray, shape (n_samples, n_patches, patch_size), float64

    Raises
    ------
    ValueError
        If a size is not a positive integer.
    """
    names = ("n_samples", "n_patches", "patch_size")
    sizes = (n_samples, n_patches, patch_size)
    return rng.standard_normal([positive_integer(*pair) for pair in zip(names, sizes, strict=True)])


def convolutional_outputs(inputs: ArrayLike, weights: ArrayLike, v: ArrayLike) -> np.ndarray:
    """Return ``g(x_n) = sum_j v_j sum_i relu(w_j' P_i x_n)`` (thesis, Eq. major_equ).

    Parameters
    ----------
    inputs : array_like, shape (n_samples, n_patches, patch_size)
        Patches of one trial.
    weights : array_like, shape (patch_size, n_neurons)
        W = [w_1, ..., w_K].
    v : array_like, shape (n_neurons,)
        Output weights; there is no average over patches or neurons.

    Returns
    -------
    ndarray, shape (n_samples,), float64
        Noiseless outputs.

    Raises
    ------
    ValueError
        If an argument is not finite or the shapes do not agree.
    """
    inputs = finite_array("inputs", inputs, ("n_samples", "n_patches", "patch_size"))
    weights = finite_array("weights", weights, ("patch_size", "n_neurons"))
    v = finite_array("v", v, ("n_neurons",))
    same_shape("weights", weights, (inputs.shape[2], v.size))
    return np.maximum(inputs @ weights, 0.0).sum(axis=1) @ v


def convolutional_trials(
    inputs: Sequence[ArrayLike], outputs: Sequence[ArrayLike], v: ArrayLike
) -> PooledRelu:
    """Prepare the training problems of T trials (thesis, Eq. sample_risk) for `descend`.

    Parameters
    ----------
    inputs : sequence of T arrays, shape (n_samples, n_patches, patch_size) each
        Patches; all trials have one size. They are copied.
    outputs : sequence of T arrays, shape (n_samples,) each
        Observed outputs y.
    v : array_like, shape (T, n_neurons)
        Output weights, kept fixed: v* or its estimate.

    Returns
    -------
    PooledRelu
        With methods ``outputs``, ``loss``, ``gradient``, ``hessian`` and ``sharpness`` of weights of shape
        (T, patch_size, n_neurons).

    Raises
    ------
    ValueError
        If an argument is not finite or the shapes do not agree.

    References
    ----------
    S. Zhang, M. Wang, J. Xiong, S. Liu, P.-Y. Chen, "Improved linear convergence of training CNNs with
    generalizability guarantees: a one-hidden-layer case", IEEE Trans. Neural Netw. Learn. Syst. 32(6),
    2622-2635, 2020.
    """
    v = finite_array("v", v, ("n_trials", "n_neurons"))
    axes = ("n_samples", "n_patches", "patch_size")
    patches = [finite_array(f"inputs[{i}]", x, axes) for i, x in enumerate(per_trial("inputs", inputs))]
    observed = [
        finite_array(f"outputs[{i}]", y, axes[:1]) for i, y in enumerate(per_trial("outputs", outputs))
    ]
    if not len(patches) == len(observed) == len(v):
        raise ValueError(
            "inputs, outputs and v must have one entry per trial, "
            f"got {len(patches)}, {len(observed)} and {len(v)}"
        )
    for i, (x, y) in enumerate(zip(patches, observed, strict=True)):
        same_shape(f"inputs[{i}]", x, patches[0].shape)
        same_shape(f"outputs[{i}]", y, patches[0].shape[:1])
    return PooledRelu.from_inputs(patches, observed, v)
