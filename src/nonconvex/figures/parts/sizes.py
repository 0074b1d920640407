"""Errors against a size that comes out of the draw: a point for each of a panel's curves."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from nonconvex.figures.parts.convergent import middle
from nonconvex.figures.parts.curve_panels import Curve, CurvePanel
from nonconvex.figures.parts.dodge import dodged
from nonconvex.figures.parts.limits import log_limits, quiet_log
from nonconvex.vocabulary import axis_label, number, symbol, word, words_of

_TOP = 10.0
_STEP = 4.5  # points from line to line
_LINES: tuple[dict[str, Any], ...] = (
    {"color": "#000000", "linestyle": "-"},
    {"color": "#444444", "linestyle": (0, (5, 1.5))},
    {"color": "#6A6A6A", "linestyle": (0, (5, 1.5, 1, 1.5))},
    {"color": "#8C8C8C", "linestyle": (0, (1, 1.2))},
)


def draw_sizes(
    axes: Axes, plan: Mapping[str, Any], panel: CurvePanel, x: str, option: Mapping[str, Any]
) -> tuple[pd.DataFrame, list[Line2D]]:
    """Draw the mean error of each curve of a panel at some places of its axis, joined from curve to curve.

    Those of one place are set a few points aside of the others.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    plan : dict
    panel : CurvePanel
    x : str
        The axis of the panel. Of its values, four at the most are drawn here, spread evenly over it.
    option : dict
        ``size``, the column whose mean over a curve's trials is the place of its points; ``column``, the
        error; ``title``.

    Returns
    -------
    pandas.DataFrame, list of matplotlib.lines.Line2D
        A row per point: panel, experiment, algorithm, value, x, size, trials, centre (mean), low and high
        (without the extreme tenth at each end); and the legend's handles of the lines.
    """
    parameters = plan["experiments"][panel.experiments[0]]["parameters"]
    values = parameters[x]
    some = np.unique(np.linspace(0, len(values) - 1, len(_LINES)).round().astype(int))
    column, words = option.get("column", "error"), words_of(plan)
    numbers, handles = [], []
    for index, (line, value) in enumerate(zip(_LINES, [values[i] for i in some], strict=False)):
        shifted = dodged(axes, index, len(some), _STEP)
        points = pd.DataFrame(
            [_point(panel, curve, x, value, option["size"], column) for curve in panel.curves]
        )
        ordered = points.sort_values("size")
        axes.plot(ordered["size"], ordered["centre"], linewidth=0.9, zorder=2, transform=shifted, **line)
        for curve, point in zip(panel.curves, points.to_dict("records"), strict=True):
            at = point["size"]
            drawn: dict[str, Any] = {"color": curve.look.color, "transform": shifted}
            axes.vlines(at, point["low"], point["high"], linewidth=0.7, zorder=3, **drawn)
            axes.plot(at, point["centre"], zorder=4, **drawn, **curve.look.markers())
        numbers.append(points)
        handles.append(
            Line2D([], [], linewidth=0.9, label=f"errors at {symbol(x, words)} = {number(value)}", **line)
        )
    together = pd.concat(numbers, ignore_index=True)
    limits = log_limits(together[["centre", "low", "high"]], top=_TOP)
    axes.set(yscale="log", ylim=limits, title=option.get("title", ""))
    quiet_log(axes.yaxis, limits)
    sizes = together["size"]
    margin = 0.1 * (sizes.max() - sizes.min()) or 1.0
    axes.set_xlim(sizes.min() - margin, sizes.max() + margin)  # matplotlib's own do not see past the shift
    axes.set_xlabel(axis_label(option["size"], words))
    axes.set_ylabel("mean relative error" if column == "error" else f"mean {word(column, words).words}")
    return together, handles


def _point(panel: CurvePanel, curve: Curve, x: str, value: float, size: str, column: str) -> dict[str, Any]:
    own = curve.rows[curve.rows[x] == value]
    errors = own[column].fillna(np.inf).to_numpy(dtype=float)
    low, high = middle(errors)
    point = {
        "panel": panel.title,
        "experiment": curve.experiment,
        "algorithm": curve.algorithm,
        "value": curve.value,
        "x": value,
        "size": float(curve.rows[size].mean()),
        "trials": len(own),
        "centre": float(errors.mean()) if len(errors) else np.nan,
        "low": low,
        "high": high,
    }
    return {key: np.nan if isinstance(one, float) and np.isinf(one) else one for key, one in point.items()}
