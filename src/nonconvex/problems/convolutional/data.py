"""Instances of one-hidden-layer convolutional networks, teacher and data (thesis, Section 4.4)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nonconvex.problems.contract import Data
from nonconvex.problems.redrawn import FIRST, check_first

STREAMS = {
    "truth": ("n_neurons", "patch_size", "n_inputs"),
    "inputs": ("n_patches", "patch_size", "n_inputs"),
    "noise": ("n_patches", "patch_size", "n_inputs"),
    "start": ("n_neurons", "patch_size", "n_inputs"),
    "tensor": ("n_neurons", "patch_size", "n_inputs"),
}
"""Neither N, the noise level nor the signs change a draw: curves over them, and methods, are paired."""

REDRAWN = ("inputs", "noise")
"""Bulky Gaussian draws: a dataset stores their first numbers only, and they are drawn again when needed."""

SIGNS = ("ones", "mixed")


@dataclass(frozen=True, eq=False)
class Instance:
    """One training problem with its teacher and its start point.

    Attributes
    ----------
    inputs : ndarray, shape (n_samples, n_patches, patch_size), float64
        Patches P_i x_n. Fewer samples are the first of more.
    outputs : ndarray, shape (n_samples,), float64
        y_n, noise included (thesis, Eq. major_equ).
    truth : ndarray, shape (patch_size, n_neurons), float64
        W*.
    v : ndarray, shape (n_neurons,), float64
        v*, entries +1 or -1.
    start : ndarray, shape (patch_size, n_neurons), float64
        W0 at random around W*, within half of its norm.
    noise : float
        Noise level sigma / E_y.
    tensor : ndarray, shape (4,), uint32
        Seed of the contraction vectors of a tensor initialisation.
    """

    inputs: np.ndarray
    outputs: np.ndarray
    truth: np.ndarray
    v: np.ndarray
    start: np.ndarray
    noise: float
    tensor: np.ndarray


def check(cell: Mapping) -> None:
    """Raise ValueError when no instance of this cell can exist."""
    for name in ("n_neurons", "n_patches"):
        if not cell[name] >= 1:
            raise ValueError(f"{name} = {cell[name]} must be at least 1")
    if "n_inputs" in cell and cell["n_inputs"] % cell["n_patches"]:
        raise ValueError(
            f"n_inputs = {cell['n_inputs']} is no multiple of n_patches = {cell['n_patches']}: patches do "
            "not overlap and have one size"
        )
    if ("n_inputs" in cell) == ("patch_size" in cell):
        raise ValueError("exactly one of n_inputs and patch_size must be given: n_inputs is M times d")
    if not patch_size(cell) >= 1:
        raise ValueError(f"patch_size = {patch_size(cell)} must be at least 1")
    if ("n_samples" in cell) == ("samples_ratio" in cell):
        raise ValueError("exactly one of n_samples and samples_ratio must be given")
    if not n_samples(cell) >= 1:
        raise ValueError(f"the number of samples, {n_samples(cell)}, must be at least 1")
    if cell.get("sign", SIGNS[0]) not in SIGNS:
        raise ValueError(f"sign = {cell['sign']!r} is none of {', '.join(SIGNS)}")
    if not cell.get("noise", 0) >= 0:
        raise ValueError(f"noise = {cell['noise']} must not be negative; it is sigma / E_y")


def patch_size(cell: Mapping) -> int:
    """Return d, given itself or as p / M."""
    return cell["patch_size"] if "patch_size" in cell else cell["n_inputs"] // cell["n_patches"]


def n_samples(cell: Mapping) -> int:
    """Return N, given itself or as a multiple of the K d unknowns."""
    if "n_samples" in cell:
        return cell["n_samples"]
    return round(cell["samples_ratio"] * cell["n_neurons"] * patch_size(cell))


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw what determines an instance.

    W* (patch_size, n_neurons), v* (n_neurons,), W0 (like W*), the seed of tensor initialisations, and the
    first numbers of the inputs and of the noise, by which another random stream is told.
    """
    from nonconvex.networks.draws import draw_signs, draw_start, draw_weights

    d, neurons = patch_size(cell), cell["n_neurons"]
    truth = draw_weights(d, neurons, rng=streams["truth"])
    mixed = cell.get("sign") == "mixed"
    return {
        "truth": truth,
        "v": draw_signs(neurons, rng=streams["truth"]) if mixed else np.ones(neurons),
        "start": draw_start(truth, rng=streams["start"]),
        "tensor": streams["tensor"].integers(2**32, size=4, dtype=np.uint32),
        **{f"first_{name}": streams[name].standard_normal(FIRST) for name in REDRAWN},
    }


def build(
    cell: Mapping, stored: Mapping[str, np.ndarray], streams: Mapping[str, np.random.Generator]
) -> Instance:
    """Rebuild an instance; ValueError where `REDRAWN` streams draw other numbers than for the dataset."""
    from nonconvex.networks.models.convolutional import convolutional_outputs, draw_patches

    inputs = draw_patches(n_samples(cell), cell["n_patches"], patch_size(cell), rng=streams["inputs"])
    normal = streams["noise"].standard_normal(max(n_samples(cell), FIRST))
    check_first("inputs", stored["first_inputs"], inputs.ravel())
    check_first("noise", stored["first_noise"], normal)
    clean = convolutional_outputs(inputs, stored["truth"], stored["v"])
    level = float(cell.get("noise", 0.0))
    sigma = level * np.sqrt(np.mean(clean**2))  # E_y, a root mean square
    return Instance(
        inputs,
        clean + sigma * normal[: len(clean)] if level else clean,
        stored["truth"],
        stored["v"],
        stored["start"],
        level,
        stored["tensor"],
    )


DATA = Data(check, draw, build, streams=STREAMS, redrawn=REDRAWN)
