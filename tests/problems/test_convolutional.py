from functools import partial

import numpy as np
import pytest
from problems import small

from nonconvex.networks.distances import relative_error
from nonconvex.networks.models.convolutional import convolutional_outputs
from nonconvex.networks.solvers.descend import descend
from nonconvex.networks.steps import convolutional_step
from nonconvex.problems.contract import family
from nonconvex.problems.convolutional.data import check
from nonconvex.problems.convolutional.outcome import OUTCOME
from nonconvex.problems.convolutional.starts import KINDS, about, estimate

instance = partial(small.instance, "convolutional")


def test_outputs_are_those_of_the_teacher_and_all_neurons_count_alike():
    made = instance()
    assert made.inputs.shape == (40, 3, 4)
    by_hand = sum(np.maximum(made.inputs[:, m] @ made.truth, 0) @ made.v for m in range(3))
    np.testing.assert_allclose(made.outputs, by_hand, rtol=1e-12)
    assert (made.v == 1).all()


def test_fewer_samples_are_the_first_of_more():
    few, many = instance(noise=0.1), instance(noise=0.1, n_samples=90)
    assert np.array_equal(few.inputs, many.inputs[:40])
    for name in ("truth", "v", "start", "tensor"):
        assert np.array_equal(getattr(few, name), getattr(many, name))


def test_mixed_signs_share_weights_inputs_and_start():
    ones, mixed = instance(n_neurons=8), instance(n_neurons=8, sign="mixed")
    assert sorted(set(mixed.v)) == [-1, 1]
    for name in ("truth", "inputs", "start"):
        assert np.array_equal(getattr(ones, name), getattr(mixed, name))


def test_sizes_may_be_given_as_inputs_and_as_a_ratio():
    made = instance(patch_size=None, n_inputs=12, n_samples=None, samples_ratio=1.3)
    assert made.truth.shape == (4, 2)
    assert made.inputs.shape == (round(1.3 * 8), 3, 4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_neurons": 0}, "n_neurons = 0 must be at least 1"),
        ({"n_patches": 0}, "n_patches = 0 must be at least 1"),
        ({"patch_size": 0}, "patch_size = 0 must be at least 1"),
        ({"n_inputs": 12}, "exactly one of n_inputs and patch_size"),
        ({"n_inputs": 13, "patch_size": None}, "n_inputs = 13 is no multiple of n_patches = 3"),
        ({"samples_ratio": 2.0}, "exactly one of n_samples and samples_ratio"),
        ({"samples_ratio": 0.01, "n_samples": None}, "number of samples, 0, must be at least 1"),
        ({"sign": "plus"}, "sign = 'plus' is none of ones, mixed"),
        ({"noise": -0.1}, "noise = -0.1 must not be negative"),
    ],
)
def test_impossible_cells_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        check(small.cell_of("convolutional", **change))


def plain_descent(made, eta, beta, iterations):
    """The thesis's Algorithm 4 on the loss of Eq. sample_risk, sample by sample, from a given start."""
    weights, before = made.start.copy(), made.start.copy()
    for _ in range(iterations):
        gradient = np.zeros_like(weights)
        for x, y in zip(made.inputs, made.outputs, strict=True):
            residual = made.v @ np.maximum(x @ weights, 0).sum(axis=0) - y
            for k in range(weights.shape[1]):
                gradient[:, k] += residual * made.v[k] * x.T @ (x @ weights[:, k] > 0) / len(made.outputs)
        weights, before = weights - eta * gradient + beta * (weights - before), weights
    return weights


@pytest.mark.parametrize(
    ("options", "eta", "beta"),
    [
        ({}, 2 / 9, (1 - 6**-0.5) ** 2),
        ({"factor": 3.0, "beta": 0.0}, 3 / 9, 0.0),
        ({"rule": "as_printed", "factor": 0.2}, 0.4 / 9, (1 - 6**-0.5) ** 2),
        ({"rule": "theorem"}, 1 / (12 * 9 * 2), (1 - 6**-0.5) ** 2),
    ],
)
def test_rules_are_the_steps_of_the_thesis(options, eta, beta):
    made = instance(sign="mixed", noise=0.05)
    wanted = plain_descent(made, eta, beta, 12)
    options = options | {"max_iterations": 12, "target": None}
    (row,) = OUTCOME.together(descend, [made], [], options)
    assert row["error"] == pytest.approx(
        np.linalg.norm(wanted - made.truth) / np.linalg.norm(made.truth), rel=1e-9
    )
    assert row["spectral_over_noise"] == row["spectral_error"] / 0.05
    assert row["iterations"] == 12


def test_a_printed_step_at_default_sizes_diverges_and_the_corrected_one_does_not():
    made = [instance(trial, n_neurons=5, n_patches=5, patch_size=10, n_samples=200) for trial in range(2)]
    for rule, status in (("as_printed", "diverged"), ("over_k", "iteration limit")):
        rows = OUTCOME.together(descend, made, [], {"rule": rule, "max_iterations": 60})
        assert [row["status"] for row in rows] == [status] * 2


def test_estimated_neurons_are_numbered_as_the_true_ones_and_signs_are_told_apart():
    made = instance(n_samples=3000)
    for kind in KINDS:
        weights, v = estimate(made, kind)
        swapped = weights[:, ::-1]
        assert relative_error(weights, made.truth) <= relative_error(swapped, made.truth)
        assert about((weights, v), made)["v_exact"] == np.array_equal(v, made.v)
    assert about(estimate(made, "tensor_v_known"), made)["v_exact"]
    assert not about((made.start, -made.v), made)["v_exact"]


def test_the_fourth_moment_sees_the_neurons_and_the_third_does_not():
    made = instance(n_samples=60_000)
    table = family("tensor_signal").load_table()
    rows = list(table.rows(["noise"], {"noise": 0.0}, 3, made))
    assert table.columns(["noise"]) == ["noise", "trial", "neuron", "order", "score"]
    assert [row[:4] for row in rows] == [(0.0, 3, n, order) for order in (3, 4) for n in (1, 2)]
    assert all(abs(row[4]) < 5 for row in rows[:2])
    assert all(abs(row[4]) > 5 for row in rows[2:])


def test_the_reference_step_is_the_library_step():
    step = convolutional_step(n_neurons=5, n_patches=5)
    assert step.eta == pytest.approx(0.08)
    assert step.beta == pytest.approx(0.64)
    made = instance()
    assert convolutional_outputs(made.inputs, made.truth, made.v) == pytest.approx(made.outputs)
