"""Random regular graphs by pairing of stubs and edge switches."""

import numpy as np

from nonconvex.networks.arguments import positive_integer

TRIES_PER_EDGE = 200


def check_regular(n_nodes: int, degree: int) -> tuple[int, int]:
    """Return (n_nodes, degree) as integers if such a regular graph exists; ValueError otherwise."""
    n_nodes, degree = positive_integer("n_nodes", n_nodes), positive_integer("degree", degree)
    if degree >= n_nodes:
        raise ValueError(f"degree must be below n_nodes = {n_nodes}, got {degree}")
    if n_nodes * degree % 2:
        raise ValueError(f"n_nodes * degree must be even for a regular graph, got {n_nodes} * {degree}")
    return n_nodes, degree


def random_regular_edges(n_nodes: int, degree: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the edges of a random regular graph, shape (n_nodes degree / 2, 2), each once.

    Dense graphs are drawn as complements of sparse ones. An edge of the pairing that is a self-connection or
    a repetition is switched with a random edge, so that all degrees stay as they are.
    """
    if 2 * degree > n_nodes - 1:
        absent = np.eye(n_nodes, dtype=bool)
        if degree < n_nodes - 1:
            u, v = random_regular_edges(n_nodes, n_nodes - 1 - degree, rng).T
            absent[u, v] = absent[v, u] = True
        return np.argwhere(np.triu(~absent))
    while True:
        edges = rng.permutation(np.repeat(np.arange(n_nodes), degree)).reshape(-1, 2)
        if _switch_conflicts(edges, n_nodes, rng):
            return edges


def _switch_conflicts(edges: np.ndarray, n_nodes: int, rng: np.random.Generator) -> bool:
    """Switch bad edges in place; False when one could not be switched (possible in tiny graphs)."""
    low, high = edges.min(axis=1), edges.max(axis=1)
    keys = low * n_nodes + high
    good = np.zeros(len(edges), dtype=bool)
    good[np.unique(keys, return_index=True)[1]] = True
    good &= low != high
    present = set(keys[good].tolist())
    return all(_switch(edges, bad, good, present, n_nodes, rng) for bad in np.flatnonzero(~good).tolist())


def _switch(
    edges: np.ndarray, bad: int, good: np.ndarray, present: set[int], n_nodes: int, rng: np.random.Generator
) -> bool:
    """Replace edges a-b (bad) and c-d (random) by a-c and b-d."""
    a, b = edges[bad].tolist()
    for _ in range(TRIES_PER_EDGE):
        other = rng.integers(len(edges))
        if not good[other]:
            continue
        c, d = rng.permutation(edges[other]).tolist()
        first, second = min(a, c) * n_nodes + max(a, c), min(b, d) * n_nodes + max(b, d)
        if a == c or b == d or first == second or first in present or second in present:
            continue
        present.remove(min(c, d) * n_nodes + max(c, d))
        present.update((first, second))
        edges[bad], edges[other] = (a, c), (b, d)
        good[bad] = True
        return True
    return False
