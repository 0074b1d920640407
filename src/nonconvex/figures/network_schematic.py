"""Schematics of one-hidden-layer networks, drawn by code."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from nonconvex.figures.frame import frame
from nonconvex.figures.style import INK, MUTED, TWO_COLUMNS, house_style

_COLORS = ("#0072B2", "#D55E00", "#009E73")
_SHADES = ("#E3EEF7", "#FBE7DB", "#DDF1EA")


@house_style()
def draw(plan, tables):
    """
    Draw the networks of Figures 4.1 and 5.1.

    Layers stand from left to right; an ellipsis stands for the units that are left out. In a convolutional
    network every neuron sees every patch with the same weights; in a graph network a node's input is the
    weighted sum over its neighbours.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``network``, ``convolutional`` or ``graph``; ``neurons`` and, for a
        convolutional network, ``patches``, how many are drawn (3 and 3).
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

    def __init__(self, axes):
        self._axes = axes
        self.things = []

    def box(self, layer, text, x, y, width, height, color):
        shape = Rectangle((x - width / 2, y - height / 2), width, height, fc=color, ec=INK, lw=0.8, zorder=2)
        self._axes.add_patch(shape)
        self.text(layer, text, x, y)

    def unit(self, layer, text, x, y, radius=0.3, color="white"):
        self._axes.add_patch(Circle((x, y), radius, facecolor=color, edgecolor=INK, linewidth=0.9, zorder=2))
        self.text(layer, text, x, y)

    def text(self, layer, text, x, y, **style):
        style = {"ha": "center", "va": "center", "size": 8.5, "zorder": 3} | style
        self._axes.text(x, y, text, **style)
        self.things.append((layer, text, x, y))

    def arrow(self, start, end, color=INK, **style):
        style = {"arrowstyle": "-|>", "mutation_scale": 7, "linewidth": 0.8, "zorder": 1} | style
        self._axes.add_patch(FancyArrowPatch(start, end, color=color, shrinkA=0, shrinkB=0, **style))

    def line(self, start, end, **style):
        self._axes.plot(*zip(start, end, strict=True), **({"color": MUTED, "lw": 0.9, "zorder": 1} | style))

    def dots(self, layer, x, y):
        self.text(layer, "⋮", x, y, size=11)


def _heights(count, low=0.5, high=3.7):
    """Place some units and, between the last two, an ellipsis."""
    places = np.linspace(high, low, count + 1)
    return [*places[:-2], places[-1]], places[-2]


def _names(symbol, count, last):
    return [*(f"${symbol}_{{{i}}}$" for i in range(1, count)), f"${symbol}_{{{last}}}$"]


def _convolutional(drawing, options):
    patches, patch_dots = _heights(options.get("patches", 3))
    neurons, neuron_dots = _heights(options.get("neurons", 3))
    height = 4.3
    drawing.box("input", r"$\mathbf{x}_n$", 0.7, 2.1, 0.5, height, "#F4F4F4")
    for i, (y, name) in enumerate(
        zip(patches, ["1", "2", "M"] if len(patches) == 3 else _plain(patches, "M"), strict=True)
    ):
        drawing.box("patch", rf"$\mathbf{{P}}_{{{name}}}\mathbf{{x}}_n$", 2.4, y, 1.0, 0.62, _SHADES[i % 3])
        drawing.arrow((0.95, y), (1.9, y), MUTED)
    drawing.dots("patch", 2.4, patch_dots)
    for j, (y, name) in enumerate(zip(neurons, _plain(neurons, "K"), strict=True)):
        color = _COLORS[j % 3]
        drawing.unit("neuron", r"$\phi$", 5.4, y)
        for at in patches:
            drawing.arrow((2.9, at), (5.1, y), color)
        drawing.text("weights", rf"$\mathbf{{w}}_{{{name}}}$", 5.4, y + 0.47, color=color)
        drawing.arrow((5.7, y), (8.0, 2.1 + 0.12 * (y - 2.1)), color)
        along = 0.4
        drawing.text(
            "output weights",
            f"$v_{{{name}}}$",
            5.7 + along * 2.3,
            y + along * 0.88 * (2.1 - y) + 0.2,
            color=color,
        )
    drawing.dots("neuron", 5.4, neuron_dots)
    drawing.unit("output", r"$\Sigma$", 8.3, 2.1)
    drawing.arrow((8.6, 2.1), (9.2, 2.1))
    drawing.text("output", r"$g(\mathbf{x}_n)$", 9.6, 2.1)
    for x, words in (
        (0.7, "input\n$p$ numbers"),
        (2.4, "$M$ patches of\n$d = p/M$ numbers"),
        (5.4, "$K$ neurons (ReLU),\nthe same for all patches"),
        (8.3, "sum over patches\nand neurons"),
    ):
        drawing.text("caption", words, x, -0.35, size=7.5, color=MUTED, va="top")


def _graph(drawing, options):
    neurons, neuron_dots = _heights(options.get("neurons", 3))
    nodes = {
        "n": (1.6, 2.1), "a": (0.5, 3.3), "b": (0.4, 1.2), "c": (2.5, 3.4), "d": (2.6, 0.8), "e": (1.4, 0.2),
    }  # fmt: skip
    for one, other in ("na", "nb", "nc", "nd", "be", "ed", "ac"):
        drawing.line(nodes[one], nodes[other])
    for name, (x, y) in nodes.items():
        near = name in "nabcd"
        text = r"$\mathbf{x}_n$" if name == "n" else r"$\mathbf{x}_{i}$" if near else ""
        drawing.unit("node", text, x, y, 0.32, _SHADES[1] if name == "n" else _SHADES[0] if near else "white")
    drawing.box("aggregate", r"$\mathbf{a}_n^{\top}\mathbf{X}$", 4.4, 2.1, 0.9, 0.62, _SHADES[1])
    drawing.arrow((2.95, 2.1), (3.95, 2.1), INK, linewidth=1.4)
    for j, (y, name) in enumerate(zip(neurons, _plain(neurons, "K"), strict=True)):
        color = _COLORS[j % 3]
        drawing.unit("neuron", r"$\phi$", 6.5, y)
        drawing.arrow((4.85, 2.1), (6.2, y), color)
        drawing.text("weights", rf"$\mathbf{{w}}_{{{name}}}$", 6.5, y + 0.47, color=color)
        drawing.arrow((6.8, y), (8.2, 2.1 + 0.12 * (y - 2.1)), color)
    drawing.dots("neuron", 6.5, neuron_dots)
    drawing.unit("output", r"$\frac{1}{K}\Sigma$", 8.5, 2.1)
    drawing.arrow((8.8, 2.1), (9.3, 2.1))
    drawing.text("output", r"$y_n$", 9.6, 2.1)
    for x, words in (
        (1.5, "node $n$ and its neighbours,\nfeatures of $d$ numbers"),
        (4.4, "sum weighted by\nrow $n$ of $\\mathbf{A}$"),
        (6.5, "$K$ neurons (ReLU\nor sigmoid)"),
        (8.7, "mean over\nneurons"),
    ):
        drawing.text("caption", words, x, -0.35, size=7.5, color=MUTED, va="top")


def _plain(units, last):
    return [*(str(i) for i in range(1, len(units))), last]


_LAYOUTS = {"convolutional": _convolutional, "graph": _graph}
