"""The battery of odd inputs, for every function of nonconvex.networks that takes arrays."""

import numpy as np
import pytest
from input_battery import (
    Case,
    check_refused,
    check_size,
    check_the_same,
    refused,
    sizes,
    take_arrays,
    the_same,
)

from nonconvex import networks
from nonconvex.networks.pruning import loss_gradient
from nonconvex.networks.solvers.critical_point import critical_point
from nonconvex.networks.tensor.convolutional import tensor_initialisation
from nonconvex.networks.tensor.graph import graph_tensor_initialisation
from nonconvex.networks.tensor.printed import (
    printed_graph_tensor_initialisation,
    printed_tensor_initialisation,
)
from nonconvex.networks.tensor.signal import signal_scores

RNG = np.random.default_rng(3)
W = networks.draw_weights(4, 2, rng=RNG)
V = np.array([1.0, -1.0])
START = networks.draw_start(W, rng=RNG)
PATCHES = networks.draw_patches(30, 3, 4, rng=RNG)
OUTPUTS = networks.convolutional_outputs(PATCHES, W, V)
INPUTS = RNG.standard_normal((30, 4))
MEANS = networks.mean_outputs(INPUTS, W)
MASK = np.array([[1, 0], [1, 1], [0, 1], [1, 1]], dtype=bool)
GRAPH = networks.normalise(networks.connected_cycle(30, 2))
NODES = np.arange(0, 30, 2)
ROWS = networks.aggregate(GRAPH, INPUTS, NODES)
LABELS = networks.graph_outputs(ROWS, W)
CLASSES = networks.draw_classes(networks.graph_outputs(ROWS, W, task="classification"), rng=RNG)
STEP = networks.convolutional_step(n_neurons=2, n_patches=3)
TRIALS = networks.convolutional_trials(PATCHES[None], OUTPUTS[None], V[None])

STACKED = ("one axis more", "one axis less")
DIVERGED = ("weights nan", "weights inf")


def rng():
    return np.random.default_rng(7)


def convolutional(inputs, outputs, v, start):
    trials = networks.convolutional_trials(inputs, outputs, v)
    return networks.descend(trials, start, W[None], step=STEP, max_iterations=20)


def of_graph(task):
    def call(aggregated, labels):
        trials = networks.graph_trials(aggregated, labels, 2, task=task)
        return trials.loss(W[None]), trials.gradient(W[None]), trials.hessian(W[None])

    return call


def pruned(inputs, outputs, masks, start):
    options = {"step": networks.pruned_step(n_neurons=2, eta=0.5), "max_iterations": 10}
    return networks.descend_masked(inputs, outputs, masks, start, W[None], **options)


def pruned_gradient(inputs, outputs, masks):
    trials = networks.pruned_trials(inputs, outputs, masks)
    return trials.gradient(trials.compact((W * MASK)[None]))


def prune(inputs, outputs, start, truth):
    return networks.prune_and_train(inputs, outputs, start, truth, ratio=0.3, eta=1.0, max_iterations=10)


def prune_again(inputs, outputs, start, truth):
    return networks.iterative_pruning(inputs, outputs, start, truth, eta=1.0, rounds=2, max_iterations=10)


def taught(labelled, labels, unlabelled, start, truth):
    return networks.self_train(labelled, labels, unlabelled, start, eta=1.0, steps=2, rounds=5, truth=truth)


def on_graph(solver):
    def call(features, labels, labelled):
        return solver(features, GRAPH, labels, labelled, 2, rng=rng())

    return call


