"""Cross entropy of averaged sigmoid units: graph networks for binary classification."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.trials import Trials, aligned_copy, aligned_empty

# exp stays finite, and so does every product below.
LARGEST_EXPONENT = 500.0


class PooledSigmoid(Trials):
    """Problems ``min 1/N sum_n -y_n log g_n - (1 - y_n) log(1 - g_n)`` (thesis, Eq. classification).

    g_n is the mean over the K neurons of the sigmoid of w_k' x_n. Made by
    `nonconvex.networks.models.graph.graph_trials`. 1 - g is summed from 1 - sigmoid, never subtracted, so
    that no output needs clipping away from 0 and 1.
    """

    def __init__(self, inputs: np.ndarray, labels: np.ndarray, n_neurons: int) -> None:
        self._inputs, self._labels = inputs, labels
        self.n_trials, self.n_features, self._n_samples = inputs.shape
        self.n_neurons = n_neurons
        self.scale = np.full((self.n_trials, 1, 1), 1 / (n_neurons * self._n_samples))
        self._mean = np.full((self.n_trials, 1, n_neurons), 1 / n_neurons)
        self._signs = np.where(labels, -1.0, 1.0)
        self._allocated = False

    @classmethod
    def from_inputs(
        cls, inputs: Sequence[np.ndarray], labels: Sequence[np.ndarray], n_neurons: int
    ) -> "PooledSigmoid":
        """Lay out checked arrays: T arrays `inputs` (N, d), T arrays `labels` (N,) of 0 and 1."""
        columns = aligned_copy(np.stack([x.T for x in inputs]))
        return cls(columns, np.stack(labels)[:, None, :] > 0.5, n_neurons)

    @property
    def bytes_per_trial(self) -> float:
        """Memory that one evaluation of one trial's gradient goes through."""
        return self._inputs[0].nbytes * (1 + 2 * self.n_neurons / self.n_features)

    def take(self, index: slice | np.ndarray) -> "PooledSigmoid":
        """Return the problems `index` (a slice or an index array) as a new batch."""
        return PooledSigmoid(aligned_copy(self._inputs[index]), self._labels[index], self.n_neurons)

    def outputs(self, weights: ArrayLike) -> np.ndarray:
        """Return g, shape (n_trials, n_samples)."""
        on, _ = self._units(self.negated(weights))
        return (self._mean @ on)[:, 0]

    def loss(self, weights: ArrayLike) -> np.ndarray:
        """Return the loss at `weights`, shape (n_trials,)."""
        return -np.mean(np.log(self._likelihood(*self._units(self.negated(weights)))[:, 0]), axis=1)

    def raw_gradient(self, negated: np.ndarray) -> np.ndarray:
        """Return the gradient at ``-negated.transpose(0, 2, 1)`` before its factor `scale`."""
        on, off = self._units(negated)
        pull = self._pull(self._likelihood(on, off))
        np.multiply(on, off, out=on)
        np.multiply(on, pull, out=on)
        return np.matmul(on, self._inputs.transpose(0, 2, 1), out=self._gradient)

    def hessian(self, weights: ArrayLike) -> np.ndarray:
        """Return the Hessian, shape (n_trials, K d, K d), index k d + i for entry i of w_k."""
        on, off = self._units(self.negated(weights))
        likelihood = self._likelihood(on, off)
        slope = on * off
        # With the likelihood p of a label, the loss is -log p and p is linear in the units.
        first = slope / likelihood / self.n_neurons
        second = slope * (off - on) * self._pull(likelihood) * self.scale
        size = self.n_neurons * self.n_features
        total = np.empty((self.n_trials, size, size))
        for trial, x in enumerate(self._inputs):
            jacobian = (first[trial][:, None, :] * x).reshape(size, -1)
            total[trial] = jacobian @ jacobian.T / self._n_samples
            for k, weight in enumerate(second[trial]):
                block = slice(k * self.n_features, (k + 1) * self.n_features)
                total[trial, block, block] += (x * weight) @ x.T
        return total

    def _units(self, negated: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return sigmoid(W'x) and 1 - sigmoid(W'x), shape (T, K, N) each, in buffers."""
        if not self._allocated:
            shape = (self.n_trials, self.n_neurons, self._n_samples)
            self._on, self._off = aligned_empty(shape), aligned_empty(shape)
            self._gradient = aligned_empty(negated.shape)
            self._allocated = True
        on, off = self._on, self._off
        np.matmul(negated, self._inputs, out=on)
        np.minimum(on, LARGEST_EXPONENT, out=on)
        np.maximum(on, -LARGEST_EXPONENT, out=on)
        np.exp(on, out=off)
        np.add(off, 1.0, out=on)
        np.divide(1.0, on, out=on)
        np.multiply(off, on, out=off)
        return on, off

    def _likelihood(self, on: np.ndarray, off: np.ndarray) -> np.ndarray:
        """Return the probability that the network gives to each label, shape (T, 1, N)."""
        return np.where(self._labels, self._mean @ on, self._mean @ off)

    def _pull(self, likelihood: np.ndarray) -> np.ndarray:
        """Return the derivative of every sample's loss to g, shape (T, 1, N)."""
        return self._signs / likelihood
