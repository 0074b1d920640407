"""What batches of training problems share: shapes, public faces in the thesis's layout, aligned arrays."""

import math
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import finite_array, same_shape

# A cache line: wide vector loads that cross one are much slower.
LINE_BYTES = 64


class Trials(ABC):
    """T training problems of one size, one per trial; everything has a leading trial axis.

    Weights are (n_trials, n_features, n_neurons), W = [w_1, ..., w_K] as in the thesis. Inside, neurons are
    rows and samples are columns, which is the faster layout, and weights are negated, so that the sign bit of
    a product marks an active unit. The numbers of a trial never depend on which other trials are in the
    batch, to the last bit: nothing is ever multiplied or added across trials.

    Attributes
    ----------
    n_trials, n_features, n_neurons : int
        T, d and K.
    scale : ndarray, shape (n_trials, n_neurons or 1, 1)
        Factor of the gradient, left out of `raw_gradient` so that a step size can take it in.
    """

    n_trials: int
    n_features: int
    n_neurons: int
    scale: np.ndarray

    @property
    @abstractmethod
    def bytes_per_trial(self) -> float:
        """Memory that one evaluation of one trial's gradient goes through."""

    @abstractmethod
    def take(self, index: slice | np.ndarray) -> "Trials":
        """Return the problems `index` (a slice or an index array) as a new batch."""

    @abstractmethod
    def outputs(self, weights: ArrayLike) -> np.ndarray:
        """Return the network's outputs at `weights`, shape (n_trials, n_samples)."""

    @abstractmethod
    def loss(self, weights: ArrayLike) -> np.ndarray:
        """Return the empirical loss at `weights`, shape (n_trials,)."""

    @abstractmethod
    def raw_gradient(self, negated: np.ndarray) -> np.ndarray:
        """Return the gradient at ``-negated.transpose(0, 2, 1)`` before its factor `scale`.

        Shape (n_trials, n_neurons, n_features), like `negated`; in a buffer of this object.
        """

    @abstractmethod
    def hessian(self, weights: ArrayLike) -> np.ndarray:
        """Return the Hessian of the loss, shape (n_trials, K d, K d), index k d + i for entry i of w_k."""

    def gradient(self, weights: ArrayLike) -> np.ndarray:
        """Return the gradient of the loss at `weights`, shape (n_trials, n_features, n_neurons)."""
        return (self.raw_gradient(self.negated(weights)) * self.scale).transpose(0, 2, 1).copy()

    def sharpness(self, weights: ArrayLike) -> np.ndarray:
        """Return the largest eigenvalue L of the Hessian, shape (n_trials,).

        Near a minimum, gradient descent is stable for eta < 2 / L and heavy ball for 2 (1 + beta) / L.
        """
        return np.linalg.eigvalsh(self.hessian(weights))[:, -1]

    def negated(self, weights: ArrayLike) -> np.ndarray:
        """Return ``-weights``, checked, as a contiguous array of shape (n_trials, n_neurons, n_features)."""
        weights = finite_array("weights", weights, ("n_trials", "n_features", "n_neurons"))
        same_shape("weights", weights, (self.n_trials, self.n_features, self.n_neurons))
        return np.negative(weights.transpose(0, 2, 1), order="C")


def aligned_empty(shape: tuple[int, ...]) -> np.ndarray:
    """Return an uninitialised C-contiguous float64 array whose data begin on a cache line."""
    size = 8 * math.prod(shape)
    memory = np.empty(size + LINE_BYTES, dtype=np.uint8)
    first = -memory.ctypes.data % LINE_BYTES
    return memory[first : first + size].view(np.float64).reshape(shape)


def aligned_copy(array: np.ndarray) -> np.ndarray:
    """Return a copy of `array` as float64 whose data begin on a cache line."""
    copy = aligned_empty(array.shape)
    copy[...] = array
    return copy
