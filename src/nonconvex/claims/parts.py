"""What one part of a claim gives under one reading, and what parts give together."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import pandas as pd

from nonconvex.claims.arrays import common_trials
from nonconvex.claims.check import merged_settings, named_test, parts_of
from nonconvex.claims.compound import combine_parts, combine_samples
from nonconvex.claims.decision import Decision
from nonconvex.claims.kinds.registry import KINDS
from nonconvex.claims.runs.registry import RUNS
from nonconvex.claims.values import last_iterates
from nonconvex.statistics.bootstrap import judging_seed


@dataclass(frozen=True)
class Part:
    """What one part of a claim gave under one reading.

    `first` is None where there was nothing to test; `reasons` say why the part cannot be judged.
    `substitute` says that the data stand in for data of the thesis that cannot be had.
    """

    experiment: str
    substitute: bool
    first: Decision | None
    second: Decision | None
    trials: int
    seed: int | None
    reasons: tuple[str, ...]


def judge_part(
    claim: Mapping, part: str, reading: str, plan: Mapping, tables: Mapping[str, pd.DataFrame]
) -> Part:
    """Run a part's test on its first trials and, where there are twice as many as declared, on as many more.

    `plan` and `tables` as for `nonconvex.claims.ledger.judge`.
    """
    entry = parts_of(claim, reading)[part]
    name, declared = entry["experiment"], entry.get("trials", claim["trials"])
    used = [entry[key] for key in ("experiment", "beside") if key in entry]
    substitute = bool(entry.get("surrogate", claim.get("surrogate", False)))
    if any(plan["experiments"].get(one) is None or tables.get(one) is None for one in used):
        return Part(name, substitute, None, None, 0, None, ("no table in this run",))
    experiments = [plan["experiments"][one] for one in used]
    test = named_test(claim, entry)
    settings = merged_settings(claim, part, reading)
    available = min(
        common_trials(
            last_iterates(tables[one]),
            run_there,
            math.prod(len(experiment["parameters"][axis]) for axis in experiment["axes"]),
        )
        for one, experiment, run_there in zip(
            used, experiments, KINDS[test].names_in(settings, len(used)), strict=True
        )
    )
    seed = experiments[0]["seed"]
    if available == 0:
        return Part(name, substitute, None, None, 0, seed, ("no trial of every cell",))
    reasons = []
    differs = dict.fromkeys(key for experiment in experiments for key in experiment["differs"])
    if differs:
        reasons.append(f"{', '.join(differs)}: not the thesis's")
    if available < declared:
        reasons.append(f"{available} of {declared} declared trials")
    others = [experiment["seed"] for experiment in experiments if experiment["seed"] != claim["seed"]]
    if others:
        reasons.append(f"seed {others[0]}, not the declared {claim['seed']}")
    trials = min(available, declared)
    names = (claim["id"], part, reading)

    def run(first: int, number: int, *more: str) -> Decision:
        given = [tables[one] for one in used]
        rest = {"beside": given[1]} if len(given) > 1 else {}
        return RUNS[test](
            given[0], settings, range(first, first + number), judging_seed(*names, *more), **rest
        )

    second = None
    if available >= 2 * declared:
        second = run(declared, declared, "second sample")
    return Part(name, substitute, run(0, trials), second, trials, seed, tuple(reasons))


def outcome_of(claim: Mapping, parts: Collection[Part]) -> str | None:
    """Return the outcome of parts together, after the second sample; None if one could not be tested."""
    first = _combined(claim, [part.first for part in parts])
    second = _combined(claim, [part.second for part in parts])
    return None if first is None else combine_samples(first, second)


def second_sample(claim: Mapping, parts: Collection[Part]) -> str:
    """Return whether the second sample of parts together "agrees" or "disagrees", or is "not run"."""
    second = _combined(claim, [part.second for part in parts])
    if second is None:
        return "not run"
    return "agrees" if second == _combined(claim, [part.first for part in parts]) else "disagrees"


def _combined(claim: Mapping, decisions: Collection[Decision | None]) -> str | None:
    known = [decision for decision in decisions if decision is not None]
    return combine_parts(known, claim["combine"]) if len(known) == len(decisions) else None


def reasons_of(parts: Collection[Part]) -> list[str]:
    """Return each reason once, with the experiments that it is about."""
    about: dict[str, dict[str, None]] = {}
    for part in parts:
        for reason in part.reasons:
            about.setdefault(reason, {})[part.experiment] = None
    return [f"{reason} ({', '.join(names)})" for reason, names in about.items()]
