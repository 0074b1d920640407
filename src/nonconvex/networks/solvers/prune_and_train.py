"""Find a mask from early weights, then train on it (thesis, Section 6.4.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import choice, finite_array, number, positive_integer
from nonconvex.networks.distances import relative_error
from nonconvex.networks.generalisation import population_risk
from nonconvex.networks.milestones import Milestones
from nonconvex.networks.models.masked_relu import MaskedRelu
from nonconvex.networks.pruned_batches import batches, descend_masked
from nonconvex.networks.pruned_steps import pruned_step
from nonconvex.networks.pruning import SCORES, keep_largest, pruning_scores
from nonconvex.networks.solvers.descend import CHUNK_BYTES
from nonconvex.networks.steps import Step

RESUMES = ("early", "start")
HALVINGS = 3


@dataclass(frozen=True, eq=False)
class PrunedTraining:
    """The outcome of every trial.

    Attributes
    ----------
    weights : ndarray, shape (n_trials, n_features, n_neurons), float64
        Last iterate, zero where the mask prunes; may hold NaN or infinity after divergence.
    masks : ndarray, shape (n_trials, n_features, n_neurons), bool
    test_error, start_test_error : ndarray, shape (n_trials,), float64
        Root mean square difference from the teacher's outputs over all Gaussian inputs
        (`nonconvex.networks.population_risk`), at the end and at the masked weights it began with.
    error : ndarray, shape (n_trials,), float64
        ``||W - W*||_F / ||W*||_F``.
    iterations : ndarray, shape (n_trials,), int64
        On the mask, without the early ones.
    status : ndarray of str, shape (n_trials,)
        "iteration limit" or "diverged" (test error 1000 or more, or NaN).
    reached : ndarray, shape (n_trials, n_levels), int64
        First iteration at which the test error was looked at and below each of the levels; -1 where none was.
    halved : ndarray, shape (n_trials, 3), int64
        First iteration at which the test error was looked at and its excess over the last one was at most a
        half, a quarter and an eighth of what it was in the beginning; -1 where the last one is no smaller
        than the first.
    """

    weights: np.ndarray
    masks: np.ndarray
    test_error: np.ndarray
    start_test_error: np.ndarray
    error: np.ndarray
    iterations: np.ndarray
    status: np.ndarray
    reached: np.ndarray
    halved: np.ndarray


def prune_and_train(
    inputs: Sequence[ArrayLike],
    outputs: Sequence[ArrayLike],
    start: ArrayLike,
    truth: ArrayLike,
    *,
    ratio: float,
    levels: Sequence[float] = (),
    score: str = "signed",
    eta: float,
    beta: float = 0.5,
    early: int = 20,
    early_eta: float | None = None,
    resume: str = "early",
    max_iterations: int = 600,
    every: int = 1,
    single: bool = False,
) -> PrunedTraining:
    """Train all weights for `early` iterations, prune by a score of what comes out, train what is left.

    The outcome of a trial does not depend on which other trials are in the batch, to the last bit.

    Parameters
    ----------
    inputs : sequence of T arrays, shape (n_samples, n_features) each
    outputs : sequence of T arrays, shape (n_samples,) each
    start, truth : array_like, shape (T, n_features, n_neurons)
        W^(0), of all weights, and W*; the truth is used for errors only.
    ratio : float
        Pruning ratio, from 0 to below 1: the share of all weights that are pruned.
    levels : sequence of float
        Test errors whose first iteration is wanted.
    score : {"signed", "abs", "magnitude"}
        See `nonconvex.networks.pruning_scores`.
    eta, beta : float
        Step, which multiplies the gradient of the mean network's loss, and heavy-ball weight.
    early : int
        Iterations before pruning, 20 in the thesis.
    early_eta : float, optional
        Their step, where it is another.
    resume : {"early", "start"}
        Train on from the early weights, masked, or from W^(0), masked.
    max_iterations : int
        Iterations on the mask.
    every : int
        The test error is computed at every so many iterations, and at the end.
    single : bool
        Products in single precision; iterates and test errors are in double.

    Returns
    -------
    PrunedTraining

    Raises
    ------
    ValueError
        If an argument is not finite or out of range, or shapes do not agree.
    """
    check_options(
        score=score,
        eta=eta,
        beta=beta,
        early=early,
        early_eta=early_eta,
        resume=resume,
        max_iterations=max_iterations,
        every=every,
        single=single,
    )
    start = finite_array("start", start, ("n_trials", "n_features", "n_neurons"))
    truth = finite_array("truth", truth, ("n_trials", "n_features", "n_neurons"))
    k = start.shape[2]
    step = pruned_step(n_neurons=k, eta=eta, beta=beta)
    early_step = step if early_eta is None else pruned_step(n_neurons=k, eta=early_eta, beta=beta)
    data = inputs, outputs
    whole = np.ones(start.shape, dtype=bool)
    run = descend_masked(*data, whole, start, truth, step=early_step, max_iterations=early, single=single)
    # After divergence there is nothing to prune by: the start stands in, and diverges in turn.
    finite = np.isfinite(run.weights).all(axis=(1, 2))
    weights = np.where(finite[:, None, None], run.weights, start)
    masks = np.stack(
        [
            keep_largest(pruning_scores(x, y, w, score), ratio)
            for x, y, w in zip(inputs, outputs, weights, strict=True)
        ]
    )
    first = np.where(masks, start if resume == "start" else weights, 0.0)
    watch = _Watch(truth, np.array(levels, dtype=float), every, max_iterations)
    begun = watch.test_error(first, slice(None))
    final = np.empty_like(first)
    with np.errstate(all="ignore"):  # diverging trials overflow on their way out
        for index, trials in batches(*data, masks, single=single):
            size = max(1, int(CHUNK_BYTES // trials.bytes_per_trial))
            for place in range(0, len(index), size):
                here = index[place : place + size]
                final[here] = _train(trials.take(slice(place, place + size)), first[here], here, step, watch)
        ended = watch.test_error(final, slice(None))
        error = relative_error(final, truth)
    status = np.where(ended < 1e3, "iteration limit", "diverged")
    iterations = np.full(len(final), max_iterations)
    order = np.searchsorted(-watch.levels, -np.array(levels, dtype=float))
    reached = watch.milestones.reached[:, order]
    return PrunedTraining(
        final, masks, ended, begun, error, iterations, status, reached, watch.halved(HALVINGS)
    )


def check_options(
    *,
    score: str = "signed",
    eta: float | None = None,
    beta: float = 0.5,
    early: int = 20,
    early_eta: float | None = None,
    resume: str = "early",
    max_iterations: int = 600,
    every: int = 1,
    single: bool = False,
) -> None:
    """Raise ValueError for an option of `prune_and_train` that is out of range."""
    choice("score", score, SCORES)
    choice("resume", resume, RESUMES)
    pruned_step(n_neurons=1, eta=eta, beta=beta)
    if early_eta is not None:
        number("early_eta", early_eta, 0)
    for name, value in (("early", early), ("max_iterations", max_iterations), ("every", every)):
        positive_integer(name, value)
    if not isinstance(single, bool):
        raise ValueError(f"single must be true or false, got {single!r}")


class _Watch:
    """Test errors of all trials, and the levels that they have reached."""

    def __init__(self, truth: np.ndarray, levels: np.ndarray, every: int, last: int) -> None:
        self.last, self._every, self._truth = last, every, truth
        self.levels = np.unique(levels)[::-1]
        self.milestones = Milestones(self.levels, np.ones(len(truth)))
        self._looks = np.unique([*range(0, last + 1, every), last])
        self._errors = np.full((len(self._looks), len(truth)), np.nan)

    def test_error(self, weights: np.ndarray, index: slice | np.ndarray) -> np.ndarray:
        return np.sqrt(population_risk(weights, self._truth[index]))

    def look(self, trials: MaskedRelu, negated: np.ndarray, index: np.ndarray, iteration: int) -> None:
        if iteration % self._every == 0 or iteration == self.last:
            weights = trials.expand(-negated.transpose(0, 2, 1))
            risk = population_risk(weights, self._truth[index])
            self.milestones.mark(index, risk, iteration)
            self._errors[np.searchsorted(self._looks, iteration), index] = np.sqrt(risk)

    def halved(self, times: int) -> np.ndarray:
        """Return when the excess over the last test error had halved once, twice, ..., (n_trials, times)."""
        with np.errstate(invalid="ignore"):
            excess = self._errors - self._errors[-1]
            shares = 0.5 ** np.arange(1, times + 1)
            below = excess[:, :, None] <= excess[0][:, None] * shares
        return np.where((excess[0] > 0)[:, None], self._looks[below.argmax(axis=0)], -1)


def _train(trials: MaskedRelu, start: np.ndarray, index: np.ndarray, step: Step, watch: _Watch) -> np.ndarray:
    """Return the last iterates of the trials `index`, watched on the way."""
    weights = trials.negated(trials.compact(start))
    velocity, factor = np.zeros_like(weights), step.eta * trials.scale
    watch.look(trials, weights, index, 0)
    for iteration in range(1, watch.last + 1):
        gradient = trials.raw_gradient(weights)
        gradient *= factor
        velocity *= step.beta
        velocity += gradient
        weights += velocity
        watch.look(trials, weights, index, iteration)
    return trials.expand(-weights.transpose(0, 2, 1))
