"""The number of samples as an axis, however an experiment gives it, and the number of unknown weights."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from nonconvex.figures.style import MUTED
from nonconvex.vocabulary import axis_label, symbol

_MARK: dict[str, Any] = {"color": MUTED, "linestyle": (0, (1, 1.5)), "linewidth": 1.0}

COUNTS = ("n_samples", "n_labelled")
"""Parameters that count samples."""

RATIOS = {"samples_ratio": "n_samples"}
"""A parameter that counts samples per unknown weight, and what is drawn in its place."""


def unknowns(parameters: Mapping[str, Any]) -> float:
    """Return the number of unknown weights of a network, or nan where a size is no single number.

    K d, or K times the weights kept in a neuron where it is known which these are.
    """
    dimension = parameters.get("patch_size", parameters.get("n_features"))
    if _known_mask(parameters):
        dimension = parameters["kept"]
    if dimension is None and "n_inputs" in parameters:
        inputs, patches = parameters["n_inputs"], parameters["n_patches"]
        dimension = inputs // patches if not isinstance(patches, list) else patches
    sizes = parameters.get("n_neurons"), dimension
    if any(size is None or isinstance(size, list) for size in sizes):
        return np.nan
    return sizes[0] * sizes[1]


def unknowns_symbol(parameters: Mapping[str, Any]) -> str:
    """Write the number of unknown weights in symbols; where neurons keep some, they keep r_ave on average."""
    return r"$Kr_{ave}$" if _known_mask(parameters) else "$Kd$"


def _known_mask(parameters: Mapping[str, Any]) -> bool:
    """Tell whether a pruned network is trained on its own mask: a start elsewhere in all weights has none."""
    return "kept" in parameters and parameters.get("start_on", "kept") == "kept"


def per_unknown(axis: str) -> bool:
    """Tell whether an axis counts samples per unknown weight."""
    return axis in RATIOS


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


def mark_unknowns(axes: Axes, parameters: Mapping[str, Any]) -> bool:
    """Draw a vertical line at as many samples as unknown weights; tell whether the axis reaches so far.

    Its words are in the legend (`unknowns_key`), where no curve strikes them through.
    """
    low, high = axes.get_xlim()
    count = unknowns(parameters)
    if not low < count < high:
        return False
    axes.axvline(count, zorder=0, **_MARK)
    return True


def unknowns_key(
    name: str, parameters: Mapping[str, Any] = {}, words: Mapping[str, Sequence[str]] = {}
) -> Line2D:
    """Make the legend's handle of that line, for the parameter that is drawn along the axis."""
    return Line2D([], [], label=f"{symbol(name, words)} = {unknowns_symbol(parameters)}", **_MARK)


def samples_label(axis: str, words: Mapping[str, Sequence[str]] = {}) -> str:
    """Label an axis as it is drawn."""
    return axis_label(drawn_name(axis), words)
