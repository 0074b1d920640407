"""Graph structures of the thesis, Section 5.5, and their normalised adjacency matrices."""

import numpy as np
import scipy.sparse

from nonconvex.arrays import plain_array, refuse_extreme, refuse_non_finite
from nonconvex.networks.arguments import number, positive_integer
from nonconvex.networks.regular import check_regular, random_regular_edges

DENSE_NODES = 300


def connected_cycle(n_nodes: int, degree: int) -> scipy.sparse.csr_array:
    """Return the cycle whose nodes are linked to their `degree` closest neighbours (structure (a)).

    Parameters
    ----------
    n_nodes : int
        N.
    degree : int
        delta: even, below `n_nodes`.

    Returns
    -------
    scipy.sparse.csr_array, shape (n_nodes, n_nodes), float64
        Adjacency matrix of zeros and ones, without self-connections.

    Raises
    ------
    ValueError
        If `degree` is odd or not below `n_nodes`.
    """
    n_nodes, degree = positive_integer("n_nodes", n_nodes), positive_integer("degree", degree)
    if degree % 2 or degree >= n_nodes:
        raise ValueError(f"degree must be even and below n_nodes = {n_nodes} on a cycle, got {degree}")
    nodes = np.repeat(np.arange(n_nodes), degree // 2)
    shifts = np.tile(np.arange(1, degree // 2 + 1), n_nodes)
    return _adjacency(n_nodes, np.stack([nodes, (nodes + shifts) % n_nodes], axis=1))


def two_dimensional_grid(n_rows: int, n_columns: int) -> scipy.sparse.csr_array:
    """Return the grid with open boundary whose nodes are linked along the two axes (structure (b)).

    Parameters
    ----------
    n_rows, n_columns : int
        Sides; node ``row * n_columns + column``.

    Returns
    -------
    scipy.sparse.csr_array, shape (n_rows n_columns, n_rows n_columns), float64
        Adjacency matrix of zeros and ones, without self-connections.

    Raises
    ------
    ValueError
        If a side is not a positive integer.
    """
    shape = positive_integer("n_rows", n_rows), positive_integer("n_columns", n_columns)
    nodes = np.arange(shape[0] * shape[1]).reshape(shape)
    along_rows = np.stack([nodes[:, :-1].ravel(), nodes[:, 1:].ravel()], axis=1)
    along_columns = np.stack([nodes[:-1].ravel(), nodes[1:].ravel()], axis=1)
    return _adjacency(nodes.size, np.concatenate([along_rows, along_columns]))


def nearly_square(n_nodes: int) -> tuple[int, int]:
    """Return (n_rows, n_columns) with product `n_nodes`, as near to each other as possible, rows first."""
    n_nodes = positive_integer("n_nodes", n_nodes)
    n_rows = next(side for side in range(int(np.sqrt(n_nodes)), 0, -1) if n_nodes % side == 0)
    return n_rows, n_nodes // n_rows


def random_regular(n_nodes: int, degree: int, *, rng: np.random.Generator) -> scipy.sparse.csr_array:
    """Draw a graph whose nodes are all linked to `degree` random others (structure (c)).

    Pairing of stubs; the few self-connections and double edges are then removed by random edge switches.
    The law is uniform up to the effect of these switches. The graph may be disconnected.

    Parameters
    ----------
    n_nodes, degree : int
        N and delta; ``n_nodes * degree`` must be even and `degree` below `n_nodes`.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    scipy.sparse.csr_array, shape (n_nodes, n_nodes), float64
        Adjacency matrix of zeros and ones, without self-connections.

    Raises
    ------
    ValueError
        If no such graph exists.
    """
    n_nodes, degree = check_regular(n_nodes, degree)
    return _adjacency(n_nodes, random_regular_edges(n_nodes, degree, rng))


def bounded_degree(
    n_nodes: int, degree: int, p: float, *, rng: np.random.Generator
) -> scipy.sparse.csr_array:
    """Draw a graph whose nodes have degree `degree` with probability `p` and 0 otherwise (structure (d)).

    Each node is selected with probability p, and the selected ones form a random regular graph, so that
    delta_ave / delta is close to p (Figure 5.6). When the number of selected nodes times the degree is odd,
    the last selected node is dropped; when no more than `degree` nodes are selected, no node is linked.
    Drawn in the order selection, graph.

    Parameters
    ----------
    n_nodes, degree : int
        N and delta.
    p : float
        Probability, from 0 to 1.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    scipy.sparse.csr_array, shape (n_nodes, n_nodes), float64
        Adjacency matrix of zeros and ones, without self-connections.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    n_nodes, degree = positive_integer("n_nodes", n_nodes), positive_integer("degree", degree)
    selected = np.flatnonzero(rng.random(n_nodes) < number("p", p, 0, 1))
    if selected.size * degree % 2:
        selected = selected[:-1]
    if selected.size <= degree:
        return _adjacency(n_nodes, np.empty((0, 2), dtype=int))
    return _adjacency(n_nodes, selected[random_regular_edges(selected.size, degree, rng)])


def normalise(adjacency: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
    """Return ``A = D^(-1/2) (adjacency + I) D^(-1/2)``, D the row sums of adjacency + I (Section 5.2).

    Parameters
    ----------
    adjacency : scipy.sparse array, shape (n_nodes, n_nodes)
        Zeros and ones, symmetric, zero diagonal.

    Returns
    -------
    scipy.sparse.csr_array, shape (n_nodes, n_nodes), float64

    Raises
    ------
    ValueError
        If the matrix is not one of an undirected graph without self-connections.
    """
    adjacency = sparse_matrix("adjacency", adjacency)
    binary = np.isin(adjacency.data, (0, 1)).all()
    if not binary or adjacency.diagonal().any() or (adjacency != adjacency.T).nnz:
        raise ValueError("adjacency must be symmetric, hold zeros and ones, and have a zero diagonal")
    inverse_root = scipy.sparse.diags_array(1 / np.sqrt(1 + adjacency.sum(axis=1)))
    connected = adjacency + scipy.sparse.eye_array(adjacency.shape[0])
    normalised = (inverse_root @ connected @ inverse_root).tocsr()
    normalised.sort_indices()
    return normalised


def degrees(adjacency: scipy.sparse.csr_array) -> np.ndarray:
    """Return the number of neighbours of every node of an adjacency matrix, shape (n_nodes,), int."""
    return np.diff(sparse_matrix("adjacency", adjacency).indptr)


def row_norms_squared(normalised: scipy.sparse.csr_array) -> np.ndarray:
    """Return ||a_n||^2 of the rows of a sparse array, shape (n_rows,): 1 / (delta + 1) on regular graphs."""
    normalised = sparse_matrix("normalised", normalised, square=False)
    return normalised.multiply(normalised).sum(axis=1)


def largest_singular_value(normalised: scipy.sparse.csr_array) -> float:
    """Return sigma_1(A) of a normalised adjacency matrix.

    It is 1 for every undirected graph: the vector of the square roots of D is an eigenvector with eigenvalue
    1, and A is similar to a stochastic matrix. Computed from A alone, as a check.
    """
    normalised = sparse_matrix("normalised", normalised)
    n_nodes = normalised.shape[0]
    if n_nodes <= DENSE_NODES:
        return float(np.linalg.norm(normalised.toarray(), 2))
    from scipy.sparse.linalg import eigsh

    start = np.random.default_rng(0).standard_normal(n_nodes)
    return float(abs(eigsh(normalised, k=1, which="LM", v0=start, return_eigenvectors=False)[0]))


def labelled_subset(n_nodes: int, n_labelled: int, *, rng: np.random.Generator) -> np.ndarray:
    """Draw which nodes are labelled: `n_labelled` different ones, in ascending order, as int64.

    Raises
    ------
    ValueError
        If there are fewer nodes than labels.
    """
    n_nodes, n_labelled = positive_integer("n_nodes", n_nodes), positive_integer("n_labelled", n_labelled)
    if n_labelled > n_nodes:
        raise ValueError(f"n_labelled must be at most n_nodes = {n_nodes}, got {n_labelled}")
    return np.sort(rng.choice(n_nodes, size=n_labelled, replace=False))


def sparse_matrix(
    name: str, matrix: scipy.sparse.csr_array, *, square: bool = True
) -> scipy.sparse.csr_array:
    """Return a sparse matrix of any format as csr, float64, finite; ValueError where it is none."""
    sparse = scipy.sparse.issparse(matrix) and matrix.ndim == 2
    if not sparse or (square and matrix.shape[0] != matrix.shape[1]):
        raise ValueError(
            f"{name} must be a {'square ' * square}scipy.sparse array, got {type(matrix).__name__} "
            f"of shape {np.shape(matrix)}"
        )
    matrix = scipy.sparse.csr_array(matrix)
    data = plain_array(name, matrix.data)
    refuse_non_finite(name, data)
    refuse_extreme(name, data)
    return matrix.astype(float, copy=False)


def _adjacency(n_nodes: int, edges: np.ndarray) -> scipy.sparse.csr_array:
    """Return the adjacency matrix of different edges, shape (n_edges, 2), each listed once."""
    rows, columns = np.concatenate([edges, edges[:, ::-1]]).T
    shape = (n_nodes, n_nodes)
    return scipy.sparse.coo_array((np.ones(rows.size), (rows, columns)), shape=shape).tocsr()
