"""What stands around the panels: title, legend, and a footer that says where the figure came from."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from nonconvex.figures.parts.footer import footer_text
from nonconvex.figures.style import MUTED, WARNING

_SIZE = 6.5
_BELOW_TITLE = 0.235
_SUBSTITUTE_SIZE = 7.5
_SUBSTITUTE_LINE = 0.145
_CHARACTERS_PER_INCH = 19.0
_LINE = 0.125
_LEGEND_LINE = 0.158
_LEGEND_CHARACTERS_PER_INCH = 17.5
_KEY = 0.75  # inches of a key's line and the space around it


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
    figure.suptitle(f"Figure {plan['figure']}. {plan['title']}", x=0.06 / width, ha="left")
    substitute = _wrap(plan.get("options", {}).get("substitute", ""), width * _LEGEND_CHARACTERS_PER_INCH)
    if substitute:
        figure.text(
            0.06 / width,
            1 - _BELOW_TITLE / height,
            "\n".join(substitute),
            fontsize=_SUBSTITUTE_SIZE,
            color=WARNING,
            va="top",
            ha="left",
            linespacing=1.25,
        )

    lines = _wrap(footer_text(plan), width * _CHARACTERS_PER_INCH)
    footer = len(lines) * _LINE + 0.05
    figure.text(
        0.06 / width,
        0.04 / height,
        "\n".join(lines),
        fontsize=_SIZE,
        color=MUTED,
        va="bottom",
        ha="left",
        linespacing=1.25,
    )

    columns = _legend_columns(handles, width)
    notes = _wrap(note, width * _LEGEND_CHARACTERS_PER_INCH)
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
    """Return how many keys stand in a line: as many as there is room for, in lines of about one length."""
    if not handles:
        return 1
    longest = max(len(_seen(str(handle.get_label()))) for handle in handles)
    room = max(int(width / 2.2), int(width / (_KEY + longest / _LEGEND_CHARACTERS_PER_INCH * 1.2)), 1)
    lines = math.ceil(len(handles) / room)
    return math.ceil(len(handles) / lines)


def _seen(text: str) -> str:
    """Leave out of a text what mathtext does not print."""
    return re.sub(r"[$_\\]", "", text)


def _wrap(text: str, characters: float) -> list[str]:
    """Break a text into lines, counting what is seen of its symbols rather than their mathtext."""
    lines: list[str] = []
    for word in text.split(" ") if text else ():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and len(_seen(longer)) <= characters:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
