"""Experiments as data: reading the chapters' files and resolving them at a scale."""

from collections.abc import Mapping
from importlib import import_module
from inspect import isfunction
from pathlib import Path

from nonconvex.study.cells import cells
from nonconvex.study.config import Config
from nonconvex.study.errors import StudyError, nearest
from nonconvex.study.families import FAMILIES
from nonconvex.study.pmu_recording import Recording
from nonconvex.study.strict import number_hint, read_yaml, validate

DEVELOPMENT_SEED = 1
JUDGING_SEED = 2021


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
                    raise StudyError(
                        f"{path}: figure {figure} names the experiment '{name}', which the file does not "
                        f"define{nearest(name, chapter['experiments'])}"
                    )
        chapters[chapter["chapter"]] = chapter
    if not chapters:
        raise StudyError(f"there are no chapter files in {folder}; run from the project's top folder")
    return chapters


def resolve(
    name: str, entry: Mapping, chapter: str, config: Config, where: str, recording: Recording | None = None
) -> dict:
    """Return the experiment at the config's scale, as the plain dict that all later steps read.

    Where there is a `recording`, parameters of its facts' names have their values from it.
    """
    scale = config.scale
    thesis = {key: value["thesis"] for key, value in entry["parameters"].items()}
    values = {key: value.get(scale, value["thesis"]) for key, value in entry["parameters"].items()}
    recorded = {key: value for key, value in recording.facts.items() if key in values} if recording else {}
    overlay = grid_overlay(config.grid, name, {k: v for k, v in values.items() if k not in recorded})
    values |= overlay | recorded
    values = {key: value for key, value in values.items() if value is not None}
    trials = entry["trials"].get(scale, entry["trials"]["thesis"])
    if not FAMILIES.get(entry["family"], {}).get("once"):
        trials = config.trials or trials
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
        "timed": bool(FAMILIES.get(entry["family"], {}).get("timed")),
        "dataset": entry.get("dataset", name),
        "independent": {key: list(value) for key, value in entry.get("independent", {}).items()},
        "parameters": values,
        "axes": [key for key, value in values.items() if isinstance(value, list)],
        "sources": _sources(entry),
        "notes": {key: value["note"] for key, value in entry["parameters"].items() if "note" in value},
        "differs": [key for key in values if values[key] != thesis[key]],
        "thesis": {key: thesis[key] for key in values if values[key] != thesis[key]},
        "algorithms": algorithms,
        "trials": trials,
        "block": block,
        "seed": _seed(entry, config),
    }
    if trials != entry["trials"]["thesis"]:
        experiment["thesis"]["trials"] = entry["trials"]["thesis"]
    if recording:
        experiment["recording"] = {
            key: getattr(recording, key) for key in ("own", "sha256", "missing", "unit")
        }
    if "success" in entry:
        experiment["success"] = {key: entry["success"][key] for key in ("column", "below")}
    _check_blocks(experiment, f"{where}: experiment {name}")
    _check(experiment, f"{'config: grid' if overlay else where}: experiment {name}")
    return experiment


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


def grid_overlay(grid: Mapping, experiment: str, values: Mapping) -> dict:
    """Return the values that the config's `grid` gives to an experiment's parameters.

    `grid` maps parameter names to values, for every experiment that has the parameter, or experiment names
    to such a mapping; the latter wins. Several values reach the experiments that have the parameter as an
    axis.
    """
    general = {key: value for key, value in grid.items() if not isinstance(value, Mapping)}
    own = grid.get(experiment, {})
    chosen = {
        key: value
        for key, value in general.items()
        if key in values and (isinstance(values[key], list) or not _several(value))
    }
    for key, value in own.items():
        if key not in values:
            raise StudyError(
                f"config: grid.{experiment} has no parameter '{key}'{nearest(key, values) or ''}"
            )
        chosen[key] = value
    places = {key: f"{experiment}.{key}" if key in own else key for key in chosen}
    return {
        key: _grid_value(f"config: grid.{places[key]}", value, values[key]) for key, value in chosen.items()
    }


def _no_axis(where: str, value: list) -> StudyError:
    return StudyError(
        f"{where} must be one value, not {value}: no figure has an axis for it; run each value under a "
        "name of its own"
    )


def _several(value: object) -> bool:
    return isinstance(value, list) and len(value) > 1


