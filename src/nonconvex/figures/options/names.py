"""The names in a figure's options: each must be one that the experiments beside it have."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from nonconvex.errors import UserError, nearest
from nonconvex.figures.looks import LOOKS, family

_FEW = 30  # so many names can stand in a sentence


class _Named(NamedTuple):
    """A name in the options: where, what it names, and the experiments beside it, which must have it."""

    place: str
    of: str
    name: str
    experiments: Sequence[str]


def check_names(
    options: Mapping[str, Any],
    schema: Mapping[str, Any],
    experiments: Mapping[str, Mapping[str, Any]],
    columns: Mapping[str, Sequence[str]],
    where: str,
) -> None:
    """Refuse a name in options, already valid under `schema`, that the experiments do not have.

    A name belongs to the experiments named beside it; one for all panels, to those of all panels without an
    option of their own instead. An axis or a column must be in each of them, an algorithm in one.
    """
    found = [
        named
        for key, value in options.items()
        for named in _names(
            value, schema["properties"][key], key, _belonging(key, options, schema, experiments)
        )
    ]
    # Experiments first: what else is known depends on them.
    for named in sorted(found, key=lambda one: one.of != "experiment"):
        for whose, known in _known(named, options, experiments, columns):
            if named.name not in known:
                listed = f" (known: {', '.join(known)})" if len(known) <= _FEW else ""
                raise UserError(
                    f"{where}: {named.place} has '{named.name}', which is no "
                    f"{_WORDS.get(named.of, named.of)} of {whose}{listed}{nearest(named.name, known)}"
                )
    for index, panel in enumerate(options.get("panels", ())):
        either = schema["properties"]["panels"]["items"].get("either", ())
        if either and not any(key in panel for key in either):
            raise UserError(f"{where}: panels[{index}] needs one of the keys {', '.join(either)}")


def shown(
    options: Mapping[str, Any], schema: Mapping[str, Any], experiments: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """Return the experiments that a figure shows: those that its options name, or else all."""
    return _belonging("", options, schema, experiments)


def _belonging(
    key: str,
    options: Mapping[str, Any],
    schema: Mapping[str, Any],
    experiments: Mapping[str, Mapping[str, Any]],
) -> list[str]:
    """Return the experiments that an option is about; for a panel, where it names none of its own."""
    if "experiment" in schema["properties"]:  # such a kind shows one where none is named
        standard = [options["experiment"]] if "experiment" in options else list(experiments)[:1]
    else:
        standard = list(experiments)
    if key == "panels" or "panels" not in options:
        return standard
    panels = [one for one in options["panels"] if not (isinstance(one, Mapping) and key in one)]
    inside = _names(panels, schema["properties"]["panels"], "panels", ())
    return list(dict.fromkeys(one.name for one in inside if one.of == "experiment")) or standard


def _names(
    value: object, schema: Mapping[str, Any], place: str, experiments: Sequence[str]
) -> Iterator[_Named]:
    """Yield the names in a value that its schema marks as such, however deep."""
    if isinstance(value, str):
        if "names" in schema:
            yield _Named(place, schema["names"], value, experiments)
        if "fields" in schema:
            for field in re.findall(r"{(\w+)}", value):
                yield _Named(place, schema["fields"], field, experiments)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _names(item, schema["items"], f"{place}[{index}]", experiments)
    elif isinstance(value, Mapping):
        beside = [value["experiment"]] if "experiment" in value else value.get("experiments", experiments)
        for key, item in value.items():
            if "keys" in schema:
                yield _Named(place, schema["keys"], str(key), beside)
            inner = schema.get("properties", {}).get(key, schema["additionalProperties"])
            yield from _names(item, inner, f"{place}.{key}", beside)


_WORDS = {
    "drawn axis": "axis",
    "label": "algorithm or value of an axis",
    "look": "look or algorithm",
    "panel": "algorithm with a panel",
    "value": "value of an axis",
}
"""What a message calls the things that a name can be, where that is another word."""


def _known(
    named: _Named,
    options: Mapping[str, Any],
    experiments: Mapping[str, Mapping[str, Any]],
    columns: Mapping[str, Sequence[str]],
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield lists in each of which a name must be, and whose names these are."""
    if named.of == "experiment":
        yield "the figure", list(experiments)
        return
    beside = {name: experiments[name] for name in named.experiments}
    algorithms = list(dict.fromkeys(name for one in beside.values() for name in one["algorithms"]))
    everywhere = ", ".join(beside) or "the figure"
    match named.of:
        case "axis":
            yield from ((name, one["axes"]) for name, one in beside.items())
        case "drawn axis":
            yield from ((name, _drawn_axes(one)) for name, one in beside.items())
        case "parameter":
            yield from ((name, list(one["parameters"])) for name, one in beside.items())
        case "column":
            yield from ((name, columns[name]) for name in beside if name in columns)
        case "algorithm":
            yield everywhere, algorithms
        case "panel":
            panels = [one for one in options.get("panels", algorithms) if one is not None]
            yield "the figure", [one if isinstance(one, str) else one["algorithm"] for one in panels]
        case "look":
            yield everywhere, [*algorithms, *LOOKS]
        case "value":
            yield everywhere, _values(beside)
        case "label":
            names = [*algorithms, *map(family, algorithms), *options.get("looks", {}).values()]
            yield everywhere, list(dict.fromkeys([*names, *_values(beside)]))


def _drawn_axes(experiment: Mapping[str, Any]) -> list[str]:
    """Name the axes, with ``p`` for the loss, as `nonconvex.figures.parts.axis` draws it."""
    axes = experiment["axes"]
    return [*axes, "p"] if "loss" in axes and "p" not in experiment["parameters"] else axes


def _values(experiments: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """List the values of the axes, and the thesis's own: a smaller scale may leave some out."""
    values = {
        str(value): None
        for one in experiments.values()
        for axis in one["axes"]
        for grid in (one["parameters"][axis], one["thesis"].get(axis, ()))
        for value in (grid if isinstance(grid, list) else ())
    }
    return list(values)
