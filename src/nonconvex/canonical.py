"""Canonical text: the same value always has the same text, on any machine and in any order."""

import hashlib
import json
from decimal import Decimal


def decimal_text(value: int | float | str | bool) -> str:
    """Return `value` as canonical text: ``0.1`` for 0.1, ``1`` for both 1 and 1.0, text unchanged."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = format(Decimal(repr(float(value))), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def json_text(value: object) -> str:
    """Return `value` as JSON with sorted keys and no spare blanks; non-ASCII is escaped, NaN is refused."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def sha256(value: object) -> str:
    """Return the sha256 (hex) of the canonical JSON of `value`."""
    return hashlib.sha256(json_text(value).encode()).hexdigest()
