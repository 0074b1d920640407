"""Strict reading of YAML: every mistake becomes one sentence with the place and the remedy."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from nonconvex.errors import UserError, nearest

_KINDS = {"object": "a mapping", "array": "a list", "integer": "a whole number", "number": "a number",
          "string": "text", "boolean": "true or false", "null": "null"}  # fmt: skip


def read_yaml(path: str | Path) -> Any:
    """Read one YAML file; unreadable or malformed files are told in one sentence."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror})") from error
    try:
        return yaml.load(text, _UniqueKeys)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise UserError(f"{path}{line} is not valid YAML: {problem}") from error


_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _UniqueKeys(_Loader):
    """The safe loader, but a key given twice is an error, not a silent override."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen = set()
        for key, _ in node.value:
            name = getattr(key, "value", None)
            if key.tag == "tag:yaml.org,2002:str" and name in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"the key '{name}' is given twice", problem_mark=key.start_mark
                )
            seen.add(name)
        return super().construct_mapping(node, deep)


def validate(value: object, schema: Mapping, where: str) -> None:
    """Check `value` against a JSON schema; raise a UserError that names the first mistake."""
    errors = sorted(jsonschema.Draft202012Validator(schema).iter_errors(value), key=_order)
    if errors:
        raise UserError(_sentence(_innermost(errors[0]), where))


def _order(error: jsonschema.ValidationError) -> tuple:
    return ([str(part) for part in error.absolute_path], error.validator or "")


def _innermost(error: jsonschema.ValidationError) -> jsonschema.ValidationError:
    """Of an anyOf or oneOf, return the alternative that came furthest, when it tells more than a type."""
    deeper = [e for e in error.context if e.validator != "type" and e.relative_path] if error.context else []
    return _innermost(min(deeper, key=_order)) if deeper else error


def _sentence(error: jsonschema.ValidationError, where: str) -> str:
    place = _place(error.absolute_path)
    value, rule = error.instance, error.validator_value
    at = f"{where}: {place}" if place else where
    match error.validator:
        case "additionalProperties":
            known = error.schema.get("properties", {})
            unknown = next(key for key in value if key not in known)
            hint = nearest(unknown, known) or f"; known are {', '.join(known)}"
            return f"{where}: unknown key '{f'{place}.' if place else ''}{unknown}'{hint}"
        case "required":
            missing = next(key for key in rule if key not in value)
            return f"{at}: the key '{missing}' is missing"
        case "enum":
            known = [str(item) for item in rule if item is not None]
            return f"{at} is {value!r}, which is unknown (known: {', '.join(known)}){nearest(value, known)}"
        case "minimum":
            return f"{at} must be at least {rule}, not {value}"
        case "exclusiveMinimum":
            return f"{at} must be above {rule}, not {value}"
        case "minItems" | "minProperties":
            return f"{at} is empty; give at least one value or leave the key out"
        case "pattern":
            return f"{at} is {value!r}; {error.schema.get('description', f'it must match {rule}')}"
        case "type" | "anyOf" | "oneOf":
            return (
                f"{at} must be {_wanted(error)}, not {kind_of(value)}{number_hint(value)}{_list_hint(error)}"
            )
    return f"{at}: {error.message}"


def _wanted(error: jsonschema.ValidationError) -> str:
    if error.validator == "type":
        kinds = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    else:
        kinds = [k.get("type", "a known value") for k in error.validator_value]
        kinds = [k for kind in kinds for k in (kind if isinstance(kind, list) else [kind])]
    return " or ".join(dict.fromkeys(_KINDS.get(str(kind), str(kind)) for kind in kinds))


def _list_hint(error: jsonschema.ValidationError) -> str:
    """Return the list to write for one value, or an empty string; text where a number would lose digits."""
    value, key = error.instance, error.absolute_path[-1] if error.absolute_path else ""
    if "array" not in str(error.validator_value) or isinstance(value, bool | Mapping | None):
        return ""
    words = [word.strip() for word in value.split(",")] if isinstance(value, str) else [value]
    texts = (str(word) if isinstance(word, int) else json.dumps(str(word)) for word in words)
    return f"; write a list: {key}: [{', '.join(texts)}]"


def kind_of(value: object) -> str:
    """Return what a value is, as a person would say it: "a mapping", "true (true/false)"."""
    if isinstance(value, bool):
        return f"{str(value).lower()} (true/false)"
    if isinstance(value, str):
        return f"{value!r} (text)"
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list" if isinstance(value, list) else repr(value)


def number_hint(value: object) -> str:
    """Return the remedy for a number that YAML read as text, such as ``1e-6``, or an empty string."""
    if not isinstance(value, str):
        return ""
    try:
        number = float(value)
    except ValueError:
        return ""
    if number.is_integer() and abs(number) < 1e15:
        fixed = str(int(number))
    else:
        mantissa, sign, exponent = repr(number).partition("e")
        fixed = f"{mantissa if '.' in mantissa else mantissa + '.0'}{sign}{exponent}"
    return f"; YAML reads this number as text: write {fixed} without quotes, in a file given by --configfile"


def _place(path: Iterable[object]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f"{'.' if text else ''}{part}"
    return text
