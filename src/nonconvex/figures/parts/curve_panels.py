"""Panels of curves: which rows of which table make one curve, what it is called, and how it looks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.lines import Line2D

from nonconvex.figures.looks import VALUES, Look, look
from nonconvex.figures.parts.footer import numbered
from nonconvex.figures.parts.panels import label
from nonconvex.vocabulary import number, symbol, words_of

NO_ALGORITHM = ""


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve: one algorithm, at one value of the parameter that tells curves apart, if there is one.

    Attributes
    ----------
    experiment, algorithm : str
    value : number or str or None
    label : str
    look : Look
    rows : pandas.DataFrame
        The table's rows that belong to it.
    """

    experiment: str
    algorithm: str
    value: Any
    label: str
    look: Look
    rows: pd.DataFrame


@dataclass(frozen=True, eq=False)
class CurvePanel:
    """One panel: its title, the experiments it shows, the parameter that tells curves apart, its curves."""

    title: str
    experiments: tuple[str, ...]
    by: str | None
    where: dict[str, Any]
    curves: list[Curve]


def curve_panels(plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> list[CurvePanel]:
    """Make the panels of curves that the plan asks for.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``panels``, a list of mappings with ``experiment`` or ``experiments`` and,
        if wanted, ``title`` (the first experiment's), ``algorithms`` (all), ``by`` (a parameter, each of
        whose values gets a curve of its own) and ``where`` (parameter: value, which rows are shown); one
        panel per experiment by default. ``by`` may also stand in the options, for all panels. ``labels``
        names algorithms, or values of ``by``. An experiment in no panel is not shown.
    tables : dict of str to pandas.DataFrame
        With the column algorithm, but for experiments that run none.

    Returns
    -------
    list of CurvePanel

    Raises
    ------
    ValueError
        For an experiment that is not the figure's, or an algorithm that a panel's experiments do not run.
    """
    options = plan.get("options", {})
    entries = options.get("panels", [{"experiment": name} for name in plan["experiments"]])
    return [_panel(plan, tables, {"by": options.get("by"), **entry}) for entry in entries]


def shown(plan: Mapping[str, Any], panels: Sequence[CurvePanel]) -> dict[str, Any]:
    """Return the plan with the experiments that its panels show, for the footer."""
    return numbered(plan, [panel.experiments for panel in panels])


def curve_key(panels: Sequence[CurvePanel]) -> list[Line2D]:
    """Make the legend's handles, one for all curves that share a label and a look."""
    named = dict.fromkeys((curve.label, curve.look) for panel in panels for curve in panel.curves)
    return [
        Line2D([], [], color=one.color, linestyle=one.line, label=text, **one.markers())
        for text, one in named
    ]


def _panel(
    plan: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], entry: Mapping[str, Any]
) -> CurvePanel:
    names = tuple(entry.get("experiments", [entry.get("experiment")]))
    strange = [name for name in names if name not in plan["experiments"]]
    if strange:
        raise ValueError(
            f"options: figure {plan['figure']} has a panel for {strange[0]!r}, which is none of its "
            "experiments."
        )
    # A table without algorithms is drawn as that of one without a name.
    algorithms = {name: plan["experiments"][name]["algorithms"] or [NO_ALGORITHM] for name in names}
    runs = {a: name for name in reversed(names) for a in algorithms[name]}
    ran = dict.fromkeys(a for name in names for a in algorithms[name])
    wanted = entry.get("algorithms", list(ran))
    missing = [name for name in wanted if name not in runs]
    if missing:
        raise ValueError(
            f"options: figure {plan['figure']} has a panel with {missing[0]!r}, not run in {names[0]}."
        )
    curves = [
        curve
        for algorithm in wanted
        for curve in _curves(plan, tables, entry, runs[algorithm], algorithm, wanted)
    ]
    title = entry.get("title", plan["experiments"][names[0]]["title"])
    return CurvePanel(title, names, entry["by"], dict(entry.get("where", {})), curves)


def _curves(
    plan: Mapping[str, Any],
    tables: Mapping[str, pd.DataFrame],
    entry: Mapping[str, Any],
    name: str,
    algorithm: str,
    algorithms: Sequence[str],
) -> Iterator[Curve]:
    table = tables[name]
    rows = table if algorithm == NO_ALGORITHM else table[table["algorithm"] == algorithm]
    for parameter, value in entry.get("where", {}).items():
        rows = rows[rows[parameter] == value]
    text = label(algorithm, plan)
    if entry["by"] is None:
        yield Curve(name, algorithm, None, text, look(algorithm, algorithms), rows)
        return
    values = plan["experiments"][name]["parameters"][entry["by"]]
    for index, value in enumerate(values):
        labels = {str(key): words for key, words in plan.get("options", {}).get("labels", {}).items()}
        words = labels.get(str(value), f"{symbol(entry['by'], words_of(plan))} = {number(value)}")
        yield Curve(
            name,
            algorithm,
            value,
            words if len(algorithms) == 1 else f"{text}, {words}",
            VALUES[(index + len(values) * algorithms.index(algorithm)) % len(VALUES)],
            rows[rows[entry["by"]] == value],
        )
