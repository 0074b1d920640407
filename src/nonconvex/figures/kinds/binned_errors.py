"""Errors against something that comes out of a trial rather than being set: means over bins of it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonconvex.figures.looks import Look
from nonconvex.figures.parts.convergent import middle
from nonconvex.figures.parts.curve_panels import Curve, CurvePanel, columns_of, curve_key, curve_panels, shown
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.limits import log_limits, quiet_log
from nonconvex.figures.style import INK, TWO_COLUMNS, house_style
from nonconvex.vocabulary import axis_label, number, word, words_of

_TOP = 10.0
_TINY = 1e-9  # a value at an edge belongs to the bin above, whatever rounding made of it


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the errors of Figure 6.7 and their like.

    The trials of a curve are put into bins of equal width by a column of the table. A point stands at the
    mean of that column and the mean error over a bin's trials, with a band without the extreme tenth of the
    trials at each end. A bin with few trials says little: at thesis scale it is left out, as in the thesis,
    and at smaller scales, where nearly all have few, it is drawn hollow. All panels have the same axes.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``panels``, ``by``, ``each``, ``within`` and ``labels``, as
        `nonconvex.figures.parts.curve_panels` has them; ``x``, the column that is binned; ``width`` of the
        bins; ``column``, the error (``error``); ``least``, how many trials a bin needs (1); ``columns``, how
        many panels stand side by side (3, or as many as ``each`` makes).
    tables : dict of str to pandas.DataFrame
        One row per outcome, with both columns.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per curve and bin: panel, experiment, algorithm, value (of ``by``), bin_low,
        bin_high, trials, diverged, x (mean), centre, low, high, and drawn: filled, hollow, or left out.
    """
    options = plan["options"]
    panels = curve_panels(plan, tables)
    columns = columns_of(plan, panels, min(len(panels), 3))
    rows = -(-len(panels) // columns)
    size = TWO_COLUMNS if columns > 1 else TWO_COLUMNS * 0.7
    figure = Figure(figsize=(size, 1.2 + 1.75 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    numbers = []
    for axes, panel in zip(grid, panels, strict=False):
        for curve in panel.curves:
            points = _points(plan, panel, curve)
            numbers.append(points)
            _curve(axes, points[points["drawn"] != "left out"], curve.look)
        axes.set_title(panel.title)
    numbers = pd.concat(numbers, ignore_index=True)
    _labels(grid, plan, len(panels), columns, numbers[numbers["drawn"] != "left out"])
    handles = curve_key(panels)
    if (numbers["drawn"] == "hollow").any():
        words = f"hollow: fewer than {options['least']} trials"
        handles.append(Line2D([], [], linestyle="none", label=words, **_hollow(Look(INK, "o"))))
    frame(figure, shown(plan, panels), handles, _note(plan, numbers))
    return figure, numbers


def _hollow(one: Look) -> dict[str, Any]:
    return {"color": one.color, **one.markers(hollow=True)}


def _points(plan: Mapping[str, Any], panel: CurvePanel, curve: Curve) -> pd.DataFrame:
    options = plan["options"]
    width, column = options["width"], options.get("column", "error")
    few = "left out" if plan["scale"].partition("-")[0] == "thesis" else "hollow"
    rows = curve.rows.dropna(subset=[options["x"]])
    points = []
    for index, own in rows.groupby(np.floor(rows[options["x"]] / width + _TINY).astype(int), sort=True):
        errors = own[column].fillna(np.inf).to_numpy(dtype=float)
        low, high = middle(errors)
        points.append(
            {
                "panel": panel.title,
                "experiment": curve.experiment,
                "algorithm": curve.algorithm,
                "value": curve.value,
                "bin_low": round(index * width, 9),
                "bin_high": round((index + 1) * width, 9),
                "trials": len(own),
                "diverged": int((own["status"] == "diverged").sum()),
                "x": float(own[options["x"]].mean()),
                "centre": float(errors.mean()),
                "low": low,
                "high": high,
                "drawn": few if len(own) < options.get("least", 1) else "filled",
            }
        )
    return pd.DataFrame(points, columns=_COLUMNS).replace(np.inf, np.nan)


_COLUMNS = [
    *("panel", "experiment", "algorithm", "value", "bin_low", "bin_high", "trials", "diverged"),
    *("x", "centre", "low", "high", "drawn"),
]


def _curve(axes: Axes, points: pd.DataFrame, one: Look) -> None:
    x, hollow = points["x"], points["drawn"] == "hollow"
    axes.fill_between(x, points["low"], points["high"], color=one.color, alpha=0.12, linewidth=0, zorder=1)
    axes.plot(x, points["centre"], color=one.color, linestyle=one.line, linewidth=1.1, zorder=3)
    filled = points[~hollow]
    axes.plot(filled["x"], filled["centre"], color=one.color, linestyle="none", zorder=4, **one.markers())
    few = points[hollow]
    axes.plot(few["x"], few["centre"], linestyle="none", zorder=4, **_hollow(one))


def _labels(grid: np.ndarray, plan: Mapping[str, Any], count: int, columns: int, drawn: pd.DataFrame) -> None:
    words, options = words_of(plan), plan["options"]
    limits = log_limits(drawn[["centre", "low", "high"]], top=_TOP)
    grid[0].set(yscale="log", ylim=limits)
    quiet_log(grid[0].yaxis, limits)
    for index, axes in enumerate(grid):
        if index >= count:
            axes.set_axis_off()
            continue
        if index + columns >= count:
            axes.set_xlabel(axis_label(options["x"], words))
            axes.tick_params(labelbottom=True)
        if index % columns == 0:
            axes.set_ylabel(f"mean {word(options.get('column', 'error'), words).words}")


def _note(plan: Mapping[str, Any], numbers: pd.DataFrame) -> str:
    options = plan["options"]
    what = word(options["x"], words_of(plan)).words
    note = [f"Means over trials in bins of {number(options['width'])} of the {what}"]
    if (numbers["trials"] > 1).any():
        note.append("bands: the trials, less the extreme tenth at each end")
    few = numbers[numbers["drawn"] == "left out"]
    if len(few):
        note.append(
            f"{len(few)} of {len(numbers)} bins have fewer than {options['least']} trials and are left out, "
            f"with {int(few['trials'].sum())} of {int(numbers['trials'].sum())} trials"
        )
    diverged = int(numbers["diverged"].sum())
    if diverged:
        note.append(f"{diverged} of {int(numbers['trials'].sum())} trials diverged; no mean where one did")
    return "; ".join(note)
