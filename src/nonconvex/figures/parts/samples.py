"""The number of samples as an axis, however an experiment gives it, and the number of unknown weights."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.vocabulary import axis_label

RATIOS = {"samples_ratio": "n_samples"}
"""A parameter that counts samples per unknown weight, and what is drawn in its place."""


def unknowns(parameters: Mapping[str, Any]) -> float:
    """Return K d, the number of unknown weights of a network, or nan where a size is no single number."""
    dimension = parameters.get("patch_size", parameters.get("n_features"))
    if dimension is None and "n_inputs" in parameters:
        inputs, patches = parameters["n_inputs"], parameters["n_patches"]
        dimension = inputs // patches if not isinstance(patches, list) else patches
    sizes = parameters.get("n_neurons"), dimension
    if any(size is None or isinstance(size, list) for size in sizes):
        return np.nan
    return sizes[0] * sizes[1]


def drawn_name(axis: str) -> str:
    """Name what an axis is drawn as: samples per unknown are drawn as numbers of samples."""
    return RATIOS.get(axis, axis)


def places(axis: str, values: Iterable[float], parameters: Mapping[str, Any]) -> list[float]:
    """Turn values of an axis into places on paper.

    Parameters
    ----------
    axis : str
        A parameter; one of `RATIOS` becomes a number of samples, rounded as the data are.
    values : array_like
    parameters : dict
        The cell's, with single numbers for the sizes of the network where `axis` is a ratio.

    Returns
    -------
    list of float
    """
    if axis not in RATIOS:
        return [float(value) for value in values]
    return [float(round(value * unknowns(parameters))) for value in values]


def samples_label(axis: str, words: Mapping[str, Sequence[str]] = {}) -> str:
    """Label an axis as it is drawn."""
    return axis_label(drawn_name(axis), words)
