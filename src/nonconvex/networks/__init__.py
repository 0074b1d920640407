"""One-hidden-layer networks: convolutional (thesis, Chapter 4) and graph (Chapter 5), and training them.

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
from nonconvex.networks.self_training.model import labelled_weight, mean_outputs, mixture
from nonconvex.networks.self_training.result import SelfTraining
from nonconvex.networks.self_training.self_train import self_train
from nonconvex.networks.solvers.descend import descend
from nonconvex.networks.steps import Step, convolutional_step, graph_step

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
    "draw_classes",
    "draw_node_features",
    "draw_noise",
    "draw_patches",
    "draw_signs",
    "draw_start",
    "draw_weights",
    "generalisation_function",
    "graph_outputs",
    "graph_step",
    "graph_trials",
    "labelled_subset",
    "labelled_weight",
    "largest_singular_value",
    "mean_outputs",
    "mixture",
    "nearly_square",
    "normalise",
    "population_risk",
    "random_regular",
    "relative_error",
    "row_norms_squared",
    "self_train",
    "spectral_error",
    "two_dimensional_grid",
]
