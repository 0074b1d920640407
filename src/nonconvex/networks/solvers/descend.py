"""Heavy-ball gradient descent on a batch of training problems (thesis, Algorithms 4 and 5)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.arrays import plain_array
from nonconvex.networks.arguments import finite_array, number, positive_integer, same_shape
from nonconvex.networks.descent import Descent
from nonconvex.networks.distances import relative_error
from nonconvex.networks.milestones import Milestones, Stall
from nonconvex.networks.steps import Step
from nonconvex.networks.trials import Trials

# Trials that run side by side share the cost of Python; more than fit a core's cache lose more.
CHUNK_BYTES = 1_250_000
DIVERGED = 1e3


def descend(
    trials: Trials,
    start: ArrayLike,
    truth: ArrayLike,
    *,
    step: Step,
    max_iterations: int,
    target: float | None = None,
    levels: Sequence[float] = (),
    record: Sequence[int] = (),
    stall_exit: bool = False,
) -> Descent:
    """Run ``W^(t+1) = W^(t) - eta grad f(W^(t)) + beta (W^(t) - W^(t-1))`` on every trial, W^(-1) = W^(0).

    The gradient takes all samples in every iteration. The outcome of a trial does not depend on which other
    trials are in the batch, to the last bit.

    Parameters
    ----------
    trials : nonconvex.networks.trials.Trials
        T problems, from `convolutional_trials` or `graph_trials`.
    start, truth : array_like, shape (T, n_features, n_neurons)
        W^(0) and W*. The truth is used for errors, `target`, `levels` and the two exits only.
    step : nonconvex.networks.steps.Step
        eta and beta, each one number or one per trial.
    max_iterations : int
        Cap on the number of updates.
    target : float, optional
        Success: a trial ends when its relative error first falls below this. No such end when not given.
    levels : sequence of float
        Relative errors whose first iteration is wanted; not below `target`.
    record : sequence of int
        Iterations, ascending from 0 on, at which the error is kept.
    stall_exit : bool
        End trials whose error no longer falls (`nonconvex.networks.milestones.Stall`). A saving for success
        maps; off by default because it looks at the truth.

    Returns
    -------
    Descent

    Raises
    ------
    ValueError
        If shapes do not agree, a start or truth is not finite, a truth is zero, or an option is out of range.
    """
    options = _check_options(trials, step, max_iterations, target, levels, record)
    start, truth = _check_weights(trials, start, truth)
    run = _Run(trials, start, truth, options, bool(stall_exit))
    size = max(1, int(CHUNK_BYTES // trials.bytes_per_trial))
    with np.errstate(all="ignore"):  # diverging trials overflow on their way out
        for first in range(0, trials.n_trials, size):
            run.chunk(slice(first, first + size))
        return run.outcome(truth)


@dataclass(frozen=True, eq=False)
class _Options:
    eta: np.ndarray
    beta: np.ndarray
    max_iterations: int
    target: float | None
    levels: np.ndarray
    record: tuple[int, ...]


class _Run:
    """All trials of one call; arrays of weights are in the inner layout, negated with neurons in rows."""

    def __init__(
        self, trials: Trials, start: np.ndarray, truth: np.ndarray, options: _Options, stall_exit: bool
    ) -> None:
        self._trials, self._options, self._stall_exit = trials, options, stall_exit
        self._truth = trials.negated(truth)
        self._norms = _squared_norms(self._truth.reshape(trials.n_trials, 1, -1))
        extra = [] if options.target is None else [options.target]
        self._sorted = np.unique(np.append(options.levels, extra))[::-1]
        self._milestones = Milestones(self._sorted, self._norms)
        n_trials = trials.n_trials
        self._weights = trials.negated(start)
        self._iterations = np.zeros(n_trials, dtype=np.int64)
        self._status = np.full(n_trials, "iteration limit", dtype="U15")
        self._history = np.full((n_trials, len(options.record)), np.nan)

    def outcome(self, truth: np.ndarray) -> Descent:
        weights = np.negative(self._weights.transpose(0, 2, 1), order="C")
        columns = np.searchsorted(-self._sorted, -self._options.levels)
        return Descent(
            weights,
            relative_error(weights, truth),
            self._iterations,
            self._status,
            self._milestones.reached[:, columns],
            self._history,
        )

    def chunk(self, which: slice) -> None:
        """Run the trials `which` side by side until the last of them has ended."""
        options, record = self._options, self._options.record
        index = np.arange(self._trials.n_trials)[which]
        weights = self._weights[which].copy()
        moving = _Moving(
            self._trials.take(which),
            weights,
            np.zeros_like(weights),
            self._truth[which],
            options.eta[which],
            options.beta[which],
        )
        stall = Stall() if self._stall_exit else None
        column = iteration = 0
        bounds = self._bounds(index)
        while True:
            errors = moving.squared_errors()
            if column < len(record) and record[column] == iteration:
                self._history[index, column] = np.sqrt(errors / self._norms[index])
                column += 1
            quiet = (errors >= bounds[0]) & (errors < bounds[1])
            if np.count_nonzero(quiet) < quiet.size or (stall is not None and iteration % Stall.EVERY == 0):
                ended = self._events(index, errors, iteration, stall)
                if ended.any():
                    self._store(index[ended], moving.weights[ended], iteration)
                    index = index[~ended]
                    if not index.size:
                        return
                    moving = moving.keep(~ended)
                    if stall is not None:
                        stall.keep(~ended)
                bounds = self._bounds(index)
            if iteration == options.max_iterations:
                return self._store(index, moving.weights, iteration)
            moving.step()
            iteration += 1

    def _bounds(self, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the squared errors below and from which something happens to each trial."""
        return self._milestones.next_bounds(index), DIVERGED**2 * self._norms[index]

    def _events(
        self, index: np.ndarray, errors: np.ndarray, iteration: int, stall: Stall | None
    ) -> np.ndarray:
        """Record what happened to each trial, and return which of them have ended."""
        self._milestones.mark(index, errors, iteration)
        diverged = ~(errors < DIVERGED**2 * self._norms[index])
        stalled = np.zeros_like(diverged) if stall is None else stall.check(errors, iteration)
        converged = np.zeros_like(diverged)
        if self._options.target is not None:
            converged = self._milestones.reached[index, -1] >= 0
        # The last word wins: a trial that succeeds has not stalled.
        self._status[index[stalled]] = "stalled"
        self._status[index[diverged]] = "diverged"
        self._status[index[converged]] = "converged"
        return diverged | stalled | converged

    def _store(self, index: np.ndarray, weights: np.ndarray, iteration: int) -> None:
        self._weights[index] = weights
        self._iterations[index] = iteration


