"""Iterative self-training by stochastic gradient descent (thesis, Algorithm 1 of the appendix on it)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import finite_array, same_shape
from nonconvex.networks.self_training.model import checked_weight, labelled_weight
from nonconvex.networks.self_training.result import SelfTraining
from nonconvex.networks.self_training.schedule import Schedule
from nonconvex.networks.self_training.weighted_risk import WeightedRisk

# Trials that run side by side share the cost of Python; more than fit a core's cache lose more.
CHUNK_BYTES = 1_000_000
DIVERGED = 50.0
"""A trial has diverged when it is this many times the norm of W* (or of W0) away from there."""


def self_train(
    labelled: ArrayLike,
    labels: ArrayLike,
    unlabelled: ArrayLike | None,
    start: ArrayLike,
    *,
    eta: float,
    weight: float | None = None,
    beta: float = 0.0,
    batches: str = "mini",
    renew: bool = True,
    steps: int = 10,
    rounds: int = 1000,
    tolerance: float = 1e-4,
    truth: ArrayLike | None = None,
    record: Sequence[int] = (),
) -> SelfTraining:
    """Train a student on labelled data and on its teacher's pseudo-labels, make it the teacher, and again.

    In each round the teacher, the model at hand, labels the unlabelled data; `steps` steps of gradient
    descent on the weighted risk ``lambda/(2N) sum_n (y_n - g(W; x_n))^2 + (1 - lambda)/(2M) sum_m
    (y~_m - g(W; x~_m))^2`` follow (thesis, Eq. empirical_risk_function), with ``g(W; x) = 1/K sum_k
    relu(w_k' x)``. With beta the steps of a round are those of the heavy ball, at rest when it begins.

    With mini-batches, part t of a set of data are samples t, t + T, t + 2T, ..., T being `steps`: where T
    does not divide their number, the first parts have one sample more. Data whose order means something
    must be shuffled before. Fewer samples, the first of more, have parts that lie in those of the more. In
    each part lambda and 1 - lambda are over the part's own numbers of samples.

    Without unlabelled data this is training on the labelled ones alone. The outcome of a trial does not
    depend on which other trials are in the batch, to the last bit.

    Parameters
    ----------
    labelled : array_like, shape (B, N, n_features)
        Inputs of B trials.
    labels : array_like, shape (B, N)
    unlabelled : array_like, shape (B, M, n_features), or None
        None, and M = 0, for none.
    start : array_like, shape (B, n_features, n_neurons)
        W0, the first model.
    eta, beta, batches, renew, steps, rounds, tolerance
        As in `nonconvex.networks.self_training.schedule.Schedule`.
    weight : float, optional
        lambda, above 0 and at most 1. ``labelled_weight`` of the sizes when not given.
    truth : array_like, shape (B, n_features, n_neurons), optional
        W*. A trial has diverged when it is more than 50 times the norm of W* away from it; of W0 when
        W* is not given. It is used for nothing else.
    record : sequence of int
        Rounds after which the models are kept, ascending; 0 is W0.

    Returns
    -------
    SelfTraining

    Raises
    ------
    ValueError
        If an argument is not finite, shapes do not agree, an option is out of range, there are fewer data
        than parts, or `weight` is below 1 without unlabelled data.
    """
    schedule = Schedule(eta, beta, batches, renew, steps, rounds, tolerance)
    record = _checked_record(record)
    labelled = finite_array("labelled", labelled, ("n_trials", "n_samples", "n_features"))
    n_trials, n, d = labelled.shape
    labels = finite_array("labels", labels, ("n_trials", "n_samples"))
    same_shape("labels", labels, (n_trials, n))
    unlabelled = _checked_unlabelled(unlabelled, n_trials, d)
    start = finite_array("start", start, ("n_trials", "n_features", "n_neurons"))
    same_shape("start", start, (n_trials, d, start.shape[2]))
    anchor = start if truth is None else finite_array("truth", truth, ("n_trials", "n_features", "n_neurons"))
    same_shape("truth", anchor, start.shape)
    m, n_neurons = unlabelled.shape[1], start.shape[2]
    usual = labelled_weight(n, m, d, n_neurons)
    share = usual if weight is None else checked_weight(weight)
    if m == 0 and share < 1:
        raise ValueError(f"weight must be 1 without unlabelled data, got {share:g}")
    schedule.check_counts(n, m)
    size = max(1, CHUNK_BYTES * schedule.n_parts // (8 * d * (n + m)))
    run = _Run(schedule, record, start, anchor)
    with np.errstate(all="ignore"):  # diverging trials overflow on their way out
        for first in range(0, n_trials, size):
            which = slice(first, first + size)
            parts = [
                WeightedRisk.of(
                    labelled[which, t :: schedule.n_parts],
                    labels[which, t :: schedule.n_parts],
                    unlabelled[which, t :: schedule.n_parts],
                    share,
                    n_neurons,
                )
                for t in range(schedule.n_parts)
            ]
            run.chunk(np.arange(n_trials)[which], parts)
    return run.outcome


class _Run:
    """All trials of one call; inside a chunk weights are negated, with neurons in rows."""

    def __init__(
        self, schedule: Schedule, record: tuple[int, ...], start: np.ndarray, anchor: np.ndarray
    ) -> None:
        self._schedule, self._record = schedule, record
        self._start, self._anchor = start, anchor
        n_trials = len(start)
        self.outcome = SelfTraining(
            start.copy(),
            np.full(n_trials, "iteration limit", dtype="U15"),
            np.zeros(n_trials, dtype=np.int64),
            np.full(n_trials, np.nan),
            np.full((n_trials, len(record), *start.shape[1:]), np.nan),
        )

    def chunk(self, index: np.ndarray, parts: list[WeightedRisk]) -> None:
        """Run the trials `index` side by side until the last of them has ended."""
        schedule, outcome = self._schedule, self.outcome
        anchor = _negated(self._anchor[index])
        pair = np.concatenate([_negated(self._start[index])] * 2, axis=1)
        weights, teacher = np.split(pair, 2, axis=1)
        limits = DIVERGED**2 * _squared_norms(anchor)
        self._keep(0, index, weights)
        if not schedule.renew:
            for part in parts:
                part.label(weights)
        for number in range(1, schedule.rounds + 1):
            teacher[...] = weights
            self._round(parts, pair, weights)
            change = np.sqrt(_squared_norms(weights - teacher) / _squared_norms(teacher))
            self._keep(number, index, weights)
            diverged = ~(_squared_norms(weights - anchor) <= limits)
            ended = diverged | (change <= schedule.tolerance)
            if number == schedule.rounds:
                outcome.status[index[ended]] = "converged"
                outcome.status[index[diverged]] = "diverged"
                self._store(number, index, weights, change)
                return
            if ended.any():
                outcome.status[index[ended]] = "converged"
                outcome.status[index[diverged]] = "diverged"
                self._store(number, index[ended], weights[ended], change[ended])
                index, pair, anchor, limits = (a[~ended] for a in (index, pair, anchor, limits))
                if not index.size:
                    return
                weights, teacher = np.split(pair, 2, axis=1)
                parts = [part.take(np.flatnonzero(~ended)) for part in parts]

    def _round(self, parts: list[WeightedRisk], pair: np.ndarray, weights: np.ndarray) -> None:
        """Make the steps of a round on `weights`, in place: the first half of `pair`; the teacher follows."""
        schedule = self._schedule
        velocity = np.zeros_like(weights) if schedule.beta else None
        for t in range(schedule.steps):
            part = parts[t % len(parts)]
            if schedule.renew and 0 < t < len(parts):
                gradient = part.pair_gradient(pair)
            else:
                gradient = part.raw_gradient(weights, label=schedule.renew and t == 0)
            gradient *= schedule.eta * part.factor
            if velocity is not None:
                velocity *= schedule.beta
                velocity += gradient
                gradient = velocity
            weights += gradient

    def _keep(self, number: int, index: np.ndarray, weights: np.ndarray) -> None:
        if number in self._record:
            self.outcome.recorded[index, self._record.index(number)] = -weights.transpose(0, 2, 1)

    def _store(self, number: int, index: np.ndarray, weights: np.ndarray, change: np.ndarray) -> None:
        self.outcome.weights[index] = -weights.transpose(0, 2, 1)
        self.outcome.rounds[index] = number
        self.outcome.change[index] = change


def _negated(weights: np.ndarray) -> np.ndarray:
    return np.negative(weights.transpose(0, 2, 1), order="C")


def _squared_norms(weights: np.ndarray) -> np.ndarray:
    """Return the squared norm of every matrix, one product each: no sum crosses trials."""
    rows = weights.reshape(len(weights), 1, -1)
    return np.matmul(rows, rows.transpose(0, 2, 1)).ravel()


def _checked_unlabelled(unlabelled: ArrayLike | None, n_trials: int, n_features: int) -> np.ndarray:
    empty = (n_trials, 0, n_features)
    if unlabelled is None or np.shape(unlabelled) == empty:
        return np.empty(empty)
    array = finite_array("unlabelled", unlabelled, ("n_trials", "n_samples", "n_features"))
    same_shape("unlabelled", array, (n_trials, array.shape[1], n_features))
    return array


def _checked_record(record: Sequence[int]) -> tuple[int, ...]:
    record = tuple(record)
    whole = all(isinstance(number, (int, np.integer)) and number >= 0 for number in record)
    if not whole or list(record) != sorted(set(record)):
        raise ValueError(f"record must be rounds in ascending order, from 0 on, got {record}")
    return record
