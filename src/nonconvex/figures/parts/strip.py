"""A strip of cells below a panel: how many trials stand behind each of its points, one row a line."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.transforms import ScaledTranslation

from nonconvex.figures.looks import Look, look
from nonconvex.figures.parts.grid import EMPTY, LINES
from nonconvex.figures.parts.limits import x_edges

_BESIDE = 0.1


def draw_strip(
    axes: Axes,
    algorithms: Sequence[str],
    x: Sequence[float],
    shares: Mapping[str, Sequence[float]],
    *,
    logarithmic: bool = False,
    keys: bool = False,
    looks: Mapping[str, Look] | None = None,
) -> None:
    """Draw one row of cells per algorithm, white where all trials count and black where none does.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Shares its x axis with the panel above.
    algorithms : sequence of str
        From top to bottom.
    x : list of float
        Increasing; the cells' places.
    shares : dict of str to list of float
        Per algorithm, one share for each x; nan (hatched) where there is no trial.
    logarithmic : bool
        Whether x is drawn on a logarithmic scale, which decides where one cell ends and the next begins.
    keys : bool
        Whether to put the algorithms' markers beside the rows.
    looks : dict of str to Look, optional
        Where rows are not told apart by their algorithms' own looks.
    """
    edges = x_edges(x, logarithmic)
    grid = np.array([shares[name] for name in algorithms], dtype=float)
    axes.pcolormesh(
        edges,
        np.arange(len(algorithms) + 1),
        np.ma.masked_invalid(grid),
        cmap="gray",
        vmin=0,
        vmax=1,
        **LINES,
    )
    for i, j in np.argwhere(np.isnan(grid)):
        axes.add_patch(Rectangle((edges[j], i), edges[j + 1] - edges[j], 1, **EMPTY))
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(len(algorithms), 0)
    axes.set_yticks([])
    if keys:
        beside = axes.get_yaxis_transform() + ScaledTranslation(-_BESIDE, 0, axes.figure.dpi_scale_trans)
        for row, name in enumerate(algorithms):
            one = looks[name] if looks else look(name, algorithms)
            axes.plot(
                0,
                row + 0.5,
                transform=beside,
                color=one.color,
                marker=one.marker,
                markersize=3.4,
                clip_on=False,
            )
