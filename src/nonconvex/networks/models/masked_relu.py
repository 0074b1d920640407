"""Squared loss of ReLU networks of which some weights are pruned, in two layouts of the inputs."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import finite_array, matrices, same_shape
from nonconvex.networks.trials import LINE_BYTES, Trials, aligned_empty


class MaskedRelu(Trials):
    """Problems ``min 1/(2N) sum_n (1/K sum_k relu(w_k' x_n) - y_n)^2`` over the weights that a mask keeps.

    Made by `nonconvex.networks.models.pruned.pruned_trials`. Weights are compact: place i of neuron k stands
    for the feature ``features[t, k, i]``, or for none, -1. The last place is always one of these. In the
    truth, and nowhere else, it holds the norm of what no other place stands for, so that distances to W* are
    right for masks that lack a part of it. At a kink the derivative of the ReLU is taken as 0.

    Attributes
    ----------
    features : ndarray, shape (n_trials, n_neurons, n_features), int64
    kept : ndarray, shape (n_trials, n_neurons, n_features), bool
        Whether the mask keeps the weight at a place.
    """

    def __init__(
        self,
        inputs: np.ndarray,
        targets: np.ndarray,
        features: np.ndarray,
        kept: np.ndarray,
        sizes: np.ndarray,
    ) -> None:
        self._inputs, self._targets, self._sizes = inputs, targets, sizes
        self.features, self.kept = features, kept
        self.n_trials, self.n_neurons, self.n_features = features.shape
        self._n_samples, self._n_all = int(sizes[0]), int(sizes[1])
        # `raw_gradient` is that of a network which is the sum over neurons.
        factor = 1 / (self.n_neurons**2 * self._n_samples)
        self.scale = np.full((self.n_trials, 1, 1), factor)
        self._allocated = False

    @classmethod
    def from_inputs(
        cls,
        inputs: Sequence[np.ndarray],
        outputs: Sequence[np.ndarray],
        masks: np.ndarray,
        width: int,
        dtype: type[np.floating],
    ) -> Self:
        """Lay out checked arrays: T arrays `inputs` (N, d), T arrays `outputs` (N,), `masks` (T, d, K)."""
        n_trials, n_all, n_neurons = masks.shape
        n_samples = len(inputs[0])
        features = np.full((n_trials, n_neurons, width), -1)
        kept = np.zeros(features.shape, dtype=bool)
        for trial, mask in enumerate(masks):
            for neuron in range(n_neurons):
                found = np.flatnonzero(cls._in_place(mask, neuron))
                features[trial, neuron, : len(found)] = found
                kept[trial, neuron, : len(found)] = mask[found, neuron]
        # Rows that begin on a cache line are faster, and no place in a batch differs from another.
        columns = -(-n_samples // (LINE_BYTES // 4)) * (LINE_BYTES // 4)
        laid = aligned((n_trials, *cls._rows(n_neurons, width), columns), dtype)
        targets = np.zeros((n_trials, 1, columns), dtype=dtype)
        for trial, (x, y) in enumerate(zip(inputs, outputs, strict=True)):
            cls._lay(laid[trial], x.T, features[trial])
            targets[trial, 0, :n_samples] = n_neurons * y
        return cls(laid, targets, features, kept, np.array([n_samples, n_all]))

    @staticmethod
    @abstractmethod
    def _in_place(mask: np.ndarray, neuron: int) -> np.ndarray:
        """Return which features have a place for a neuron."""

    @staticmethod
    @abstractmethod
    def _rows(n_neurons: int, width: int) -> tuple[int, ...]:
        """Return the shape of a trial's inputs without the samples."""

    @staticmethod
    @abstractmethod
    def _lay(out: np.ndarray, columns: np.ndarray, features: np.ndarray) -> None:
        """Write a trial's inputs, `columns` of shape (d, N), into `out`."""

    @abstractmethod
    def _forward(self) -> None:
        """Multiply the inputs with the negated weights."""

    @abstractmethod
    def _backward(self) -> np.ndarray:
        """Multiply the inputs with the residuals of active units, shape (n_trials, n_neurons, n_features)."""

    def take(self, index: slice | np.ndarray) -> Self:
        """Return the problems `index` (a slice or an index array) as a new batch."""
        chosen = self._inputs[index]
        inputs = aligned(chosen.shape, chosen.dtype.type)
        inputs[...] = chosen
        parts = self._targets[index], self.features[index], self.kept[index]
        return type(self)(inputs, *parts, self._sizes)

    def compact(self, weights: ArrayLike) -> np.ndarray:
        """Return weights of shape (n_trials, d, K) in the compact layout, (n_trials, n_features, n_neurons).

        Raises
        ------
        ValueError
            If they are not finite, have another shape, or are not zero where the mask prunes.
        """
        found, beyond = self._gather("weights", weights)
        outside = np.argwhere((found != 0) & ~self.kept | (beyond > 0)[:, :, None])
        if outside.size:
            trial, neuron = outside[0, :2].tolist()
            raise ValueError(
                f"weights must be zero where the mask prunes, and those of neuron {neuron} of trial {trial} "
                "are not"
            )
        return found.transpose(0, 2, 1).copy()

    def compact_truth(self, truth: ArrayLike) -> np.ndarray:
        """Return W* in the compact layout, from which distances are those from all of W*.

        Raises
        ------
        ValueError
            If it is not finite or has another shape.
        """
        found, beyond = self._gather("truth", truth)
        found[:, :, -1] = beyond
        return found.transpose(0, 2, 1).copy()

    def _gather(self, name: str, weights: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return the weights in their places, and the norm of the others of each neuron."""
        array = finite_array(name, weights, ("n_trials", "n_features", "n_neurons"))
        same_shape(name, array, (self.n_trials, self._n_all, self.n_neurons))
        rows = array.transpose(0, 2, 1).copy()
        placed = self.features >= 0
        found = np.where(placed, np.take_along_axis(rows, np.where(placed, self.features, 0), axis=2), 0.0)
        for trial, neuron in np.ndindex(rows.shape[:2]):
            rows[trial, neuron, self.features[trial, neuron, placed[trial, neuron]]] = 0.0
        return found, np.sqrt(np.square(rows).sum(axis=2))

    def expand(self, compact: ArrayLike) -> np.ndarray:
        """Return compact weights, which may hold NaN or infinity, in the shape (n_trials, d, n_neurons).

        Raises
        ------
        ValueError
            If they have another shape.
        """
        array = matrices("compact", compact)
        same_shape("compact", array, (self.n_trials, self.n_features, self.n_neurons))
        rows = np.zeros((self.n_trials, self.n_neurons, self._n_all + 1))
        # Places that stand for no feature go to the extra column, the last.
        np.put_along_axis(rows, self.features, array.transpose(0, 2, 1), axis=2)
        return rows[:, :, :-1].transpose(0, 2, 1).copy()

    def outputs(self, weights: ArrayLike) -> np.ndarray:
        """Return ``1/K sum_k relu(w_k' x_n)`` of compact weights, shape (n_trials, n_samples)."""
        return self._sums(self.negated(weights))[:, 0, : self._n_samples].astype(float) / self.n_neurons

    def loss(self, weights: ArrayLike) -> np.ndarray:
        """Return the empirical loss at compact weights, shape (n_trials,)."""
        targets = self._targets[:, 0, : self._n_samples].astype(float) / self.n_neurons
        return 0.5 * np.mean((self.outputs(weights) - targets) ** 2, axis=1)

    def raw_gradient(self, negated: np.ndarray) -> np.ndarray:
        """Return the gradient at ``-negated.transpose(0, 2, 1)`` before its factor `scale`."""
        residual = self._sums(negated)
        residual -= self._targets
        # Spreading the sign bit over the word makes a mask; "and" then copies the residual to active units.
        np.right_shift(self._bits, self._sign, out=self._bits)
        np.bitwise_and(self._bits, self._residual_bits, out=self._bits)
        np.copyto(self._gradient, self._backward())
        return self._gradient

    def hessian(self, weights: ArrayLike) -> np.ndarray:
        """Return the Hessian away from the kinks, in compact places: zero where nothing can move.

        Shape (n_trials, K n_features, K n_features), index k n_features + i for place i of neuron k.
        """
        self._sums(self.negated(weights))
        active = self._hidden < 0
        size = self.n_neurons * self.n_features
        total = np.empty((self.n_trials, size, size))
        for trial in range(self.n_trials):
            inputs = np.broadcast_to(self._inputs[trial], (self.n_neurons, self.n_features, active.shape[2]))
            jacobian = inputs * active[trial, :, None, :] * self.kept[trial, :, :, None]
            jacobian = jacobian.reshape(size, -1).astype(float)
            total[trial] = jacobian @ jacobian.T
        return total * self.scale

    def _sums(self, negated: np.ndarray) -> np.ndarray:
        """Return the sums over neurons, shape (n_trials, 1, columns); min(-w'x, 0) stays in the buffer."""
        if not self._allocated:
            self._allocate()
        np.copyto(self._weights, negated, casting="same_kind")
        self._forward()
        np.minimum(self._hidden, 0.0, out=self._hidden)
        return np.matmul(self._pool, self._hidden, out=self._residual)

    def _allocate(self) -> None:
        """Make the buffers and all views of them: making views costs as much as small products."""
        dtype, columns = self._inputs.dtype.type, self._inputs.shape[-1]
        lead = self.n_trials, self.n_neurons
        self._weights = aligned((*lead, self.n_features), dtype)
        self._rows_of_weights = self._weights[:, :, None, :]
        self._hidden = aligned((*lead, columns), dtype)
        self._hidden_rows = self._hidden[:, :, None, :]
        self._hidden_columns = self._hidden[:, :, :, None]
        self._pool = np.full((self.n_trials, 1, self.n_neurons), -1.0, dtype=dtype)
        self._residual = aligned((self.n_trials, 1, columns), dtype)
        word = np.int32 if dtype == np.float32 else np.int64
        self._bits, self._residual_bits = self._hidden.view(word), self._residual.view(word)
        self._sign = 8 * self._inputs.dtype.itemsize - 1
        self._products = aligned((*lead, self.n_features), dtype)
        self._product_columns = self._products[:, :, :, None]
        self._transposed = self._inputs.swapaxes(-1, -2)
        self._gradient = np.empty((*lead, self.n_features))
        self._allocated = True


class GatheredInputs(MaskedRelu):
    """Each neuron has a copy of the inputs that it sees: the cost goes with the kept weights.

    Inputs are (n_trials, n_neurons, n_features, columns), with rows of zeros where a place has no feature.
    """

    @property
    def bytes_per_trial(self) -> float:
        """Memory that one evaluation of one trial's gradient goes through."""
        return self._inputs[0].nbytes * (1 + 1 / self.n_features)

    @staticmethod
    def _in_place(mask: np.ndarray, neuron: int) -> np.ndarray:
        return mask[:, neuron]

    @staticmethod
    def _rows(n_neurons: int, width: int) -> tuple[int, ...]:
        return n_neurons, width

    @staticmethod
    def _lay(out: np.ndarray, columns: np.ndarray, features: np.ndarray) -> None:
        out[...] = 0
        for neuron, found in enumerate(features):
            found = found[found >= 0]
            out[neuron, : len(found), : columns.shape[1]] = columns[found]

    def _forward(self) -> None:
        np.matmul(self._rows_of_weights, self._inputs, out=self._hidden_rows)

    def _backward(self) -> np.ndarray:
        np.matmul(self._inputs, self._hidden_columns, out=self._product_columns)
        return self._products


class CommonInputs(MaskedRelu):
    """All neurons have the features that any of them keeps, and gradients are masked.

    Inputs are (n_trials, n_features, columns), with rows of zeros where a place has no feature.
    """

    @property
    def bytes_per_trial(self) -> float:
        """Memory that one evaluation of one trial's gradient goes through."""
        return self._inputs[0].nbytes * (1 + self.n_neurons / self.n_features)

    @staticmethod
    def _in_place(mask: np.ndarray, neuron: int) -> np.ndarray:
        return np.asarray(mask.any(axis=1))

    @staticmethod
    def _rows(n_neurons: int, width: int) -> tuple[int, ...]:
        return (width,)

    @staticmethod
    def _lay(out: np.ndarray, columns: np.ndarray, features: np.ndarray) -> None:
        found = features[0][features[0] >= 0]
        out[...] = 0
        out[: len(found), : columns.shape[1]] = columns[found]

    def _forward(self) -> None:
        np.matmul(self._weights, self._inputs, out=self._hidden)

    def _backward(self) -> np.ndarray:
        np.matmul(self._hidden, self._transposed, out=self._products)
        self._products *= self.kept
        return self._products


def aligned(shape: tuple[int, ...], dtype: type[np.floating]) -> np.ndarray:
    """Return an uninitialised C-contiguous array of `dtype` whose data begin on a cache line."""
    if dtype == np.float64:
        return aligned_empty(shape)
    size = int(np.prod(shape))
    return aligned_empty((-(-size // 2),)).view(dtype)[:size].reshape(shape)
