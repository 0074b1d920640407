import time

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.csgraph import connected_components

from nonconvex.networks import (
    aggregate,
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


def assert_simple(adjacency):
    assert isinstance(adjacency, scipy.sparse.csr_array)
    assert set(adjacency.data) <= {1.0}
    assert not adjacency.diagonal().any()
    assert not (adjacency != adjacency.T).nnz


@pytest.mark.parametrize(("n_nodes", "degree"), [(24, 4), (5, 4), (7, 2), (6, 4), (100, 16)])
def test_connected_cycle_links_the_closest_neighbours(n_nodes, degree):
    adjacency = connected_cycle(n_nodes, degree)
    assert_simple(adjacency)
    assert set(degrees(adjacency)) == {degree}
    assert connected_components(adjacency)[0] == 1
    distance = np.abs(np.subtract.outer(np.arange(n_nodes), np.arange(n_nodes)))
    distance = np.minimum(distance, n_nodes - distance)
    np.testing.assert_array_equal(adjacency.toarray(), (distance > 0) & (distance <= degree // 2))


def test_grid_links_along_the_axes():
    adjacency = two_dimensional_grid(4, 6)
    assert_simple(adjacency)
    places = np.array([(row, column) for row in range(4) for column in range(6)])
    distance = np.abs(places[:, None] - places).sum(axis=2)
    np.testing.assert_array_equal(adjacency.toarray(), distance == 1)
    assert connected_components(adjacency)[0] == 1
    assert two_dimensional_grid(1, 1).nnz == 0


def test_nearly_square():
    assert nearly_square(2500) == (50, 50)
    assert nearly_square(240) == (15, 16)
    assert nearly_square(13) == (1, 13)


@pytest.mark.parametrize(
    "size", [(2, 1), (4, 1), (6, 3), (6, 4), (9, 4), (10, 7), (30, 15), (36, 4), (500, 16)]
)
def test_random_regular_is_simple_and_regular(size, rng):
    for _ in range(5):
        adjacency = random_regular(*size, rng=rng)
        assert_simple(adjacency)
        assert set(degrees(adjacency)) == {size[1]}


def test_random_regular_is_random_and_connected_at_the_sizes_of_the_figures(rng):
    first, second = random_regular(900, 4, rng=rng), random_regular(900, 4, rng=rng)
    assert first.multiply(second).nnz < 0.05 * first.nnz
    assert connected_components(first)[0] == 1
    # All pairs are about equally likely, far ones too.
    rows, columns = first.nonzero()
    distance = np.abs(rows - columns)
    assert abs(np.minimum(distance, 900 - distance).mean() - 225) < 15


def test_graphs_of_a_hundred_thousand_nodes_take_seconds(rng):
    begin = time.process_time()
    for adjacency in (random_regular(100_000, 4, rng=rng), bounded_degree(100_000, 4, 0.5, rng=rng)):
        assert degrees(adjacency).max() == 4
        assert normalise(adjacency).nnz == adjacency.nnz + 100_000
    assert time.process_time() - begin < 10


@pytest.mark.parametrize("p", [0.0, 0.2, 0.8, 1.0])
def test_bounded_degree_leaves_the_unselected_isolated(p, rng):
    adjacency = bounded_degree(400, 4, p, rng=rng)
    assert_simple(adjacency)
    assert set(degrees(adjacency)) <= {0, 4}
    assert abs(degrees(adjacency).mean() / 4 - p) < 0.1
    if p == 1:
        assert set(degrees(adjacency)) == {4}


def test_bounded_degree_drops_a_node_on_odd_parity_and_links_none_when_too_few(rng):
    for _ in range(10):
        linked = np.count_nonzero(degrees(bounded_degree(30, 3, 0.6, rng=rng)))
        assert linked % 2 == 0
    assert bounded_degree(5, 4, 0.3, rng=rng).nnz == 0
    assert set(degrees(bounded_degree(31, 3, 1.0, rng=rng))) == {0, 3}


def test_normalised_matrix_is_the_thesis_definition(rng):
    adjacency = bounded_degree(60, 4, 0.5, rng=rng)
    plain = adjacency.toarray() + np.eye(60)
    root = np.diag(plain.sum(axis=1) ** -0.5)
    normalised = normalise(adjacency)
    np.testing.assert_allclose(normalised.toarray(), root @ plain @ root, rtol=1e-14)
    assert not (normalised != normalised.T).nnz
    norms = row_norms_squared(normalised)
    np.testing.assert_allclose(norms, np.where(degrees(adjacency) == 4, 1 / 5, 1.0))
    np.testing.assert_array_equal(normalise(bounded_degree(9, 4, 0.0, rng=rng)).toarray(), np.eye(9))


def test_largest_singular_value_is_one_for_every_graph(rng):
    graphs = [
        connected_cycle(400, 4),
        two_dimensional_grid(20, 20),
        random_regular(400, 5, rng=rng),
        bounded_degree(400, 4, 0.4, rng=rng),
        two_dimensional_grid(3, 5),
    ]
    for adjacency in graphs:
        assert abs(largest_singular_value(normalise(adjacency)) - 1) < 1e-8


def test_labelled_subset(rng):
    subset = labelled_subset(50, 20, rng=rng)
    assert subset.dtype == np.int64
    assert len(set(subset)) == 20
    assert (np.diff(subset) > 0).all()
    np.testing.assert_array_equal(labelled_subset(7, 7, rng=rng), np.arange(7))


def test_aggregate_takes_the_rows_of_the_labelled_nodes(rng):
    normalised, features = normalise(two_dimensional_grid(4, 5)), rng.standard_normal((20, 3))
    expected = normalised.toarray() @ features
    np.testing.assert_allclose(aggregate(normalised, features), expected)
    np.testing.assert_allclose(aggregate(normalised, features, [3, 17]), expected[[3, 17]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda rng: connected_cycle(10, 3), "degree must be even and below n_nodes = 10 on a cycle, got 3"),
        (lambda rng: connected_cycle(4, 4), "degree must be even and below n_nodes = 4"),
        (lambda rng: connected_cycle(2.5, 2), "n_nodes must be a positive integer, got 2.5"),
        (lambda rng: two_dimensional_grid(0, 3), "n_rows must be a positive integer, got 0"),
        (lambda rng: random_regular(5, 3, rng=rng), r"n_nodes \* degree must be even .* got 5 \* 3"),
        (lambda rng: random_regular(4, 4, rng=rng), "degree must be below n_nodes = 4, got 4"),
        (lambda rng: bounded_degree(9, 4, 1.5, rng=rng), "p must be a finite number from 0 to 1, got 1.5"),
        (lambda rng: labelled_subset(3, 4, rng=rng), "n_labelled must be at most n_nodes = 3, got 4"),
        (lambda rng: normalise(np.eye(3)), "adjacency must be a square scipy.sparse array, got ndarray"),
        (lambda rng: normalise(scipy.sparse.eye_array(3)), "adjacency must be symmetric"),
        (
            lambda rng: normalise(2 * connected_cycle(5, 2)),
            "adjacency must be symmetric, hold zeros and ones",
        ),
        (
            lambda rng: aggregate(connected_cycle(5, 2), np.ones((4, 2))),
            r"adjacency must have shape \(4, 4\)",
        ),
        (
            lambda rng: aggregate(connected_cycle(5, 2), np.ones((5, 2)), [5]),
            r"labelled must hold indices from 0 to 4, got 5",
        ),
    ],
)
def test_bad_input_is_refused(call, message, rng):
    with pytest.raises(ValueError, match=message):
        call(rng)
