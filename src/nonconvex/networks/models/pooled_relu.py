"""Squared loss of pooled ReLU units: convolutional networks, and graph networks for regression."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.trials import Trials, aligned_copy, aligned_empty

# Inputs are worked through in pieces that stay in a core's cache between the forward and the backward
# product. The pieces of a trial depend on its own size only.
SLAB_BYTES = 1_500_000


class PooledRelu(Trials):
    """Problems ``min 1/(2N) sum_n (sum_k v_k sum_m relu(w_k' x_nm) - y_n)^2`` (thesis, Eq. sample_risk).

    Made by `nonconvex.networks.models.convolutional.convolutional_trials` and
    `nonconvex.networks.models.graph.graph_trials`. At a kink the derivative of the ReLU is taken as 0.
    """

    def __init__(self, slabs: Sequence["_Slab"], v: np.ndarray) -> None:
        self._slabs, self._v = slabs, v
        self.n_trials, self.n_neurons = v.shape
        self.n_features = slabs[0].inputs.shape[1]
        self._n_samples = sum(slab.n_samples for slab in slabs)
        self.scale = (v / self._n_samples)[:, :, None]
        self._buffers: np.ndarray | None = None

    @classmethod
    def from_inputs(
        cls, inputs: Sequence[np.ndarray], targets: Sequence[np.ndarray], v: np.ndarray
    ) -> "PooledRelu":
        """Lay out checked arrays: T arrays `inputs` (N, M, d), T arrays `targets` (N,), `v` (T, K)."""
        n_samples, n_patches, n_features = inputs[0].shape
        count = max(1, -(-inputs[0].nbytes // SLAB_BYTES))
        cuts = np.linspace(0, n_samples, min(count, n_samples) + 1).astype(int)
        pool = -np.repeat(v, n_patches, axis=1)[:, None, :]
        slabs = []
        for first, last in pairwise(cuts):
            columns = aligned_empty((len(inputs), n_features, n_patches, last - first))
            for trial, x in enumerate(inputs):
                columns[trial] = x[first:last].transpose(2, 1, 0)
            y = np.stack([target[first:last] for target in targets])[:, None, :]
            slabs.append(_Slab(columns.reshape(len(inputs), n_features, -1), y, pool))
        return cls(slabs, v)

    @property
    def bytes_per_trial(self) -> float:
        """Memory that one evaluation of one trial's gradient goes through."""
        return sum(slab.inputs[0].nbytes for slab in self._slabs) * (1 + self.n_neurons / self.n_features)

    def take(self, index: slice | np.ndarray) -> "PooledRelu":
        """Return the problems `index` (a slice or an index array) as a new batch."""
        return PooledRelu([slab.take(index) for slab in self._slabs], self._v[index])

    def outputs(self, weights: ArrayLike) -> np.ndarray:
        """Return ``sum_k v_k sum_m relu(w_k' x_nm)``, shape (n_trials, n_samples)."""
        negated = self.negated(weights)
        return np.concatenate([slab.outputs(negated) for slab in self._slabs], axis=2)[:, 0]

    def loss(self, weights: ArrayLike) -> np.ndarray:
        """Return the loss at `weights`, shape (n_trials,)."""
        targets = np.concatenate([slab.targets[:, 0] for slab in self._slabs], axis=1)
        return 0.5 * np.mean((self.outputs(weights) - targets) ** 2, axis=1)

    def raw_gradient(self, negated: np.ndarray) -> np.ndarray:
        """Return the gradient at ``-negated.transpose(0, 2, 1)`` before its factor `scale`."""
        if self._buffers is None:
            self._buffers = np.empty((2, *negated.shape))
        total, part = self._buffers
        self._slabs[0].gradient(negated, total)
        for slab in self._slabs[1:]:
            slab.gradient(negated, part)
            total += part
        return total

    def hessian(self, weights: ArrayLike) -> np.ndarray:
        """Return the Hessian away from the kinks, where it is the Gauss-Newton matrix.

        Shape (n_trials, K d, K d), index k d + i for entry i of w_k.
        """
        negated = self.negated(weights)
        size = self.n_neurons * self.n_features
        total = np.zeros((self.n_trials, size, size))
        for slab in self._slabs:
            for trial in range(self.n_trials):
                jacobian = slab.jacobian(negated, trial) * self._v[trial, :, None, None]
                jacobian = jacobian.reshape(size, -1)
                total[trial] += jacobian @ jacobian.T
        return total / self._n_samples


class _Slab:
    """Consecutive samples of all trials.

    Attributes
    ----------
    inputs : ndarray, shape (T, d, M n)
        Column m n + i is patch m of sample i.
    targets : ndarray, shape (T, 1, n)
    pool : ndarray, shape (T, 1, K M)
        -v_k at k M + m: the products are kept negated, so that an active unit has its sign bit set.
    """

    def __init__(self, inputs: np.ndarray, targets: np.ndarray, pool: np.ndarray) -> None:
        self.inputs, self.targets, self.pool = inputs, targets, pool
        self.n_samples = targets.shape[2]
        self._n_patches = inputs.shape[2] // self.n_samples
        self._allocated = False

    def take(self, index: slice | np.ndarray) -> "_Slab":
        return _Slab(aligned_copy(self.inputs[index]), self.targets[index], self.pool[index])

    def outputs(self, negated: np.ndarray) -> np.ndarray:
        """Return the outputs, shape (T, 1, n), and leave min(-W'x, 0) in the buffer."""
        if not self._allocated:
            self._allocate(negated.shape)
        np.matmul(negated, self.inputs, out=self._hidden)
        np.minimum(self._hidden, 0.0, out=self._hidden)
        return np.matmul(self.pool, self._by_sample, out=self._outputs)

    def gradient(self, negated: np.ndarray, out: np.ndarray) -> None:
        """Write the sum over samples of residual times active input, shape (T, K, d), into `out`."""
        residual = self.outputs(negated)
        np.subtract(residual, self.targets, out=residual)
        # Spreading the sign bit over the word makes a mask; "and" then copies the residual to active units.
        np.right_shift(self._bits, 63, out=self._bits)
        np.bitwise_and(self._bits, self._residual_bits, out=self._bits)
        np.matmul(self._hidden, self._samples_first, out=out)

    def _allocate(self, shape: tuple[int, ...]) -> None:
        """Make the buffers and all views of them: making views costs as much as small products."""
        n_trials, n_neurons, _ = shape
        n_columns = self.inputs.shape[2]
        self._hidden = aligned_empty((n_trials, n_neurons, n_columns))
        self._outputs = aligned_empty((n_trials, 1, self.n_samples))
        self._by_sample = self._hidden.reshape(n_trials, -1, self.n_samples)
        self._bits = self._hidden.view(np.int64).reshape(n_trials, -1, self.n_samples)
        self._residual_bits = self._outputs.view(np.int64)
        self._samples_first = self.inputs.transpose(0, 2, 1)
        self._allocated = True

    def jacobian(self, negated: np.ndarray, trial: int) -> np.ndarray:
        """Return ``sum_m active_km(n) x_nm`` for one trial, shape (K, d, n)."""
        n_patches, n_samples = self._n_patches, self.n_samples
        inputs = self.inputs[trial].reshape(-1, n_patches, n_samples)
        active = (negated[trial] @ self.inputs[trial] < 0).reshape(-1, n_patches, n_samples)
        return np.einsum("kmn,dmn->kdn", active.astype(float), inputs)
