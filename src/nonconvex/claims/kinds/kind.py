"""What a kind of test is to a claims file: the settings that it takes, and the words that it knows.

The Snakemake main process imports this module: neither it nor what it imports may load numpy or pandas. The
functions that run the tests are in `nonconvex.claims.runs.registry`.

What the words for outcomes, laws and work mean is in `nonconvex.claims.arrays`,
`nonconvex.claims.quantities.linearity` and `nonconvex.claims.quantities.timing`.

Besides JSON schema's own keywords the schemas of settings have ``names``, what a text, or each text of a
list, names; ``keys``, what the keys of a mapping name; and ``made``, the values that a test makes of a table
of iterates, which has no column of that name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Schema = dict[str, Any]
Settings = Mapping[str, Any]

CONDITIONS: dict[str, tuple[str, ...]] = {
    "recovered": ("success",),
    "not recovered": ("success",),
    "diverged": ("status",),
    "converged": ("status", "error"),
    "not converged": ("status", "error"),
    "stopped": ("status",),
    "not stopped": ("status",),
    "no blow-up": ("status",),
    "blown up or failed": ("status",),
    "ended below 1": ("status", "error"),
    "stopped at zeros": ("status", "error"),
    "error below 1e-3": ("status", "error"),
    "stopped wrong": ("status", "error"),
}
"""What a claim may ask of an outcome, and the columns that tell it."""

FUNCTION_NAMES = ("x", "sqrt", "square", "log", "inverse", "inverse sqrt", "inverse square")

OPERATION_NAMES = ("fast Hankel products", "products with observed entries", "full decomposition")

LEVELS = {f"1e-{k}": float(f"1e-{k}") for k in range(1, 7)}
"""The relative errors whose first iteration tables keep (`iterations_1e-1`, ...), by their names."""


@dataclass(frozen=True)
class Kind:
    """One kind of test: the settings that a claims file has to give, and the settings that it may give.

    With `beside`, the test compares two experiments and takes the second one's table too; None leaves that to
    the claim. `sided`: of two algorithms the second is then run in the second experiment only, and
    `other_cells` are cells of the second. `reads` are columns that it takes whatever the settings.
    """

    required: Mapping[str, Schema]
    optional: Mapping[str, Schema]
    beside: bool | None = False
    sided: bool = False
    reads: tuple[str, ...] = ()

    @property
    def settings(self) -> dict[str, Schema]:
        """The schemas of all settings."""
        return {**self.required, **self.optional}

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The settings that hold an algorithm, or a list of them; of two sides, the first one first."""
        return self.naming("algorithm")

    def naming(self, what: str) -> tuple[str, ...]:
        """Return the settings that name an "algorithm", an "axis", a "value" or a "condition"."""
        return tuple(name for name, schema in self.settings.items() if schema.get("names") == what)

    def made_of(self, setting: str, columns: Sequence[str]) -> list[str]:
        """Return what a setting may name besides the columns of a table: what the test makes of iterates."""
        return self.settings[setting].get("made", []) if "iteration" in columns else []

    def columns(self, settings: Settings) -> list[str]:
        """Return the columns that a table must have; trials recovered count where no condition is given."""
        given = [settings[key] for key in self.naming("condition") if key in settings]
        if not given and {"condition", "success"} & set(self.settings):
            given = ["recovered"]
        return list(dict.fromkeys([*self.reads, *(column for name in given for column in CONDITIONS[name])]))

    def names(self, settings: Settings) -> list[str]:
        """Return the algorithms that `settings` name."""
        given = [settings[key] for key in self.algorithms if key in settings]
        return [name for value in given for name in ([value] if isinstance(value, str) else value)]

    def names_in(self, settings: Settings, experiments: int) -> list[list[str]]:
        """Return, for each of one or two experiments, the algorithms that it has to have run."""
        names = self.names(settings)
        return [[name] for name in names] if self.sided and experiments == 2 else [names] * experiments

    def limits_in(self, settings: Settings, experiments: int) -> list[list[str]]:
        """Return, for each of one or two experiments, the axes that its cells are limited on."""
        cells = settings.get("cells", {})
        sides = [list(cells), list(settings.get("other_cells", cells))]
        if experiments == 1:
            return [list(dict.fromkeys(sides[0] + sides[1]))]
        return sides if self.sided else [sides[0]] * experiments


ALGORITHM: Schema = {"type": "string", "names": "algorithm"}
ALGORITHMS: Schema = {"type": "array", "items": {"type": "string"}, "minItems": 1, "names": "algorithm"}
AXIS: Schema = {"type": "string", "names": "axis"}
VALUE: Schema = {"type": "string", "names": "value"}
NUMBER: Schema = {"type": "number", "exclusiveMinimum": 0}
SHARE: Schema = {**NUMBER, "maximum": 1}
WHOLE: Schema = {"type": "integer", "minimum": 1}
FLAG: Schema = {"type": "boolean"}
BAND: Schema = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
CONDITION: Schema = {"enum": list(CONDITIONS), "names": "condition"}
FUNCTION: Schema = {"enum": list(FUNCTION_NAMES)}
DIRECTION: Schema = {"enum": ["rises", "falls"]}
LIMIT: Schema = {
    "type": "object",
    "properties": {"min": {"type": "number"}, "max": {"type": "number"}, "is": {"type": "string"}},
    "additionalProperties": False,
    "minProperties": 1,
}
LIMITS: Schema = {"type": "object", "additionalProperties": LIMIT, "keys": "axis"}
MARGIN: Schema = {
    "type": "object",
    "properties": {"steps": NUMBER, "relative": NUMBER},
    "additionalProperties": False,
    "minProperties": 1,
    "maxProperties": 1,
}
LINES: dict[str, Schema] = {"rows": AXIS, "along": AXIS, "success": DIRECTION}
LAW: dict[str, Schema] = {
    "function": FUNCTION,
    "rivals": {"type": "array", "items": FUNCTION, "minItems": 1},
    "slope": {"enum": ["rising", "falling"]},
}
BETTER: dict[str, Schema] = {"better": ALGORITHM, "than": ALGORITHM}
PAIR: dict[str, Schema] = {"one": ALGORITHM, "other": ALGORITHM}
CELLS: dict[str, Schema] = {"cells": LIMITS}
OTHER_CELLS: dict[str, Schema] = {"other_cells": LIMITS, **CELLS}


def value(known: Sequence[str], made: Sequence[str] = ()) -> dict[str, Schema]:
    """Return the setting that names the value of each trial: a column, or what the test makes of iterates."""
    return {"value": {"enum": list(known), "names": "value", "made": list(made)}}