class _Moving:
    """The running trials of a chunk, in buffers."""

    def __init__(
        self,
        trials: Trials,
        weights: np.ndarray,
        velocity: np.ndarray,
        truth: np.ndarray,
        eta: np.ndarray,
        beta: np.ndarray,
    ) -> None:
        self.weights, self._velocity, self._truth = weights, velocity, truth
        self._trials, self._eta, self._beta = trials, eta, beta
        # Spread out, because numpy's loops over short broadcast axes are slow.
        self._factor = np.broadcast_to(eta[:, None, None] * trials.scale, weights.shape).copy()
        self._weight = np.broadcast_to(beta[:, None, None], weights.shape).copy()
        self._difference = np.empty_like(weights)
        self._row = self._difference.reshape(len(weights), 1, -1)

    def keep(self, index: np.ndarray) -> "_Moving":
        """Return the trials `index`, an array of bool, as a new object."""
        arrays = (self.weights, self._velocity, self._truth, self._eta, self._beta)
        return _Moving(self._trials.take(np.flatnonzero(index)), *(array[index] for array in arrays))

    def squared_errors(self) -> np.ndarray:
        """Return ||W - W*||_F^2, shape (n_trials,)."""
        np.subtract(self.weights, self._truth, out=self._difference)
        return _squared_norms(self._row)

    def step(self) -> None:
        """Make one update."""
        gradient = self._trials.raw_gradient(self.weights)
        gradient *= self._factor
        self._velocity *= self._weight
        self._velocity += gradient
        self.weights += self._velocity


def _squared_norms(rows: np.ndarray) -> np.ndarray:
    """Return the squared norm of every row of (n_trials, 1, n), one product each: no sum crosses trials."""
    return np.matmul(rows, rows.transpose(0, 2, 1)).ravel()


def _check_options(
    trials: Trials,
    step: Step,
    max_iterations: int,
    target: float | None,
    levels: Sequence[float],
    record: Sequence[int],
) -> _Options:
    if not isinstance(step, Step):
        raise TypeError(
            f"step must be a Step, as the functions of nonconvex.networks.steps return, not {step!r}"
        )
    eta = _per_trial("step.eta", step.eta, trials.n_trials, 0)
    beta = _per_trial("step.beta", step.beta, trials.n_trials, 0)
    if (beta >= 1).any():
        raise ValueError(f"step.beta must be below 1, got {beta.max():g}")
    max_iterations = positive_integer("max_iterations", max_iterations)
    if target is not None:
        target = number("target", target, np.finfo(float).tiny)
    wanted = np.array([number(f"levels[{i}]", level, 0) for i, level in enumerate(levels)])
    if target is not None and (wanted < target).any():
        raise ValueError(f"levels must not be below target = {target:g}, got {wanted.min():g}")
    record = tuple(record)
    whole = all(isinstance(iteration, (int, np.integer)) and iteration >= 0 for iteration in record)
    if not whole or list(record) != sorted(set(record)):
        raise ValueError(f"record must be iterations in ascending order, from 0 on, got {record}")
    return _Options(eta, beta, max_iterations, target, wanted, record)


def _per_trial(name: str, value: ArrayLike, n_trials: int, low: float) -> np.ndarray:
    values = plain_array(name, value).astype(float, copy=False)
    if values.shape not in ((), (n_trials,)) or not (np.isfinite(values) & (values >= low)).all():
        raise ValueError(
            f"{name} must be {low} or more, one number or one per trial ({n_trials}), got {value!r}"
        )
    return np.broadcast_to(values, (n_trials,))


def _check_weights(trials: Trials, start: ArrayLike, truth: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    shape = (trials.n_trials, trials.n_features, trials.n_neurons)
    axes = ("n_trials", "n_features", "n_neurons")
    start, truth = finite_array("start", start, axes), finite_array("truth", truth, axes)
    same_shape("start", start, shape)
    same_shape("truth", truth, shape)
    zero = np.flatnonzero(~truth.any(axis=(1, 2)))
    if zero.size:
        raise ValueError(f"truth[{zero[0]}] must not be zero: errors are relative to its norm")
    return start, truth
