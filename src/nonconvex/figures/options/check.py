"""The options of every kind of figure, checked before anything runs.

The Snakemake main process imports this module: neither it nor what it imports may load what draws.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from nonconvex.errors import UserError, among
from nonconvex.figures.options.names import check_names, shown
from nonconvex.figures.options.pieces import (
    BY,
    CHOSEN,
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


def _kind(reads: Sequence[str], properties: Schema, required: Sequence[str] = ()) -> Schema:
    """Describe a kind by the columns that it needs in each table, and by its options."""
    return {**mapping({**properties, **EVERY}, required), "reads": [*reads]}


_ENDS = ("algorithm", "status", "success")
_ERRORS = ("algorithm", "status", "error")
_ITERATES = ("algorithm", "trial", "iteration", "error")


_OF = {"experiment": name("experiment"), "algorithm": name("algorithm")}


def _one_algorithm(text: str) -> Schema:
    """Describe an algorithm of an experiment, and what it is called under the key `text`."""
    return mapping({**_OF, text: TEXT}, list(_OF))


_LINE = _one_algorithm("label")
_PHASE_PANEL = {
    **mapping(
        {**_OF, "title": TEXT, "repeat": several(_LINE)},
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

_SIZES = mapping({"size": name("column"), "column": name("column"), "title": TEXT}, ["size"])
_ERRORS_OF = _one_algorithm("title")

KINDS: dict[str, Schema] = {
    "binned_errors": _kind(
        ("algorithm", "status"),
        {
            **curves(),
            **CHOSEN,
            "x": name("column"),
            "width": {"type": "number", "exclusiveMinimum": 0},
            "column": {**name("column"), "default": "error"},
            "least": COUNT,
            "columns": COUNT,
        },
        ["x", "width"],
    ),
    "error_curves": _kind(
        _ERRORS,
        {
            **ROWS,
            "x": name("axis"),
            "definition": word("convergent", "stopped", "recovered"),
            "logarithmic": FLAG,
            "strip": FLAG,
            "band": mapping({"low": NUMBER, "high": NUMBER, "label": TEXT}, ["low", "high", "label"]),
        },
    ),
    "graph_structures": _kind(
        ("trial", "n_nodes", "node", "neighbour"), {"names": table(TEXT, keys="value")}
    ),
    "growth": _kind((*_ENDS, "iterations", "seconds"), {**LABELS, **CLOCK, "algorithms": names("algorithm")}),
    "law_curves": _kind(
        (),
        {
            **curves({"column": name("column"), "apart": name("axis"), "logarithmic": word("x", "y", "xy")}),
            "column": name("column"),
            "x": name("axis"),
            "law": word("linear", "inverse root"),
            "centre": word("median", "mean"),
            "bands": word("trials", "within", "interval"),
            "names": table(TEXT, keys="column"),
            "mark": {**table(TEXT), "propertyNames": NUMERAL},
            "columns": COUNT,
            "separate": FLAG,
        },
        ["column"],
    ),
    "level_curves": _kind(
        ("algorithm", "iterations"),
        {**curves(), **CHOSEN, "logarithmic": FLAG, "quantity": TEXT, "columns": COUNT},
    ),
    "loss_modes": _kind(
        ("channel", "sample"), {"names": table(TEXT, keys="value"), "kept": TEXT, "lost": TEXT}
    ),
    "network_schematic": _kind(
        (), {"network": word("convolutional", "graph", "pruned"), "neurons": COUNT, "patches": COUNT}
    ),
    "phase_diagram": _kind(
        _ENDS,
        {
            **LABELS,
            "x": name("drawn axis"),
            "y": name("drawn axis"),
            "log": {"type": "array", "items": name("drawn axis")},
            "root": {"type": "array", "items": name("drawn axis")},
            "experiment": name("experiment"),
            "panels": several(_PHASE_PANEL),
            "columns": COUNT,
            "repeat": table({"type": "array", "items": name("panel")}, keys="panel"),
            "along": word("x", "y"),
            "rising": FLAG,
            "counts": {"type": "array", "items": _COUNTED},
        },
    ),
    "phasors": _kind(
        ("time", "channel", "bus", "magnitude", "angle"), {"event_time": NUMBER, "names": table(TEXT)}
    ),
    "plane_paths": _kind(
        ("algorithm", "trial", "status", "round", "x", "y", "off_plane", "error", "mixture_x"),
        {"trial": PLACE},
    ),
    "progress_curves": _kind(
        ("algorithm", "trial"),
        {
            **curves(),
            "centre": word("median", "mean"),
            "example": PLACE,
            "columns": COUNT,
            "x": {**name("column"), "default": "iteration"},
            "column": {**name("column"), "default": "error"},
        },
    ),
    "rank_errors": _kind(
        ("error",),
        {
            "floor": {"type": "number", "exclusiveMinimum": 0},
            "mark": {**table(TEXT), "propertyNames": NUMERAL},
        },
    ),
    "rate_curves": _kind(
        (*_ITERATES, "status"), {**LABELS, **BY, "algorithm": name("algorithm"), "others": names("algorithm")}
    ),
    "rate_laws": _kind(
        (*_ITERATES, "status"),
        {
            **curves({"law": word("root", "inverse_root")}, by=False),
            **BY,
            "errors": _ERRORS_OF,
        },
        ["by", "errors", "panels"],
    ),
    "risk_slices": _kind(
        ("n_unlabelled", "trial", "position", "mixture_position"),
        {
            "risks": several(
                mapping({"column": name("column"), "title": TEXT, "each": FLAG}, ["column", "title"])
            ),
            "trial": PLACE,
        },
        ["risks"],
    ),
    "sample_diagram": _kind(
        _ENDS,
        {
            **curves({"also": _ALSO}, by=False, algorithms={**names("algorithm"), "maxItems": 1}),
            "x": name("axis"),
            "y": name("axis"),
            "logarithmic": FLAG,
            "separate": FLAG,
            "columns": COUNT,
        },
    ),
    "sample_errors": _kind(
        ("algorithm", "status"),
        {
            **curves(),
            **CHOSEN,
            "x": name("axis"),
            "scale": word("log", "root"),
            "columns": COUNT,
            "centre": word("mean", "median"),
            "column": {**name("column"), "default": "error"},
            "floor": {"type": "number", "minimum": 0},
        },
    ),
    "shares": _kind(_ENDS, {**ROWS, "x": name("axis")}),
    "step_outcomes": _kind(
        (*_ITERATES, "status"),
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
        _ENDS,
        {
            **curves(),
            "x": name("axis"),
            "logarithmic": {"type": "array", "items": PLACE},
            "columns": COUNT,
            "sizes": _SIZES,
        },
    ),
    "ticket_curves": _kind(
        ("algorithm", "trial", "status", "round", "test_error", "ticket_error", "ticket_ratio"),
        {**curves(), "columns": COUNT},
    ),
    "time_curves": _kind(
        (*_ITERATES, "status", "seconds"),
        {
            **LABELS,
            **CLOCK,
            "experiment": name("experiment"),
            "p": several(NUMBER),
            "algorithms": names("algorithm"),
            "iterations": word("symlog", "linear"),
        },
    ),
}
"""By kind, a module of `nonconvex.figures.kinds`: the schema of its options, and what columns it reads."""


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
        The columns of their tables; columns of an experiment that is missing here are not checked.
    where : str
        What a message begins with: the file and the figure.

    Raises
    ------
    UserError
        One sentence about the first mistake.
    """
    if kind not in KINDS:
        raise UserError(f"{where}: kind is '{kind}', which is unknown{among(kind, KINDS)}")
    validate(options, KINDS[kind], where)
    check_names(options, KINDS[kind], experiments, columns, where)
    for one in shown(options, KINDS[kind], experiments):
        for column in _read(KINDS[kind], options):
            if column not in columns.get(one, [column]):
                raise UserError(
                    f"{where}: the kind {kind} needs the column '{column}', which the table of {one} does "
                    f"not have (known: {', '.join(columns[one])})"
                )


def _read(schema: Schema, options: Mapping[str, Any]) -> list[str]:
    """Return the columns that a figure needs: its kind's, and what its options stand for when not given."""
    standard = {key: one["default"] for key, one in schema["properties"].items() if "default" in one}
    return [*schema["reads"], *(column for key, column in standard.items() if key not in options)]
