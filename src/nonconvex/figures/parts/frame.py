"""What stands around the panels: title, legend, and a footer that says where the figure came from."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from nonconvex.figures.parts.footer import footer_text
from nonconvex.figures.parts.text_width import text_width, wrapped
from nonconvex.figures.style import MUTED, WARNING

_SIZE = 6.5
_BELOW_TITLE = 0.235
_SUBSTITUTE_SIZE = 7.5
_SUBSTITUTE_LINE = 0.145
_SIDE = 0.06
_LINE = 0.125
_LEGEND_LINE = 0.158
_LEGEND_SIDE = 0.12
_KEY = 0.6  # inches of a key's line and the space around it


def frame(figure: Figure, plan: Mapping[str, Any], handles: Sequence[Artist], note: str = "") -> None:
    """Put title, legend and footer around the panels of a figure, each in room of its own.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        With a constrained layout, which gets the room in between.
    plan : dict
        The figure's plan. Option ``substitute``: what stands in for the thesis's own data, said below
        the title.
    handles : list of matplotlib.artist.Artist
        What the legend below the panels explains.
    note : str
        A line above the legend's entries.
    """
    width, height = figure.get_size_inches()
    figure.suptitle(f"Figure {plan['figure']}. {plan['title']}", x=_SIDE / width, ha="left")
    substitute = wrapped(plan.get("options", {}).get("substitute", ""), width - 2 * _SIDE, _SUBSTITUTE_SIZE)
    if substitute:
        figure.text(
            _SIDE / width,
            1 - _BELOW_TITLE / height,
            "\n".join(substitute),
            fontsize=_SUBSTITUTE_SIZE,
            color=WARNING,
            va="top",
            ha="left",
            linespacing=1.25,
        )

    lines = wrapped(footer_text(plan), width - 2 * _SIDE, _SIZE)
    footer = len(lines) * _LINE + 0.05
    figure.text(
        _SIDE / width,
        0.04 / height,
        "\n".join(lines),
        fontsize=_SIZE,
        color=MUTED,
        va="bottom",
        ha="left",
        linespacing=1.25,
    )

    columns = _legend_columns(handles, width)
    notes = wrapped(note, width - 2 * _LEGEND_SIDE, rcParams["legend.fontsize"])
    legend_lines = len(notes) + math.ceil(len(handles) / columns)
    figure.legend(
        handles=handles,
        loc="lower center",
        bbox_to_anchor=(0.5, footer / height),
        ncols=columns,
        title="\n".join(notes) or None,
        title_fontsize=rcParams["legend.fontsize"],
        borderpad=0.3,
        labelspacing=0.35,
        columnspacing=1.6,
    )
    room = (footer + legend_lines * _LEGEND_LINE + 0.08) / height
    top = len(substitute) * _SUBSTITUTE_LINE / height
    engine = figure.get_layout_engine()
    if not isinstance(engine, ConstrainedLayoutEngine):
        raise TypeError("figure: it must have a constrained layout.")
    engine.set(rect=(0, room, 1, 1 - room - top))


def _legend_columns(handles: Sequence[Artist], width: float) -> int:
    """Return in how many columns the keys take the fewest lines, each column as wide as its longest key."""
    size = rcParams["legend.fontsize"]
    keys = np.array([_KEY + text_width(str(handle.get_label()), size) for handle in handles])
    for lines in range(1, len(keys)):
        columns = math.ceil(len(keys) / lines)
        # As matplotlib fills them: from the top down, the first ones with a key more.
        if sum(column.max() for column in np.array_split(keys, columns)) <= width - 2 * _LEGEND_SIDE:
            return columns
    return 1
