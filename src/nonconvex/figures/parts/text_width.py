"""How wide a text is on paper, and lines of it that fit a width."""

import re

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

_POINTS_PER_INCH = 72
_SPARE = 1.02  # hinted letters of a bitmap are a little wider than those of a PDF
_BETWEEN_WORDS = re.compile(r" (?=[^$]*(?:\$[^$]*\$[^$]*)*$)")


def text_width(text: str, size: float) -> float:
    """Measure the widest line of a text in inches, symbols in mathtext included.

    Parameters
    ----------
    text : str
    size : float
        Of the font, in points.

    Returns
    -------
    float
    """
    font = FontProperties(size=size)
    lines = text.split("\n")
    widths = [text_to_path.get_text_width_height_descent(line, font, "$" in line)[0] for line in lines]
    return _SPARE * max(widths) / _POINTS_PER_INCH


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Break a text between words into lines that fit a width; symbols in mathtext stay whole.

    Parameters
    ----------
    text : str
        Without line breaks.
    width : float
        In inches. A word that is wider has a line of its own.
    size : float
        Of the font, in points.

    Returns
    -------
    list of str
    """
    lines: list[list[str]] = []
    left = 0.0
    space = text_width("a a", size) - text_width("aa", size)
    for word in _BETWEEN_WORDS.split(text) if text else ():
        own = text_width(word, size)
        if lines and space + own <= left:
            lines[-1].append(word)
            left -= space + own
        else:
            lines.append([word])
            left = width - own
    return [" ".join(line) for line in lines]
