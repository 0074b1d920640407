"""Values without quotes that programs read differently: refused, with the way to write them.

YAML has two versions, and other programs and people read numbers by rules of their own: 010 is eight, ten or
text, 2.10 is a number or the name of a figure, `yes` is true or text.
"""

import re
from collections.abc import Iterator

import yaml

from nonconvex.errors import UserError

NAMES = ("figures", "chapters")
"""Knobs whose values are names, even where they look like numbers."""

_PLAIN = re.compile(r"[-+]?(0|[1-9][0-9]*)(\.[0-9]+)?|[-+]?[0-9]\.[0-9]+[eE][-+][0-9]+|true|false|null|~|")
_LIKE_A_NUMBER = re.compile(r"[-+]?\.?[0-9][0-9_]*\.?[0-9_]*([eE][-+]?[0-9]+)?|0o[0-7]+")


def refuse_ambiguous(text: str, where: str, key: str = "") -> None:
    """Raise a UserError for the first value in YAML `text` that programs read differently.

    `where` begins the sentence; the line is added where there are several. `key` is the knob that the whole
    text is the value of.
    """
    for path, node in _scalars(yaml.compose(text, yaml.SafeLoader), (key,) if key else ()):
        knob = path[-1] if path else ""
        remedy = _remedy(node, knob, in_grid=path[:1] == ("grid",))
        if remedy:
            line = f", line {node.start_mark.line + 1}" if "\n" in text else ""
            of = f"{knob} holds " if knob else ""
            raise UserError(f"{where}{line}: {of}{node.value} without quotes, which {remedy}")


def _scalars(
    node: yaml.Node | None, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], yaml.ScalarNode]]:
    """Yield every value without quotes, keys included, with the keys that it stands under."""
    if isinstance(node, yaml.ScalarNode) and node.style is None:
        yield path, node
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _scalars(item, path)
    elif isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield from _scalars(name, path)
            yield from _scalars(value, (*path, str(name.value)))


def _remedy(node: yaml.ScalarNode, key: str, in_grid: bool) -> str | None:
    """Return what is wrong with a value and how to write it; None where every reader agrees."""
    text, kind = node.value, node.tag.rpartition(":")[2]
    quoted = f'write "{text}"'
    if key in NAMES:
        number = kind == "float" and str(float(text.replace("_", "")))
        if number and number != text:
            return f"YAML reads as the number {number}: {quoted}, in quotes, or {number} if you mean that"
    if kind == "bool" and text not in ("true", "false"):
        meant = str(bool(yaml.safe_load(text))).lower()
        if in_grid:
            return f"is no number: write a number, or {quoted[6:]} in quotes, if it is text"
        return f"is {meant} to some programs and text to others: write {meant}, or {quoted[6:]} in quotes"
    if kind == "timestamp":
        return f"YAML reads as a date: {quoted}, in quotes"
    if (kind == "str" and not _LIKE_A_NUMBER.fullmatch(text)) or _PLAIN.fullmatch(text):
        return None
    if kind in ("int", "float", "str"):
        return f"programs read differently: {_number(text)}{quoted}, in quotes, if it is text"
    return None


def _number(text: str) -> str:
    """Return how to write a number so that every program reads it as a person does."""
    try:
        number = float(text)
    except ValueError:  # 0x1F, 1:30, .inf
        return ""
    if number.is_integer() and abs(number) < 1e15:
        return f"write {int(number)}, or "
    mantissa, sign, exponent = repr(number).partition("e")
    return f"write {mantissa if '.' in mantissa else mantissa + '.0'}{sign}{exponent}, or "
