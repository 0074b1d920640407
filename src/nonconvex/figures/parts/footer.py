"""The line below a figure that says where it came from: scale, trials, sizes, and what was chosen."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from nonconvex.vocabulary import brief, idle, ordered, value_text, words_of

_Experiments = Mapping[str, Mapping[str, Any]]


def footer_text(plan: Mapping[str, Any]) -> str:
    """Say in one sentence per thing what a reader must know about the figure's origin.

    What the thesis says is told of values only that it states; where a value is chosen, the one at thesis
    scale is this study's own. Values that differ from panel to panel are told panel by panel.

    Parameters
    ----------
    plan : dict
        The figure's plan, with its resolved experiments; ``panels``, as `numbered` adds them. Option
        ``remark``: a sentence of its own.

    Returns
    -------
    str
    """
    experiments: _Experiments = plan["experiments"]
    panels = plan.get("panels", {})
    words = words_of(plan)
    scale, _, overlay = plan["scale"].partition("-")
    parts = [f"{scale} scale" + (f", run “{overlay}”" if overlay else ""), _trials(experiments, panels)]
    parts.append(_assignments(experiments, words, panels, _reduced))
    axes = list(dict.fromkeys(name for one in experiments.values() for name in one["axes"]))
    chosen = [name for name in axes if _any(experiments, name, _is_chosen)]
    if chosen:
        parts.append(f"values chosen, not reported: {', '.join(brief(name, words) for name in chosen)}")
    coarser = [name for name in axes if _any(experiments, name, _differs) and name not in chosen]
    if coarser:
        parts.append(f"values other than the thesis's: {', '.join(brief(name, words) for name in coarser)}")
    dropped = {
        name: values for one in experiments.values() for name, values in one.get("dropped", {}).items()
    }
    if dropped:
        told = [
            f"{brief(name, words)} = {value_text(name, values, words)}" for name, values in dropped.items()
        ]
        parts.append(f"more than the data at hand, and left out: {', '.join(told)}")
    others = _assignments(experiments, words, panels, _is_chosen)
    if others:
        parts.append(f"{'also chosen' if chosen else 'chosen'}: {others}")
    parts.append(plan.get("options", {}).get("remark", ""))
    return " · ".join(part for part in parts if part)


def numbered(plan: Mapping[str, Any], panels: Iterable[Sequence[str]]) -> dict[str, Any]:
    """Return the plan with the experiments that its panels show, and with where each is shown.

    Parameters
    ----------
    plan : dict
    panels : iterable of sequence of str
        The experiments of each panel, as panels are read: from left to right, then down.

    Returns
    -------
    dict
        The plan with ``panels``: by experiment the numbers of its panels, from 1.
    """
    places: dict[str, list[int]] = {}
    for place, names in enumerate(panels, start=1):
        for name in dict.fromkeys(names):
            places.setdefault(name, []).append(place)
    return {**plan, "experiments": {name: plan["experiments"][name] for name in places}, "panels": places}


def _is_chosen(experiment: Mapping[str, Any], name: str) -> bool:
    return experiment.get("sources", {}).get(name) == "chosen"


def _differs(experiment: Mapping[str, Any], name: str) -> bool:
    return name in experiment.get("differs", ())


def _reduced(experiment: Mapping[str, Any], name: str) -> bool:
    return _differs(experiment, name) and not _is_chosen(experiment, name)


def _any(experiments: _Experiments, name: str, test: Callable[[Mapping[str, Any], str], bool]) -> bool:
    return any(test(one, name) for one in experiments.values() if name in one["axes"])


def _trials(experiments: _Experiments, panels: Mapping[str, Sequence[int]]) -> str:
    counts = {
        name: sorted({a.get("trials", one["trials"]) for a in one["algorithms"].values()})
        for name, one in experiments.items()
        if one.get("algorithms")
    }
    every = sorted({count for some in counts.values() for count in some})
    if not every:
        return ""
    if len(every) == 1:
        return _per_cell(every)
    by_panel = _by_text({name: _per_cell(some) for name, some in counts.items()})
    if len(by_panel) > 1 and _apart(by_panel.values(), panels):
        return ", ".join(f"{text} ({_where(names, panels)})" for text, names in by_panel.items())
    return _per_cell(every)


def _per_cell(counts: Sequence[int]) -> str:
    low, high = counts[0], counts[-1]
    if low < high:
        return f"{low} to {high} trials per cell, by algorithm"
    return "1 trial per cell" if low == 1 else f"{low} trials per cell"


def _assignments(
    experiments: _Experiments,
    words: Mapping[str, Sequence[str]],
    panels: Mapping[str, Sequence[int]],
    test: Callable[[Mapping[str, Any], str], bool],
) -> str:
    """List the parameters with one value in experiments that pass a test; others have them as axes."""
    texts = []
    for name in ordered({name for one in experiments.values() for name in one["parameters"]}):
        values = {
            key: _value(one, name, words)
            for key, one in experiments.items()
            if name in one["parameters"] and name not in one["axes"] and test(one, name)
            if not idle(name, one["parameters"])
        }
        if values:
            texts.append(f"{brief(name, words)}\u00a0=\u00a0{_listed(values, experiments, panels)}")
    return ", ".join(texts)


def _value(experiment: Mapping[str, Any], name: str, words: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """Give a value, and what the thesis has, or where it states nothing this study at thesis scale."""
    value = value_text(name, experiment["parameters"][name], words)
    if not _differs(experiment, name):
        return value, ""
    whose = {"stated": "thesis", "chosen": "thesis scale"}.get(experiment.get("sources", {}).get(name))
    return value, f"{whose} {value_text(name, experiment['thesis'][name], words)}" if whose else ""


def _listed(
    values: Mapping[str, tuple[str, str]], experiments: _Experiments, panels: Mapping[str, Sequence[int]]
) -> str:
    groups = _by_text(values)
    told = len(experiments) > len(values) or len(groups) > 1
    told = told and _apart([values, [name for name in experiments if name not in values]], panels)
    told = told and _apart(groups.values(), panels)
    texts = []
    for (value, thesis), names in groups.items():
        remarks = [thesis, _where(names, panels) if told else ""]
        texts.append(f"{value} ({'; '.join(filter(None, remarks))})" if any(remarks) else value)
    return " / ".join(texts)


def _by_text(texts: Mapping[str, Any]) -> dict[Any, list[str]]:
    groups: dict[Any, list[str]] = {}
    for name, text in texts.items():
        groups.setdefault(text, []).append(name)
    return groups


def _apart(groups: Iterable[Iterable[str]], panels: Mapping[str, Sequence[int]]) -> bool:
    """Tell whether every experiment has a panel, and no panel shows experiments of two groups."""
    names = [list(group) for group in groups]
    if not all(name in panels for group in names for name in group):
        return False
    places = [place for group in names for place in {p for name in group for p in panels[name]}]
    return len(places) == len(set(places))


def _where(names: Iterable[str], panels: Mapping[str, Sequence[int]]) -> str:
    places = sorted({place for name in names for place in panels[name]})
    noun = "panel" if len(places) == 1 else "panels"
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return f"{noun}\u00a0{', '.join(_run(run) for run in runs)}"


def _run(places: Sequence[int]) -> str:
    if len(places) == 1:
        return str(places[0])
    return f"{places[0]}{', ' if len(places) == 2 else ' to '}{places[-1]}"