BOTH = {"weights": START, "truth": W}
TRAINED = {"inputs": INPUTS[None], "outputs": MEANS[None]}
CASES = [
    Case("relative_error", networks.relative_error, BOTH, STACKED + DIVERGED, overflows=("weights",)),
    Case("spectral_error", networks.spectral_error, BOTH, STACKED + DIVERGED),
    Case("aligned_error", networks.aligned_error, BOTH, STACKED + DIVERGED),
    Case("align", networks.align, {**BOTH, "v": np.ones(2)}),
    Case("draw_start", lambda truth: networks.draw_start(truth, rng=rng()), {"truth": W}, (), (), {"truth": 1}),
    Case("draw_noise", lambda outputs: networks.draw_noise(outputs, 0.1, rng=rng()), {"outputs": OUTPUTS}),
    Case("draw_classes", lambda outputs: networks.draw_classes(outputs, rng=rng()), {"outputs": CLASSES}),
    Case("start_at", lambda truth, mask: networks.start_at(0.2, truth, mask, rng=rng()),
         {"truth": W, "mask": MASK}, (), ("mask",)),
    Case("draw_uniform", lambda mask: networks.draw_uniform(mask, rng=rng()), {"mask": MASK}, (), ("mask",)),
    Case("effective_size", networks.effective_size, {"mask": MASK}, (), ("mask",)),
    Case("meeting_share", networks.meeting_share, {"mask": MASK}, (), ("mask",)),
    Case("mask_accuracy", networks.mask_accuracy, {"mask": MASK, "true_mask": MASK}, STACKED,
         ("mask", "true_mask")),
    Case("keep_largest", lambda scores: networks.keep_largest(scores, 0.3), {"scores": W}),
    Case("pruning_scores", networks.pruning_scores, {"inputs": INPUTS, "outputs": MEANS, "weights": START}),
    Case("hessian_product", networks.hessian_product, {"inputs": INPUTS, "weights": START, "direction": W}),
    Case("loss_gradient", loss_gradient, {"inputs": INPUTS, "outputs": MEANS, "weights": START}),
    Case("population_risk", networks.population_risk, BOTH, (*STACKED, "nan", "inf"),
         overflows=("weights", "truth")),
    Case("deep_outputs", lambda inputs, first: networks.deep_outputs(inputs, [first, np.ones((2, 1))]),
         {"inputs": INPUTS, "first": W}),
    Case("generalisation_function",
         lambda inputs, first, second: networks.generalisation_function(inputs, [first], [second]),
         {"inputs": INPUTS, "first": START, "second": W}),
    Case("mean_outputs", networks.mean_outputs, {"inputs": INPUTS, "weights": W}),
    Case("convolutional_outputs", networks.convolutional_outputs, {"inputs": PATCHES, "weights": W, "v": V}),
    Case("convolutional_trials", convolutional,
         {"inputs": PATCHES[None], "outputs": OUTPUTS[None], "v": V[None], "start": START[None]}),
    Case("descend", lambda truth: convolutional(PATCHES[None], OUTPUTS[None], V[None], truth),
         {"truth": W[None]}),
    Case("critical_point",
         lambda start, truth: critical_point(TRIALS, start, truth, step=STEP, max_iterations=5),
         {"start": START[None], "truth": W[None]}),
    Case("a batch", lambda weights: (TRIALS.outputs(weights), TRIALS.loss(weights), TRIALS.gradient(weights),
                                     TRIALS.hessian(weights), TRIALS.sharpness(weights)), {"weights": W[None]}),
    Case("graph_trials", of_graph("regression"), {"aggregated": ROWS[None], "labels": LABELS[None]}),
    Case("graph classes", of_graph("classification"), {"aggregated": ROWS[None], "labels": CLASSES[None]}),
    Case("graph_outputs", networks.graph_outputs, {"aggregated": ROWS, "weights": W}),
    Case("aggregate", lambda features, labelled: networks.aggregate(GRAPH, features, labelled),
         {"features": INPUTS, "labelled": NODES}, (), ("labelled",)),
    Case("pruned_trials", pruned_gradient,
         {**TRAINED, "masks": MASK[None]}, (), ("masks",)),
    Case("draw_supports", lambda sizes: networks.draw_supports(9, sizes, rng=rng()), {"sizes": np.array([3, 4])},
         ("object",), ("sizes",)),
    Case("descend_masked", pruned, {**TRAINED, "masks": MASK[None], "start": (START * MASK)[None]}, (), ("masks",)),
    Case("prune_and_train", prune, {**TRAINED, "start": START[None], "truth": W[None]}),
    Case("iterative_pruning", prune_again, {**TRAINED, "start": START[None], "truth": W[None]}),
    Case("self_train", taught, {"labelled": INPUTS[None, :20], "labels": MEANS[None, :20],
                                "unlabelled": INPUTS[None, 20:], "start": START[None], "truth": W[None]}),
    Case("mixture", lambda start, truth: networks.mixture(start, truth, 0.5), {"start": START, "truth": W}),
    Case("tensor_initialisation", lambda x, y: tensor_initialisation(x, y, 2, rng=rng()),
         {"x": PATCHES, "y": OUTPUTS}),
    Case("printed tensor", lambda x, y: printed_tensor_initialisation(x, y, 2, rng=rng()),
         {"x": PATCHES, "y": OUTPUTS}),
    Case("graph tensor", on_graph(graph_tensor_initialisation),
         {"features": INPUTS, "labels": LABELS, "labelled": NODES}, (), ("labelled",)),
    Case("printed graph tensor", on_graph(printed_graph_tensor_initialisation),
         {"features": INPUTS, "labels": LABELS, "labelled": NODES}, (), ("labelled",)),
    Case("signal_scores", lambda x, y, neurons: signal_scores(x, y, neurons, 2),
         {"x": PATCHES, "y": OUTPUTS, "neurons": W}),
]  # fmt: skip


@pytest.mark.parametrize(("case", "array", "change"), [*refused(CASES)])
def test_refused(case, array, change):
    check_refused(case, array, change)


@pytest.mark.parametrize(("case", "array", "change"), [*the_same(CASES)])
def test_the_same(case, array, change):
    check_the_same(case, array, change)


@pytest.mark.parametrize(("case", "arrays", "factor"), [*sizes(CASES)])
def test_very_small_and_very_large(case, arrays, factor):
    check_size(case, arrays, factor)


@pytest.mark.parametrize("matrix", [GRAPH.toarray(), GRAPH * 1j, GRAPH * np.nan, GRAPH * 1e180, None])
def test_what_is_no_adjacency_matrix_is_refused(matrix):
    for call in (
        lambda: networks.normalise(matrix),
        lambda: networks.degrees(matrix),
        lambda: networks.row_norms_squared(matrix),
        lambda: networks.largest_singular_value(matrix),
        lambda: networks.aggregate(matrix, INPUTS),
        lambda: graph_tensor_initialisation(INPUTS, matrix, LABELS, NODES, 2, rng=rng()),
    ):
        with pytest.raises(ValueError, match=r"adjacency|normalised"):
            call()


@pytest.mark.parametrize("form", ["csc", "coo", "lil", "bsr"])
def test_any_sparse_format_is_an_adjacency_matrix(form):
    other = GRAPH.asformat(form)
    np.testing.assert_array_equal(networks.aggregate(other, INPUTS, NODES), ROWS)
    assert networks.largest_singular_value(other) == pytest.approx(1)
    np.testing.assert_array_equal(networks.degrees(other), networks.degrees(GRAPH))


def test_every_function_that_takes_arrays_has_a_case():
    assert take_arrays(networks) <= {case.name for case in CASES}
