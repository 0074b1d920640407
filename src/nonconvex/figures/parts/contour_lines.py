"""Drawing 50 % lines over the cells of a phase diagram."""

from typing import Any

from matplotlib import patheffects
from matplotlib.axes import Axes
from matplotlib.typing import LineStyleType

from nonconvex.figures.looks import Look
from nonconvex.figures.parts.phase_panels import Line, Panel

DOTTED: LineStyleType = (0, (1, 1.2))

_HALO = [patheffects.withStroke(linewidth=3.6, foreground="white")]


def draw_contour(axes: Axes, panel: Panel, appearance: Look) -> None:
    """Draw a panel's own line, with an arrowhead at the edge where the crossing lies beyond the grid."""
    points = panel.line.points
    along_y = points.columns[1] == panel.x.name
    axes.plot(
        points[panel.x.name],
        points[panel.y.name],
        color=appearance.color,
        marker=appearance.marker,
        path_effects=_HALO,
        zorder=4,
    )
    # Arrowheads sit in the axes' own 0-1 range along the crossing's axis, in data along the other.
    for where, marker, place in (("above", "^>", 0.94), ("below", "v<", 0.06)):
        beyond = points[points["crossing"] == where]
        across = beyond[panel.x.name if along_y else panel.y.name]
        edge = [place] * len(beyond)
        axes.plot(
            *((across, edge) if along_y else (edge, across)),
            transform=axes.get_xaxis_transform() if along_y else axes.get_yaxis_transform(),
            color=appearance.color,
            linestyle="none",
            marker=marker[0] if along_y else marker[1],
            markersize=6.5,
            markerfacecolor="white",
            markeredgewidth=1.2,
            path_effects=_HALO,
            zorder=6,
        )


def repeat_contour(axes: Axes, panel: Panel, line: Line, appearance: Look) -> None:
    """Draw a line of another panel or experiment, dotted."""
    color, points = appearance.color, line.points
    dotted: dict[str, Any] = {"color": color, "linestyle": DOTTED, "linewidth": 1.5}
    at = points[panel.x.name], points[panel.y.name]
    # Twice: with a halo below the panel's own line, and bare above it, so that both show where they
    # coincide.
    axes.plot(*at, path_effects=_HALO, zorder=3, marker=appearance.marker, markersize=2.8, **dotted)
    axes.plot(*at, zorder=5, **dotted)
