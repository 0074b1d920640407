"""The methods that set the step and the weight themselves, as the theorem and its proof have them."""

import numpy as np
import pytest
from networks.reference import graph_instance, problem

from nonconvex.networks import Step, descend, graph_step, graph_trials
from nonconvex.networks.solvers.descend_curvature import descend_curvature
from nonconvex.networks.solvers.descend_theorem import descend_theorem

FIELDS = ("weights", "error", "iterations", "status", "reached", "history")
KEPT = {"max_iterations": 30, "target": 0.01, "levels": [0.1], "record": range(31)}


def same(one, other):
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize("neurons", [1, 3])
def test_the_theorem_weighs_by_the_bounds_of_its_proof(neurons):
    h, y, truth, start = graph_instance(2, 40, 4, neurons, 2, "regression")
    trials, step = graph_trials(h, y, neurons), graph_step("theorem", n_neurons=neurons)
    lower, upper = 1 / (11 * neurons**2), 4 / neurons
    assert step.eta == pytest.approx(1 / (2 * upper))
    by_hand = Step("theorem", step.eta, (1 - np.sqrt(lower / (2 * upper))) ** 2)
    made = descend_theorem(trials, start, truth, step=step, **KEPT)
    wanted = descend(trials, start, truth, step=by_hand, **KEPT)
    np.testing.assert_allclose(made.history, wanted.history, rtol=1e-9)


def test_another_step_than_the_theorems_is_refused():
    h, y, truth, start = graph_instance(2, 40, 4, 3, 2, "regression")
    for step in (graph_step("common", n_neurons=3), Step("theorem", 0.5, 0.8)):
        with pytest.raises(ValueError, match="step must be the theorem's for regression, K / 8"):
            descend_theorem(graph_trials(h, y, 3), start, truth, step=step, max_iterations=3)


@pytest.mark.parametrize("kind", ["convolutional", "regression", "classification"])
def test_curvature_sets_step_and_weight_of_every_trial(kind):
    trials, start, truth = problem(kind, 3)
    values = np.linalg.eigvalsh(trials.hessian(truth))
    smallest, largest = np.maximum(values[:, 0], 0), values[:, -1]  # few labels: not convex at W*
    eta, beta = 1 / (2 * largest), np.minimum((1 - np.sqrt(smallest / (2 * largest))) ** 2, 1 - 1e-9)
    unused = Step("any", 0.0, 0.0)
    made = descend_curvature(trials, start, truth, step=unused, **KEPT)
    same(made, descend(trials, start, truth, step=Step("any", eta, beta), **KEPT))
    alone = trials.take(slice(1, 2))
    (last,) = descend_curvature(alone, start[1:2], truth[1:2], step=unused, **KEPT).weights
    np.testing.assert_array_equal(last, made.weights[1])


def test_a_flat_direction_gives_a_weight_below_one():
    h, y, truth, start = graph_instance(1, 5, 6, 3, 2, "regression")
    run = descend_curvature(graph_trials(h, y, 3), start, truth, step=Step("any", 0.0, 0.0), max_iterations=5)
    assert np.isfinite(run.error).all()
