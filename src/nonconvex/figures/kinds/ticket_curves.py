"""Test accuracy of networks that are pruned round after round, with the tickets that validation picks."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonconvex.figures.looks import Look
from nonconvex.figures.parts.curve_panels import curve_key, curve_panels, shown
from nonconvex.figures.parts.frame import frame
from nonconvex.figures.style import INK, TWO_COLUMNS, house_style
from nonconvex.statistics.means import FEWEST, student

_LEVEL = 0.05
_DENSE: dict[str, Any] = {"linestyle": (0, (1, 2)), "linewidth": 0.9}
_POINT = ["what", "pruning_ratio", "trials", "accuracy", "low", "high"]
_TICKS = (0.0, 0.2, 0.36, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99)


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the accuracies of Figures 6.11 and 6.12.

    Per curve the mean test accuracy over the trials against the pruning ratio, with its 95 % interval where
    there are trials enough. The axis is logarithmic in the weights that are kept, so that rounds stand
    evenly. A star is the ticket: the pruned network that each trial's validation accuracy picks, at the mean
    of its place, with its mean test accuracy. A dotted line goes on from the network that nothing is pruned
    of: a star above the line of a larger number of samples beats it with fewer.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``panels``, ``by`` and ``labels``, as
        `nonconvex.figures.parts.curve_panels` has them; ``columns``, how many panels stand side by side.
    tables : dict of str to pandas.DataFrame
        One row per trial and round: algorithm, the axes, trial, status, round, pruning_ratio, test_error,
        ticket_error and ticket_ratio.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        A row per curve and round (``what`` = round) and per curve (ticket: where it is picked), with panel,
        experiment, algorithm, value (of ``by``), pruning_ratio, trials, accuracy, low and high.
    """
    options = plan.get("options", {})
    panels = curve_panels(plan, tables)
    columns = min(len(panels), options.get("columns", 2))
    rows = -(-len(panels) // columns)
    size = TWO_COLUMNS if columns > 1 else TWO_COLUMNS * 0.75
    figure = Figure(figsize=(size, 1.3 + 2.6 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, sharey=True, squeeze=False).ravel()
    numbers = []
    for axes, panel in zip(grid, panels, strict=False):
        for curve in panel.curves:
            front = {
                "panel": panel.title, "experiment": curve.experiment, "algorithm": curve.algorithm,
                "value": curve.value,
            }  # fmt: skip
            points, ticket = rounds(curve.rows), picked(curve.rows)
            _curve(axes, points, ticket, curve.look)
            numbers.append(pd.concat([points, ticket]).assign(**front))
        axes.set_title(panel.title)
        axes.set_xlabel("pruning ratio, on a scale of the weights kept")
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    for axes in grid[::columns]:
        axes.set_ylabel("test accuracy")
    found = pd.concat(numbers, ignore_index=True)
    found = found[["what", *front, *found.columns.drop(["what", *front])]]
    for axes in grid[: len(panels)]:
        _scale(axes, found)
    frame(figure, shown(plan, panels), [*curve_key(panels), *_handles()], _note(found, tables))
    return figure, found


def rounds(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the mean accuracy of each round over the trials that got there, with its interval.

    Parameters
    ----------
    rows : pandas.DataFrame
        One curve's: trial, round, pruning_ratio, test_error.

    Returns
    -------
    pandas.DataFrame
        what, pruning_ratio, trials, accuracy, low and high; these are nan with fewer than three trials.
    """
    found = [
        {"what": "round", "pruning_ratio": own["pruning_ratio"].mean(), **_mean(1 - own["test_error"])}
        for _, own in rows.groupby("round", sort=True)
    ]
    return pd.DataFrame(found, columns=_POINT)


def picked(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the same of the ticket that each trial's validation accuracy picks: one row.

    Its place is the one at which the mean logarithm of the weights kept lies.
    """
    trials = rows.groupby("trial").last()
    kept = np.log(1 - trials["ticket_ratio"].dropna())
    place = 1 - np.exp(kept.mean()) if len(kept) else np.nan
    return pd.DataFrame([{"what": "ticket", "pruning_ratio": place, **_mean(1 - trials["ticket_error"])}])


def _mean(values: pd.Series) -> dict[str, Any]:
    known = values.dropna().to_numpy(dtype=float)
    if not len(known):
        return {"trials": 0, "accuracy": np.nan, "low": np.nan, "high": np.nan}
    middle, low, high = student(known, _LEVEL)
    few = len(known) < FEWEST
    return {
        "trials": len(known),
        "accuracy": middle,
        "low": np.nan if few else low,
        "high": np.nan if few else min(high, 1.0),
    }


def _curve(axes: Axes, points: pd.DataFrame, ticket: pd.DataFrame, one: Look) -> None:
    if points.empty:  # all trials failed
        return
    kept, accuracy = 1 - points["pruning_ratio"], points["accuracy"]
    axes.fill_between(kept, points["low"], points["high"], color=one.color, alpha=0.13, linewidth=0, zorder=1)
    axes.plot(kept, accuracy, color=one.color, linestyle=one.line, linewidth=1.2, zorder=3, **one.markers())
    axes.axhline(accuracy.iloc[0], color=one.color, zorder=2, **_DENSE)
    star = ticket.iloc[0]
    axes.plot(
        1 - star["pruning_ratio"], star["accuracy"], marker="*", markersize=11, color=one.color,
        markeredgecolor="white", markeredgewidth=0.7, zorder=5, linestyle="none",
    )  # fmt: skip


def _scale(axes: Axes, found: pd.DataFrame) -> None:
    """Put the axis of the weights kept from all to the fewest, with ticks that tell the pruning ratio."""
    most = found["pruning_ratio"].max()
    least = 1 - (most if np.isfinite(most) else _TICKS[2])
    axes.set(xscale="log", xlim=(1.06, least / 1.06))
    ticks = [tick for tick in _TICKS if 1 - tick >= least / 1.03]
    axes.set_xticks([1 - tick for tick in ticks], [f"{100 * tick:g} %" for tick in ticks])
    axes.minorticks_off()
    axes.tick_params(axis="x", labelsize=6)


def _handles() -> list[Line2D]:
    star: dict[str, Any] = {"marker": "*", "markersize": 9, "markeredgecolor": "white", "linestyle": "none"}
    return [
        Line2D([], [], color=INK, label="ticket that validation picks", **star),
        Line2D([], [], color=INK, label="nothing pruned", **_DENSE),
    ]


def _note(found: pd.DataFrame, tables: Mapping[str, pd.DataFrame]) -> str:
    if not found["trials"].any():
        return "no trial has come to an end"
    most, least = int(found["trials"].max()), int(found["trials"].min())
    words = [f"Means over {most if most == least else f'{least} to {most}'} trials"]
    if found["low"].notna().any():
        words.append("bands: their 95 % interval")
    ended = [table[["algorithm", "trial", "status"]] for table in tables.values()]
    diverged = sum(int((one["status"] == "diverged").any()) for table in ended for _, one in _trials(table))
    if diverged:
        words.append(f"{diverged} runs diverged and count until then")
    return "; ".join(words)


def _trials(table: pd.DataFrame) -> Sequence[tuple[Any, pd.DataFrame]]:
    return list(table.groupby(["algorithm", "trial"]))
