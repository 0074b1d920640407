"""Newton's method down to the critical point near W*, in classification and regression."""

import numpy as np
import pytest
from networks.reference import graph_instance

from nonconvex.networks import Step, descend, graph_trials
from nonconvex.networks.solvers.critical_point import critical_point

ANY = Step("any", 0.0, 0.0)


def classes(n_trials=2, nodes=3000, d=4, neurons=2):
    h, y, truth, start = graph_instance(n_trials, nodes, d, neurons, 2, "classification")
    return graph_trials(h, y, neurons, task="classification"), truth, start


def test_it_ends_where_the_gradient_vanishes_and_the_loss_is_convex():
    trials, truth, _ = classes()
    run = critical_point(trials, truth, truth, step=ANY, max_iterations=200)
    assert set(run.status) == {"converged"}
    before, after = (np.linalg.norm(trials.gradient(w), axis=(1, 2)) for w in (truth, run.weights))
    assert (after < 1e-6 * before).all()
    assert (np.linalg.eigvalsh(trials.hessian(run.weights))[:, 0] > 0).all()
    assert (trials.loss(run.weights) < trials.loss(truth)).all()
    np.testing.assert_allclose(
        run.error, np.linalg.norm(run.weights - truth, axis=(1, 2)) / np.linalg.norm(truth, axis=(1, 2))
    )


def test_descent_from_another_start_comes_to_the_same_point():
    trials, truth, start = classes()
    found = critical_point(trials, truth, truth, step=ANY, max_iterations=200).weights
    step = Step("any", 0.5 / trials.sharpness(found).max(), 0.9)
    long = descend(trials, start, truth, step=step, max_iterations=20_000)
    np.testing.assert_allclose(long.weights, found, atol=1e-5)


def test_in_regression_w_star_is_the_critical_point():
    h, y, truth, _ = graph_instance(2, 60, 4, 2, 2, "regression")
    run = critical_point(graph_trials(h, y, 2), truth, truth, step=ANY, max_iterations=20)
    assert set(run.status) == {"converged"}
    assert (run.error < 1e-9).all()


def test_a_trial_without_a_critical_point_near_w_star_diverges_and_disturbs_no_other():
    trials, truth, _ = classes(n_trials=3, nodes=12)
    run = critical_point(trials, truth, truth, step=ANY, max_iterations=500)
    assert "diverged" in set(run.status)
    assert (run.error[run.status == "diverged"] > 1).all()
    for i in range(3):
        alone = critical_point(
            trials.take(slice(i, i + 1)), truth[i : i + 1], truth[i : i + 1], step=ANY, max_iterations=500
        )
        np.testing.assert_array_equal(alone.weights[0], run.weights[i])


@pytest.mark.parametrize("options", [{"target": 1e-3}, {"record": [0]}, {"stall_exit": True}])
def test_what_looks_at_the_error_is_refused(options):
    trials, truth, _ = classes(1, 50)
    with pytest.raises(ValueError, match="found by its gradient"):
        critical_point(trials, truth, truth, step=ANY, max_iterations=5, **options)


def test_the_cap_counts():
    trials, truth, _ = classes(1)
    run = critical_point(trials, truth, truth, step=ANY, max_iterations=1, levels=[0.1, 0.01])
    assert (run.status[0], run.iterations[0]) == ("iteration limit", 1)
    assert run.reached.tolist() == [[-1, -1]]
