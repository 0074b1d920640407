"""The two sides of a comparison: an algorithm, on some cells of an experiment.

The sides may be two algorithms of one experiment, one algorithm in two experiments or on two sets of cells,
or two algorithms in two experiments. Trial k of one side stands beside trial k of the other. Where the two
share random streams, that is a pair; where they do not, the pairing is by chance, and the spread of the
differences is the sum of both spreads, as it should be.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from nonconvex.claims.samples.arrays import array_of, axes_of, cell_names
from nonconvex.claims.samples.values import last_iterates, valued
from nonconvex.claims.words.conditions import CONDITIONS
from nonconvex.claims.words.limits import meets, within

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Side:
    """An algorithm's outcomes or iterates on some cells of an experiment: rows of its table, some trials."""

    rows: pd.DataFrame
    trials: range

    @property
    def axes(self) -> list[str]:
        """The axes of its table."""
        return axes_of(self.rows)

    def names(self, axes: Sequence[str]) -> list[str]:
        """Return a name for each cell along some axes."""
        return cell_names(axes, [np.unique(self.rows[axis]) for axis in axes])

    def levels(self, axis: str) -> np.ndarray:
        """Return the values that an axis takes in the cells, increasing."""
        return np.unique(self.rows[axis].to_numpy())

    def only(self, axis: str, levels: np.ndarray) -> "Side":
        """Return the side without the cells at other levels of an axis."""
        return replace(self, rows=self.rows[self.rows[axis].isin(levels)])

    def marks(self, condition: str, axes: Sequence[str]) -> np.ndarray:
        """Return whether each trial meets a condition, one dimension for each axis and one for the trials."""
        rows = last_iterates(self.rows)
        return array_of(rows, CONDITIONS[condition].met(rows), axes, self.trials)[0]

    def values(self, settings: Settings, axes: Sequence[str], prefix: str = "") -> np.ndarray:
        """Return the column that a claim's settings name, as it counts, shaped as `marks`.

        `prefix` is that of the settings `column`, `given`, `until` and `work` of this side, where they
        differ. A trial that is not among those that the settings ask for has no value (NaN).
        """

        def own(name: str) -> Any:
            return settings.get(prefix + name, settings.get(name))

        rows = valued(
            self.rows, own("column"), given=own("given"), until=own("until"), work=own("work")
        )  # fmt: skip
        found = rows["value"].to_numpy(dtype=float)
        if "relative_to" in settings:
            found = found / rows[settings["relative_to"]].to_numpy(dtype=float)
        if "among" in settings:
            found = np.where(meets(rows, settings["among"]), found, np.nan)
        return array_of(rows, found, axes, self.trials)[0]

    def among(self, settings: Settings, axes: Sequence[str]) -> np.ndarray:
        """Return which trials are among those that the settings ask for, shaped as `marks`."""
        rows = last_iterates(self.rows)
        return array_of(rows, np.asarray(meets(rows, settings["among"])), axes, self.trials)[0]

    def column(self, name: str, axes: Sequence[str]) -> np.ndarray:
        """Return a column of the table as it is, shaped as `marks`."""
        rows = last_iterates(self.rows)
        return array_of(rows, rows[name].to_numpy(dtype=float), axes, self.trials)[0]


def side(table: pd.DataFrame, algorithm: str, cells: Mapping[str, object], trials: range) -> Side:
    """Return an algorithm's side, on the cells within limits; a table without algorithms has one side, ''."""
    if "algorithm" not in table.columns:
        table = table.copy()
        table.insert(0, "algorithm", "")
    rows = table[(table["algorithm"] == algorithm) & table["trial"].isin(trials)]
    return Side(rows[within(rows, cells)], trials)


def first_side(table: pd.DataFrame, settings: Settings, trials: range) -> Side:
    """Return the side that a claim calls `of`."""
    return side(table, settings.get("of", ""), settings.get("cells", {}), trials)


def second_side(
    table: pd.DataFrame,
    beside: pd.DataFrame | None,
    settings: Settings,
    trials: range,
    over: str | None = None,
) -> Side:
    """Return the side that a claim calls `over`; what it does not give is as on the first side."""
    algorithm = over or settings.get("over", settings.get("of", ""))
    cells = settings.get("over_cells", settings.get("cells", {}))
    return side(table if beside is None else beside, algorithm, cells, trials)


def shared(one: Side, other: Side, axes: Sequence[str]) -> tuple[Side, Side]:
    """Return both sides on the cells that they have in common along `axes`; none if one side has none."""
    for axis in axes:
        both = np.intersect1d(one.levels(axis), other.levels(axis))
        one, other = one.only(axis, both), other.only(axis, both)
    if one.rows.empty or other.rows.empty:
        return replace(one, rows=one.rows[:0]), replace(other, rows=other.rows[:0])
    return one, other


def common_axes(one: Side, other: Side, settings: Settings) -> list[str]:
    """Return the axes along which both sides have cells, but for those on which a claim sets them apart.

    Of the latter, such as the loss in "at 95 % against 50 %", each side has one level.
    """
    apart = settings.get("over_cells", {})
    return [name for name in one.axes if name in other.axes and name not in apart]
