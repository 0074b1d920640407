"""One-hidden-layer networks: convolutional (thesis, Chapter 4), graph (5) and pruned (6), and training them.

Self-training with unlabelled data (Chapter 7) is here, too.

The tensor initialisations need scipy's slow optimisation package and are imported from their own modules,
`nonconvex.networks.tensor.convolutional` and `nonconvex.networks.tensor.graph`.

Everything that is trained is a batch of trials, along the first axis. One network learned from 200 samples,
from a start within half of the norm of its weights (Figure 4.6):

>>> import numpy as np
>>> from nonconvex import networks
>>> rng = np.random.default_rng(1)
>>> truth = networks.draw_weights(10, 3, rng=rng)
>>> signs = networks.draw_signs(3, rng=rng)
>>> inputs = networks.draw_patches(200, 5, 10, rng=rng)
>>> outputs = networks.convolutional_outputs(inputs, truth, signs)
>>> start = networks.draw_start(truth, rng=rng)
>>> trials = networks.convolutional_trials(inputs[None], outputs[None], signs[None])
>>> step = networks.convolutional_step(n_neurons=3, n_patches=5)
>>> learned = networks.descend(trials, start[None], truth[None], step=step, max_iterations=3000, target=1e-6)
>>> str(learned.status[0]), bool(learned.error[0] < 1e-6)
('converged', True)

A network is pruned by its own data: it is trained for a while, the smallest of its weights are dropped, and
what is left is trained on. Here 20 of 100 weights matter, 30 are kept, and those that matter are among them:

>>> rng = np.random.default_rng(1)
>>> mask = networks.draw_supports(50, [10, 10], rng=rng)
>>> truth = networks.draw_uniform(mask, rng=rng)
>>> inputs = rng.standard_normal((150, 50))
>>> outputs = networks.mean_outputs(inputs, truth)
>>> start = networks.start_at(0.2, truth, rng=rng)
>>> data = inputs[None], outputs[None], start[None], truth[None]
>>> pruned = networks.prune_and_train(*data, ratio=0.7, score="magnitude", eta=6.0, max_iterations=300)
>>> networks.mask_accuracy(pruned.masks[0], mask), bool(pruned.test_error[0] < 1e-3)
(1.0, True)

A network trained on 90 labelled inputs of one's own and on 400 unlabelled ones, from a model that is roughly
right:

>>> truth = rng.uniform(-2.5, 2.5, (6, 5))
>>> labelled, unlabelled = rng.standard_normal((90, 6)), rng.standard_normal((400, 6))
>>> labels = networks.mean_outputs(labelled, truth)
>>> start = networks.draw_start(truth, rng=rng)
>>> student = networks.self_train(labelled[None], labels[None], unlabelled[None], start[None], eta=10.0)
>>> str(student.status[0]), student.weights.shape
('converged', (1, 6, 5))
>>> bool(networks.population_risk(student.weights[0], truth) < networks.population_risk(start, truth) / 10)
True
"""

from nonconvex.networks.deep import deep_outputs, generalisation_function
from nonconvex.networks.descent import Descent
from nonconvex.networks.distances import align, aligned_error, relative_error, spectral_error
from nonconvex.networks.draws import draw_noise, draw_signs, draw_start, draw_weights
from nonconvex.networks.generalisation import population_risk
from nonconvex.networks.graphs import (
    bounded_degree,
    connected_cycle,
    degrees,
    labelled_subset,
    largest_singular_value,
    nearly_square,
    normalise,
    random_regular,
    row_norms_squared,
    two_dimensional_grid,
)
from nonconvex.networks.models.convolutional import convolutional_outputs, convolutional_trials, draw_patches
from nonconvex.networks.models.graph import (
    aggregate,
    draw_classes,
    draw_node_features,
    graph_outputs,
    graph_trials,
)
from nonconvex.networks.models.mean import mean_outputs
from nonconvex.networks.models.pruned import pruned_trials
from nonconvex.networks.pruned_batches import descend_masked
from nonconvex.networks.pruned_steps import pruned_step
from nonconvex.networks.pruning import hessian_product, keep_largest, mask_accuracy, pruning_scores
from nonconvex.networks.self_training.model import labelled_weight, mixture
from nonconvex.networks.self_training.result import SelfTraining
from nonconvex.networks.self_training.self_train import self_train
from nonconvex.networks.solvers.descend import descend
from nonconvex.networks.solvers.iterative_pruning import iterative_pruning
from nonconvex.networks.solvers.prune_and_train import prune_and_train
from nonconvex.networks.steps import Step, convolutional_step, graph_step
from nonconvex.networks.supports import (
    draw_sizes,
    draw_supports,
    draw_uniform,
    effective_size,
    meeting_share,
    start_at,
)

__all__ = [
    "Descent",
    "SelfTraining",
    "Step",
    "aggregate",
    "align",
    "aligned_error",
    "bounded_degree",
    "connected_cycle",
    "convolutional_outputs",
    "convolutional_step",
    "convolutional_trials",
    "deep_outputs",
    "degrees",
    "descend",
    "descend_masked",
    "draw_classes",
    "draw_node_features",
    "draw_noise",
    "draw_patches",
    "draw_signs",
    "draw_sizes",
    "draw_start",
    "draw_supports",
    "draw_uniform",
    "draw_weights",
    "effective_size",
    "generalisation_function",
    "graph_outputs",
    "graph_step",
    "graph_trials",
    "hessian_product",
    "iterative_pruning",
    "keep_largest",
    "labelled_subset",
    "labelled_weight",
    "largest_singular_value",
    "mask_accuracy",
    "mean_outputs",
    "meeting_share",
    "mixture",
    "nearly_square",
    "normalise",
    "population_risk",
    "prune_and_train",
    "pruned_step",
    "pruned_trials",
    "pruning_scores",
    "random_regular",
    "relative_error",
    "row_norms_squared",
    "self_train",
    "spectral_error",
    "start_at",
    "two_dimensional_grid",
]
