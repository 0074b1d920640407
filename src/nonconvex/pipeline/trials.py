"""How many trials the tables of a results folder have: fewer than asked for, while claims are decided."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import yaml

from nonconvex.canonical import json_text
from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.product import Product
from nonconvex.pipeline.stamps import stamp_problem
from nonconvex.problems.contract import family
from nonconvex.study.blocks import block_range

LOOKS = "looks.yaml"  # the config with the trials of each table; in the results folder


def with_trials(pipeline: Pipeline, trials: Mapping[str, int]) -> Pipeline:
    """Return the pipeline in which some experiments have other numbers of trials; the others keep theirs."""
    asked = {name: pipeline.experiment(name)["trials"] for name in pipeline.experiment_names()}
    given = {
        name: number
        for name, number in (asked | dict(trials)).items()
        if not family(pipeline.experiment(name)["family"]).once
    }
    return pipeline.under(replace(pipeline.config, trials=given or None))


def trials_there(pipeline: Pipeline) -> dict[str, int]:
    """Return the number of trials of each table that is there, and as the config and the code ask but for it.

    What it is made from need not be there: blocks are replaced by longer ones as an experiment grows.
    """
    told = {name: _trials_in_stamp(pipeline.table(name)) for name in pipeline.experiment_names()}
    found = {name: number for name, number in told.items() if number}
    there = with_trials(pipeline, found)
    return {
        name: number
        for name, number in found.items()
        if there.experiment(name)["trials"] == number and whole(there.table(name))
    }


def fewer_trials(pipeline: Pipeline) -> dict[str, str]:
    """Return what is to be said of each table that has fewer trials than the config asks for, but is whole.

    The keys are experiments.
    """
    there = trials_there(pipeline)
    asked = {name: pipeline.experiment(name)["trials"] for name in there}
    return {
        name: f"it has {there[name]} of {asked[name]} trials"
        for name in there
        if there[name] < asked[name] and not whole(pipeline.table(name))
    }


def knobs(pipeline: Pipeline, chapters: Sequence[str]) -> str:
    """Return the config as an overlay, in YAML, that gives it again for some chapters."""
    given = {key: value for key, value in asdict(pipeline.config).items() if value not in (None, {}, ())}
    given["chapters"] = list(chapters)
    return yaml.safe_dump(json.loads(json_text(given)), sort_keys=True)


def _trials_in_stamp(table: Product) -> int | None:
    """Return the number of trials of the blocks that a table was made from; None where it is not known."""
    try:
        stamp = json.loads(Path(str(table.stamp)).read_text(encoding="utf-8"))
        return 1 + max(block_range(Path(name).stem)[1] for name in stamp["inputs"])
    except (OSError, ValueError, KeyError, TypeError, UserError):
        return None


def whole(table: Product) -> bool:
    """Tell whether a table is what its plan and the code ask for, whatever became of its blocks."""
    stamp = (str(table.stamp), table.plan, table.digest, table.inputs, table.outputs, table.inputs)
    return all(Path(path).is_file() for path in table.outputs) and not stamp_problem(*stamp)
