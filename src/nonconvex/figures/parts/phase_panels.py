"""The panels of a phase diagram: which algorithm on which experiment, with its shares and 50 % lines."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from nonconvex.figures.parts.axis import Axis, axis
from nonconvex.figures.parts.contour import contour_points
from nonconvex.figures.parts.counts import count_cells
from nonconvex.vocabulary import words_of


@dataclass(frozen=True, eq=False)
class Line:
    """A 50 % line: what it belongs to, its name in the legend, and its points."""

    experiment: str
    algorithm: str
    label: str
    points: pd.DataFrame


@dataclass(frozen=True, eq=False)
class Panel:
    """One panel of a phase diagram.

    Attributes
    ----------
    experiment, algorithm, title : str
    x, y : Axis
    grid : dict of str to list
        The places of the cells on both axes, increasing.
    cells : pandas.DataFrame
        As `nonconvex.figures.parts.counts.count_cells` gives them.
    line : Line
        Its own 50 % line.
    others : list of Line
        Lines from elsewhere that come back dotted.
    """

    experiment: str
    algorithm: str
    title: str
    x: Axis
    y: Axis
    grid: dict[str, list[float]]
    cells: pd.DataFrame
    line: Line
    others: list[Line] = field(default_factory=list)

    @property
    def shares(self) -> np.ndarray:
        """Return the success shares, shape (places on y, places on x)."""
        by_x = (
            self.cells["share"].to_numpy().reshape(len(self.grid[self.x.name]), len(self.grid[self.y.name]))
        )
        return by_x.T


def phase_panels(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> list[Panel | None]:
    """Make the panels that the plan's options ask for.

    Parameters
    ----------
    plan : dict
        Options as `nonconvex.figures.kinds.phase_diagram.draw` explains them.
    tables : dict of str to pandas.DataFrame

    Returns
    -------
    list of Panel or None
        None leaves a place empty.

    Raises
    ------
    ValueError
        For a panel or line of an algorithm that the experiment does not run.
    """
    only = plan.get("options", {}).get("experiment", next(iter(plan["experiments"])))
    standard = list(plan["experiments"][only].get("algorithms", {}))
    entries = plan.get("options", {}).get("panels", standard)
    return [None if entry is None else _panel(plan, tables, entry, only) for entry in entries]


def _panel(
    plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], entry: str | Mapping[str, Any], only: str
) -> Panel:
    entry = {"algorithm": entry} if isinstance(entry, str) else entry
    name, algorithm = entry.get("experiment", only), entry["algorithm"]
    x, y = _axes(plan, name)
    cells = _cells(plan, tables, name, algorithm)
    line = _line(plan, tables, name, algorithm)
    others = [
        _line(plan, tables, other["experiment"], other["algorithm"], other.get("label"))
        for other in entry.get("repeat", ())
    ]
    return Panel(
        name, algorithm, entry.get("title", line.label), x, y, _grid(plan, name), cells, line, others
    )


def _axes(plan: Mapping[str, Any], name: str) -> list[Axis]:
    options, experiment = plan.get("options", {}), plan["experiments"][name]
    axes = dict(zip("xy", experiment["axes"], strict=False)) | options
    scales = {name: scale for scale in ("log", "root") for name in options.get(scale, ())}
    return [
        axis(axes[one], experiment["parameters"], scales.get(axes[one], "linear"), words_of(plan))
        for one in ("x", "y")
    ]


def _grid(plan: Mapping[str, Any], name: str) -> dict[str, list[float]]:
    parameters = plan["experiments"][name]["parameters"]
    return {one.name: sorted(one.places(parameters[one.column]).tolist()) for one in _axes(plan, name)}


def _cells(
    plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], name: str, algorithm: str
) -> pd.DataFrame:
    if algorithm not in plan["experiments"][name]["algorithms"]:
        raise ValueError(
            f"options: figure {plan['figure']} has a panel for {algorithm!r}, not run in {name}."
        )
    x, y = _axes(plan, name)
    return count_cells(y.drawn(x.drawn(tables[name])), algorithm, x.name, y.name, _grid(plan, name))


def _line(
    plan: Mapping[str, Any],
    tables: Mapping[str, pd.DataFrame],
    name: str,
    algorithm: str,
    label: str | None = None,
) -> Line:
    options = plan.get("options", {})
    x, y = _axes(plan, name)
    across, along = (x, y) if options.get("along", "y") == "y" else (y, x)
    points = contour_points(
        _cells(plan, tables, name, algorithm), across.name, along.name, rising=options.get("rising", False)
    )
    named = plan["experiments"][name]["algorithms"][algorithm]
    return Line(name, algorithm, label or named.get("label", algorithm), points)
