"""The options of every kind of figure, checked before anything runs.

The Snakemake main process imports this module: neither it nor what it imports may load what draws.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from nonconvex.errors import StudyError, nearest
from nonconvex.figures.options.names import check_names
from nonconvex.figures.options.pieces import (
    BY,
    CLOCK,
    COUNT,
    EVERY,
    FLAG,
    LABELS,
    NUMBER,
    NUMERAL,
    PLACE,
    ROWS,
    TEMPLATE,
    TEXT,
    Schema,
    curves,
    mapping,
    name,
    names,
    several,
    table,
    word,
)
from nonconvex.validation import validate


def _kind(properties: Schema, required: Sequence[str] = ()) -> Schema:
    return mapping({**properties, **EVERY}, required)


_LINE = mapping(
    {"experiment": name("experiment"), "algorithm": name("algorithm"), "label": TEXT},
    ["experiment", "algorithm"],
)
_PHASE_PANEL = {
    **mapping(
        {
            "experiment": name("experiment"),
            "algorithm": name("algorithm"),
            "title": TEXT,
            "repeat": several(_LINE),
        },
        ["algorithm"],
    ),
    "type": ["string", "object", "null"],
    "names": "algorithm",
}
_COUNTED = mapping(
    {"experiment": name("experiment"), "words": {**TEMPLATE, "fields": "parameter"}},
    ["experiment", "words"],
)
_ALSO = mapping({"experiment": name("experiment"), "words": TEXT}, ["experiment", "words"])
_TITLED = mapping({"title": TEXT, "algorithms": names("algorithm")}, ["title", "algorithms"])

KINDS: dict[str, Schema] = {
    "error_curves": _kind(
        {
            **ROWS,
            "x": name("axis"),
            "definition": word("convergent", "stopped", "recovered"),
            "logarithmic": FLAG,
            "strip": FLAG,
            "band": mapping({"low": NUMBER, "high": NUMBER, "label": TEXT}, ["low", "high", "label"]),
        }
    ),
    "graph_structures": _kind({"names": table(TEXT, keys="value")}),
    "growth": _kind({**LABELS, **CLOCK, "algorithms": names("algorithm")}),
    "level_curves": _kind({**curves(by=False), "logarithmic": FLAG}),
    "loss_modes": _kind({"names": table(TEXT, keys="value"), "kept": TEXT, "lost": TEXT}),
    "network_schematic": _kind(
        {"network": word("convolutional", "graph"), "neurons": COUNT, "patches": COUNT}
    ),
    "phase_diagram": _kind(
        {
            "x": name("drawn axis"),
            "y": name("drawn axis"),
            "log": {"type": "array", "items": name("drawn axis")},
            "experiment": name("experiment"),
            "panels": several(_PHASE_PANEL),
            "columns": COUNT,
            "repeat": table({"type": "array", "items": name("panel")}, keys="panel"),
            "along": word("x", "y"),
            "rising": FLAG,
            "counts": {"type": "array", "items": _COUNTED},
        }
    ),
    "phasors": _kind({"event_time": NUMBER, "names": table(TEXT)}),
    "progress_curves": _kind(
        {**curves(), "centre": word("median", "mean"), "example": PLACE, "columns": COUNT}
    ),
    "rank_errors": _kind(
        {
            "floor": {"type": "number", "exclusiveMinimum": 0},
            "mark": {**table(TEXT), "propertyNames": NUMERAL},
        }
    ),
    "rate_curves": _kind({**LABELS, **BY, "algorithm": name("algorithm")}),
    "sample_diagram": _kind(
        {
            **curves({"also": _ALSO}, by=False, algorithms={**names("algorithm"), "maxItems": 1}),
            "x": name("axis"),
            "y": name("axis"),
            "logarithmic": FLAG,
            "separate": FLAG,
            "columns": COUNT,
        }
    ),
    "sample_errors": _kind(
        {
            **curves(),
            "x": name("axis"),
            "centre": word("mean", "median"),
            "column": name("column"),
            "floor": {"type": "number", "minimum": 0},
        }
    ),
    "shares": _kind({**ROWS, "x": name("axis")}),
    "step_outcomes": _kind(
        {
            **LABELS,
            "examples": several(_TITLED),
            "bars": several(_TITLED),
            "trial": PLACE,
            "looks": table(name("look"), keys="algorithm"),
        },
        ["examples", "bars"],
    ),
    "success_curves": _kind(
        {**curves(), "x": name("axis"), "logarithmic": {"type": "array", "items": PLACE}, "columns": COUNT}
    ),
    "time_curves": _kind(
        {
            **LABELS,
            **CLOCK,
            "experiment": name("experiment"),
            "p": several(NUMBER),
            "algorithms": names("algorithm"),
            "iterations": word("symlog", "linear"),
        }
    ),
}
"""By kind: the schema of its options. A kind is a module of this package with a function ``draw``."""


def check_options(
    kind: str,
    options: Mapping[str, Any],
    experiments: Mapping[str, Mapping[str, Any]],
    columns: Mapping[str, Sequence[str]],
    where: str,
) -> None:
    """Refuse options that a kind of figure does not have, or that name what its experiments do not have.

    Parameters
    ----------
    kind : str
    options : mapping
    experiments : mapping of str to mapping
        The figure's resolved experiments.
    columns : mapping of str to sequence of str
        The columns of their tables; columns of an experiment that is left out are not checked.
    where : str
        What a message begins with: the file and the figure.

    Raises
    ------
    StudyError
        One sentence about the first mistake.
    """
    if kind not in KINDS:
        raise StudyError(
            f"{where}: kind is '{kind}', which is unknown (known: {', '.join(KINDS)}){nearest(kind, KINDS)}"
        )
    validate(options, KINDS[kind], where)
    check_names(options, KINDS[kind], experiments, columns, where)
