"""Voltage phasors over time: magnitudes and angles of all channels, with the event marked."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonconvex.figures.parts.frame import frame
from nonconvex.figures.style import INK, TWO_COLUMNS, house_style
from nonconvex.vocabulary import number

_PANELS = {"magnitude": "voltage magnitude", "angle": "voltage angle"}
_DASHES = ("-", (0, (5, 1.2)), (0, (1.2, 1)))
_GAP = 0.088
_BESIDE = 1.035
_LEADER = {"arrowstyle": "-", "linewidth": 0.7, "shrinkA": 0, "shrinkB": 0, "relpos": (0, 0.5)}


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the phasors of Figure 2.8 and their like, each line named at its right end.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``event_time`` (the experiment's parameter of that name by default),
        in seconds; ``names``, what to call a bus. The unit of the magnitudes is that of the experiment's
        recording, per unit by default.
    tables : dict of str to pandas.DataFrame
        One table with the columns time (s), channel, bus, magnitude, angle (degrees).

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame holds these columns, by channel.
    """
    (table,) = tables.values()
    (experiment,) = plan["experiments"].values()
    options = plan.get("options", {})
    event = options.get("event_time", experiment["parameters"].get("event_time"))
    names = {str(bus): name for bus, name in options.get("names", {}).items()}
    unit = experiment.get("source", {}).get("about", {}).get("unit", "pu")
    units = {"magnitude": "per unit" if unit == "pu" else unit, "angle": "degrees"}
    numbers = table[["time", "channel", "bus", "magnitude", "angle"]]
    numbers = numbers.sort_values(["channel", "time"], kind="stable").reset_index(drop=True)

    figure = Figure(figsize=(TWO_COLUMNS, 5.4), layout="constrained")
    panels = figure.subplots(2, 1, sharex=True)
    for axes, (column, words) in zip(panels, _PANELS.items(), strict=True):
        _panel(axes, numbers, column, names)
        axes.set_ylabel(f"{words} ({units[column]})" if units[column] else words)
        if event is not None:
            axes.axvline(event, color=INK, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)
    panels[-1].set_xlabel("time (s)")
    handles = []
    if event is not None:
        label = f"event at {number(event)} s"
        handles = [Line2D([], [], color=INK, linewidth=0.9, linestyle=(0, (4, 2)), label=label)]
    frame(figure, plan, handles)
    return figure, numbers


def _panel(axes: Axes, numbers: pd.DataFrame, column: str, names: Mapping[str, str]) -> None:
    channels = {channel: rows for channel, rows in numbers.groupby("channel", sort=True)}
    colors, ends = {}, {}
    for index, (channel, rows) in enumerate(channels.items()):
        colors[channel] = matplotlib.colormaps["viridis"](0.9 * index / max(1, len(channels) - 1))
        line = _DASHES[index % len(_DASHES)]
        axes.plot(rows["time"], rows[column], color=colors[channel], linestyle=line, linewidth=1.0, zorder=2)
        ends[channel] = rows.iloc[-1]
    axes.set_xlim(numbers["time"].min(), numbers["time"].max())
    low, high = axes.get_ylim()
    order = sorted(channels, key=lambda channel: ends[channel][column])
    heights = spread([(ends[channel][column] - low) / (high - low) for channel in order], _GAP)
    for channel, height in zip(order, heights, strict=True):
        end = ends[channel]
        axes.annotate(
            _name(end["bus"], names),
            (end["time"], end[column]),
            xytext=(_BESIDE, height),
            textcoords="axes fraction",
            va="center",
            fontsize=7,
            annotation_clip=False,
            arrowprops={"color": colors[channel], **_LEADER},
        )


def _name(bus: object, names: Mapping[str, str]) -> str:
    text = number(bus.item()) if isinstance(bus, np.generic) else str(bus)
    return names.get(text, f"bus {text}" if text.replace(".", "").isdigit() else text)


class _Pool(NamedTuple):
    """Heights that would overlap: their mean, and how many they are."""

    centre: float
    size: int


def spread(heights: Iterable[float], gap: float) -> list[float]:
    """Move increasing heights as little as possible so that neighbours are a gap apart.

    Parameters
    ----------
    heights : list of float
        In increasing order, as shares of an axis.
    gap : float

    Returns
    -------
    list of float
        Pooled around the mean of those that would overlap, and kept inside [0, 1] where there is room.
    """
    pools: list[_Pool] = []
    for height in heights:
        pools.append(_Pool(height, 1))
        while len(pools) > 1 and _low(pools[-1], gap) - _high(pools[-2], gap) < gap:
            one, other = pools[-2], pools.pop()
            size = one.size + other.size
            pools[-1] = _Pool((one.centre * one.size + other.centre * other.size) / size, size)
        centre, size = pools[-1]
        reach = (size - 1) * gap / 2
        pools[-1] = _Pool(min(max(centre, reach), max(reach, 1 - reach)), size)
    return [_low(pool, gap) + step * gap for pool in pools for step in range(pool.size)]


def _low(pool: _Pool, gap: float) -> float:
    return pool.centre - (pool.size - 1) * gap / 2


def _high(pool: _Pool, gap: float) -> float:
    return pool.centre + (pool.size - 1) * gap / 2