def check_grid_names(grid: Mapping, experiments: Mapping[str, Mapping]) -> None:
    """Refuse a key of `grid` that is neither an experiment nor a parameter of one."""
    parameters = {key for entry in experiments.values() for key in entry["parameters"]}
    for key, value in grid.items():
        if key in experiments and not isinstance(value, Mapping):
            raise StudyError(f"config: grid.{key} must be a mapping of parameters to values, not {value!r}")
        known = experiments if isinstance(value, Mapping) else parameters
        if key not in known:
            raise StudyError(f"config: grid has the unknown name '{key}'{nearest(key, known)}")
        given = [
            entry["parameters"][key]["thesis"] for entry in experiments.values() if key in entry["parameters"]
        ]
        if _several(value) and not any(isinstance(one, list) for one in given):
            raise _no_axis(f"config: grid.{key}", value)


def _grid_value(where: str, value: object, standard: object) -> object:
    if isinstance(standard, list) and not isinstance(value, list):
        value = [value]
    if value == []:
        raise StudyError(f"{where} is empty; give at least one value or leave the key out")
    if _several(value) and not isinstance(standard, list):
        raise _no_axis(where, value)
    if isinstance(value, list) and not isinstance(standard, list):
        (value,) = value
    usual = standard if isinstance(standard, list) else [standard]
    sample, whole = usual[0], all(isinstance(one, int) for one in usual)
    items = value if isinstance(value, list) else [value]
    for item in items:
        if isinstance(sample, str) != isinstance(item, str) or isinstance(item, bool):
            wanted = "text" if isinstance(sample, str) else "a number"
            raise StudyError(f"{where} must be {wanted}, not {item!r}{number_hint(item)}")
        if whole and not isinstance(item, int):
            raise StudyError(f"{where} must be a whole number, not {item!r}")
    if len({repr(float(i)) if not isinstance(i, str) else i for i in items}) != len(items):
        raise StudyError(f"{where} holds a value twice: {items}")
    return value


def _check_blocks(experiment: Mapping, where: str) -> None:
    for algorithm, entry in experiment["algorithms"].items():
        if experiment["block"] % entry["block"]:
            raise StudyError(
                f"{where}: the block of {algorithm}, {entry['block']}, must divide the dataset's, "
                f"{experiment['block']}"
            )


def _check(experiment: Mapping, where: str) -> None:
    family = experiment["family"]
    if family not in FAMILIES:
        raise StudyError(f"{where} names the unknown family '{family}'{nearest(family, FAMILIES)}")
    data = import_module(FAMILIES[family]["data"])
    known = set(experiment["parameters"])
    for stream, names in experiment["independent"].items():
        for word, words in [(stream, data.STREAMS), *((name, known) for name in names)]:
            if word not in words:
                raise StudyError(f"{where}: independent has the unknown name '{word}'{nearest(word, words)}")
    for algorithm, entry in experiment["algorithms"].items():
        known = FAMILIES[family].get("tell") or import_module(FAMILIES[family]["outcome"]).TELL
        for name in entry["tell"]:
            if name not in known:
                raise StudyError(
                    f"{where}: {algorithm} cannot be told '{name}' (known: {', '.join(known)})"
                    f"{nearest(name, known)}"
                )
    _check_options(experiment, where)
    for cell in cells(experiment):
        try:
            data.check(cell)
        except KeyError as error:
            raise StudyError(f"{where}: the parameter '{error.args[0]}' is missing") from error
        except ValueError as error:
            raise StudyError(f"{where}: {error}") from error


def _check_options(experiment: Mapping, where: str) -> None:
    """Check the algorithms of a family whose outcomes know which options there are, before anything runs."""
    family = FAMILIES[experiment["family"]]
    for algorithm, entry in experiment["algorithms"].items():
        outcome = import_module(family["outcome"])
        if not hasattr(outcome, "check"):
            continue
        method, solvers = entry["method"], import_module(family["solver"])
        if not isfunction(getattr(solvers, method, None)):
            hint = nearest(method, solvers.__all__)
            raise StudyError(f"{where}: {algorithm} has the unknown method '{method}'{hint}")
        try:
            outcome.check(entry["options"], cells(experiment)[0])
        except ValueError as error:
            raise StudyError(f"{where}: the options of {algorithm}: {error}") from error
