"""Modes of missing (or bad) entries, drawn from the masks of a dataset: one panel per mode."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from nonconvex.figures.parts.frame import frame
from nonconvex.figures.style import INK, TWO_COLUMNS, house_style

_KEPT = "#EDF3F8"
_LOST = "#263A5A"

_NAMES = {
    "mode": {
        "1": "Mode 1: entries lost at random, each on its own",
        "2": "Mode 2: all channels lost at the same instants",
        "3": "Mode 3: half of the channels lost, for consecutive instants",
    },
    "missing_mode": {
        "1": "M1: entries lost at random, each on its own",
        "2": "M2: all channels lost at the same instants",
    },
    "bad_mode": {
        "1": "B1: entries bad at random, each on its own",
        "2": "B2: all channels bad at the same instants",
        "3": "B3: all channels bad for consecutive instants",
    },
}
_WORDS = {
    "mode": ("observed", "observed", "lost"),
    "missing_mode": ("observed", "observed", "lost"),
    "bad_mode": ("corrupted", "clean", "bad"),
}
"""By axis: the column that is drawn, and what the light and the dark places are called."""


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw one panel per mode, channels against samples, with the lost or bad entries filled dark.

    Parameters
    ----------
    plan : dict
        The figure's plan. Its experiment's axis, ``mode``, ``missing_mode`` or ``bad_mode``, decides whether
        missing or bad entries are drawn. Options: ``names``, the panel title of each mode; ``kept`` and
        ``lost``, the legend's words.
    tables : dict of str to pandas.DataFrame
        One table with the columns of that axis, channel, sample, and observed or corrupted.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame holds these columns, as drawn.
    """
    ((name, table),) = tables.items()
    (axis,) = plan["experiments"][name]["axes"]
    options = plan.get("options", {})
    column, kept, lost = _WORDS[axis]
    kept, lost = options.get("kept", kept), options.get("lost", lost)
    names = {**_NAMES[axis], **{str(mode): words for mode, words in options.get("names", {}).items()}}
    numbers = table[[axis, "channel", "sample", column]]
    numbers = numbers.sort_values([axis, "channel", "sample"], kind="stable").reset_index(drop=True)
    modes = list(dict.fromkeys(numbers[axis]))

    figure = Figure(figsize=(TWO_COLUMNS * 0.78, 0.75 + 1.42 * len(modes)), layout="constrained")
    panels = figure.subplots(len(modes), 1, sharex=True, squeeze=False)[:, 0]
    for axes, mode in zip(panels, modes, strict=True):
        grid = numbers[numbers[axis] == mode].pivot(index="channel", columns="sample", values=column)
        light = grid if column == "observed" else ~grid.astype(bool)
        _panel(axes, light, f"{names.get(str(mode), f'Mode {mode}')} ({_share(light)} % {lost})")
    panels[-1].set_xlabel("sample (time)")
    patches = [
        Patch(facecolor=color, edgecolor=INK, linewidth=0.5, label=label)
        for color, label in ((_KEPT, kept), (_LOST, lost))
    ]
    frame(figure, plan, patches)
    return figure, numbers


def _share(light: pd.DataFrame) -> str:
    return f"{100 * (1 - light.to_numpy(dtype=bool).mean()):.3g}"


def _panel(axes: Axes, light: pd.DataFrame, title: str) -> None:
    axes.pcolormesh(
        _edges(light.columns),
        _edges(light.index),
        light.to_numpy(dtype=float),
        cmap=ListedColormap([_LOST, _KEPT]),
        vmin=0,
        vmax=1,
        edgecolors="white",
        linewidth=0.4,
    )
    axes.invert_yaxis()
    axes.set_title(title, loc="left")
    axes.set_ylabel("channel")
    axes.set_yticks(_round_ticks(light.index))
    axes.set_xticks(_round_ticks(light.columns))
    axes.tick_params(length=0)


def _edges(index: pd.Index) -> list[float]:
    return [index[0] - 0.5, *(value + 0.5 for value in index)]


def _round_ticks(index: pd.Index) -> list[int]:
    step = 5 if len(index) > 6 else 1
    return [value for value in index if (value - index[0]) % step == 0]
