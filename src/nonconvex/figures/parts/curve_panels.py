"""Panels of curves: which rows of which table make one curve, what it is called, and how it looks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.lines import Line2D

from nonconvex.figures.looks import VALUES, Look, look
from nonconvex.figures.parts.footer import numbered
from nonconvex.figures.parts.panels import label
from nonconvex.vocabulary import number, symbol, word, words_of

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
    left_out : int
        How many others do not, by option ``within``.
    """

    experiment: str
    algorithm: str
    value: Any
    label: str
    look: Look
    rows: pd.DataFrame
    left_out: int = 0


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
        panel per experiment by default. ``by`` may also stand in the options, for all panels. With ``each``,
        a parameter, every panel becomes one for each of its values, which stands in its title for the name in
        braces. ``within`` (column: [low, high], both ends included) says which rows count at all. ``labels``
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
    wanted = [each for entry in entries for each in _each(plan, entry, options.get("each"))]
    return [_panel(plan, tables, {"by": options.get("by"), **entry}) for entry in wanted]


def columns_of(plan: Mapping[str, Any], panels: Sequence[Any], otherwise: int) -> int:
    """Return how many panels stand side by side: by option ``columns``, or else some by default.

    With ``each`` these are as many as it makes of one entry, but two at least, and else `otherwise`.
    """
    options = plan.get("options", {})
    if "each" in options:
        otherwise = max(len(panels) // len(options.get("panels", plan["experiments"])), 2)
    return min(options.get("columns", otherwise), max(len(panels), otherwise))


def within_words(plan: Mapping[str, Any], panels: Sequence[CurvePanel]) -> list[str]:
    """Say which rows count, by option ``within``, and how many those are; nothing where all do."""
    within = plan.get("options", {}).get("within", {})
    if not within:
        return []
    curves = [curve for panel in panels for curve in panel.curves]
    shown_rows = sum(len(curve.rows) for curve in curves)
    every = shown_rows + sum(curve.left_out for curve in curves)
    ranges = [
        f"{word(column, words_of(plan)).words} from {number(low)} to {number(high)}"
        for column, (low, high) in within.items()
    ]
    return [f"Only trials with {' and '.join(ranges)}: {shown_rows} of {every}"]


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


def _each(
    plan: Mapping[str, Any], entry: Mapping[str, Any], parameter: str | None
) -> list[Mapping[str, Any]]:
    """Make one entry for each value of a parameter."""
    experiment = plan["experiments"].get(entry.get("experiments", [entry.get("experiment")])[0])
    if parameter is None or experiment is None:
        return [entry]
    title = entry.get(
        "title", f"{experiment['title']}, {symbol(parameter, words_of(plan))} = {{{parameter}}}"
    )
    return [
        {
            **entry,
            "where": {**entry.get("where", {}), parameter: value},
            "title": title.replace(f"{{{parameter}}}", number(value)),
        }
        for value in experiment["parameters"][parameter]
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
    every = rows
    for column, (low, high) in plan.get("options", {}).get("within", {}).items():
        rows = rows[(rows[column] >= low) & (rows[column] <= high)]
    text = label(algorithm, plan)
    if entry["by"] is None:
        left_out = len(every) - len(rows)
        yield Curve(name, algorithm, None, text, look(algorithm, algorithms), rows, left_out)
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
            int((every[entry["by"]] == value).sum() - (rows[entry["by"]] == value).sum()),
        )
