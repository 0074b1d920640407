import numpy as np
import pytest
import scipy.sparse
from networks.tensor_problems import convolutional, graph, ring

from nonconvex.networks.tensor.convolutional import tensor_initialisation
from nonconvex.networks.tensor.graph import graph_tensor_initialisation
from nonconvex.networks.tensor.printed import (
    printed_graph_tensor_initialisation,
    printed_tensor_initialisation,
)
from nonconvex.networks.tensor.signal import signal_scores

RNG = np.random.default_rng(0)


def with_nan(array, place):
    array = array.astype(float)
    array[place] = np.nan
    return array


CONVOLUTIONAL = [
    (
        {"x": lambda x, y: x[:, 0]},
        r"x must have shape \(N, M, d\), none of them 0, got \(40, 4\)",
    ),
    ({"x": lambda x, y: x + 0j}, "x must hold real numbers, got dtype complex128"),
    ({"x": lambda x, y: with_nan(x, (3, 1, 2))}, r"x must be finite, got nan at index \(3, 1, 2\)"),
    ({"y": lambda x, y: y[:, None]}, r"y must have shape \(N\), none of them 0, got \(40, 1\)"),
    ({"y": lambda x, y: y[:-1]}, "y must have one entry per sample of x, 40, got 39"),
    ({"y": lambda x, y: with_nan(y, 7)}, r"y must be finite, got nan at index \(7,\)"),
    ({"y": lambda x, y: np.ones(40)}, r"y must vary .* got 1\.0 throughout"),
    ({"n_neurons": lambda x, y: 5}, "n_neurons must be at most the input dimension d = 4, got 5"),
    ({"n_neurons": lambda x, y: 0}, "n_neurons must be a positive integer, got 0"),
    ({"n_neurons": lambda x, y: 2.0}, r"n_neurons must be a positive integer, got 2\.0"),
    ({"n_neurons": lambda x, y: True}, "n_neurons must be a positive integer, got True"),
]


@pytest.mark.parametrize("solver", [tensor_initialisation, printed_tensor_initialisation])
@pytest.mark.parametrize(("change", "message"), CONVOLUTIONAL)
def test_convolutional(solver, change, message):
    x, y, _, _ = convolutional(0, 40, 2, 4, 3)
    arguments = {"x": x, "y": y, "n_neurons": 2}
    arguments |= {name: value(x, y) for name, value in change.items()}
    with pytest.raises(ValueError, match=message):
        solver(**arguments, rng=RNG)


def without_row(adjacency, node):
    adjacency = adjacency.toarray()
    adjacency[node] = 0
    return scipy.sparse.csr_array(adjacency)


GRAPH = [
    (
        {"features": lambda a: np.ones(30)},
        r"features must have shape \(n_nodes, d\), none of them 0, got \(30,\)",
    ),
    (
        {"features": lambda a: with_nan(np.ones((30, 4)), (2, 3))},
        r"features must be finite, got nan at index \(2, 3\)",
    ),
    ({"adjacency": lambda a: a.toarray()}, r"adjacency must be a scipy\.sparse matrix of shape \(30, 30\)"),
    (
        {"adjacency": lambda a: a[:20]},
        r"adjacency must be .* \(30, 30\), .* got csr_array of shape \(20, 30\)",
    ),
    (
        {"adjacency": lambda a: without_row(a, 8)},
        r"adjacency must have .* rows .* got a row of norm 0\.0 at node 8",
    ),
    ({"adjacency": lambda a: a * np.inf}, "adjacency must be finite, got inf at index"),
    ({"labels": lambda a: np.arange(9.0)}, "labels must have one entry per labelled node, 15, got 9"),
    ({"labels": lambda a: np.zeros(15)}, r"labels must vary .* got 0\.0 throughout"),
    ({"labelled": lambda a: np.ones(30, bool)}, "labelled must be .* node indices, got dtype bool"),
    (
        {"labelled": lambda a: np.arange(16, 31)},
        "labelled must hold indices from 0 to 29, got 30 at index 14",
    ),
    ({"labelled": lambda a: np.zeros(15, int)}, "labelled must name every node at most once"),
    ({"n_neurons": lambda a: 5}, "n_neurons must be at most the input dimension d = 4, got 5"),
    ({"task": lambda a: "ranking"}, "task must be one of regression, classification, got 'ranking'"),
    (
        {"task": lambda a: "classification"},
        "labels must be 0 or 1 for classification, got .* at index",
    ),
]


@pytest.mark.parametrize("solver", [graph_tensor_initialisation, printed_graph_tensor_initialisation])
@pytest.mark.parametrize(("change", "message"), GRAPH)
def test_graph(solver, change, message):
    adjacency, labelled = ring(30, 2), np.arange(0, 30, 2)
    features, labels, _ = graph(0, adjacency, labelled, "regression", 2, 4)
    arguments = {
        "features": features,
        "adjacency": adjacency,
        "labels": labels,
        "labelled": labelled,
        "n_neurons": 2,
        "task": "regression",
    }
    arguments |= {name: value(adjacency) for name, value in change.items()}
    with pytest.raises(ValueError, match=message):
        solver(**arguments, rng=RNG)


@pytest.mark.parametrize(
    ("neurons", "order", "message"),
    [
        (np.ones((3, 2)), 3, r"neurons must have shape \(d = 4, K\), got \(3, 2\)"),
        (np.zeros((4, 2)), 3, "neurons must have finite, non-zero columns"),
        (np.ones((4, 2)), 0, "order must be a positive integer, got 0"),
    ],
)
def test_scores(neurons, order, message):
    x, y, _, _ = convolutional(0, 40, 2, 4, 3)
    with pytest.raises(ValueError, match=message):
        signal_scores(x, y, neurons, order)


def test_input_is_left_alone_and_may_be_lists_or_single_precision():
    x, y, _, _ = convolutional(0, 200, 2, 4, 3)
    kept = x.copy(), y.copy()
    start = tensor_initialisation(x, y, 2, rng=np.random.default_rng(1))
    np.testing.assert_array_equal(x, kept[0])
    np.testing.assert_array_equal(y, kept[1])
    as_lists = tensor_initialisation(x.tolist(), y.tolist(), 2, rng=np.random.default_rng(1))
    np.testing.assert_array_equal(as_lists.weights, start.weights)
    single = tensor_initialisation(x.astype(np.float32), y, 2, rng=np.random.default_rng(1))
    assert single.weights.dtype == np.float64
