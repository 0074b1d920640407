"""Experiments as data: reading the chapters' files and resolving them at a scale."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from nonconvex.errors import UserError, nearest
from nonconvex.problems.contract import Family, family
from nonconvex.problems.source import Found
from nonconvex.study.checks import check_blocks, check_experiment
from nonconvex.study.config import Config
from nonconvex.study.grid import grid_overlay
from nonconvex.validation import read_yaml, validate

DEVELOPMENT_SEED = 1
JUDGING_SEED = 2021


class LeftOut(UserError):
    """An experiment that the data at hand are too small for; figures that need it are left out."""


def read_chapters(folder: Path, schema: Path) -> dict[str, dict]:
    """Return the checked chapter files of `folder`, by chapter number."""
    chapters = {}
    rules = read_yaml(schema)
    for path in sorted(folder.glob("chapter*.yaml")):
        chapter = read_yaml(path)
        validate(chapter, rules, str(path))
        for figure, entry in chapter["figures"].items():
            for name in entry["experiments"]:
                if name not in chapter["experiments"]:
                    raise UserError(
                        f"{path}: figure {figure} names the experiment '{name}', which the file does not "
                        f"define{nearest(name, chapter['experiments'])}"
                    )
        chapters[chapter["chapter"]] = chapter
    if not chapters:
        raise UserError(f"there are no chapter files in {folder}; run from the project's top folder")
    return chapters


def resolve(
    name: str, entry: Mapping, chapter: str, config: Config, where: str, found: Found | None = None
) -> dict[str, Any]:
    """Return the experiment at the config's scale, as the plain dict that all later steps read.

    Where its family has a source, parameters have the values of the facts `found` there of their names, and
    axes lose the values that the source is too small for; LeftOut when none is left.
    """
    scale, of = config.scale, family(entry["family"])
    thesis = {key: value["thesis"] for key, value in entry["parameters"].items()}
    values = {key: value.get(scale, value["thesis"]) for key, value in entry["parameters"].items()}
    given = {key: value for key, value in found.facts.items() if key in values} if found else {}
    overlay = grid_overlay(config.grid, name, {k: v for k, v in values.items() if k not in given})
    values |= overlay | given | (dict(found.reading) if found else {})
    values = {key: value for key, value in values.items() if value is not None}
    whole, values = values, _limited(values, of)
    dropped = {key: [one for one in whole[key] if one not in values[key]] for key in _shorter(whole, values)}
    # Where the data are the thesis's own, having fewer of them is no other protocol.
    same = thesis
    if found is not None and found.about.get("substitute") is False:
        with suppress(LeftOut):
            same = _limited(thesis | given, of)
    trials = entry["trials"].get(scale, entry["trials"]["thesis"])
    if not of.once:
        trials = config.trials_of(name) or trials
    block = entry["block"].get(scale, entry["block"]["thesis"])
    algorithms = {}
    for key, algorithm in entry.get("algorithms", {}).items():
        cap = algorithm.get("trials")
        limit = cap.get(scale, cap["thesis"]) if cap else trials
        algorithms[key] = {
            "method": algorithm["method"],
            "label": algorithm["label"],
            "tell": list(algorithm.get("tell", [])),
            "options": dict(algorithm.get("options", {})),
            "trials": min(trials, limit),
            "block": algorithm.get("block", {}).get(scale, block),
        }
        if "note" in algorithm:
            algorithms[key]["note"] = algorithm["note"]
    experiment = {
        "experiment": name,
        "chapter": chapter,
        "scale": config.folder,
        "title": entry["title"],
        "family": entry["family"],
        "timed": of.timed,
        "dataset": entry.get("dataset", name),
        "independent": {key: list(value) for key, value in entry.get("independent", {}).items()},
        "parameters": values,
        "axes": [key for key, value in values.items() if isinstance(value, list)],
        "sources": _sources(entry),
        "notes": {key: value["note"] for key, value in entry["parameters"].items() if "note" in value},
        "differs": [key for key in values if key in thesis and values[key] != same[key]],
        "thesis": {key: thesis[key] for key in values if key in thesis and values[key] != thesis[key]},
        "algorithms": algorithms,
        "trials": trials,
        "block": block,
        "seed": _seed(entry, config),
    }
    if trials != entry["trials"]["thesis"]:
        experiment["thesis"]["trials"] = entry["trials"]["thesis"]
    if dropped:
        experiment["dropped"] = dropped
    if of.words:
        experiment["words"] = {key: list(words) for key, words in of.words.items()}
    if found:
        experiment["source"] = {
            "name": of.source,
            "own": found.own,
            "sha256": found.sha256,
            "about": dict(found.about),
        }
    if "success" in entry:
        experiment["success"] = {key: entry["success"][key] for key in ("column", "below")}
    here = f"{where}: experiment {name}"
    check_blocks(entry, here)
    check_experiment(experiment, here, f"config: grid: experiment {name}" if overlay else here)
    return experiment


def _limited(values: dict[str, Any], of: Family) -> dict[str, Any]:
    """Return the parameters without the values for which the family's source has too little."""
    data = of.load_data() if of.source else None
    if data is None or data.limit is None:
        return values
    try:
        return dict(data.limit(values))
    except KeyError:
        return values  # told of when the experiment is checked
    except ValueError as error:
        raise LeftOut(str(error)) from error


def _shorter(whole: Mapping[str, Any], limited: Mapping[str, Any]) -> list[str]:
    """Return the axes that a source is too small for."""
    return [key for key, values in whole.items() if isinstance(values, list) and limited[key] != values]


def _seed(entry: Mapping, config: Config) -> int:
    """Return the root seed: the config's, or the experiment's own, or the scale's."""
    if config.seed is not None:
        return config.seed
    if "seed" in entry:
        return entry["seed"].get(config.scale, entry["seed"]["thesis"])
    return JUDGING_SEED if config.scale == "thesis" and not config.name else DEVELOPMENT_SEED


def _sources(entry: Mapping) -> dict[str, str]:
    """Return, by name, whether the thesis states a value or leaves it open (chosen)."""
    sources = {key: value["source"] for key, value in entry["parameters"].items()}
    for key in ("trials", "success"):
        if "source" in entry.get(key, {}):
            sources[key] = entry[key]["source"]
    return sources
