"""The weighted empirical risk of labelled and unlabelled data, for many trials side by side."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from nonconvex.networks.trials import aligned_copy, aligned_empty

# Inputs are worked through in pieces that stay in a core's cache between the forward and the backward
# product. The pieces of a trial depend on its own size only.
PIECE_BYTES = 400_000


class WeightedRisk:
    """``lambda/(2N) sum_n (y_n - g(x_n))^2 + (1 - lambda)/(2M) sum_m (y~_m - g(x~_m))^2`` for B trials.

    (Thesis, Eq. empirical_risk_function.) The network is homogeneous in its input, so that a weight on a
    sample is a factor on its input and its target: with unlabelled data scaled by the root of the ratio of
    the two weights, the risk is one unweighted sum over all samples, times lambda/(2N). At a kink the
    derivative of the ReLU is taken as 0. Inside, weights are negated and neurons are rows, as in
    `nonconvex.networks.trials`.

    Attributes
    ----------
    n_trials : int
        B.
    factor : float
        lambda/(N K), of the gradient, left out of `raw_gradient`.
    """

    def __init__(self, pieces: Sequence["_Piece"], factor: float) -> None:
        self._pieces, self.factor = pieces, factor
        self.n_trials = len(pieces[0].inputs)
        self._buffers: np.ndarray | None = None

    @classmethod
    def of(
        cls, labelled: np.ndarray, labels: np.ndarray, unlabelled: np.ndarray, weight: float, n_neurons: int
    ) -> "WeightedRisk":
        """Lay out checked arrays: (B, N, d), (B, N) and (B, M, d); M may be 0, with a weight of 1."""
        n_trials, n, d = labelled.shape
        m = unlabelled.shape[1]
        columns = aligned_empty((n_trials, d, n + m))
        columns[:, :, :n] = labelled.transpose(0, 2, 1)
        if m:
            scale = np.sqrt((1 - weight) / m * n / weight)
            np.multiply(unlabelled.transpose(0, 2, 1), scale, out=columns[:, :, n:])
        count = max(1, -(-8 * d * (n + m) // PIECE_BYTES))
        cuts = np.linspace(0, n + m, min(count, n + m) + 1).astype(int)
        pieces = []
        for first, last in pairwise(cuts.tolist()):
            targets = np.zeros((n_trials, 1, last - first))
            own = max(0, min(n, last) - first)
            targets[:, 0, :own] = labels[:, first : first + own]
            pieces.append(_Piece(aligned_copy(columns[:, :, first:last]), targets, own, n_neurons))
        return cls(pieces, weight / (n * n_neurons))

    def take(self, index: np.ndarray) -> "WeightedRisk":
        """Return the problems `index`, an index array, as a new batch."""
        return WeightedRisk([piece.take(index) for piece in self._pieces], self.factor)

    def label(self, negated: np.ndarray) -> None:
        """Give the unlabelled data the outputs of a teacher (B, K, d), negated, as pseudo-labels."""
        for piece in self._pieces:
            piece.label(negated)

    def raw_gradient(self, negated: np.ndarray, *, label: bool = False) -> np.ndarray:
        """Return the gradient at ``-negated.transpose(0, 2, 1)``, (B, K, d), before its factor; in a buffer.

        With `label` these weights are the teacher, too: unlabelled data get their outputs as pseudo-labels.
        """
        return self._summed(lambda piece, out: piece.gradient(negated, out, label), negated.shape)

    def pair_gradient(self, pair: np.ndarray) -> np.ndarray:
        """Return the gradient of a student with the pseudo-labels of a teacher, both negated, in one go.

        `pair` is (B, 2 K, d), the student's neurons first: one product with both is much faster than two.
        The pseudo-labels are not kept.
        """
        n_trials, rows, d = pair.shape
        return self._summed(lambda piece, out: piece.pair_gradient(pair, out), (n_trials, rows // 2, d))

    def _summed(self, write: Callable[["_Piece", np.ndarray], None], shape: tuple[int, ...]) -> np.ndarray:
        if self._buffers is None:
            self._buffers = np.empty((2, *shape))
        total, part = self._buffers
        write(self._pieces[0], total)
        for piece in self._pieces[1:]:
            write(piece, part)
            total += part
        return total

    def loss(self, negated: np.ndarray) -> np.ndarray:
        """Return the risk, shape (B,)."""
        squares = sum(
            np.sum((piece.outputs(negated) - piece.targets) ** 2, axis=(1, 2)) for piece in self._pieces
        )
        return 0.5 * self.factor * negated.shape[1] * squares


class _Piece:
    """Consecutive samples of all trials, labelled ones first.

    Attributes
    ----------
    inputs : ndarray, shape (B, d, n)
    targets : ndarray, shape (B, 1, n)
    """

    def __init__(self, inputs: np.ndarray, targets: np.ndarray, n_labelled: int, n_neurons: int) -> None:
        self.inputs, self.targets = inputs, targets
        self._n_labelled, self._n_neurons = n_labelled, n_neurons
        self._unlabelled = n_labelled < inputs.shape[2]
        self._allocated = False

    def take(self, index: np.ndarray) -> "_Piece":
        return _Piece(
            aligned_copy(self.inputs[index]), self.targets[index], self._n_labelled, self._n_neurons
        )

    def outputs(self, negated: np.ndarray) -> np.ndarray:
        """Return the outputs, shape (B, 1, n), and leave min(-W'x, 0) in the buffer."""
        if not self._allocated:
            self._allocate()
        np.matmul(negated, self.inputs, out=self._hidden)
        np.minimum(self._hidden, 0.0, out=self._hidden)
        return np.matmul(self._pool, self._hidden, out=self._outputs)

    def label(self, negated: np.ndarray) -> None:
        if self._unlabelled:
            self.outputs(negated)
            self._pseudo[...] = self._unlabelled_outputs

    def gradient(self, negated: np.ndarray, out: np.ndarray, label: bool) -> None:
        """Write the sum over samples of residual times active input, shape (B, K, d), into `out`."""
        self.outputs(negated)
        if label and self._unlabelled:
            self._pseudo[...] = self._unlabelled_outputs
        np.subtract(self._outputs, self.targets, out=self._outputs)
        self._backward(out)

    def pair_gradient(self, pair: np.ndarray, out: np.ndarray) -> None:
        """Write the same for a student with its teacher's pseudo-labels."""
        if not self._unlabelled:
            return self.gradient(pair[:, : self._n_neurons], out, False)
        if not self._allocated:
            self._allocate()
        np.matmul(pair, self.inputs, out=self._both)
        np.minimum(self._both, 0.0, out=self._both)
        np.matmul(self._pool, self._hidden, out=self._outputs)
        np.matmul(self._pool, self._of_teacher, out=self._teacher_outputs)
        np.subtract(self._labelled_outputs, self._labels, out=self._labelled_outputs)
        np.subtract(self._unlabelled_outputs, self._teacher_unlabelled, out=self._unlabelled_outputs)
        self._backward(out)

    def _backward(self, out: np.ndarray) -> None:
        """Turn the buffers' products and residuals into a gradient."""
        # Spreading the sign bit over the word makes a mask; "and" then copies the residual to active units.
        np.right_shift(self._bits, 63, out=self._bits)
        np.bitwise_and(self._bits, self._residual_bits, out=self._bits)
        np.matmul(self._hidden, self._samples_first, out=out)

    def _allocate(self) -> None:
        """Make the buffers and all views of them: making views costs as much as small products."""
        n_trials, _, n_samples = self.inputs.shape
        k, own = self._n_neurons, self._n_labelled
        self._pool = np.full((n_trials, 1, k), -1.0 / k)
        self._both = aligned_empty((n_trials, 2 * k if self._unlabelled else k, n_samples))
        self._hidden, self._of_teacher = self._both[:, :k], self._both[:, k:]
        self._outputs, self._teacher_outputs = aligned_empty((2, n_trials, 1, n_samples))
        self._bits = self._hidden.view(np.int64)
        self._residual_bits = self._outputs.view(np.int64)
        self._samples_first = self.inputs.transpose(0, 2, 1)
        self._labels, self._pseudo = self.targets[:, :, :own], self.targets[:, :, own:]
        self._labelled_outputs = self._outputs[:, :, :own]
        self._unlabelled_outputs = self._outputs[:, :, own:]
        self._teacher_unlabelled = self._teacher_outputs[:, :, own:]
        self._allocated = True
