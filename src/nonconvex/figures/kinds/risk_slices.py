"""Risks along the line through the first model and the teacher, and where their minima lie."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonconvex.figures.looks import VALUES, Look
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.style import MUTED, TWO_COLUMNS, house_style
from nonconvex.vocabulary import number, symbol, words_of

_MARK: dict[str, Any] = {"color": MUTED, "linewidth": 0.7, "linestyle": (0, (2, 2)), "zorder": 0}


@dataclass(frozen=True, eq=False)
class _Slice:
    """One risk: its label, its look, and its rows of all trials."""

    column: str
    value: float | None
    label: str
    look: Look
    rows: pd.DataFrame


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw Figures 7.2 and F.1.

    Above, the risks of one trial along the line, each with a marker at its minimum there. Below, a row for
    each risk: where its minimum lies on the line, a stroke for every trial and a marker at their median.
    Vertical lines mark the first model W0 (at 0), the mixture W[lambda-hat] and the teacher W* (at 1).

    Parameters
    ----------
    plan : dict
        The figure's plan, with one experiment whose axis is ``n_unlabelled``. Options: ``risks``, a list of
        mappings with ``column``, ``title`` and, where each number of unlabelled data gets a curve of its
        own, ``each``; without it a risk is that with the most. ``trial``: which one is drawn above (0).
    tables : dict of str to pandas.DataFrame
        One row per trial and place: n_unlabelled, trial, position, mixture_position, and the risks.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per risk and place of that trial (``what`` = risk: risk, n_unlabelled, position,
        value) and per risk and trial (minimum: risk, n_unlabelled, trial, position, value).
    """
    options = plan.get("options", {})
    (table,) = tables.values()
    slices = list(_slices(plan, table, options["risks"]))
    trial = options.get("trial", 0)
    figure = Figure(figsize=(TWO_COLUMNS * 0.8, 5.3), layout="constrained")
    # Whole numbers: with others the solver of the layout differs in the last bit from call to call.
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    numbers = []
    for row, one in enumerate(slices):
        own = one.rows[one.rows["trial"] == trial].sort_values("position")
        minima = pd.DataFrame([_minimum(run, one.column) for _, run in one.rows.groupby("trial")])
        risk = own[["trial", "position"]].assign(value=own[one.column])
        _risk(upper, risk, minima[minima["trial"] == trial], one.look)
        _minima(lower, minima, row, one.look)
        for what, part in (("risk", risk), ("minimum", minima)):
            front = {"what": what, "risk": one.column, "n_unlabelled": one.value}
            numbers.append(pd.DataFrame({**front, **part}))
    _axes(upper, lower, table, slices)
    handles = [
        Line2D([], [], color=one.look.color, linestyle=one.look.line, label=one.label, **one.look.markers())
        for one in slices
    ]
    count = table["trial"].nunique()
    note = f"Above: trial {trial}, marked where it is least; below: minima of {count} trials and their median"
    frame(figure, plan, handles, note)
    return figure, pd.concat(numbers, ignore_index=True)


def _slices(
    plan: Mapping[str, Any], table: pd.DataFrame, risks: Sequence[Mapping[str, Any]]
) -> Iterator[_Slice]:
    sizes = sorted(set(table["n_unlabelled"]))
    place = 0
    for risk in risks:
        each = risk.get("each", False)
        for size in [size for size in sizes if size > 0] if each else sizes[-1:]:
            words = f"{risk['title']}, {symbol('n_unlabelled', words_of(plan))} = {number(size)}"
            look, place = VALUES[place % len(VALUES)], place + 1
            rows = table[table["n_unlabelled"] == size]
            yield _Slice(risk["column"], size if each else None, words if each else risk["title"], look, rows)


def _minimum(run: pd.DataFrame, column: str) -> dict[str, float]:
    """Find a trial's minimum: that of the parabola through the least value on the grid and its neighbours."""
    run = run.sort_values("position")
    at, values = run["position"].to_numpy(), run[column].to_numpy()
    least = int(np.argmin(values))
    found = {"trial": run["trial"].iloc[0], "position": at[least], "value": values[least]}
    if not 0 < least < len(at) - 1:
        return found
    # Divided differences: a fit by a library's least squares may differ in the last bit from call to call.
    before, after = at[least] - at[least - 1], at[least + 1] - at[least]
    falls, rises = (values[least - 1] - values[least]) / before, (values[least + 1] - values[least]) / after
    curvature = (falls + rises) / (before + after)
    if curvature > 0:
        slope = rises - curvature * after
        moved = -slope / (2 * curvature)
        found |= {"position": at[least] + moved, "value": values[least] + slope * moved / 2}
    return found


def _risk(axes: Axes, risk: pd.DataFrame, least: pd.DataFrame, look: Look) -> None:
    axes.plot(risk["position"], risk["value"], color=look.color, linestyle=look.line, linewidth=1.3)
    axes.plot(
        least["position"], least["value"], color=look.color, linestyle="none", zorder=4, clip_on=False,
        **look.markers(),
    )  # fmt: skip


def _minima(axes: Axes, minima: pd.DataFrame, row: int, look: Look) -> None:
    at = minima["position"].to_numpy()
    axes.plot(at, [row] * len(at), "|", color=look.color, markersize=6, alpha=0.6, zorder=2)
    axes.plot(np.median(at), row, color=look.color, linestyle="none", zorder=3, **look.markers())


def _axes(upper: Axes, lower: Axes, table: pd.DataFrame, slices: Sequence[_Slice]) -> None:
    mixture = table.loc[table["n_unlabelled"] == table["n_unlabelled"].max(), "mixture_position"].median()
    for axes in (upper, lower):
        for place in (0.0, mixture, 1.0):
            axes.axvline(place, **_MARK)
    names = {0.0: "$W^{(0)}$", mixture: r"$W^{[\hat{\lambda}]}$", 1.0: "$W^*$"}
    for place, name in names.items():
        upper.annotate(
            name, (place, 1), (0, 3), xycoords=upper.get_xaxis_transform(), textcoords="offset points",
            ha="center", fontsize=7,
        )  # fmt: skip
    upper.set(ylabel="risk", xlim=(table["position"].min(), table["position"].max()))
    upper.set_ylim(bottom=0)
    lower.set(ylim=(len(slices) - 0.4, -0.6), yticks=[], ylabel="minima")
    lower.set_xlabel("place on the line through $W^{(0)}$ (0) and $W^*$ (1)")
