"""Newton's method down to a critical point of the loss (thesis, Section 5.4: the nearest one to W*)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.arguments import finite_array, positive_integer, same_shape
from nonconvex.networks.descent import Descent
from nonconvex.networks.distances import relative_error
from nonconvex.networks.steps import Step
from nonconvex.networks.trials import Trials

GRADIENT = 1e-7
"""A point is critical when the norm of its gradient is below this share of the start's."""

RADIUS = 1.0
"""There is none near W* when the way down leads farther from it than this, relative to its norm."""

LENGTH = 0.1
"""Of a step at most, relative to the norm of W*: a short one stays in the valley that it starts in."""

LEAST, MOST = 1e-12, 1e6
"""Of the damping; with the latter no step goes down any more."""


def critical_point(
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
    """Go down from `start` to a critical point by damped Newton steps, of every trial by itself.

    Every step lowers the loss, or, where rounding hides that, the gradient: the eigenvalues of the Hessian
    enter by their sizes. So the point is a minimum. From W* it stands for the critical point nearest to W*:
    the one whose valley W* lies in.

    Parameters
    ----------
    trials, start, truth, max_iterations
        As for `nonconvex.networks.solvers.descend`. The truth sets the length of a step and ends the way
        where it leads far from it.
    target, record, stall_exit
        Must not be given: what ends the way is the gradient, and no error on it is kept.
    levels : sequence of float
        Taken for the shape of the outcome only: none is ever reached.
    step : nonconvex.networks.steps.Step
        Not used.

    Returns
    -------
    Descent
        Status "converged" at a critical point, "diverged" where there is none within a distance of ||W*||_F
        from W*, "iteration limit" otherwise.

    Raises
    ------
    ValueError
        For an option that must not be given, and for weights as `descend` has it.
    """
    if target is not None or len(record) or stall_exit:
        raise ValueError("a critical point is found by its gradient: target must be null, stall_exit false")
    max_iterations = positive_integer("max_iterations", max_iterations)
    shape = (trials.n_trials, trials.n_features, trials.n_neurons)
    axes = ("n_trials", "n_features", "n_neurons")
    start, truth = finite_array("start", start, axes), finite_array("truth", truth, axes)
    same_shape("start", start, shape)
    same_shape("truth", truth, shape)
    found = [
        _descend(trials.take(slice(i, i + 1)), start[i], truth[i], max_iterations)
        for i in range(trials.n_trials)
    ]
    weights = np.array([one[0] for one in found])
    return Descent(
        weights,
        relative_error(weights, truth),
        np.array([one[1] for one in found], dtype=np.int64),
        np.array([one[2] for one in found], dtype="U15"),
        np.full((trials.n_trials, len(levels)), -1),
        np.full((trials.n_trials, 0), np.nan),
    )


def _descend(
    problem: Trials, start: np.ndarray, truth: np.ndarray, max_iterations: int
) -> tuple[np.ndarray, int, str]:
    """Return the last iterate of one trial, its number, and how the way ended."""
    weights, norm, damping = start, float(np.linalg.norm(truth)), 1e-3
    loss, gradient = _at(problem, weights)
    enough = GRADIENT * np.linalg.norm(gradient)
    for iteration in range(max_iterations):
        if np.linalg.norm(gradient) <= enough:
            return weights, iteration, "converged"
        if np.linalg.norm(weights - truth) > RADIUS * norm:
            return weights, iteration, "diverged"
        values, vectors = np.linalg.eigh(problem.hessian(weights[None])[0])
        along = vectors.T @ gradient
        while damping <= MOST:
            move = -vectors @ (along / (np.abs(values) + damping))
            move *= min(1.0, LENGTH * norm / np.linalg.norm(move))
            tried = weights + move.reshape(weights.shape[::-1]).T
            after, there = _at(problem, tried)
            lower = after < loss
            if lower or (after <= loss + 1e-14 and np.linalg.norm(there) < np.linalg.norm(gradient)):
                break
            damping *= 4
        else:
            return weights, iteration, "iteration limit"
        weights, loss, gradient, damping = tried, after, there, max(damping / 5, LEAST)
    return weights, max_iterations, "iteration limit"


def _at(problem: Trials, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the loss and its gradient as one vector, entry k d + i that of entry i of w_k."""
    return float(problem.loss(weights[None])[0]), problem.gradient(weights[None])[0].T.ravel()
