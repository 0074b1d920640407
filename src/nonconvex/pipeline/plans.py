"""Plans: everything that a product depends on besides code and inputs, as plain JSON.

A plan names a family and a method, never a module: moving code changes no plan.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from nonconvex.pipeline.product import Product
from nonconvex.problems.source import source

Plan = dict[str, Any]
Experiment = Mapping[str, Any]


def dataset_plan(experiment: Experiment, first: int, last: int) -> Plan:
    """Return the plan of a block of instances, trials `first` to `last`.

    A source that knows its data's version and licence has the block tell them, and whether they stand in for
    others.
    """
    plan = {
        "first": first,
        "last": last,
        **{
            key: experiment[key] for key in ("family", "dataset", "independent", "parameters", "axes", "seed")
        },
    }
    if "source" in experiment:
        plan["source"] = experiment["source"]["sha256"]
        about = experiment["source"].get("about", {})
        if "licence" in about:
            plan["about"] = about
    return plan


def outcomes_plan(experiment: Experiment, algorithm: str, first: int, last: int) -> Plan:
    """Return the plan of one algorithm's outcomes on trials `first` to `last`."""
    entry = experiment["algorithms"][algorithm]
    return {
        "algorithm": algorithm,
        "first": first,
        "last": last,
        **{key: entry[key] for key in ("method", "tell", "options")},
        **{key: experiment[key] for key in ("family", "parameters", "axes", "seed")},
    }


def table_plan(experiment: Experiment, parts: Sequence[Product]) -> Plan:
    """Return the plan of an experiment's table, made of the blocks `parts`."""
    return {
        **{key: experiment[key] for key in ("family", "parameters", "axes")},
        "success": experiment.get("success"),
        "blocks": [
            {
                "algorithm": part.plan.get("algorithm"),
                "plan": part.plan_sha256,
                "digest": part.digest,
                "dataset": part.dataset,
            }
            for part in parts
        ],
    }


def figure_plan(
    figure: str, chapter: str, scale: str, entry: Mapping[str, Any], experiments: Mapping[str, Experiment]
) -> Plan:
    """Return the plan of a figure from its entry in the chapter's file and its resolved experiments.

    Where its data are the user's own, the entry's ``own_data`` comes over the rest: a title, a caption, and
    options, of which null removes one. The note on substitutes goes in any case. A source that has
    ``words`` about its data gives that note itself.
    """
    words = {key: value for key, value in entry.items() if key not in ("experiments", "own_data")}
    sources = [one["source"] for one in experiments.values() if "source" in one]
    for found in [one for one in sources if "words" in one["about"]][:1]:
        key = "substitute" if found["about"]["substitute"] else "remark"
        words["options"] = {**entry.get("options", {}), key: found["about"]["words"]}
    for found in [one for one in sources if one["own"] and "words" not in one["about"]][:1]:
        own = entry.get("own_data", {})
        note = source(found["name"]).note(found["about"])
        options = {**entry.get("options", {}), **own.get("options", {}), "substitute": note}
        words |= {key: own[key] for key in ("title", "caption") if key in own}
        words["options"] = {key: value for key, value in options.items() if value is not None}
    return {
        "figure": figure,
        "chapter": chapter,
        "scale": scale,
        "options": {},
        **words,
        "experiments": dict(experiments),
    }
