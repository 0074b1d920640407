"""What stands around the panels: title, legend, and a footer that says where the figure came from."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from nonconvex.figures.style import MUTED, WARNING
from nonconvex.vocabulary import number, ordered, symbol, words_of

_SIZE = 6.5
_BELOW_TITLE = 0.235
_SUBSTITUTE_SIZE = 7.5
_SUBSTITUTE_LINE = 0.145
_CHARACTERS_PER_INCH = 19.0
_LINE = 0.125
_LEGEND_LINE = 0.158
_LEGEND_CHARACTERS_PER_INCH = 17.5
_KEY = 0.75  # inches of a key's line and the space around it


def footer_text(plan: Mapping[str, Any]) -> str:
    """Say in one sentence per thing what a reader must know about the figure's origin.

    Parameters
    ----------
    plan : dict
        The figure's plan, with its resolved experiments. Option ``remark``: a sentence of its own.

    Returns
    -------
    str
    """
    experiments = list(plan["experiments"].values())
    parts = [f"{plan['scale']} scale", _trials(experiments)]
    words = words_of(plan)
    sizes = _sizes(experiments, words)
    if sizes:
        parts.append(sizes)
    axes = _axes(experiments)
    chosen = [name for name in axes if _source(_along(experiments, name), name) == "chosen"]
    if chosen:
        parts.append(f"axes chosen, not reported: {', '.join(symbol(name, words) for name in chosen)}")
    coarser = [name for name in axes if _differs(_along(experiments, name), name) and name not in chosen]
    if coarser:
        parts.append(f"axes reduced: {', '.join(symbol(name, words) for name in coarser)}")
    others = _other_choices(experiments, words)
    if others:
        parts.append(f"{'also chosen' if chosen else 'chosen'}: {others}")
    parts.append(plan.get("options", {}).get("remark", ""))
    return " · ".join(part for part in parts if part)


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


def _trials(experiments: Sequence[Mapping[str, Any]]) -> str:
    counts = {
        algorithm.get("trials", experiment["trials"])
        for experiment in experiments
        for algorithm in experiment.get("algorithms", {}).values()
    }
    if not counts:
        return ""
    if counts == {1}:
        return "1 trial per cell"
    low, high = min(counts), max(counts)
    return f"{low} trials per cell" if low == high else f"{low} to {high} trials per cell, by algorithm"


def _axes(experiments: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for experiment in experiments for name in experiment["axes"]))


def _source(experiments: Sequence[Mapping[str, Any]], name: str) -> str | None:
    sources = [experiment.get("sources", {}).get(name) for experiment in experiments]
    return "chosen" if "chosen" in sources else "stated" if "stated" in sources else None


def _differs(experiments: Sequence[Mapping[str, Any]], name: str) -> bool:
    return any(name in experiment.get("differs", ()) for experiment in experiments)


def _assignment(
    experiments: Sequence[Mapping[str, Any]], name: str, words: Mapping[str, Sequence[str]]
) -> str:
    values = [one["parameters"][name] for one in experiments if name in one["parameters"]]
    texts = dict.fromkeys(number(value) for value in values)
    # Spaces that do not break, so that a symbol and its value stay on one line.
    return f"{symbol(name, words)}\u00a0=\u00a0{' / '.join(texts)}"


def _scalars(experiments: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Return, by parameter, the experiments in which it has one value; the others have it as an axis."""
    names = {name for experiment in experiments for name in experiment["parameters"]}
    having = {
        name: [one for one in experiments if name in one["parameters"] and name not in one["axes"]]
        for name in ordered(names)
    }
    return {name: some for name, some in having.items() if some}


def _along(experiments: Sequence[Mapping[str, Any]], name: str) -> list[Mapping[str, Any]]:
    return [one for one in experiments if name in one["axes"]]


def _sizes(experiments: Sequence[Mapping[str, Any]], words: Mapping[str, Sequence[str]]) -> str:
    return ", ".join(
        f"{_assignment(smaller, name, words)} (thesis {_thesis(smaller, name)})"
        for name, some in _scalars(experiments).items()
        if (smaller := [one for one in some if _differs([one], name)])
    )


def _thesis(experiments: Sequence[Mapping[str, Any]], name: str) -> str:
    values = [one["thesis"][name] for one in experiments if name in one.get("thesis", {})]
    return " / ".join(dict.fromkeys(number(value) for value in values))


def _other_choices(experiments: Sequence[Mapping[str, Any]], words: Mapping[str, Sequence[str]]) -> str:
    return ", ".join(
        _assignment(chosen, name, words)
        for name, some in _scalars(experiments).items()
        if (chosen := [one for one in some if _source([one], name) == "chosen" and not _differs([one], name)])
    )
