"""Error against running time and against iterations: the median over the trials of each algorithm."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nonconvex.figures.looks import Look, look
from nonconvex.figures.parts.convergent import ENOUGH
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.limits import log_limits, quiet_log
from nonconvex.figures.parts.panels import drawn, key
from nonconvex.figures.parts.progress import median_run
from nonconvex.figures.style import TWO_COLUMNS, house_style
from nonconvex.vocabulary import BELOW_ONE, number

_CLOCKS = {"seconds": "seconds", "cpu_seconds": "seconds of processor time"}
_TOP = 10.0


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the running times of Figure 2.6 and their like.

    Per data loss a row of two panels: the same points against time and against iterations. How a
    point comes about is said in `nonconvex.figures.parts.progress`. Markers are hollow where fewer than 80 %
    of the trials meet the stop rule with an error below 1.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``experiment`` (the first by default); ``p``, the fractions observed
        that get a row, from top to bottom (all, the smallest loss first, by default); ``algorithms``
        (all of the experiment's by default); ``clock``, ``seconds`` (default) or ``cpu_seconds``;
        ``iterations``, the scale of that axis: ``symlog`` (default) or ``linear``; ``labels``, as
        `nonconvex.figures.parts.panels` has them.
    tables : dict of str to pandas.DataFrame
        One row per iterate.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per point. A time of zero has no place on the logarithmic axis.
    """
    options = plan.get("options", {})
    name = options.get("experiment", next(iter(plan["experiments"])))
    table, clock = tables[name], options.get("clock", "seconds")
    if clock not in _CLOCKS:
        raise ValueError(
            f"options: figure {plan['figure']} has clock {clock!r}, which is none of {', '.join(_CLOCKS)}."
        )
    algorithms = list(options.get("algorithms", plan["experiments"][name]["algorithms"]))
    levels = options.get("p", sorted(set(table["p"]), reverse=True))

    figure = Figure(figsize=(TWO_COLUMNS, 1.25 + 2.1 * len(levels)), layout="constrained")
    grid = figure.subplots(len(levels), 2, sharey=True, sharex="col", squeeze=False)
    numbers = []
    for (timed, counted), p in zip(grid, levels, strict=True):
        for index, algorithm in enumerate(algorithms):
            run = _run(table, algorithm, p, clock)
            numbers.append(run)
            one, few = look(algorithm, algorithms), (run["share"] < ENOUGH).any()
            _curve(timed, run, "time", one, few, index)
            _curve(counted, run, "iteration", one, few, index)
        timed.set_ylabel(f"{number(drawn(p, 'p'))} % lost\nrelative error, lost entries")
    numbers = pd.concat(numbers, ignore_index=True)
    errors = log_limits(numbers[["error", "low", "high"]], top=_TOP)
    times = log_limits(numbers["time"])
    grid[0, 0].set(xscale="log", yscale="log", xlim=times, ylim=errors)
    quiet_log(grid[0, 0].xaxis, times)
    quiet_log(grid[0, 0].yaxis, errors)
    if options.get("iterations", "symlog") == "symlog":
        grid[0, 1].set_xscale("symlog", linthresh=1, linscale=0.25)
    most = float(numbers["iteration"].max()) if len(numbers) else 1.0
    # Room beside the last markers, and beside those at iteration 0.
    room = (-0.3, most * 1.25) if options.get("iterations", "symlog") == "symlog" else (0, most * 1.03)
    grid[0, 1].set_xlim(room)
    grid[-1, 0].set_xlabel(_CLOCKS[clock])
    grid[-1, 1].set_xlabel("iterations")
    frame(figure, plan, key(algorithms, plan), _note(numbers))
    return figure, numbers


def _run(table: pd.DataFrame, algorithm: str, p: float, clock: str) -> pd.DataFrame:
    own = table[(table["algorithm"] == algorithm) & (table["p"] == p)]
    ends = own.sort_values("iteration").groupby("trial").tail(1)
    trials = len(ends)
    converged = int(((ends["status"] == "converged") & (ends["error"] < BELOW_ONE)).sum())
    front = {
        "algorithm": algorithm,
        "p": p,
        "trials": trials,
        "converged": converged,
        "share": converged / trials if trials else math.nan,
    }
    run = median_run(own, clock)
    return pd.concat([pd.DataFrame(front, index=run.index), run], axis="columns")


def _curve(axes: Axes, run: pd.DataFrame, x: str, one: Look, few: bool, index: int) -> None:
    at = run[run["time"] > 0] if x == "time" else run
    axes.fill_between(at[x], at["low"], at["high"], color=one.color, alpha=0.16, linewidth=0, zorder=1)
    # Every fifth point bears a marker, and the last; each algorithm starts with another point.
    marked = sorted({*range(index % 5, len(at), 5), len(at) - 1} - {-1})
    axes.plot(
        at[x],
        at["error"],
        color=one.color,
        linestyle=one.line,
        linewidth=1.3,
        markevery=marked,
        zorder=3,
        **one.markers(few),
    )


def _note(numbers: pd.DataFrame) -> str:
    note = ["Lines: medians over the trials, up to the iteration that half of them reach"]
    if (numbers["trials"] > 1).any():
        note.append("bands: the trials, less the extreme tenth at each end")
    if (numbers["share"] < ENOUGH).any():
        note.append(f"hollow: fewer than {100 * ENOUGH:.0f} % of the trials converge")
    if np.nanmax(numbers[["error"]].to_numpy(), initial=0) > _TOP:
        note.append("errors above the panel are cut off")
    note.append("times depend on the machine")
    return "; ".join(note)
