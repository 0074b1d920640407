"""Error of the best approximation by a low rank, of a data block and of its Hankel matrices."""

from collections.abc import Mapping
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonconvex.figures.looks import Look
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.parts.limits import log_limits, quiet_log
from nonconvex.figures.style import MUTED, TWO_COLUMNS, house_style
from nonconvex.vocabulary import axis_label, number

_MARKERS = "osD^v<>hp8"
_FLOOR = 1e-6


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the approximation errors of Figure 2.9 and their like: one line per number of Hankel rows.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``floor`` (1e-6 by default), below which an error is drawn as an open
        arrowhead at the lower edge; ``mark``, a mapping from ranks to the words at the dotted line that
        each gets.
    tables : dict of str to pandas.DataFrame
        One table with the columns n1, rank, error; n1 = 1 is the block itself.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame holds n1, rank and error, and whether the error lies below the floor.
    """
    (table,) = tables.values()
    options = plan.get("options", {})
    floor = float(options.get("floor", _FLOOR))
    numbers = table[["n1", "rank", "error"]].sort_values(["n1", "rank"], kind="stable").reset_index(drop=True)
    numbers["below_floor"] = numbers["error"] < floor
    sizes = list(dict.fromkeys(numbers["n1"]))

    figure = Figure(figsize=(TWO_COLUMNS * 0.86, 4.2), layout="constrained")
    axes = figure.subplots()
    axes.set_yscale("log", nonpositive="mask")
    shown = numbers.loc[~numbers["below_floor"], "error"]
    low, high = log_limits([*shown, floor] if numbers["below_floor"].any() else shown)
    axes.set_ylim(low, high)
    quiet_log(axes.yaxis, (low, high))
    handles = []
    for index, n1 in enumerate(sizes):
        handles.append(_line(axes, numbers[numbers["n1"] == n1], index, len(sizes)))
    for rank, words in options.get("mark", {}).items():
        early = float(rank) < numbers["rank"].mean()
        axes.axvline(float(rank), color=MUTED, linewidth=0.8, linestyle=(0, (1, 1.5)), zorder=1)
        axes.annotate(
            words,
            (float(rank), 1),
            xycoords=axes.get_xaxis_transform(),
            xytext=(3 if early else -3, -3),
            textcoords="offset points",
            ha="left" if early else "right",
            va="top",
            color=MUTED,
            fontsize=7,
        )
    axes.set_xticks(sorted(set(numbers["rank"])))
    axes.set_xlabel(axis_label("rank"))
    axes.set_ylabel("relative approximation error")
    note = "Open arrowhead: below the axis" if numbers["below_floor"].any() else ""
    frame(figure, plan, handles, note)
    return figure, numbers


def _line(axes: Axes, rows: pd.DataFrame, index: int, count: int) -> Line2D:
    n1 = rows["n1"].iloc[0]
    # Dark to light along n1, so that the order can be read without colours.
    color = to_hex(matplotlib.colormaps["viridis"](0.0 if count == 1 else 0.78 * index / (count - 1)))
    one = Look(color, _MARKERS[index % len(_MARKERS)], "-" if n1 == 1 else (0, (5, 1 + 0.5 * index)))
    drawn = {"color": color, "linestyle": one.line, "linewidth": 1.3, **one.markers()}
    within = rows["error"].where(~rows["below_floor"], np.nan)
    axes.plot(rows["rank"], within, zorder=3, **drawn)
    beyond = rows.loc[rows["below_floor"], "rank"]
    axes.plot(
        beyond,
        [0.035] * len(beyond),
        transform=axes.get_xaxis_transform(),
        linestyle="none",
        zorder=4,
        **Look(color, "v").markers(hollow=True),
    )
    label = "data block ($n_1$ = 1)" if n1 == 1 else f"Hankel matrix, $n_1$ = {number(int(n1))}"
    return Line2D([], [], label=label, **drawn)
