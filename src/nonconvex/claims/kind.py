"""What a kind of test is: the settings it takes, and how it is run on a table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from nonconvex.claims.decision import Decision


@dataclass(frozen=True)
class Kind:
    """One kind of test: the settings that a claims file has to give, and the settings that it may give.

    `algorithms` names the settings that hold an algorithm, or a list of them; `run` takes (table, settings,
    trials, seed). With `beside`, the test compares two experiments and takes the second one's table too; None
    leaves that to the claim. `sided`: of two algorithms the second is then run in the second experiment only.
    """

    required: Mapping[str, dict]
    optional: Mapping[str, dict]
    algorithms: tuple[str, ...]
    run: Callable[..., Decision]
    beside: bool | None = False
    sided: bool = False

    def names(self, settings: Mapping) -> list[str]:
        """Return the algorithms that `settings` name."""
        given = [settings[key] for key in self.algorithms if key in settings]
        return [name for value in given for name in ([value] if isinstance(value, str) else value)]

    def names_in(self, settings: Mapping, experiments: int) -> list[list[str]]:
        """Return, for each of one or two experiments, the algorithms that it has to have run."""
        names = self.names(settings)
        return [[name] for name in names] if self.sided and experiments == 2 else [names] * experiments


def axes_of(table: pd.DataFrame) -> list[str]:
    """Return the axes of a table of outcomes: its columns between the algorithm and the trial."""
    return list(table.columns[1 : list(table.columns).index("trial")])


NAME = {"type": "string"}
NAMES = {"type": "array", "items": NAME, "minItems": 1}
NUMBER = {"type": "number", "exclusiveMinimum": 0}
LINES = {"rows": NAME, "along": NAME, "success": {"enum": ["rises", "falls"]}}
LIMIT = {
    "type": "object",
    "properties": {"min": {"type": "number"}, "max": {"type": "number"}, "is": {"type": "string"}},
    "additionalProperties": False,
    "minProperties": 1,
}
CELLS = {"cells": {"type": "object", "additionalProperties": LIMIT}}
MARGIN = {
    "type": "object",
    "properties": {"steps": NUMBER, "relative": NUMBER},
    "additionalProperties": False,
    "minProperties": 1,
    "maxProperties": 1,
}
