"""Subroutines 1 and 2 as the thesis prints them, kept to show that they cannot work.

The third moment of ReLU is zero, so the directions found within the subspace are noise, at any sample size.
The second moment of the sigmoid is zero, so the subspace itself is noise. `nonconvex.networks.tensor.signal`
holds the test.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.special import expit

from nonconvex.networks.tensor.decomposition import decompose, powers
from nonconvex.networks.tensor.hermite import hermite_coefficient, relu_coefficient
from nonconvex.networks.tensor.input import read_graph, read_patches, row_norms
from nonconvex.networks.tensor.moments import first_moment, second_moment, third_moment
from nonconvex.networks.tensor.relu import leading_eigenvectors
from nonconvex.networks.tensor.start import TensorStart

# Inputs, and weights that average the outputs.
Part = tuple[np.ndarray, np.ndarray]


def printed_tensor_initialisation(
    x: ArrayLike, y: ArrayLike, n_neurons: int, *, patch: int = 0, rng: np.random.Generator
) -> TensorStart:
    """Run Subroutine 1 as printed: first, second and third moment of one patch, three disjoint parts.

    Parameters
    ----------
    x, y, n_neurons, rng
        As for `nonconvex.networks.tensor.convolutional.tensor_initialisation`, with N at least 3.
    patch : int
        Index i of the patch, from 0 to M - 1; the text leaves it open.

    Returns
    -------
    TensorStart

    Raises
    ------
    ValueError
        For bad data or a `patch` out of range.

    Notes
    -----
    Where the text does not fit together: M_1 is E{y P_i x} (printed E{y x} has length p, not d); psi_1 and
    psi_2 are the coefficients of ReLU.
    """
    x, y, n_neurons = read_patches(x, y, n_neurons)
    if patch not in range(x.shape[1]):
        raise ValueError(f"patch must be an index from 0 to M - 1 = {x.shape[1] - 1}, got {patch!r}")
    part1, part2, part3 = _three_parts(x[:, patch], y)
    first, second = first_moment(*part1), second_moment(*part2)
    basis = leading_eigenvectors(second, n_neurons)
    directions = basis @ _directions(basis, part3, rng)
    along1 = np.linalg.lstsq(relu_coefficient(1) * directions, first)[0]
    along2 = np.linalg.lstsq(relu_coefficient(2) * powers(directions, 2), second.ravel())[0]
    second_layer = np.where(along2 < 0, -1.0, 1.0)
    return TensorStart(second_layer * along1 * directions, second_layer)


def printed_graph_tensor_initialisation(
    features: ArrayLike,
    adjacency: csr_array,
    labels: ArrayLike,
    labelled: ArrayLike,
    n_neurons: int,
    *,
    task: str = "regression",
    rng: np.random.Generator,
) -> np.ndarray:
    """Run Subroutine 2 as printed: y x_n in the first moment, a_n' X unscaled in the second and third.

    Parameters
    ----------
    features, adjacency, labels, labelled, n_neurons, task, rng
        As for `nonconvex.networks.tensor.graph.graph_tensor_initialisation`, with 3 labelled nodes or more.

    Returns
    -------
    ndarray, shape (d, K), float64

    Raises
    ------
    ValueError
        For bad data or another `task`.

    Notes
    -----
    psi_1 "depends on the distribution of X": with M_1 = E{y x_n} it is (1/K) a_nn E[phi'(|a_n| |w| z)],
    averaged over the labelled nodes, here for |w| = 1 (for ReLU the norm does not matter).
    """
    features, rows, labels, labelled, n_neurons = read_graph(
        features, adjacency, labels, labelled, n_neurons, task
    )
    reach = row_norms(rows)
    own = np.mean(rows[np.arange(len(labelled)), labelled] / reach)
    activation = expit if task == "classification" else _relu
    slope = hermite_coefficient(lambda z: activation(reach.mean() * z), 1) * own / n_neurons
    (part1, _, _) = _three_parts(features[labelled], labels)
    (_, part2, part3) = _three_parts(rows @ features, labels)
    basis = np.linalg.eigh(second_moment(*part2))[1][:, -n_neurons:]
    directions = basis @ _directions(basis, part3, rng)
    along = np.linalg.lstsq(slope * directions, first_moment(*part1))[0]
    return along * directions


def _relu(z: np.ndarray) -> np.ndarray:
    return np.maximum(z, 0.0)


def _three_parts(inputs: np.ndarray, outputs: np.ndarray) -> list[Part]:
    """Return (inputs, weights) of three disjoint parts; the weights average y over the part."""
    if len(outputs) < 3:
        raise ValueError(f"three disjoint parts need at least 3 samples, got {len(outputs)}")
    parts = zip(np.array_split(inputs, 3), np.array_split(outputs, 3), strict=True)
    return [(part, values / len(values)) for part, values in parts]


def _directions(basis: np.ndarray, part: Part, rng: np.random.Generator) -> np.ndarray:
    inputs, weights = part
    return decompose(third_moment(inputs @ basis, weights), rng=rng)[0].directions
