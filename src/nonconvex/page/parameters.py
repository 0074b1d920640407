"""The parameters of a figure's experiments, each marked stated or chosen, and where this scale differs."""

from collections.abc import Iterable, Mapping
from typing import Any

from nonconvex.page.html import Html, element, join, table
from nonconvex.page.text import parameter_name, plain
from nonconvex.vocabulary import ordered

_SOURCES = {"stated": ("●", "stated in the thesis"), "chosen": ("○", "chosen, not reported")}
_HEADS = ["parameter", "value here", "at thesis scale", "where that comes from"]
_ALGORITHM_HEADS = ["algorithm", "told", "options", "trials per cell"]


def parameter_tables(experiments: Mapping[str, Mapping[str, Any]]) -> Html | None:
    """Show the parameters of experiments and the algorithms that ran on them, folded away.

    After the first experiment, only rows that differ from the first one's are shown.

    Parameters
    ----------
    experiments : dict of str to dict
        Resolved experiments by name.

    Returns
    -------
    Html or None
        None where there is no experiment.
    """
    if not experiments:
        return None
    tables: list[Html | None] = []
    before: list[list[object]] = []
    name_before = None
    for name, experiment in experiments.items():
        rows, algorithms = _parameters(experiment), _algorithms(experiment)
        new = [row for row in rows if row not in before]
        new_algorithms = [row for row in algorithms if row not in before]
        title = [experiment.get("title", ""), " ", element("code", name)]
        if len(new) < len(rows):
            title += [": as ", element("code", name_before), ", but for these" if new else ""]
        named = table(_HEADS, new, caption=join(title), class_="parameters") if new else element("p", title)
        tables.append(named)
        tables.append(table(_ALGORITHM_HEADS, new_algorithms) if new_algorithms else None)
        if name_before is None:
            before, name_before = [*rows, *algorithms], name
    return element("details", element("summary", _count(experiments.values())), tables)


def _count(experiments: Iterable[Mapping[str, Any]]) -> str:
    """Say how many parameters are stated, chosen, and other than the thesis's."""
    sources: dict[str, str] = {}
    changed: dict[str, set[str]] = {"stated": set(), "chosen": set()}
    for experiment in experiments:
        own = experiment.get("sources", {})
        for name, source in own.items():
            sources[name] = "chosen" if "chosen" in (source, sources.get(name)) else source
        for name in experiment.get("thesis", {}):
            changed["stated" if own.get(name) == "stated" else "chosen"].add(name)
    stated, chosen = (list(sources.values()).count(source) for source in _SOURCES)
    here = [f"{len(changed['stated'])} not as the thesis states here"] if changed["stated"] else []
    # One that is stated for one experiment and chosen for another counts as what the thesis states.
    free = changed["chosen"] - changed["stated"]
    here += [f"{len(free)} chosen otherwise at thesis scale"] if free else []
    return "; ".join([f"Parameters: {stated} stated, {chosen} chosen", *here])


def _parameters(experiment: Mapping[str, Any]) -> list[list[object]]:
    values = experiment["parameters"]
    rows = [
        [parameter_name(name, experiment.get("words", {})), plain(values[name]), *_origin(experiment, name)]
        for name in ordered(values)
    ]
    rows.append(["trials per cell", plain(experiment.get("trials")), *_origin(experiment, "trials")])
    if "success" in experiment:
        rule = experiment["success"]
        words = f"{rule['column'].replace('_', ' ')} below {plain(rule['below'])}"
        rows.append(["success", words, *_origin(experiment, "success")])
    return rows


def _origin(experiment: Mapping[str, Any], name: str) -> tuple[object, str]:
    """Give the value at thesis scale where this scale's differs, and where it comes from.

    Only a value that the thesis states is set against the one here; others are this study's at both scales.
    """
    source = experiment.get("sources", {}).get(name)
    sign, words = _SOURCES.get(source, ("", "–"))
    value: object = "the same"
    if name in experiment.get("thesis", {}):
        there = plain(experiment["thesis"][name])
        value = element("b", f"≠ {there}, as stated") if source == "stated" else f"{there}, chosen"
    note = experiment.get("notes", {}).get(name)
    return value, f"{sign} {words}".strip() + (f": {note}" if note else "")


def _algorithms(experiment: Mapping[str, Any]) -> list[list[object]]:
    rows: list[list[object]] = []
    for name, algorithm in experiment.get("algorithms", {}).items():
        options = [f"{key} = {plain(value)}" for key, value in algorithm.get("options", {}).items()]
        told = [
            [", " if index else None, parameter_name(key)]
            for index, key in enumerate(algorithm.get("tell", ()))
        ]
        note = algorithm.get("note")
        rows.append(
            [
                join([algorithm.get("label", name), " ", element("code", algorithm.get("method", name))]),
                join(told) or "–",
                join([plain(options) or "–", element("br") if note else None, note]),
                plain(algorithm.get("trials", experiment.get("trials"))),
            ]
        )
    return rows
