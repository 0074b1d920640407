"""Iterations until the error first falls below each of some levels, with those that never did."""

from collections.abc import Mapping, Sequence
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
    columns_of,
    curve_key,
    curve_panels,
    shown,
    within_words,
)
from nonconvex.figures.parts.dodge import dodged
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.limits import log_limits, x_limits
from nonconvex.figures.parts.strip import draw_strip
from nonconvex.figures.style import TWO_COLUMNS, house_style
from nonconvex.vocabulary import number, power_of_ten

_PREFIX = "iterations_"
_ROW = 0.13
_STEP = 4.0  # points from curve to curve
_ROOM_BESIDE = 44.0  # points of an inch of the figure that curves of one level may spread over
_LABEL = 0.3  # inches for the label of a level
_AROUND = 0.8  # inches of the figure's width beside its panels
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
        default); ``quantity``, what is to be reached (the relative error); ``columns``, how many panels stand
        side by side (all, or as many as ``each`` makes). Levels are spaced by their logarithms;
        those below the error at which all runs end are left out.
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
    columns = columns_of(plan, panels, len(panels))
    rows = -(-len(panels) // columns)
    heights = [2.2, most * _ROW]
    size = TWO_COLUMNS if columns > 1 else TWO_COLUMNS * 0.7
    figure = Figure(figsize=(size, 1.0 + (0.5 + sum(heights)) * rows), layout="constrained")
    grid = figure.subplots(2 * rows, columns, squeeze=False, height_ratios=heights * rows, sharey="row")
    numbers, drawn = [], []
    for place, panel in enumerate(panels):
        row, column = divmod(place, columns)
        upper, lower = grid[2 * row : 2 * row + 2, column]
        parts = [_points(plan, panel, curve) for curve in panel.curves]
        numbers += parts
        levels = parts[0]["level"].tolist()
        at = _places(levels)
        edges = x_limits(at)
        narrowest = min(np.diff(at), default=1) / (edges[1] - edges[0])
        step = min(_STEP, _ROOM_BESIDE * size / columns * narrowest / len(parts))
        for index, (curve, points) in enumerate(zip(panel.curves, parts, strict=True)):
            drawn.append((upper, points, curve.look, dodged(upper, index, len(parts), step)))
        shares = {str(row): points["share"].tolist() for row, points in enumerate(parts)}
        looks = {str(row): curve.look for row, curve in enumerate(panel.curves)}
        draw_strip(lower, list(shares), at.tolist(), shares, keys=column == 0, looks=looks)
        upper.set(title=panel.title, xlim=edges, xticks=at)
        upper.tick_params(labelbottom=False)
        written = power_of_ten if set(at) == set(at.round()) else number
        some = _with_room(at / (edges[1] - edges[0]) * (size - _AROUND) / columns)
        lower.set_xticks(at[some], [written(levels[index]) for index in some])
        lower.set_xlabel(f"{options.get('quantity', 'relative error')} to be reached")
    numbers = pd.concat(numbers, ignore_index=True)
    logarithmic = options.get("logarithmic", True)
    for axes in grid[::2].ravel():
        top = _limits(axes, numbers, logarithmic=logarithmic)
    for one in drawn:
        _curve(*one, top)
    for axes in grid[-2:, (len(panels) - 1) % columns + 1 :].ravel():
        axes.set_axis_off()
    for upper, lower in zip(grid[::2, 0], grid[1::2, 0], strict=True):
        upper.set_ylabel("iterations")
        lower.set_ylabel("reached", rotation=0, ha="right", va="center", labelpad=14)
    note = ". ".join([*within_words(plan, panels), _note(numbers, logarithmic=logarithmic)])
    frame(figure, shown(plan, panels), curve_key(panels), note)
    return figure, numbers


def _places(levels: Sequence[float]) -> np.ndarray:
    """Return where levels stand, decades one apart, from large to small."""
    return -np.log10(np.asarray(levels, dtype=float))


def _with_room(at: np.ndarray) -> list[int]:
    """Choose the levels whose labels have room, of places in inches."""
    kept = [0]
    for index in range(1, len(at)):
        if at[index] - at[kept[-1]] >= _LABEL:
            kept.append(index)
    return kept


def _looked_at(plan: Mapping[str, Any], panel: CurvePanel, rows: pd.DataFrame) -> list[str]:
    """Name the columns of the levels down to the lowest error at which a run of the panel ends."""
    ran = [plan["experiments"][curve.experiment]["algorithms"][curve.algorithm] for curve in panel.curves]
    told = [one.get("options", {}) for one in ran]
    ends = [one.get("target") or 0 for one in told]
    levels = {name: _level(name) for name in rows.columns if name.startswith(_PREFIX)}
    return [name for name, level in levels.items() if level is not None and level >= min(ends)]


def _level(column: str) -> float | None:
    """Return the level in a column's name; None where it is none, as in "iterations_half"."""
    try:
        return float(column.removeprefix(_PREFIX))
    except ValueError:
        return None


def _points(plan: Mapping[str, Any], panel: CurvePanel, curve: Curve) -> pd.DataFrame:
    rows = []
    for column in _looked_at(plan, panel, curve.rows):
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
    """Fit the axis to the iterations, with room above them for triangles; return where these stand.

    A linear axis is fitted to the medians: one long whisker would press them down. A logarithmic one is
    linear below 1 where a median or the end of a whisker is 0: trials begin below the level.
    """
    if logarithmic:
        low, high = log_limits(numbers[["median", "low", "high"]].clip(lower=1))
        axes.set(yscale="log", ylim=(low, high * _ROOM))
        if (numbers[["median", "low"]] == 0).any(axis=None):
            axes.set_yscale("symlog", linthresh=1, linscale=0.4)
            axes.set_ylim(-0.25, high * _ROOM)
        return high * _ROOM**0.5
    high = max(float(numbers["median"].max()), 1.0) if numbers["median"].notna().any() else 1.0
    axes.set_ylim(-0.06 * high, 1.25 * high)
    return 1.17 * high


def _curve(axes: Axes, points: pd.DataFrame, one: Look, shifted: Transform, top: float) -> None:
    common: dict[str, Any] = {"color": one.color, "transform": shifted}
    x = _places(points["level"].tolist())
    inside = points["low"] <= top
    open_end = (inside & ~(points["high"] <= top)).to_numpy()
    high = points["high"].where(~open_end, top)
    axes.vlines(x[inside], points["low"][inside], high[inside], linewidth=0.8, zorder=2, **common)
    axes.plot(x, points["median"], linestyle=one.line, linewidth=1.3, zorder=3, **common, **one.markers())
    face: dict[str, Any] = {"markerfacecolor": "white", "markersize": 4.5}
    axes.plot(x[open_end], high[open_end], linestyle="none", marker="^", zorder=3, **face, **common)


def _note(numbers: pd.DataFrame, *, logarithmic: bool) -> str:
    note = ["Points: medians over all trials"]
    if (numbers["trials"] > 1).any():
        note.append("whiskers: the trials, less the extreme tenth at each end")
    if (numbers["high"].isna() & numbers["low"].notna()).any():
        beyond = "" if logarithmic else ", or later than is drawn"
        note.append(f"open triangle above: some of these never reached the level{beyond}")
    note.append("cells: share of trials that reach it, white all, black none")
    if numbers["share"].isna().any():
        note.append("hatched: no trial")
    return "; ".join(note)
