import numpy as np
import pytest
import scipy.sparse
from networks.tensor_problems import aligned_error, cosines, graph, ring

from nonconvex.networks.tensor.graph import graph_tensor_initialisation


def test_ring_is_a_normalised_adjacency():
    adjacency = ring(9, 4).toarray()
    np.testing.assert_allclose(adjacency, adjacency.T)
    np.testing.assert_allclose(adjacency.sum(axis=0), 1)
    assert set(np.flatnonzero(adjacency[0])) == {0, 1, 2, 7, 8}


def irregular(n_nodes, seed):
    """Random graph with degrees from 0 to about 8, normalised by both degrees."""
    rng = np.random.default_rng(seed)
    pairs = rng.integers(0, n_nodes, (2, n_nodes))
    ones = scipy.sparse.coo_array((np.ones(n_nodes), pairs), shape=(n_nodes, n_nodes)).tocsr()
    ones = ((ones + ones.T + scipy.sparse.eye_array(n_nodes)) > 0).astype(float)
    root = scipy.sparse.diags_array(1 / np.sqrt(ones.sum(axis=1)))
    return scipy.sparse.csr_array(root @ ones @ root)


@pytest.mark.parametrize("seed", range(4))
def test_regression_on_a_ring(seed):
    adjacency, labelled = ring(20_000, 4), np.arange(20_000)
    features, labels, weights = graph(seed, adjacency, labelled, "regression")
    start = graph_tensor_initialisation(
        features, adjacency, labels, labelled, 3, rng=np.random.default_rng(seed)
    )
    assert start.shape == (10, 3)
    assert aligned_error(start, weights) < 0.4


def test_regression_on_an_irregular_graph_with_some_nodes_labelled():
    adjacency = irregular(40_000, 1)
    labelled = np.random.default_rng(2).permutation(40_000)[:20_000]
    features, labels, weights = graph(3, adjacency, labelled, "regression")
    start = graph_tensor_initialisation(
        features, adjacency, labels, labelled, 3, rng=np.random.default_rng(0)
    )
    assert aligned_error(start, weights) < 0.4


@pytest.mark.parametrize("seed", range(3))
def test_classification_finds_the_directions_at_30000_labels(seed):
    """Smallest cosine of six such trials: .98 (on a ring of degree 4, of ten: .96)."""
    adjacency, labelled = ring(30_000, 2), np.arange(30_000)
    features, labels, weights = graph(seed, adjacency, labelled, "classification", d=20)
    start = graph_tensor_initialisation(
        features, adjacency, labels, labelled, 3, task="classification", rng=np.random.default_rng(seed)
    )
    assert cosines(start, weights).min() > 0.95
    assert aligned_error(start, weights) < 0.5


def test_order_of_the_labelled_nodes_does_not_matter():
    adjacency, labelled = ring(2_000, 4), np.arange(0, 2_000, 2)
    features, labels, _ = graph(1, adjacency, labelled, "regression")
    order = np.random.default_rng(0).permutation(labelled.size)
    start = graph_tensor_initialisation(
        features, adjacency, labels, labelled, 2, rng=np.random.default_rng(5)
    )
    shuffled = graph_tensor_initialisation(
        features, adjacency, labels[order], labelled[order], 2, rng=np.random.default_rng(5)
    )
    np.testing.assert_allclose(shuffled, start, rtol=1e-5)
