"""Pieces of the schemas of figure options that several kinds share.

Besides JSON schema's own keywords they have some of `nonconvex.figures.options.names`: ``names``, what a text
names; ``keys``, what the keys of a mapping name; ``fields``, what the fields in braces of a text name; and
``either``, keys of which a panel must have one.
"""

from collections.abc import Sequence
from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
TEMPLATE: Schema = {
    **TEXT,
    "pattern": r"^([^{}]|\{\w+\})*$",
    "description": "braces must enclose the name of a parameter",
}
NUMBER: Schema = {"type": "number"}
NUMERAL: Schema = {"pattern": r"^\d+(\.\d+)?$", "description": "it must be a number"}
FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 1}
PLACE: Schema = {"type": "integer", "minimum": 0}


def word(*known: str) -> Schema:
    """Describe a word out of a list."""
    return {"enum": list(known)}


def several(items: Schema) -> Schema:
    """Describe a list that is not empty."""
    return {"type": "array", "minItems": 1, "items": items}


def name(of: str) -> Schema:
    """Describe the name of something that the figure's experiments have."""
    return {"type": "string", "names": of}


def names(of: str) -> Schema:
    """Describe a list of such names."""
    return several(name(of))


def table(values: Schema, keys: str | None = None) -> Schema:
    """Describe a mapping with keys of the author's choice, or whose keys are such names."""
    free = {"type": "object", "additionalProperties": values}
    return free if keys is None else {**free, "keys": keys}


def mapping(properties: Schema, required: Sequence[str] = ()) -> Schema:
    """Describe a mapping that has these keys and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": list(required),
    }


EVERY: Schema = {"remark": TEXT, "substitute": TEXT}
"""What `nonconvex.figures.parts.frame` reads, for every kind."""

LABELS: Schema = {"labels": table(TEXT, keys="label")}
CLOCK: Schema = {"clock": word("seconds", "cpu_seconds")}

BY: Schema = {"by": {"type": ["string", "null"], "names": "axis"}}
"""Null in a panel: no parameter tells its curves apart, whatever the options say for all panels."""

CHOSEN: Schema = {
    "each": name("axis"),
    "within": table({"type": "array", "minItems": 2, "maxItems": 2, "items": NUMBER}, keys="column"),
}
"""Panels that are made, and rows that count, as `nonconvex.figures.parts.curve_panels` reads them."""

ROWS: Schema = {
    **LABELS,
    "panels": several(
        {
            **mapping({"experiments": names("experiment"), "title": TEXT}, ["experiments"]),
            "type": ["string", "object"],
            "names": "experiment",
        }
    ),
    "series": several(mapping({"title": TEXT, "algorithms": names("algorithm")}, ["algorithms"])),
}
"""What `nonconvex.figures.parts.panels` reads."""


def curves(more: Schema | None = None, *, by: bool = True, algorithms: Schema | None = None) -> Schema:
    """Describe what `nonconvex.figures.parts.curve_panels` reads.

    Parameters
    ----------
    more : dict, optional
        Further keys of a panel.
    by : bool
        Whether a kind can tell curves of one algorithm apart.
    algorithms : dict, optional
        What the algorithms of a panel may be; a list of names by default.

    Returns
    -------
    dict
        Properties of the options.
    """
    panel = {
        "experiment": name("experiment"),
        "experiments": names("experiment"),
        "title": TEXT,
        "algorithms": algorithms or names("algorithm"),
        "where": table({"type": ["number", "string", "boolean"]}, keys="axis"),
        **(BY if by else {}),
        **(more or {}),
    }
    panels = several({**mapping(panel), "either": ["experiment", "experiments"]})
    return {**LABELS, **(BY if by else {}), "panels": panels}
