"""Cells of a phase diagram on axes as uneven as the grid: grey by share, hatched where nothing was run."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.patches import Rectangle
from matplotlib.ticker import NullLocator

from nonconvex.figures.parts.scale import SCALES
from nonconvex.figures.style import TWO_COLUMNS
from nonconvex.vocabulary import number

LINES: dict[str, Any] = {"edgecolors": "#8C8C8C", "linewidth": 0.3}
EMPTY: dict[str, Any] = {"facecolor": "#F7E9C8", "edgecolor": "#8A6D1F", "hatch": "////", "linewidth": 0.0}

# Tick labels with few and with many panels side by side: points of the font, inches between two labels.
_FEW, _FEW_SIZE, _FEW_GAP, _MANY_SIZE, _MANY_GAP = 3, 7.0, 0.05, 6.0, 0.02
_DIGIT = 0.636 / 72  # inches of a digit per point
_AROUND = 1.5  # inches of the figure's width beside its panels
_Y_ROOM = 0.056  # a line of text, as a share of the axis


def draw_cells(
    axes: Axes,
    x: Sequence[float],
    y: Sequence[float],
    shares: np.ndarray,
    scales: tuple[str, str] = ("linear", "linear"),
) -> QuadMesh:
    """Draw one cell per grid point, white for a share of one and black for none.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    x, y : list of float
        Increasing grid values.
    shares : ndarray, shape (len(y), len(x))
        In [0, 1]; nan where there is no trial.
    scales : pair of str
        For x and y, of `nonconvex.figures.parts.scale.SCALES`.

    Returns
    -------
    matplotlib.collections.QuadMesh
    """
    x_edges, y_edges = cell_edges(x, scales[0]), cell_edges(y, scales[1])
    mesh = axes.pcolormesh(
        x_edges, y_edges, np.ma.masked_invalid(shares), cmap="gray", vmin=0, vmax=1, **LINES
    )
    for i, j in np.argwhere(np.isnan(shares)):
        corner = x_edges[j], y_edges[i]
        size = x_edges[j + 1] - x_edges[j], y_edges[i + 1] - y_edges[i]
        axes.add_patch(Rectangle(corner, *size, **EMPTY))
    set_grid(axes, x, y, scales)
    return mesh


def set_grid(
    axes: Axes,
    x: Sequence[float],
    y: Sequence[float],
    scales: tuple[str, str] = ("linear", "linear"),
    columns: int = 3,
) -> None:
    """Fit a panel's limits and ticks to a grid.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    x, y : list of float
        Increasing places.
    scales : pair of str
        For x and y, of `nonconvex.figures.parts.scale.SCALES`.
    columns : int
        How many panels share the figure's width, which decides how many labels there is room for.
    """
    size, gap = tick_size(columns), _FEW_GAP if columns <= _FEW else _MANY_GAP
    inch = columns / (TWO_COLUMNS - _AROUND)
    digits = [len(number(value)) * size * _DIGIT * inch for value in x]
    axes.tick_params(axis="x", labelsize=size)
    axis: Literal["x", "y"]
    for axis, values, scale, widths, between in (
        ("x", x, scales[0], digits, gap * inch),
        ("y", y, scales[1], [_Y_ROOM] * len(y), 0.0),
    ):
        edges, ticks = cell_edges(values, scale), _with_room(values, widths, between, scale)
        SCALES[scale].set(axes, axis)
        axes.set(
            **{
                f"{axis}lim": (edges[0], edges[-1]),
                f"{axis}ticks": ticks,
                f"{axis}ticklabels": [number(value) for value in ticks],
            }
        )
        if scale == "log":
            getattr(axes, f"{axis}axis").set_minor_locator(NullLocator())


def tick_size(columns: int) -> float:
    """Give the size of the tick labels of x, by how many panels stand side by side."""
    return _FEW_SIZE if columns <= _FEW else _MANY_SIZE


def cell_edges(values: npt.ArrayLike, scale: str = "linear") -> np.ndarray:
    """Put cell edges halfway between neighbouring places, on the scale they are drawn on."""
    at = np.asarray(values, dtype=float)
    if scale != "linear":
        return SCALES[scale].inverse(cell_edges(SCALES[scale].forward(at)))
    if at.size == 1:
        return np.array([at[0] - 0.5, at[0] + 0.5])
    middle = (at[1:] + at[:-1]) / 2
    return np.concatenate([[2 * at[0] - middle[0]], middle, [2 * at[-1] - middle[-1]]])


def _with_room(values: Sequence[float], widths: Sequence[float], gap: float, scale: str) -> list[float]:
    """Keep the values whose labels, of the given widths, have that gap between them."""
    at = SCALES[scale].forward(np.asarray(values, dtype=float))
    edges = cell_edges(at)
    kept = [0]
    for index in range(1, len(at)):
        room = (widths[index] + widths[kept[-1]]) / 2 + gap
        if at[index] - at[kept[-1]] >= room * (edges[-1] - edges[0]):
            kept.append(index)
    return [values[index] for index in kept]
