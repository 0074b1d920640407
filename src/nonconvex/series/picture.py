"""The picture of a recovery: the series as read beside the series as written, and where samples were lost."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonconvex.figures.style import INK, MUTED, TWO_COLUMNS, house_style
from nonconvex.series.scale import size as size_of
from nonconvex.series.series import Series

MOST_CHANNELS = 12
"""More lines than this in one panel cannot be told apart."""

_LONGEST_NAME = 16  # of a row's label, in characters
_OBSERVED = "#9A9A9A"
_FILLED = "#005A94"
_HIDDEN = "#E69F00"
_WRONG = "#D55E00"
_THIN: dict[str, Any] = {"color": _OBSERVED, "linewidth": 0.7, "markersize": 1.8, "markeredgewidth": 0}
_PLAIN: dict[str, Any] = {"parse_math": False}  # A dollar sign in a name is a dollar sign.
_DOTS: dict[str, Any] = {
    "color": _FILLED,
    "linestyle": "none",
    "marker": ".",
    "markersize": 2.4,
    "markeredgewidth": 0,
}
_CROSSES: dict[str, Any] = {
    "color": _WRONG,
    "linestyle": "none",
    "marker": "x",
    "markersize": 2.6,
    "markeredgewidth": 0.7,
}


@house_style()
def draw(
    series: Series, filled: np.ndarray, hidden: np.ndarray, outliers: np.ndarray, title: str, footer: str
) -> Figure:
    """Draw a series before and after its recovery.

    Parameters
    ----------
    series : nonconvex.series.series.Series
        As read.
    filled : ndarray, shape (n_channels, n_samples)
        As written.
    hidden : ndarray of bool, same shape
        Samples hidden for the check.
    outliers : ndarray of bool, same shape
        Observed values found wrong and replaced.
    title : str
        Above the panels.
    footer : str
        Below them.

    Returns
    -------
    matplotlib.figure.Figure
    """
    shown = _channels_to_show(series.mask)
    quantities = _stacked(series, filled, shown) if series.kind == "real" else _phasors(series, filled)
    heights = [max(2.0, 0.42 * len(shown) * (series.kind == "real"))] * len(quantities) + [0.8]
    width, height = TWO_COLUMNS, 0.9 + 1.0 * sum(heights)
    figure = Figure(figsize=(width, height))
    grid = figure.subplots(len(heights), 2, sharex=True, sharey="row", gridspec_kw={"height_ratios": heights})
    for (before, after), (label, read, written) in zip(grid[:-1], quantities, strict=True):
        for channel in shown:
            lost = ~series.mask[channel]
            before.plot(series.time, np.where(lost, np.nan, read[channel]), marker=".", **_THIN)
            after.plot(series.time, written[channel], **_THIN)
            after.plot(series.time[lost], written[channel][lost], zorder=3, **_DOTS)
            wrong = outliers[channel]
            before.plot(series.time[wrong], read[channel][wrong], zorder=3, **_CROSSES)
            after.plot(series.time[wrong], written[channel][wrong], zorder=3, **_DOTS)
        before.set_ylabel(label)
        if series.kind == "real":
            before.set_yticks(
                -np.arange(len(shown)), [_short(series.names[channel]) for channel in shown], **_PLAIN
            )
    _strip(grid[-1, 0], series, ~series.mask, INK, "lost")
    _strip(grid[-1, 1], series, hidden, _HIDDEN, "hidden for the check")
    grid[-1, 0].set_ylabel("channel")
    grid[0, 0].set_title("as read")
    grid[0, 1].set_title("recovered")

    if len(shown) < len(series.names):
        footer = f"{len(shown)} of {len(series.names)} channels drawn, those with the most lost. {footer}"
    figure.suptitle(title, x=0.06 / width, ha="left", **_PLAIN)
    figure.text(0.06 / width, 0.05 / height, footer, fontsize=6.5, color=MUTED, va="bottom")
    figure.legend(
        handles=[
            Line2D([], [], marker=".", label="observed", **_THIN),
            Line2D([], [], label="filled in", **{**_DOTS, "markersize": 5}),
            *[Line2D([], [], label="outlier", **{**_CROSSES, "markersize": 4})] * bool(outliers.any()),
        ],
        loc="lower center",
        bbox_to_anchor=(0.5, 0.17 / height),
        ncols=3,
    )
    room = 0.42 / height
    figure.set_layout_engine("constrained", rect=(0, room, 1, 1 - room))
    return figure


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure as PNG, without date or version."""
    with house_style():
        FigureCanvasAgg(figure)
        figure.savefig(path, format="png", metadata={"Software": None})


def _channels_to_show(mask: np.ndarray) -> list[int]:
    """Return the channels with the most lost samples, in their own order."""
    order = np.argsort(mask.sum(axis=1), kind="stable")
    return sorted(order[:MOST_CHANNELS])


def _stacked(
    series: Series, filled: np.ndarray, shown: list[int]
) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Return label, values as read and values as written: each channel on its own scale, below the last."""
    low, high = np.nanmin(series.values, axis=1), np.nanmax(series.values, axis=1)
    scale = np.where(high > low, 1.2 * (high - low), 1.0)[:, None]
    middle, below = (low / 2 + high / 2)[:, None], np.zeros((len(low), 1))
    below[shown, 0] = np.arange(len(shown))
    return [
        ("each channel on its own scale", *((x - middle) / scale - below for x in (series.values, filled)))
    ]


def _phasors(series: Series, filled: np.ndarray) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Return the same for magnitudes and for angles, on scales that all channels share."""
    unit = f" ({series.unit})" if series.unit else ""
    known = np.where(series.mask, series.values, filled)
    # Without jumps of a full turn, which would look like events.
    angle = np.degrees(np.unwrap(np.angle(known), axis=1))
    size = size_of(known) or 1.0
    written = angle + np.degrees(np.angle((filled / size) * (known / size).conj()))
    return [(f"magnitude{unit}", np.abs(series.values), np.abs(filled)), ("angle (deg)", angle, written)]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _strip(axes: Axes, series: Series, flags: np.ndarray, color: str, what: str) -> None:
    """Draw which samples are flagged, a row per channel."""
    half, count = 0.5 / series.sampling_rate, len(series.names)
    axes.imshow(
        flags,
        cmap=ListedColormap(["#F2F2F2", color]),
        vmin=0,
        vmax=1,
        aspect="auto",
        interpolation="nearest",
        extent=(series.time[0] - half, series.time[-1] + half, count + 0.5, 0.5),
    )
    axes.set_title(f"{what}: {flags.sum()} of {flags.size} samples", fontsize=7, pad=3)
    ticked = range(count) if count <= MOST_CHANNELS else (0, count - 1)
    names = [_short(series.names[row]) for row in ticked]
    axes.set_yticks([row + 1 for row in ticked], names, fontsize=4.8 if count > 6 else 6, **_PLAIN)
    axes.set_xlabel("time (s)")
