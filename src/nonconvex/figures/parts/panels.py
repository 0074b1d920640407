"""Panels by experiment, in rows by series of algorithms: what the curves of outcomes have in common."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.lines import Line2D

from nonconvex.figures.looks import family, look
from nonconvex.vocabulary import axis_label, mode_title, number


@dataclass(frozen=True)
class Panel:
    """One panel: its titles and, per algorithm, the experiment that ran it (None where none did)."""

    series: str
    title: str
    experiments: tuple[str, ...]
    algorithms: dict[str, str | None]


@dataclass(frozen=True)
class Row:
    """One row of panels: the same algorithms in each."""

    title: str
    algorithms: tuple[str, ...]
    panels: tuple[Panel, ...]


def rows_of_panels(plan: Mapping[str, Any]) -> list[Row]:
    """Lay out the panels that the plan asks for.

    Parameters
    ----------
    plan : dict
        The figure's plan. Options: ``panels``, a list of experiments, or of mappings with
        ``experiments`` (a list) and ``title`` (one panel per experiment, titled by its mode, by
        default); ``series``, a list of mappings with ``title`` and ``algorithms``, each of which gets
        its own rows (all algorithms together by default).

    Returns
    -------
    list of Row
        Each with at most three panels; four panels come in twos.
    """
    options, experiments = plan.get("options", {}), plan["experiments"]
    everything = list(dict.fromkeys(name for one in experiments.values() for name in one["algorithms"]))
    wanted = []
    for entry in options.get("panels", list(experiments)):
        entry = {"experiments": [entry]} if isinstance(entry, str) else entry
        strange = [name for name in entry["experiments"] if name not in experiments]
        if strange:
            raise ValueError(
                f"options: figure {plan['figure']} has a panel for {strange[0]!r}, which is none of "
                "its experiments."
            )
        title = entry.get("title", _title(experiments[entry["experiments"][0]]))
        wanted.append((title, tuple(entry["experiments"])))

    columns = 2 if len(wanted) == 4 else 3
    rows = []
    for series in options.get("series", [{"algorithms": everything}]):
        strange = [name for name in series["algorithms"] if name not in everything]
        if strange:
            raise ValueError(
                f"options: figure {plan['figure']} has a series with {strange[0]!r}, which none of its "
                "experiments runs."
            )
        algorithms = tuple(series["algorithms"])
        panels = [
            Panel(
                series.get("title", ""),
                title,
                names,
                {one: _runner(one, names, experiments) for one in algorithms},
            )
            for title, names in wanted
        ]
        rows += [
            Row(series.get("title", ""), algorithms, tuple(panels[start : start + columns]))
            for start in range(0, len(panels), columns)
        ]
    return rows


def label(algorithm: str, plan: Mapping[str, Any]) -> str:
    """Name an algorithm: by option ``labels``, keyed by it or by its family, or else by its own label."""
    labels = plan.get("options", {}).get("labels", {})
    for key in (algorithm, family(algorithm)):
        if key in labels:
            return labels[key]
    for experiment in plan["experiments"].values():
        if algorithm in experiment["algorithms"]:
            return experiment["algorithms"][algorithm].get("label", algorithm)
    return algorithm


def key(algorithms: Sequence[str], plan: Mapping[str, Any]) -> list[Line2D]:
    """Make the legend's handles, one for all algorithms that share a label and a look."""
    named = {(label(name, plan), look(name, algorithms)): None for name in algorithms}
    return [
        Line2D([], [], color=one.color, marker=one.marker, linestyle=one.line, label=text)
        for text, one in named
    ]


def places(experiments: Iterable[Mapping[str, Any]], axis: str) -> list[tuple[float, float]]:
    """List the values of an axis over some experiments, each with its place on paper, from left to right."""
    values = set()
    for experiment in experiments:
        at = experiment["parameters"][axis]
        values.update(at if isinstance(at, list) else [at])
    return sorted(((value, drawn(value, axis)) for value in values), key=lambda pair: pair[1])


def drawn(value: float, axis: str) -> float:
    """Turn a value into its place on paper: p is drawn as the loss."""
    return loss_percent(value) if axis == "p" else value


def axis_words(axis: str) -> str:
    """Label an axis as it is drawn."""
    return axis_label("loss_percent" if axis == "p" else axis)


def outcomes_of(
    algorithm: str, panel: Panel, tables: Mapping[str, pd.DataFrame], axis: str, values: Sequence[float]
) -> pd.DataFrame:
    """Pick an algorithm's outcomes in a panel; none where it was not run.

    Raises
    ------
    ValueError
        When the table holds an outcome outside the grid.
    """
    name = panel.algorithms[algorithm] or panel.experiments[0]
    own = tables[name][tables[name]["algorithm"] == algorithm]
    strange = sorted(set(own[axis]) - set(values))
    if strange:
        raise ValueError(
            f"table: an outcome of {algorithm} in {name} has {axis} = {strange[0]!r}, "
            "which is not in the grid."
        )
    return own


def loss_percent(p: float) -> float:
    """Turn a fraction observed into a loss in per cent, free of the rounding of 1 - p."""
    return round(100 * (1 - p), 9)


def _title(experiment: Mapping[str, Any]) -> str:
    parameters = experiment["parameters"]
    if "mode" not in parameters:
        return experiment["title"]
    lost = parameters.get("p")
    title = mode_title(parameters["mode"])
    return (
        title if lost is None or isinstance(lost, list) else f"{title}\n{number(loss_percent(lost))} % lost"
    )


def _runner(algorithm: str, names: Sequence[str], experiments: Mapping[str, Mapping[str, Any]]) -> str | None:
    return next((name for name in names if algorithm in experiments[name]["algorithms"]), None)
