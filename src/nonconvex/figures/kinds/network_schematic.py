"""Schematics of one-hidden-layer networks, drawn by code."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from nonconvex.figures.parts.frame import frame
from nonconvex.figures.style import INK, MUTED, TWO_COLUMNS, house_style

_COLORS = ("#0072B2", "#D55E00", "#009E73")
_SHADES = ("#E3EEF7", "#FBE7DB", "#DDF1EA")
_MIDDLE = 2.1

Point = tuple[float, float]
"""A place on the axes, x and y."""


@house_style()
def draw(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw the networks of Figures 4.1, 5.1 and 6.1.

    Layers stand from left to right; an ellipsis stands for the units that are left out. In a convolutional
    network every neuron sees every patch with the same weights; in a graph network a node's input is the
    weighted sum over its neighbours; a pruned network stands beside the learner that is trained on a mask
    which covers its own.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``network``, ``convolutional``, ``graph`` or ``pruned``; for the first
        two ``neurons``, and for the first ``patches``, how many are drawn (3 and 3).
    tables : dict
        Not used.

    Returns
    -------
    matplotlib.figure.Figure, pandas.DataFrame
        The frame has a row per drawn thing: layer, text, x, y.

    Raises
    ------
    ValueError
        For another network.
    """
    options = plan.get("options", {})
    network = options.get("network", "convolutional")
    if network not in _LAYOUTS:
        raise ValueError(
            f"options: figure {plan['figure']} has network {network!r}, which is none of "
            f"{', '.join(_LAYOUTS)}."
        )
    figure = Figure(figsize=(TWO_COLUMNS, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.set(xlim=(0, 10), ylim=(-0.6, 4.7), aspect="equal")
    axes.set_axis_off()
    drawing = _Drawing(axes)
    _LAYOUTS[network](drawing, options)
    frame(figure, plan, [])
    return figure, pd.DataFrame(drawing.things, columns=["layer", "text", "x", "y"])


class _Drawing:
    """The shapes on the axes, and the list of what was drawn."""

    def __init__(self, axes: Axes) -> None:
        self._axes = axes
        self.things: list[tuple[str, str, float, float]] = []

    def box(self, layer: str, text: str, x: float, y: float, width: float, height: float, color: str) -> None:
        shape = Rectangle((x - width / 2, y - height / 2), width, height, fc=color, ec=INK, lw=0.8, zorder=2)
        self._axes.add_patch(shape)
        self.text(layer, text, x, y)

    def unit(
        self, layer: str, text: str, x: float, y: float, radius: float = 0.3, color: str = "white"
    ) -> None:
        self._axes.add_patch(Circle((x, y), radius, facecolor=color, edgecolor=INK, linewidth=0.9, zorder=2))
        self.text(layer, text, x, y)

    def text(self, layer: str, text: str, x: float, y: float, **style: Any) -> None:
        given: dict[str, Any] = {"ha": "center", "va": "center", "size": 8.5, "zorder": 3, **style}
        self._axes.text(x, y, text, **given)
        self.things.append((layer, text, x, y))

    def arrow(self, start: Point, end: Point, color: str = INK, **style: Any) -> None:
        given: dict[str, Any] = {
            "arrowstyle": "-|>", "mutation_scale": 7, "linewidth": 0.8, "zorder": 1, **style
        }  # fmt: skip
        self._axes.add_patch(FancyArrowPatch(start, end, color=color, shrinkA=0, shrinkB=0, **given))

    def line(self, start: Point, end: Point, **style: Any) -> None:
        given: dict[str, Any] = {"color": MUTED, "lw": 0.9, "zorder": 1, **style}
        self._axes.plot(*zip(start, end, strict=True), **given)

    def link(self, start: Point, end: Point, **style: Any) -> None:
        """Draw a line between two units of the default radius, from rim to rim."""
        given: dict[str, Any] = {"lw": 1.1, "zorder": 1, **style}
        length = np.hypot(end[0] - start[0], end[1] - start[1]) / 0.3
        step = np.subtract(end, start) / length
        self._axes.plot(*zip(start + step, end - step, strict=True), **given)

    def dots(self, layer: str, x: float, y: float) -> None:
        self.text(layer, "⋮", x, y, size=11)

    def captions(self, *captions: tuple[float, str]) -> None:
        for x, words in captions:
            self.text("caption", words, x, -0.35, size=7.5, color=MUTED, va="top")


def _heights(count: int, low: float = 0.5, high: float = 3.7) -> tuple[list[float], float]:
    """Place some units and, between the last two, an ellipsis."""
    places = np.linspace(high, low, count + 1)
    return [*places[:-2], places[-1]], places[-2]


def _numbers(units: Sequence[float], last: str) -> list[str]:
    """Number the units that are drawn: 1, 2, ..., and the last by its letter."""
    return [*(str(i) for i in range(1, len(units))), last]


def _convolutional(drawing: _Drawing, options: Mapping[str, Any]) -> None:
    patches, gap = _heights(options.get("patches", 3))
    drawing.box("input", r"$\mathbf{x}_n$", 0.7, _MIDDLE, 0.5, 4.3, "#F4F4F4")
    for i, (y, name) in enumerate(zip(patches, _numbers(patches, "M"), strict=True)):
        drawing.box("patch", rf"$\mathbf{{P}}_{{{name}}}\mathbf{{x}}_n$", 2.4, y, 1.0, 0.62, _SHADES[i % 3])
        drawing.arrow((0.95, y), (1.9, y), MUTED)
    drawing.dots("patch", 2.4, gap)
    for j, (y, name) in enumerate(_neurons(drawing, options, 5.4, [(2.9, at) for at in patches], 8.0)):
        place = 6.6, y + 0.35 * (_MIDDLE - y) + 0.2
        drawing.text("output weights", f"$v_{{{name}}}$", *place, color=_COLORS[j % 3])
    drawing.unit("output", r"$\Sigma$", 8.3, _MIDDLE)
    drawing.arrow((8.6, _MIDDLE), (9.2, _MIDDLE))
    drawing.text("output", r"$g(\mathbf{x}_n)$", 9.6, _MIDDLE)
    drawing.captions(
        (0.7, "input\n$p$ numbers"),
        (2.4, "$M$ patches of\n$d = p/M$ numbers"),
        (5.4, "$K$ neurons (ReLU),\nthe same for all patches"),
        (8.3, "sum over patches\nand neurons"),
    )


def _graph(drawing: _Drawing, options: Mapping[str, Any]) -> None:
    nodes = {
        "n": (1.6, 2.1), "a": (0.5, 3.3), "b": (0.4, 1.2), "c": (2.5, 3.4), "d": (2.6, 0.8), "e": (1.4, 0.2),
    }  # fmt: skip
    for one, other in ("na", "nb", "nc", "nd", "be", "ed", "ac"):
        drawing.line(nodes[one], nodes[other])
    for name, place in nodes.items():
        if name == "n":
            drawing.unit("node", r"$\mathbf{x}_n$", *place, 0.32, _SHADES[1])
        elif name in "abcd":
            drawing.unit("neighbour", r"$\mathbf{x}_i$", *place, 0.32, _SHADES[0])
        else:
            drawing.unit("other node", "", *place, 0.32)
    drawing.box("aggregate", r"$\mathbf{a}_n^{\top}\mathbf{X}$", 4.4, _MIDDLE, 0.9, 0.62, _SHADES[1])
    drawing.arrow((2.95, _MIDDLE), (3.95, _MIDDLE), INK, linewidth=1.4)
    _neurons(drawing, options, 6.5, [(4.85, _MIDDLE)], 8.2)
    drawing.unit("output", r"$\frac{1}{K}\Sigma$", 8.5, _MIDDLE)
    drawing.arrow((8.8, _MIDDLE), (9.3, _MIDDLE))
    drawing.text("output", "$y_n$", 9.6, _MIDDLE)
    drawing.captions(
        (1.5, "node $n$ and its neighbours,\nfeatures of $d$ numbers"),
        (4.4, "sum weighted by\nrow $n$ of $\\mathbf{A}$"),
        (6.5, "$K$ neurons (ReLU\nor sigmoid)"),
        (8.7, "mean over\nneurons"),
    )


def _neurons(
    drawing: _Drawing, options: Mapping[str, Any], x: float, sources: Sequence[Point], end: float
) -> list[tuple[float, str]]:
    """Draw the hidden layer at x, with arrows from all sources and to the sum; return heights and numbers."""
    heights, gap = _heights(options.get("neurons", 3))
    numbered = list(zip(heights, _numbers(heights, "K"), strict=True))
    for j, (y, name) in enumerate(numbered):
        color = _COLORS[j % 3]
        drawing.unit("neuron", r"$\phi$", x, y)
        drawing.text("weights", rf"$\mathbf{{w}}_{{{name}}}$", x, y + 0.47, color=color)
        for source in sources:
            drawing.arrow(source, (x - 0.3, y), color)
        drawing.arrow((x + 0.3, y), (end, _MIDDLE + 0.12 * (y - _MIDDLE)), color)
    drawing.dots("neuron", x, gap)
    return numbered


_ORACLE = ((0, 1, 4), (1, 2), (2, 4))
"""Which of the five features each neuron of the oracle sees."""

_MORE = ((2,), (), (1,))
"""Which ones it sees in the learner besides."""

_LINKS: dict[str, dict[str, Any]] = {
    "oracle": {"linestyle": "-"},
    "more": {"linestyle": (0, (3, 1.5))},
    "pruned": {"linestyle": (0, (1, 2)), "color": MUTED, "lw": 0.6},
}


def _pruned(drawing: _Drawing, options: Mapping[str, Any]) -> None:
    _pruned_network(drawing, 0.6, r"\mathbf{w}^*", "y")
    _pruned_network(drawing, 5.9, r"\mathbf{w}", r"\hat{y}", more=_MORE)
    drawing.text("heading", r"oracle: mask $\mathbf{M}^*$ and weights $\mathbf{W}^*$", 2.2, 4.55)
    drawing.text("heading", r"learner: mask $\mathbf{M}$ and weights $\mathbf{W}$", 7.5, 4.55)
    drawing.arrow((4.75, _MIDDLE), (5.45, _MIDDLE), INK, linewidth=1.4)
    drawing.text("data", "$N$ pairs\n$(\\mathbf{x}_n, y_n)$", 5.1, _MIDDLE + 0.55)
    for x, kind, words in (
        (1.2, "oracle", "kept in the oracle"),
        (4.0, "more", "kept in the learner only"),
        (7.4, "pruned", "pruned"),
    ):
        drawing.line((x, -0.42), (x + 0.55, -0.42), **{"color": INK, "lw": 1.1, **_LINKS[kind]})
        drawing.text("key", words, x + 0.65, -0.42, size=7.5, color=MUTED, ha="left")


def _pruned_network(
    drawing: _Drawing, x: float, weights: str, output: str, more: Sequence[Sequence[int]] = ((), (), ())
) -> None:
    """Draw inputs, neurons and the mean of one network, with each neuron's links to the features it sees."""
    inputs, gap = _heights(5, 0.2, 4.0)
    neurons, between = _heights(3, 0.7, 3.5)
    for y, name in zip(inputs, _numbers(inputs, "d"), strict=True):
        drawing.unit("input", f"$x_{{{name}}}$", x, y, color=_SHADES[0])
    drawing.dots("input", x, gap)
    for j, (y, name) in enumerate(zip(neurons, _numbers(neurons, "K"), strict=True)):
        for i, feature in enumerate(inputs):
            kind = "oracle" if i in _ORACLE[j] else "more" if i in more[j] else "pruned"
            drawing.link((x, feature), (x + 1.9, y), **{"color": _COLORS[j], **_LINKS[kind]})
        drawing.unit("neuron", r"$\phi$", x + 1.9, y)
        drawing.text("weights", f"${weights}_{{{name}}}$", x + 1.9, y + 0.47, color=_COLORS[j])
        drawing.arrow((x + 2.2, y), (x + 2.85, _MIDDLE + 0.12 * (y - _MIDDLE)), _COLORS[j])
    drawing.dots("neuron", x + 1.9, between)
    drawing.unit("output", r"$\frac{1}{K}\Sigma$", x + 3.15, _MIDDLE)
    drawing.text("output", f"${output}$", x + 3.7, _MIDDLE)
    drawing.line((x + 3.45, _MIDDLE), (x + 3.58, _MIDDLE), color=INK)


_LAYOUTS = {"convolutional": _convolutional, "graph": _graph, "pruned": _pruned}
