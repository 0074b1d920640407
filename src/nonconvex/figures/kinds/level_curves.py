"""Iterations until the error first falls below each of some levels, with those that never did."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Transform

from nonconvex.figures.looks import Look
from nonconvex.figures.parts.convergent import middle
from nonconvex.figures.parts.curve_panels import (
    Curve,
    CurvePanel,
    curve_key,
    curve_panels,
    shown,
    within_words,
)
from nonconvex.figures.parts.dodge import dodged
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.limits import log_limits
from nonconvex.figures.parts.strip import draw_strip
from nonconvex.figures.style import TWO_COLUMNS, house_style
from nonconvex.vocabulary import power_of_ten

_PREFIX = "iterations_"
_ROW = 0.13
_STEP = 4.0  # points from curve to curve
_ROOM_BESIDE = 44.0  # points of an inch of the figure that curves of one level may spread over
_LABELS = 20  # levels that have room along the figure
_ROOM = 1.6  # over the iterations, for the triangles


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the iterations of Figures 4.11, 5.4, 6.8 and their like.

    Per curve and level the median over all trials of the first iteration with an error below the level; a
    trial that never got there counts as later than all others, and there is no point where half did not. The
    whiskers leave out the extreme tenth at each end, and end open, with a triangle at the upper edge, where
    those never got there. A strip below tells the share of trials that reached each level.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``panels``, ``by``, ``each``, ``within`` and ``labels``, as
        `nonconvex.figures.parts.curve_panels` has them; ``logarithmic``, whether the iterations are (true by
        default); ``quantity``, what is to be reached (the relative error).
    tables : dict of str to pandas.DataFrame
        One row per outcome, with a column ``iterations_`` per level, nan where it was not reached.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per curve and level: panel, experiment, algorithm, value (of ``by``), level,
        trials, reached, share, median, low, high (nan: not reached), mean_of_reached, cap (the largest number
        of iterations of the trials that did not reach it).
    """
    options = plan.get("options", {})
    panels = curve_panels(plan, tables)
    most = max(len(panel.curves) for panel in panels)
    heights = [2.2, most * _ROW]
    size = TWO_COLUMNS if len(panels) > 1 else TWO_COLUMNS * 0.7
    figure = Figure(figsize=(size, 1.5 + sum(heights)), layout="constrained")
    grid = figure.subplots(2, len(panels), squeeze=False, height_ratios=heights, sharey="row")
    numbers, drawn = [], []
    for column, panel in enumerate(panels):
        upper, lower = grid[:, column]
        parts = [_points(panel, curve) for curve in panel.curves]
        numbers += parts
        levels = parts[0]["level"].tolist()
        at = list(range(len(levels)))
        step = min(_STEP, _ROOM_BESIDE * size / len(panels) / len(levels) / len(parts))
        for index, (curve, points) in enumerate(zip(panel.curves, parts, strict=True)):
            drawn.append((upper, points, curve.look, dodged(upper, index, len(parts), step)))
        shares = {str(row): points["share"].tolist() for row, points in enumerate(parts)}
        looks = {str(row): curve.look for row, curve in enumerate(panel.curves)}
        draw_strip(lower, list(shares), at, shares, keys=column == 0, looks=looks)
        upper.set(title=panel.title, xlim=(-0.5, len(levels) - 0.5), xticks=at)
        upper.tick_params(labelbottom=False)
        some = slice(None, None, -(-len(levels) * len(panels) // _LABELS))
        lower.set_xticks(at[some], [power_of_ten(level) for level in levels[some]])
        lower.set_xlabel(f"{options.get('quantity', 'relative error')} to be reached")
    numbers = pd.concat(numbers, ignore_index=True)
    top = _limits(grid[0, 0], numbers, logarithmic=options.get("logarithmic", True))
    for one in drawn:
        _curve(*one, top)
    grid[0, 0].set_ylabel("iterations")
    grid[1, 0].set_ylabel("reached", rotation=0, ha="right", va="center", labelpad=14)
    note = "; ".join([*within_words(plan, panels), _note(numbers)])
    frame(figure, shown(plan, panels), curve_key(panels), note)
    return figure, numbers


def _points(panel: CurvePanel, curve: Curve) -> pd.DataFrame:
    rows = []
    for column in curve.rows.columns[curve.rows.columns.str.startswith(_PREFIX)]:
        at = curve.rows[column].to_numpy(dtype=float)
        reached = np.isfinite(at)
        with_never = np.where(reached, at, np.inf)
        # No interpolation: of two middle values the later, so that half have surely reached the level.
        middle_one = np.sort(with_never)[len(at) // 2] if len(at) else np.nan
        low, high = middle(with_never)
        left = curve.rows.loc[~reached, "iterations"]
        rows.append(
            {
                "panel": panel.title,
                "experiment": curve.experiment,
                "algorithm": curve.algorithm,
                "value": curve.value,
                "level": float(column.removeprefix(_PREFIX)),
                "trials": len(at),
                "reached": int(reached.sum()),
                "share": reached.mean() if len(at) else np.nan,
                "median": middle_one,
                "low": low,
                "high": high,
                "mean_of_reached": at[reached].mean() if reached.any() else np.nan,
                "cap": left.max() if len(left) else np.nan,
            }
        )
    points = pd.DataFrame(rows).sort_values("level", ascending=False, ignore_index=True)
    return points.replace(np.inf, np.nan)


def _limits(axes: Axes, numbers: pd.DataFrame, *, logarithmic: bool) -> float:
    """Fit the axis to the iterations, with room above them for triangles; return where these stand."""
    low, high = log_limits(numbers[["median", "low", "high"]].clip(lower=1))
    axes.set(yscale="log" if logarithmic else "linear", ylim=(low if logarithmic else 0, high * _ROOM))
    return high * _ROOM**0.5


def _curve(axes: Axes, points: pd.DataFrame, one: Look, shifted: Transform, top: float) -> None:
    common: dict[str, Any] = {"color": one.color, "transform": shifted}
    x = np.arange(len(points))
    open_end = (points["high"].isna() & points["low"].notna()).to_numpy()
    high = points["high"].where(~open_end, top)
    axes.vlines(x, points["low"], high, linewidth=0.8, zorder=2, **common)
    axes.plot(x, points["median"], linestyle=one.line, linewidth=1.3, zorder=3, **common, **one.markers())
    face: dict[str, Any] = {"markerfacecolor": "white", "markersize": 4.5}
    axes.plot(x[open_end], high[open_end], linestyle="none", marker="^", zorder=3, **face, **common)


def _note(numbers: pd.DataFrame) -> str:
    note = ["Points: medians over all trials", "whiskers: the trials, less the extreme tenth at each end"]
    if (numbers["high"].isna() & numbers["low"].notna()).any():
        note.append("open triangle above: some of these never reached the level")
    note.append("cells: share of trials that reach it, white all, black none")
    return "; ".join(note)
