"""What the looks of claims cost: the first one, and all of them, per chapter."""

from collections.abc import Mapping
from dataclasses import dataclass

from nonconvex.claims.entries import Claim, parts_of
from nonconvex.claims.looks import looks
from nonconvex.claims.next_look import choose, planned_trials
from nonconvex.commands.columns import rows_text
from nonconvex.pipeline.costs import blocks_cost
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.pipeline.trials import with_trials

Blocks = dict[str, dict[str, None]]  # part of an experiment -> names of its blocks, in order


@dataclass(frozen=True)
class LookCosts:
    """Core-seconds of a chapter's first look, and of all its looks, where none decides anything earlier.

    `unmeasured` has the experiments of which a part was not measured.
    """

    first: float
    every: float
    unmeasured: frozenset[str]


def look_costs(pipeline: Pipeline, costs: Mapping) -> dict[str, LookCosts]:
    """Return what the looks of the claims about the wanted figures cost, by chapter."""
    rounds = look_trials(pipeline)
    grown = [with_trials(pipeline, trials) for trials in rounds]
    found = {}
    for chapter in pipeline.chapters:
        first = every = 0.0
        unmeasured: set[str] = set()
        for name in pipeline.experiment_names():
            looked = [one for one, trials in zip(grown, rounds, strict=True) if name in trials]
            if not looked or pipeline.experiment(name)["chapter"] != chapter:
                continue
            at_first = [one for one in looked if one is grown[0]]
            first += blocks_cost(pipeline.experiment(name), _blocks(at_first, name), costs)[0]
            seconds, missing = blocks_cost(pipeline.experiment(name), _blocks(looked, name), costs)
            every += seconds
            unmeasured.update([name] if missing else [])
        found[chapter] = LookCosts(first, every, frozenset(unmeasured))
    return found


def look_trials(pipeline: Pipeline) -> list[dict[str, int]]:
    """Return the trials of each experiment at each look that all claims come to, where none is decided."""
    claims = [claim for chapter in pipeline.chapters for claim in pipeline.wanted_claims(chapter)]
    asked = {name: pipeline.experiment(name)["trials"] for name in pipeline.experiment_names()}
    number = max((_number_of_looks(claim) for claim in claims), default=0)
    return [
        choose({claim["id"]: planned_trials(claim, look) for claim in claims}, {}, asked)
        for look in range(number)
    ]


def _number_of_looks(claim: Claim) -> int:
    if "untested" in claim:
        return 0
    parts = (entry for reading in claim["readings"] for entry in parts_of(claim, reading).values())
    return max(len(looks(entry.get("trials", claim["trials"]))) for entry in parts)


def _blocks(pipelines: list[Pipeline], name: str) -> Blocks:
    """Return all blocks that an experiment has under any of the pipelines."""
    found: Blocks = {}
    for pipeline in pipelines:
        for part in (None, *pipeline.experiment(name)["algorithms"]):
            found.setdefault(part or "dataset", {}).update(dict.fromkeys(pipeline.blocks(name, part)))
    return found


def print_look_costs(pipeline: Pipeline, costs: Mapping, trials: Mapping[str, float]) -> None:
    """Print what the looks cost beside the core-seconds of all `trials`, by chapter."""
    found = look_costs(pipeline, costs)
    numbers: dict[str, tuple[float, ...]] = {
        chapter: (row.first, row.every, trials[chapter]) for chapter, row in found.items()
    }
    numbers["all"] = tuple(map(sum, zip(*numbers.values(), strict=True)))
    rows = [["chapter", "first look", "all looks", "all trials, without figures"]]
    rows += [[name, *(f"{one / 3600:.2f}" for one in row)] for name, row in numbers.items()]
    print(f"\nWhat the claims need (make decide), at most, in core-hours of scale {pipeline.config.folder}")
    print("\n".join(rows_text(rows)))
    unmeasured = sorted({name for row in found.values() for name in row.unmeasured})
    if unmeasured:
        print(f"  without parts of {', '.join(unmeasured)}, which were not measured")
