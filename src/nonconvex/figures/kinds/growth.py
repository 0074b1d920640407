"""Running time against size: per data loss, the time with its fitted growth, successes, and iterations."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

from nonconvex.figures.looks import Look, look
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.growth_points import growth_exponent, growth_points
from nonconvex.figures.parts.limits import log_limits, quiet_log, x_limits
from nonconvex.figures.parts.panels import key
from nonconvex.figures.parts.strip import draw_strip
from nonconvex.figures.style import TWO_COLUMNS, house_style
from nonconvex.vocabulary import axis_label, number

_CLOCKS = {"seconds": "seconds", "cpu_seconds": "seconds of processor time"}
_ROW = 0.13
_HEIGHTS = (2.1, 1.35, 1.35)


class _Fit(Protocol):
    """A row of `nonconvex.figures.parts.growth_points.growth_exponent`, as a table gives it."""

    algorithm: str
    over: str
    exponent: float
    exponent_low: float
    exponent_high: float
    factor: float
    first: float
    last: float


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the running times of Figure 3.8 and their like.

    Per data loss a column: the time until each method's own stop against the number of samples; below it
    the share of successful trials, one row an algorithm, with the exponent of the fitted growth beside it;
    then the time per iteration and the iterations. Both axes are logarithmic. Whose times are drawn is said
    in `nonconvex.figures.parts.growth_points`; markers are hollow where no trial succeeds. A size that a
    method was not run at is hatched.

    Parameters
    ----------
    plan : dict
        The figure's plan; its experiments have the axes loss and n_samples and share no algorithm. Options:
        ``algorithms``, from top to bottom (all by default); ``clock``, ``seconds`` (default) or
        ``cpu_seconds``; ``labels``, as `nonconvex.figures.parts.panels` has them.
    tables : dict of str to pandas.DataFrame
        The table of each experiment.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per point (``what`` = point) and per fit (fit).
    """
    clock = plan.get("options", {}).get("clock", "seconds")
    if clock not in _CLOCKS:
        raise ValueError(
            f"options: figure {plan['figure']} has clock {clock!r}, which is none of {', '.join(_CLOCKS)}."
        )
    runs = {name: table for table in tables.values() for name in dict.fromkeys(table["algorithm"])}
    runs = {name: runs[name] for name in plan.get("options", {}).get("algorithms", runs)}
    sizes, losses = (
        sorted({value for one in plan["experiments"].values() for value in one["parameters"][axis]})
        for axis in ("n_samples", "loss")
    )
    points = pd.concat(
        [growth_points(runs[name], name, loss, sizes, clock) for loss in losses for name in runs],
        ignore_index=True,
    )
    fits = pd.DataFrame([growth_exponent(runs[name], name, loss, clock) for loss in losses for name in runs])

    figure, grid = _canvas(len(losses), len(runs))
    for index, loss in enumerate(losses):
        _column(grid[:, index], points[points["loss"] == loss], fits[fits["loss"] == loss], list(runs))
        grid[0, index].set_title(f"{number(100 * loss)} % of the data lost")
    _scales(grid, points, sizes)
    _words(grid, clock)
    frame(figure, plan, key(list(runs), plan), _note(points, fits))
    return figure, pd.concat([points.assign(what="point"), fits.assign(what="fit")], ignore_index=True)


def _canvas(columns: int, algorithms: int) -> tuple[Figure, np.ndarray]:
    heights = [_HEIGHTS[0], _ROW * algorithms, *_HEIGHTS[1:]]
    figure = Figure(figsize=(TWO_COLUMNS, sum(heights) + 2.0), layout="constrained")
    return figure, figure.subplots(4, columns, sharex=True, squeeze=False, height_ratios=heights)


