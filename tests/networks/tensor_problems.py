"""Problems of the tensor tests, drawn by plain formulas, and the error after the best column order."""

from itertools import permutations

import numpy as np
import scipy.sparse


def relu(z):
    return np.maximum(z, 0)


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def convolutional(seed, n_samples, n_neurons=3, d=10, n_patches=5, mixed=False):
    """Return (x, y, W, v) of the thesis's chapter 4, noiseless."""
    rng = np.random.default_rng(seed)
    weights = rng.standard_normal((d, n_neurons))
    v = rng.choice([-1.0, 1.0], n_neurons) if mixed else np.ones(n_neurons)
    x = rng.standard_normal((n_samples, n_patches, d))
    return x, relu(x @ weights).sum(axis=1) @ v, weights, v


def ring(n_nodes, delta):
    """Return the normalised adjacency of a cycle whose nodes link to their delta nearest."""
    steps = range(-(delta // 2), delta // 2 + 1)
    ones = sum(scipy.sparse.eye_array(n_nodes, k=k % n_nodes) for k in steps)
    ones = ones + sum(scipy.sparse.eye_array(n_nodes, k=k % n_nodes - n_nodes) for k in steps if k)
    return scipy.sparse.csr_array(ones) / (delta + 1)


def graph(seed, adjacency, labelled, task, n_neurons=3, d=10):
    """Return (X, labels, W) of the thesis's chapter 5."""
    rng = np.random.default_rng(seed)
    weights = 5 * rng.standard_normal((d, n_neurons))
    features = rng.standard_normal((adjacency.shape[0], d))
    inputs = (adjacency @ features)[labelled] @ weights
    if task == "regression":
        return features, relu(inputs).mean(axis=1), weights
    return features, (rng.random(len(labelled)) < sigmoid(inputs).mean(axis=1)).astype(float), weights


def best_order(estimate, truth):
    """Return the column order of `estimate` that is nearest to `truth`, by trying all."""
    orders = [list(order) for order in permutations(range(truth.shape[1]))]
    return min(orders, key=lambda order: np.linalg.norm(estimate[:, order] - truth))


def aligned_error(estimate, truth):
    """Return the relative Frobenius error after the best column order."""
    return np.linalg.norm(estimate[:, best_order(estimate, truth)] - truth) / np.linalg.norm(truth)


def cosines(estimate, truth):
    """Return the cosine of every column with its true one, after the order of greatest smallest cosine."""
    unit = estimate / np.linalg.norm(estimate, axis=0)
    table = unit.T @ (truth / np.linalg.norm(truth, axis=0))
    columns = range(truth.shape[1])
    return max((table[list(order), columns] for order in permutations(columns)), key=min)
