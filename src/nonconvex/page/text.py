"""How single values look on the page."""

import math
import re

from nonconvex.figures.words import number, word
from nonconvex.page.html import element, join

_GREEK = {r"\mu": "μ", r"\beta": "β", r"\lambda": "λ", r"\delta": "δ", r"\eta": "η", r"\sigma": "σ"}


def is_missing(value):
    """Tell whether a ledger's field is empty."""
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def plain(value):
    """Write a value as text: numbers with four digits, lists with commas, nothing as a dash."""
    if isinstance(value, list | tuple):
        return ", ".join(plain(item) for item in value)
    if is_missing(value):
        return "–"
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and abs(value) < 1e-12:
        value = 0.0  # what rounding left of a difference
    # A column of whole numbers with gaps comes as floats.
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return number(int(value) if whole else value)


def parameter_name(name):
    """Name a parameter with its words and the thesis's symbol."""
    entry = word(name)
    return join([entry.words, ", ", symbol(entry.math)] if entry.math else [entry.words])


def symbol(math_text):
    """Turn a mathtext symbol such as ``n_c`` into HTML."""
    found = re.fullmatch(r"(\\?\w+?)(?:_(\w+))?", math_text)
    if found is None:
        return element("i", math_text)
    base, below = found.groups()
    return join([element("i", _GREEK.get(base, base)), element("sub", below) if below else None])
