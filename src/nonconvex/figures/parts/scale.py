"""The scales on which an axis can be drawn: where places lie on paper, and what its label says of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes


@dataclass(frozen=True)
class Scale:
    """A scale: its name in matplotlib, the function that gives places on paper, and that function's inverse.

    `words` says in an axis's label which scale it is, with the symbol of what is drawn for the braces.
    """

    name: str
    forward: Callable[[np.ndarray], np.ndarray]
    inverse: Callable[[np.ndarray], np.ndarray]
    words: str = ""

    def labelled(self, label: str, symbol: str) -> str:
        """Add to an axis's label on which scale it is."""
        return f"{label}, on a scale of {self.words.format(symbol.strip('$'))}" if self.words else label

    def set(self, axes: Axes, which: Literal["x", "y"]) -> None:
        """Draw an axis on this scale."""
        functions: dict[str, Any] = {}
        if self.name == "function":
            functions["functions"] = (self.forward, self.inverse)
        getattr(axes, f"set_{which}scale")(self.name, **functions)


def _same(at: np.ndarray) -> np.ndarray:
    return at


def _root(at: np.ndarray) -> np.ndarray:
    return np.sqrt(np.maximum(at, 0.0))


def _square(at: np.ndarray) -> np.ndarray:
    """Return the squares; what lies left of 0 on paper is at 0."""
    return np.maximum(at, 0.0) ** 2


SCALES = {
    "linear": Scale("linear", _same, _same),
    "log": Scale("log", np.log, np.exp),
    "root": Scale("function", _root, _square, r"$\sqrt{{{}}}$"),
}
"""By the word for it in options and in `nonconvex.figures.parts.grid`."""