def _column(axes: np.ndarray, points: pd.DataFrame, fits: pd.DataFrame, algorithms: Sequence[str]) -> None:
    time, strip, step, count = axes
    for panel, quantity in ((time, "time"), (step, "per_iteration"), (count, "iterations")):
        for name in algorithms:
            _points(panel, points[points["algorithm"] == name], quantity, look(name, algorithms))
    for fit in fits.itertuples():
        _fit(time, fit, look(fit.algorithm, algorithms))
    sizes = sorted(set(points["n_samples"]))
    shares = {name: points.loc[points["algorithm"] == name, "share"].tolist() for name in algorithms}
    draw_strip(strip, algorithms, sizes, shares, logarithmic=True, keys=True)
    for row, fit in enumerate(fits.itertuples()):
        strip.text(
            1.02, row + 0.5, _exponent(fit), transform=strip.get_yaxis_transform(), va="center", size=6.5
        )
    strip.text(
        1.02, -0.15, "grows as $n$ to the", transform=strip.get_yaxis_transform(), va="bottom", size=6.5
    )


def _points(axes: Axes, rows: pd.DataFrame, quantity: str, one: Look) -> None:
    rows = rows[rows["over"] != "none"]
    at, middle = rows["n_samples"], rows[quantity]
    if quantity != "time":
        axes.plot(at, middle, color=one.color, linestyle=one.line, linewidth=1.0, zorder=2)
    bars = [middle - rows[f"{quantity}_low"], rows[f"{quantity}_high"] - middle]
    axes.errorbar(at, middle, bars, fmt="none", ecolor=one.color, elinewidth=0.9, capsize=1.6, zorder=2)
    for hollow in (False, True):
        some = (rows["over"] == "all") == hollow
        axes.plot(at[some], middle[some], color=one.color, linestyle="none", zorder=3, **one.markers(hollow))


def _fit(axes: Axes, fit: _Fit, one: Look) -> None:
    if math.isfinite(fit.exponent):
        ends = [fit.first, fit.last]
        times = [fit.factor * size**fit.exponent for size in ends]
        axes.plot(ends, times, color=one.color, linestyle=one.line, linewidth=1.1, zorder=1)


def _exponent(fit: _Fit) -> str:
    if not math.isfinite(fit.exponent):
        return "–"
    known = math.isfinite(fit.exponent_low)
    interval = f" ({fit.exponent_low:.2f} to {fit.exponent_high:.2f})" if known else ""
    return f"{fit.exponent:.2f}{interval}{'†' if fit.over == 'all' else ''}"


def _scales(grid: np.ndarray, points: pd.DataFrame, sizes: Sequence[int]) -> None:
    grid[0, 0].set(xscale="log", xlim=x_limits(sizes, True))
    for row, quantity in ((0, "time"), (2, "per_iteration"), (3, "iterations")):
        limits = log_limits(points[[quantity, f"{quantity}_low", f"{quantity}_high"]])
        for axes in grid[row]:
            axes.set(yscale="log", ylim=limits)
            quiet_log(axes.yaxis, limits)
            axes.yaxis.set_minor_formatter(NullFormatter())
    for axes in grid[-1]:
        axes.xaxis.set_major_locator(FixedLocator(sizes))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(lambda value, _: number(int(value)))
        axes.set_xlabel(axis_label("n_samples"))


def _words(grid: np.ndarray, clock: str) -> None:
    first = grid[:, 0]
    first[0].set_ylabel(_CLOCKS[clock])
    first[1].set_ylabel("success", rotation=0, ha="right", va="center", labelpad=12)
    first[2].set_ylabel("seconds\nper iteration")
    first[3].set_ylabel("iterations")
    for axes in grid[[0, 2, 3], 1:].ravel():
        axes.tick_params(labelleft=False)


def _note(points: pd.DataFrame, fits: pd.DataFrame) -> str:
    note = ["Points: medians over the successful trials"]
    if (points["over"] == "all").any():
        note.append("hollow: none succeeds, medians over all")
    if (points["trials"] > 1).any():
        note.append("bars: the trials, less the extreme tenth at each end")
    if (fits["over"] != "none").any():
        note.append("lines in the upper panels: fitted power laws, exponents with 95 % intervals below")
    note.append("success: white all trials, black none")
    if (fits["over"] == "all").any():
        note.append("†: fitted over all trials, as too few succeed")
    if (fits["over"] == "none").any():
        note.append("–: fewer than three sizes, no exponent")
    if (points["trials"] == 0).any():
        note.append("hatched: not run, capped for its cost")
    note.append("seconds depend on the machine")
    return "; ".join(note)
