"""Errors along iterations or rounds: the middle of the trials, their spread, one of them as an example."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nonconvex.figures.looks import Look
from nonconvex.figures.parts.convergent import middle
from nonconvex.figures.parts.curve_panels import CurvePanel, curve_key, curve_panels, shown
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.limits import log_limits, quiet_log
from nonconvex.figures.style import TWO_COLUMNS, house_style
from nonconvex.vocabulary import axis_label, words_of

_TOP = 10.0
_MARKERS = 8
_ONE_ERROR = 1.15  # runs that end below one error end at nearly one error


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the error curves of Figures 4.2, 4.4, 4.5, 5.3, 6.10 and their like.

    Per curve a line through the median (or mean) error of its trials and a band without the extreme tenth
    at each end, until nine tenths have ended at one error; a trial that has ended keeps its last error. A
    median line ends at the last iteration that half of the trials reach; a mean line is thin and dotted
    from where the first trial has ended, as it then also averages errors at which runs end. With an
    example, one trial is drawn in bold and the line through the middle is dotted. All panels share the axis
    of the error, logarithmic.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``panels``, ``by`` and ``labels``, as
        `nonconvex.figures.parts.curve_panels` has them; ``centre``, ``median`` (default) or ``mean``;
        ``example``, the number of the trial that is drawn in bold (none by default); ``columns``, how many
        panels stand side by side (all, up to 3); ``x`` and ``column``, the columns of the table that are
        drawn along the axes (``iteration`` and ``error``).
    tables : dict of str to pandas.DataFrame
        One row per kept iterate: algorithm, the axes, trial, and the two columns.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per point: panel, experiment, algorithm, value (of ``by``), ``x``, trials,
        running, centre, low, high and, with an example, example (its error, nan after its end).
    """
    options = plan.get("options", {})
    panels = curve_panels(plan, tables)
    columns = min(len(panels), options.get("columns", 3))
    rows = -(-len(panels) // columns)
    size = TWO_COLUMNS if columns > 1 else TWO_COLUMNS * 0.7
    figure = Figure(figsize=(size, 1.2 + 2.3 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, sharey=True, squeeze=False).ravel()
    centre, example = options.get("centre", "median"), options.get("example")
    x, column = options.get("x", "iteration"), options.get("column", "error")
    words = words_of(plan)

    numbers = []
    for axes, panel in zip(grid, panels, strict=False):
        for index, curve in enumerate(panel.curves):
            rows = curve.rows.assign(iteration=curve.rows[x], error=curve.rows[column])
            points = curve_points(rows, centre, example)
            front = {
                "panel": panel.title,
                "experiment": curve.experiment,
                "algorithm": curve.algorithm,
                "value": curve.value,
            }
            points = points.assign(**front)[[*front, *points.columns]]
            numbers.append(points.rename(columns={"iteration": x}))
            draw_curve(axes, points, curve.look, index, centre)
        axes.set_title(panel.title)
        axes.set_xlabel(axis_label(x, words))
        if x == "iteration":
            axes.set_xlim(left=0)
        axes.locator_params(axis="x", nbins=5)  # six-digit numbers have room
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    for axes in grid[::columns]:
        axes.set_ylabel("relative error" if column == "error" else axis_label(column, words))
    numbers = pd.concat(numbers, ignore_index=True)
    drawn = numbers[[name for name in ("centre", "low", "high", "example") if name in numbers]]
    limits = log_limits(drawn, top=_TOP)
    grid[0].set(yscale="log", ylim=limits)
    quiet_log(grid[0].yaxis, limits)
    note = "; ".join([_note(numbers, centre, example), *_diverged(panels)])
    frame(figure, shown(plan, panels), curve_key(panels), note)
    return figure, numbers


def curve_points(iterates: pd.DataFrame, centre: str = "median", example: int | None = None) -> pd.DataFrame:
    """Follow the middle of some trials over the iterations.

    Parameters
    ----------
    iterates : pandas.DataFrame
        trial, iteration, error, in the order of the iterations; all trials keep the same iterations, and each
        its last one.
    centre : {"median", "mean"}
    example : int, optional
        Number of a trial.

    Returns
    -------
    pandas.DataFrame
        iteration, trials, running (how many reach the iteration), centre, low, high (the errors without the
        extreme tenth at each end) and, with an example, example; nan where an error is not finite. A median
        is nan where fewer than half of the trials reach the iteration.
    """
    wide = iterates.assign(error=iterates["error"].fillna(np.inf))
    wide = wide.pivot(index="iteration", columns="trial", values="error")
    last = wide.apply(pd.Series.last_valid_index)
    kept = sorted(
        {*iterates.loc[iterates["iteration"] < iterates["trial"].map(last), "iteration"], last.max()}
    )
    errors = wide.ffill().loc[kept]
    values = errors.to_numpy()
    # Trials that run to one end also end together: what counts is who is left at an iteration.
    running = (last.to_numpy() >= np.array(kept)[:, None]).sum(axis=1)
    with np.errstate(invalid="ignore"):
        middles = np.median(values, axis=1) if centre == "median" else values.mean(axis=1)
    spread = [middle(row) for row in values]
    points = pd.DataFrame(
        {
            "iteration": kept,
            "trials": values.shape[1],
            "running": running,
            "centre": middles,
            "low": [low for low, _ in spread],
            "high": [high for _, high in spread],
        }
    )
    if example is not None:
        own = errors[example].where(np.array(kept) <= last[example]) if example in errors else np.nan
        points["example"] = np.asarray(own)
    if centre == "median":
        points.loc[points["running"] < points["trials"] / 2, "centre"] = np.nan
    return points.replace(np.inf, np.nan)


def draw_curve(axes: Axes, points: pd.DataFrame, one: Look, index: int, centre: str = "median") -> None:
    """Draw the line and the band of `curve_points`, the `index`-th curve of a panel."""
    at, with_example = points["iteration"], "example" in points
    wide = points.loc[: _last_spread(points)]
    axes.fill_between(
        wide["iteration"], wide["low"], wide["high"], color=one.color, alpha=0.14, linewidth=0, zorder=1
    )
    bold = points["example" if with_example else "centre"]
    if centre == "mean" and not with_example:
        bold = bold.where(points["running"] == points["trials"])
    count = int(bold.notna().sum())
    step = max(1, count // _MARKERS)
    marked = list(range((index * step) // 3 % step, count, step))
    markers = {"markevery": marked, "color": one.color, "zorder": 3, **one.markers()}
    if with_example or centre == "mean":
        axes.plot(at, points["centre"], color=one.color, linestyle=(0, (1, 1.2)), linewidth=1.0)
    axes.plot(at, bold, linestyle=one.line, linewidth=1.9 if with_example else 1.4, **markers)


def _last_spread(points: pd.DataFrame) -> int:
    """Return the first row from which on nine tenths have ended at one error, or else the last row.

    A few late trials would stretch the axis with a band that has no width.
    """
    apart = np.flatnonzero(~(points["high"] <= points["low"] * _ONE_ERROR))
    return min(int(apart[-1]) + 1 if len(apart) else 0, len(points) - 1)


def middle_words(numbers: pd.DataFrame, centre: str = "median") -> list[str]:
    """Say in a note what lines and bands of `curve_points` are, and what becomes of ended trials."""
    words = [f"{centre}s over the trials"]
    if not (numbers["trials"] > 1).any():
        return words
    ended = (numbers["running"] < numbers["trials"]).any()
    if ended and centre == "median":
        words[0] += " until half have ended"
    words.append("bands: the trials, less the extreme tenth at each end")
    if ended:
        words.append("a trial that has ended keeps its last error")
    return words


def _diverged(panels: Sequence[CurvePanel]) -> list[str]:
    """Count the trials of all curves that diverged; nothing where none did."""
    keys = ["trial", "status"]
    trials = [
        curve.rows[keys].drop_duplicates("trial")["status"]
        for panel in panels
        for curve in panel.curves
        if "status" in curve.rows
    ]
    count = sum(int((one == "diverged").sum()) for one in trials)
    return [f"{count} of {sum(map(len, trials))} trials diverged"] if count else []


def _note(numbers: pd.DataFrame, centre: str, example: int | None) -> str:
    words = middle_words(numbers, centre)
    if example is not None:
        return "; ".join([f"Bold: trial {example}; dotted: {words[0]}", *words[1:]])
    if centre == "mean" and (numbers["running"] < numbers["trials"]).any():
        words[-1] += ", and the mean is dotted from the first end on"
    return "; ".join([f"Lines: {words[0]}", *words[1:]])
