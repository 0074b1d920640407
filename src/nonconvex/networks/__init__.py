"""One-hidden-layer networks: convolutional (thesis, Chapter 4) and graph (Chapter 5), and training them.

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
"""

from nonconvex.networks.descent import Descent
from nonconvex.networks.distances import align, aligned_error, relative_error, spectral_error
from nonconvex.networks.draws import draw_noise, draw_signs, draw_start, draw_weights
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
from nonconvex.networks.solvers.descend import descend
from nonconvex.networks.steps import Step, convolutional_step, graph_step

__all__ = [
    "Descent",
    "Step",
    "aggregate",
    "align",
    "aligned_error",
    "bounded_degree",
    "connected_cycle",
    "convolutional_outputs",
    "convolutional_step",
    "convolutional_trials",
    "degrees",
    "descend",
    "draw_classes",
    "draw_node_features",
    "draw_noise",
    "draw_patches",
    "draw_signs",
    "draw_start",
    "draw_weights",
    "graph_outputs",
    "graph_step",
    "graph_trials",
    "labelled_subset",
    "largest_singular_value",
    "nearly_square",
    "normalise",
    "random_regular",
    "relative_error",
    "row_norms_squared",
    "spectral_error",
    "two_dimensional_grid",
]
