"""What has changed since the reference run was made: its experiments, by name, and why."""

from collections.abc import Mapping
from typing import Any

from nonconvex.canonical import sha256
from nonconvex.pipeline.digests import digest
from nonconvex.pipeline.roots import roots

_PROTOCOL = ("family", "dataset", "independent", "success")
_METHOD = ("method", "tell", "options")


def code_of(experiment: Mapping[str, Any]) -> dict[str, str]:
    """Return the code digest of each part of an experiment: its dataset, its algorithms and its table."""
    parts = {name: digest(roots(name, experiment)) for name in ("dataset", "table")}
    for name, entry in experiment["algorithms"].items():
        parts[name] = digest(roots("outcomes", {**experiment, **entry}))
    return parts


def protocol_of(experiment: Mapping[str, Any]) -> dict[str, str]:
    """Return the sha256 of what the thesis's scale asks of an experiment, and of each of its algorithms.

    The experiment may be resolved at any scale.
    """
    thesis = {key: value for key, value in experiment.get("thesis", {}).items() if key != "trials"}
    whole = {key: experiment.get(key) for key in _PROTOCOL}
    parts = {"experiment": sha256({**whole, "parameters": {**experiment["parameters"], **thesis}})}
    for name, entry in experiment["algorithms"].items():
        parts[name] = sha256({key: entry[key] for key in _METHOD})
    return parts


def changed_code(kept: Mapping[str, Any], experiment: Mapping[str, Any]) -> list[str]:
    """Return the parts of an experiment whose code has changed, where nothing else has; else none."""
    now = code_of(experiment)
    if kept["protocol"] != protocol_of(experiment) or {*kept["code"]} != {*now}:
        return []
    return [part for part in now if kept["code"][part] != now[part]]


def changes(kept: Mapping[str, Any], experiment: Mapping[str, Any] | None) -> list[str]:
    """Return what has changed about an experiment since the reference run: clauses, empty where nothing has.

    `kept` is its entry in the reference; `experiment` the one of the study today, None where it is gone.
    """
    if experiment is None:
        return ["the study no longer has it"]
    told = []
    for what, now in (("protocol", protocol_of(experiment)), ("code", code_of(experiment))):
        for part in sorted({*kept[what], *now}):
            if kept[what].get(part) == now.get(part):
                continue
            if part not in now:
                told.append(f"{part} is no longer run")
            elif part not in kept[what]:
                told.append(f"{part} is new")
            else:
                told.append(f"the {what} of {part} has changed")
    return list(dict.fromkeys(told))
