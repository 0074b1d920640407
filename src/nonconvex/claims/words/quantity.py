"""What a quantity is to a claims file: the settings that it takes, the columns that it needs, its bounds.

The Snakemake main process imports this module: neither it nor what it imports may load numpy or pandas. What
measures the quantities is in `nonconvex.claims.samples.measured`.

Besides JSON schema's own keywords the schemas of settings have ``names``, what a text, or each text of a
list, names; ``keys``, what the keys of a mapping name; and ``made``, the columns that are made of a table of
iterates, which has none of that name. A "table column" is one that is in the table itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from nonconvex.claims.words.conditions import CONDITIONS

Schema = dict[str, Any]
Settings = Mapping[str, Any]

FUNCTION_NAMES = ("x", "sqrt", "square", "log", "inverse", "inverse sqrt", "inverse square")
"""What they are is in `nonconvex.claims.quantities.laws`."""

OPERATION_NAMES = ("fast Hankel products", "products with observed entries", "full decomposition")
"""What they count is in `nonconvex.claims.samples.work`."""

LEVELS = {f"1e-{k}": float(f"1e-{k}") for k in range(1, 7)}
"""The relative errors whose first iteration tables keep (`iterations_1e-1`, ...), by their names."""

RATES = ("rate", "speed", "iterations per decade")
"""What is fitted to the iterates of each trial (`nonconvex.statistics.rates`), or made of its own rate."""

WORK = ("operations", "seconds per iteration")
"""What is made of seconds and iterations."""


@dataclass(frozen=True)
class Quantity:
    """One quantity: the settings that a claims file has to give, and the settings that it may give.

    Attributes
    ----------
    required, optional : mapping of str to schema
    either : tuple of tuple of str
        Groups of settings of which exactly one has to be given whole: a law goes through means of a column,
        or through thresholds.
    bounds : tuple of float
        The least and the largest value that it can have.
    beside : bool, optional
        Whether the second side is in another experiment (`beside`); None leaves that to the claim.
    sided : bool
        Whether, with two experiments, the second algorithm is run in the second one only.
    against : bool
        Whether it compares two sides, which have to differ.
    guard : str
        What `in: every ...` may ask; empty if nothing.
    reads : tuple of str
        Columns that it takes whatever the settings.
    judged : bool
        Whether it has regions; a number for context has none.
    facts : bool
        Whether it can also be measured on a table without algorithms, which is then not given `of`.
    """

    required: Mapping[str, Schema]
    optional: Mapping[str, Schema]
    either: tuple[tuple[str, ...], ...] = ()
    bounds: tuple[float, float] = (-inf, inf)
    beside: bool | None = False
    sided: bool = False
    against: bool = False
    guard: str = ""
    reads: tuple[str, ...] = ()
    judged: bool = True
    facts: bool = False

    @property
    def settings(self) -> dict[str, Schema]:
        """The schemas of all settings."""
        own = {**self.required, **self.optional, **({"of": ALGORITHM} if self.facts else {})}
        own |= {name: SETTINGS[name] for group in self.either for name in group}
        regions = {"holds": TEXT, "fails": TEXT} if self.judged else {}
        guard = {"in": {"enum": [f"every {self.guard}"]}, "dissents": TEXT} if self.guard else {}
        return {"quantity": TEXT, **regions, **guard, **own, **COMMON}

    @property
    def needed(self) -> list[str]:
        """The settings that have to be given."""
        return ["quantity", *(("holds", "fails") if self.judged else ()), *self.required]

    def naming(self, what: str) -> tuple[str, ...]:
        """Return the settings that name an "algorithm", an "axis", a "column" or a "condition"."""
        return tuple(name for name, schema in self.settings.items() if schema.get("names") == what)

    def table_columns(self, settings: Settings) -> list[str]:
        """Return the columns that settings name and a table itself must have."""
        found = []
        for name, schema in self.settings.items():
            if name in settings and "table column" in (schema.get("names"), schema.get("keys")):
                given = settings[name]
                found += [given] if isinstance(given, str) else list(given)
        return found

    def made_of(self, setting: str, columns: Sequence[str]) -> list[str]:
        """Return what a setting may name besides columns of a table: what is made of iterates, or of work."""
        made = [*WORK] if {"seconds", "iterations"} <= set(columns) else []
        own = self.settings[setting].get("made", [])
        if "iteration" in columns:
            return made + own
        return made + [name for name in own if name in RATES] if "rate" in columns else made

    def columns(self, settings: Settings) -> list[str]:
        """Return the columns that a table must have; trials recovered count where no condition is given."""
        given = [settings[key] for key in self.naming("condition") if key in settings]
        if not given and ("success" in settings or ("condition" in self.settings and not self.either)):
            given = ["recovered"]
        met = [column for name in given for column in CONDITIONS[name].columns]
        return list(dict.fromkeys([*self.reads, *met]))

    def names_in(self, settings: Settings, experiments: int) -> list[list[str]]:
        """Return, for each of one or two experiments, the algorithms that it has to have run."""
        of = [settings["of"]] if "of" in settings else []
        over = settings.get("over", of if self.sided else [])
        others = [over] if isinstance(over, str) else list(over)
        if self.sided and experiments == 2:
            return [of, others]
        return [list(dict.fromkeys([*of, *others]))] * experiments

    def limits_in(self, settings: Settings, experiments: int) -> list[list[str]]:
        """Return, for each of one or two experiments, the axes that its cells are limited on."""
        cells = settings.get("cells", {})
        sides = [list(cells), list(settings.get("over_cells", cells))]
        if experiments == 1:
            return [list(dict.fromkeys(sides[0] + sides[1]))]
        return sides if self.sided else [sides[0]] * experiments


TEXT: Schema = {"type": "string"}
ALGORITHM: Schema = {"type": "string", "names": "algorithm"}
ALGORITHMS: Schema = {
    "anyOf": [TEXT, {"type": "array", "items": TEXT, "minItems": 1}],
    "names": "algorithm",
}
AXIS: Schema = {"type": "string", "names": "axis"}
NUMBER: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}
CONDITION: Schema = {"enum": list(CONDITIONS), "names": "condition"}
FUNCTION: Schema = {"enum": list(FUNCTION_NAMES)}
DIRECTION: Schema = {"enum": ["rises", "falls"]}
COLUMN: Schema = {"type": "string", "names": "column", "made": ["iterations", *RATES]}
LIMITS: Schema = {
    "type": "object",
    "additionalProperties": {"type": ["number", "string", "array"]},
    "keys": "axis",
}
TABLE_COLUMN: Schema = {"type": "string", "names": "table column"}
AMONG: Schema = {**LIMITS, "keys": "table column", "minProperties": 1}
BINS: Schema = {
    "type": "object",
    "additionalProperties": {"type": "number", "exclusiveMinimum": 0},
    "minProperties": 1,
    "maxProperties": 1,
    "keys": "table column",
}
UNTIL: Schema = {
    "type": "object",
    "properties": {
        "error": {"type": "number", "exclusiveMinimum": 0},
        "iterations": {"type": "integer", "minimum": 1},
        "seconds": {"type": "number", "exclusiveMinimum": 0},
        "stop": FLAG,
    },
    "additionalProperties": False,
    "minProperties": 1,
    "maxProperties": 1,
}
SETTINGS: dict[str, Schema] = {
    "of": ALGORITHM,
    "over": ALGORITHM,
    "column": COLUMN,
    "over_column": COLUMN,
    "per": AXIS,
    "rows": AXIS,
    "along": AXIS,
    "success": DIRECTION,
    "condition": CONDITION,
    "complement": FLAG,
    "times_level": FLAG,
    "geometric": FLAG,
    "median": FLAG,
    "given": CONDITION,
    "over_given": CONDITION,
    "until": UNTIL,
    "over_until": UNTIL,
    "cells": LIMITS,
    "over_cells": LIMITS,
    "function": FUNCTION,
    "rivals": {"type": "array", "items": FUNCTION, "minItems": 1},
    # Only trials whose columns lie within limits count; those of a column in bins are levels, or strata.
    "among": AMONG,
    "bins": BINS,
    "strata": AXIS,
    # The mean of a column stands in for each level of an axis.
    "levels": TABLE_COLUMN,
}
COMMON: dict[str, Schema] = {
    # A table with several rows for each trial, such as the rounds of a method: what tells them apart.
    "as_axis": TABLE_COLUMN,
    # Levels of an axis are divided by parameters before all else: {n_samples: [n_neurons, patch_size]}.
    "in_units_of": {
        "type": "object",
        "additionalProperties": {"type": "array", "items": TEXT, "minItems": 1},
        "keys": "axis",
    },
}


def settings(*names: str, **more: Schema) -> dict[str, Schema]:
    """Return the schemas of settings by their names."""
    return {name: SETTINGS[name] for name in names} | more
