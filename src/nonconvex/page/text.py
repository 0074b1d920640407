"""How single values look on the page."""

import html
import math
import re
from collections.abc import Mapping, Sequence, Sized
from typing import Any

from nonconvex.page.html import Html, element, join
from nonconvex.vocabulary import number, word

_TOKEN = re.compile(
    r"\\(?P<accent>hat|widehat|tilde|widetilde)\{\\?(?P<under>\w+)\}|\\(?P<greek>[A-Za-z]+)|(?P<norm>\\\|)"
    r"|_\{?(?P<below>\w+)\}?|\^\{?(?P<above>\*|[\w()]+)\}?|(?P<letter>[A-Za-z])|(?P<other>.)"
)
_ACCENTS = {"hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303"}
_SHORT = 16


def is_missing(value: object) -> bool:
    """Tell whether a ledger's field is empty."""
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def text_of(row: Mapping[str, Any], column: str) -> str:
    """Give a field as text, empty where it is missing."""
    value = row.get(column)
    return "" if is_missing(value) else str(value)


def number_of(row: Mapping[str, Any], column: str) -> float | None:
    """Give a field as a number, which may be infinite; None where it holds none."""
    try:
        value = float(row.get(column, ""))
    except (TypeError, ValueError):
        return None
    return None if math.isnan(value) else value


def trials_said(row: Mapping[str, Any]) -> str:
    """Say after how many trials a row's numbers were taken, and at which look: ``after 10 of 100 trials``."""
    used, declared, look = number_of(row, "trials"), number_of(row, "declared"), text_of(row, "look")
    if not used:
        return ""
    all_of = declared is not None and used >= declared
    of = f" of {plain(declared)}" if declared and not all_of else ""
    noun = "trial" if used == 1 and not of else "trials"
    several = look and not look.endswith("of 1")
    said = f"after {'all ' if all_of and used > 1 else ''}{plain(used)}{of} {noun}"
    return f"{said}, look {look}" if several else said


def shortened(text: str, length: int = 110) -> str:
    """Cut a text between two words where it is longer than `length`."""
    if len(text) <= length:
        return text
    whole = text[:length].rpartition(" ")[0] or text[: length - 1]
    return whole.rstrip(" ,;:") + " …"


def counted(things: Sized, noun: str) -> str:
    """Count things in words: ``1 figure``, ``2 figures``."""
    return f"{len(things)} {noun}" if len(things) == 1 else f"{len(things)} {noun}s"


def short(digest: object) -> Html:
    """Shorten a digest to what the ledger shows of it."""
    return element("code", str(digest)[:_SHORT])


def plain(value: Any) -> str:
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


def parameter_name(name: str, words: Mapping[str, Sequence[str]] = {}) -> Html:
    """Name a parameter with its plain words and the thesis's symbol; `words` come over the usual ones."""
    entry = word(name, words)
    return join([entry.words, ", ", symbol(entry.math)] if entry.math else [entry.words])


def symbol(math_text: str) -> Html:
    """Turn a mathtext symbol such as ``n_c`` into HTML."""
    return join([_piece(token) for token in _TOKEN.finditer(math_text)])


def _piece(token: re.Match[str]) -> Html | str:
    match token.lastgroup:
        case "under":
            return element("i", f"{_letter(token['under'])}{_ACCENTS[token['accent']]}")
        case "greek" | "letter":
            return element("i", _letter(token[0].lstrip("\\")))
        case "below":
            return element("sub", token["below"])
        case "above":
            return element("sup", token["above"])
        case "norm":
            return "‖"
    return token[0]


def _letter(name: str) -> str:
    """Return a Latin letter as it is, and a Greek one by its name."""
    return name if len(name) == 1 else html.unescape(f"&{name};")
