"""Cells of a phase diagram on axes as uneven as the grid: grey by share, hatched where nothing was run."""

import numpy as np
from matplotlib.patches import Rectangle

from nonconvex.figures.words import number

LINES = {"edgecolors": "#8C8C8C", "linewidth": 0.3}
EMPTY = {"facecolor": "#F7E9C8", "edgecolor": "#8A6D1F", "hatch": "////", "linewidth": 0.0}

# How far apart tick labels must be, as a share of the axis, to have room.
_X_ROOM, _Y_ROOM = 0.15, 0.056


def draw_cells(axes, x, y, shares):
    """
    Draw one cell per grid point, white for a share of one and black for none.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    x, y : list of float
        Increasing grid values.
    shares : ndarray, shape (len(y), len(x))
        In [0, 1]; nan where there is no trial.

    Returns
    -------
    matplotlib.collections.QuadMesh
    """
    x_edges, y_edges = cell_edges(x), cell_edges(y)
    mesh = axes.pcolormesh(
        x_edges, y_edges, np.ma.masked_invalid(shares), cmap="gray", vmin=0, vmax=1, **LINES
    )
    for i, j in np.argwhere(np.isnan(shares)):
        corner = x_edges[j], y_edges[i]
        size = x_edges[j + 1] - x_edges[j], y_edges[i + 1] - y_edges[i]
        axes.add_patch(Rectangle(corner, *size, **EMPTY))
    axes.set_xlim(x_edges[0], x_edges[-1])
    axes.set_ylim(y_edges[0], y_edges[-1])
    for axis, values, room in ((axes.xaxis, x, _X_ROOM), (axes.yaxis, y, _Y_ROOM)):
        ticks = _with_room(values, room)
        axis.set_ticks(ticks, [number(value) for value in ticks])
    return mesh


def cell_edges(values):
    """Put cell edges halfway between neighbouring grid values, and as far out at both ends."""
    at = np.asarray(values, dtype=float)
    if at.size == 1:
        return np.array([at[0] - 0.5, at[0] + 0.5])
    middle = (at[1:] + at[:-1]) / 2
    return np.concatenate([[2 * at[0] - middle[0]], middle, [2 * at[-1] - middle[-1]]])


def _with_room(values, room):
    kept = [values[0]]
    for value in values[1:]:
        if value - kept[-1] >= room * (values[-1] - values[0]):
            kept.append(value)
    return kept
