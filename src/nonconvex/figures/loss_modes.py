"""Modes of missing (or bad) entries, drawn from the masks of a dataset: one panel per mode."""

from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from nonconvex.figures.frame import frame
from nonconvex.figures.style import INK, TWO_COLUMNS, house_style

_KEPT = "#EDF3F8"
_LOST = "#263A5A"

_NAMES = {
    "1": "Mode 1: entries lost at random, each on its own",
    "2": "Mode 2: all channels lost at the same instants",
    "3": "Mode 3: half of the channels lost, for consecutive instants",
}


@house_style()
def draw(plan, tables):
    """
    Draw one panel per mode, channels against samples, with the lost entries filled dark.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``names``, the panel title of each mode; ``kept`` and ``lost``, the
        legend's words (``observed`` and ``lost`` by default).
    tables : dict of str to pandas.DataFrame
        One table with the columns mode, channel, sample, observed.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame holds mode, channel, sample and observed, as drawn.
    """
    (table,) = tables.values()
    options = plan.get("options", {})
    names = {**_NAMES, **{str(mode): name for mode, name in options.get("names", {}).items()}}
    numbers = table[["mode", "channel", "sample", "observed"]]
    numbers = numbers.sort_values(["mode", "channel", "sample"], kind="stable").reset_index(drop=True)
    modes = list(dict.fromkeys(numbers["mode"]))

    figure = Figure(figsize=(TWO_COLUMNS * 0.78, 0.75 + 1.42 * len(modes)), layout="constrained")
    panels = figure.subplots(len(modes), 1, sharex=True, squeeze=False)[:, 0]
    for axes, mode in zip(panels, modes, strict=True):
        _panel(axes, numbers[numbers["mode"] == mode], names.get(str(mode), f"Mode {mode}"), options)
    panels[-1].set_xlabel("sample (time)")
    kept = Patch(facecolor=_KEPT, edgecolor=INK, linewidth=0.5, label=options.get("kept", "observed"))
    lost = Patch(facecolor=_LOST, edgecolor=INK, linewidth=0.5, label=options.get("lost", "lost"))
    frame(figure, plan, [kept, lost])
    return figure, numbers


def _panel(axes, rows, name, options):
    grid = rows.pivot(index="channel", columns="sample", values="observed")
    observed = grid.to_numpy(dtype=bool)
    axes.pcolormesh(
        _edges(grid.columns),
        _edges(grid.index),
        observed.astype(float),
        cmap=ListedColormap([_LOST, _KEPT]),
        vmin=0,
        vmax=1,
        edgecolors="white",
        linewidth=0.4,
    )
    axes.invert_yaxis()
    share = 100 * (1 - observed.mean())
    axes.set_title(f"{name} ({share:.3g} % {options.get('lost', 'lost')})", loc="left")
    axes.set_ylabel("channel")
    axes.set_yticks(_round_ticks(grid.index))
    axes.set_xticks(_round_ticks(grid.columns))
    axes.tick_params(length=0)


def _edges(index):
    return [index[0] - 0.5, *(value + 0.5 for value in index)]


def _round_ticks(index):
    step = 5 if len(index) > 6 else 1
    return [value for value in index if (value - index[0]) % step == 0]
