"""The ledger: one row per claim, reading and part, with its verdict or its tendency."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from nonconvex.claims.cells import common_trials
from nonconvex.claims.check import check_algorithms, merged_settings, named_test, parts_of, read_claims
from nonconvex.claims.compound import DEPENDS, combine_parts, combine_readings, combine_samples
from nonconvex.claims.decision import Decision
from nonconvex.claims.kinds import KINDS
from nonconvex.claims.runs import RUNS
from nonconvex.claims.values import last_iterates
from nonconvex.files import replace_file
from nonconvex.statistics.bootstrap import judging_seed

__all__ = ["COLUMNS", "judge", "read_claims", "write_ledger"]

COLUMNS = [
    "claim", "kind", "row", "place", "statement", "figure", "reading", "means", "correction", "part", "data",
    "setting", "trials", "seed",
    "test", "statistic", "ci_low", "ci_high", "effect", "margin", "verdict", "tendency", "second_sample",
    "why", "detail", "note", "plan_digest", "code_digest", "table_digests",
]  # fmt: skip
VERDICTS = {
    "R": "reproduced",
    "N": "not reproduced",
    "I": "inconclusive",
    DEPENDS: "depends on an unstated choice",
}
TENDENCIES = {"R": "for", "N": "against", "I": "unclear", DEPENDS: "unclear"}
SUBSTITUTE = "substitute"
SHOWN, NOT_SHOWN = "shown", "not shown"
NOT_TESTED = "not tested"
NOT_AT_THIS_SCALE = "not judged at this scale"


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


def judge(plan: Mapping, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Judge every claim of the plan and return the ledger.

    Parameters
    ----------
    plan : mapping
        ``scale``, ``claims`` (from `read_claims`), ``experiments`` (resolved, by name), and optionally
        ``digests``: {"plan": ..., "code": ..., "tables": {name: ...}}.
    tables : mapping of str to DataFrame
        The tables of outcomes, by experiment. A claim whose table is missing is "not tested".

    Returns
    -------
    DataFrame
        With `COLUMNS`. The column `row` says what a row stands for: a "part" (one experiment under one
        reading), a "reading" (all parts together) or the "claim" (all readings together). Claims are sorted
        by id; readings and parts keep the order of the claims file; the claim's own row comes first.
    """
    rows = []
    for claim in sorted(plan["claims"], key=lambda claim: claim["id"]):
        if "untested" in claim:
            rows.append(_untested_row(claim, plan))
            continue
        check_algorithms(claim, plan["experiments"])
        common = _common(claim, plan)
        rows.extend({**common, **row} for row in _claim_rows(claim, plan, tables))
    return pd.DataFrame(rows, columns=COLUMNS)


def write_ledger(ledger: pd.DataFrame, path: str | Path) -> None:
    """Write the ledger as CSV, floats by repr, through a temporary file."""
    replace_file(path, lambda temporary: ledger.to_csv(temporary, index=False, lineterminator="\n"))


def _untested_row(claim: Mapping, plan: Mapping) -> dict:
    """Return the one row of a claim that no experiment can test."""
    digests = plan.get("digests", {})
    return {
        **_stated(claim),
        "row": "claim",
        "reading": "overall",
        "setting": plan["scale"],
        "trials": 0,
        "verdict": NOT_TESTED,
        "tendency": "unclear",
        "why": claim["untested"],
        "plan_digest": digests.get("plan", ""),
        "code_digest": digests.get("code", ""),
    }


def _stated(claim: Mapping) -> dict:
    return {
        "claim": claim["id"],
        "kind": "finding" if claim.get("finding") else "claim",
        "place": f"{claim['place']} (L{claim['line']})",
        "statement": claim["statement"],
        "figure": ", ".join(claim["figures"]),
        "note": claim.get("note", ""),
    }


def _common(claim: Mapping, plan: Mapping) -> dict:
    digests = plan.get("digests", {})
    entries = [entry for reading in claim["readings"] for entry in parts_of(claim, reading).values()]
    used = sorted({e[key] for e in entries for key in ("experiment", "beside") if key in e})
    known = digests.get("tables", {})
    return {
        **_stated(claim),
        "test": ", ".join(dict.fromkeys(named_test(claim, entry) for entry in entries)),
        "plan_digest": digests.get("plan", ""),
        "code_digest": digests.get("code", ""),
        "table_digests": "; ".join(f"{name}={known[name]}" for name in used if name in known),
    }


def _claim_rows(claim: Mapping, plan: Mapping, tables: Mapping[str, pd.DataFrame]) -> Iterator[dict]:
    readings = {
        reading: {part: _part(claim, part, reading, plan, tables) for part in parts_of(claim, reading)}
        for reading in claim["readings"]
    }
    outcomes = {reading: _outcome(claim, parts.values()) for reading, parts in readings.items()}
    everything = [part for parts in readings.values() for part in parts.values()]
    overall = None if None in outcomes.values() else combine_readings(outcomes)
    yield {
        "row": "claim",
        "reading": "overall",
        "correction": _shared(_correction(claim, reading) for reading in readings),
        "part": _together(claim, claim["parts"]),
        "setting": plan["scale"],
        **_verdict(claim, overall, everything),
        "second_sample": _agreement([_second(claim, parts.values()) for parts in readings.values()]),
        "why": "; ".join([*_disagreement(outcomes), *_reasons(everything)]),
    }
    for reading, parts in readings.items():
        label = {
            "reading": reading,
            "means": claim["readings"][reading]["means"],
            "correction": _correction(claim, reading),
        }
        if len(parts) > 1:
            yield {
                **label,
                "row": "reading",
                "part": _together(claim, parts),
                "setting": f"{_together(claim, parts)}, {plan['scale']}",
                **_verdict(claim, outcomes[reading], parts.values()),
                "second_sample": _second(claim, parts.values()),
                "why": "; ".join(_reasons(parts.values())),
            }
        for name, part in parts.items():
            outcome = _outcome(claim, [part])
            entry = parts_of(claim, reading)[name]
            yield {
                **label,
                "row": "part",
                "part": name,
                "figure": entry["figure"],
                "test": named_test(claim, entry),
                "setting": f"{name}, {plan['scale']}",
                **_verdict(claim, outcome, [part]),
                **_numbers(part.first),
                "second_sample": _second(claim, [part]),
                "why": "; ".join(_reasons([part])),
            }


def _correction(claim: Mapping, reading: str) -> str:
    """Return the finding whose correction of the text a reading rests on, or nothing."""
    return claim["readings"][reading].get("correction", claim.get("correction", ""))


def _shared(words: Iterable[str]) -> str:
    """Return what all say, or nothing."""
    said = set(words)
    return said.pop() if len(said) == 1 else ""


def _together(claim: Mapping, parts: Mapping) -> str:
    if len(parts) == 1:
        return next(iter(parts))
    return "every part" if claim["combine"] == "every" else "any part"


def _part(claim: Mapping, part: str, reading: str, plan: Mapping, tables: Mapping[str, pd.DataFrame]) -> Part:
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


def _outcome(claim: Mapping, parts: Sequence[Part]) -> str | None:
    """Return the outcome of parts together, after the second sample; None if one could not be tested."""
    parts = list(parts)
    if any(part.first is None for part in parts):
        return None
    first = combine_parts([part.first for part in parts], claim["combine"])
    return combine_samples(first, _second_outcome(claim, parts))


def _second_outcome(claim: Mapping, parts: Sequence[Part]) -> str | None:
    if any(part.second is None for part in parts):
        return None
    return combine_parts([part.second for part in parts], claim["combine"])


def _second(claim: Mapping, parts: Sequence[Part]) -> str:
    parts = list(parts)
    second = _second_outcome(claim, parts)
    if second is None:
        return "not run"
    return "agrees" if second == combine_parts([p.first for p in parts], claim["combine"]) else "disagrees"


def _agreement(words: Sequence[str]) -> str:
    return next(word for word in ("disagrees", "not run", "agrees") if word in words)


def _verdict(claim: Mapping, outcome: str | None, parts: Sequence[Part]) -> dict:
    parts = list(parts)
    substitute = any(part.substitute for part in parts)
    seeds = sorted({part.seed for part in parts if part.seed is not None})
    tendency = "unclear" if outcome is None else TENDENCIES[outcome]
    if substitute and not claim.get("finding"):
        tendency = f"surrogate: {tendency}"
    verdict = NOT_TESTED if outcome is None else NOT_AT_THIS_SCALE if _reasons(parts) else None
    return {
        "data": SUBSTITUTE if substitute else "",
        "trials": min(part.trials for part in parts),
        "seed": ", ".join(map(str, seeds)),
        "verdict": verdict or _word(claim, outcome, substitute, tendency),
        "tendency": tendency,
    }


def _word(claim: Mapping, outcome: str, substitute: bool, tendency: str) -> str:
    """Return the verdict of an outcome; data that stand in for the thesis's give none about the thesis."""
    if claim.get("finding"):
        return SHOWN if outcome == "R" else NOT_SHOWN
    return tendency if substitute else VERDICTS[outcome]


def _reasons(parts: Sequence[Part]) -> list[str]:
    """Return each reason once, with the experiments that it is about."""
    about = {}
    for part in parts:
        for reason in part.reasons:
            about.setdefault(reason, {})[part.experiment] = None
    return [f"{reason} ({', '.join(names)})" for reason, names in about.items()]


def _disagreement(outcomes: Mapping[str, str | None]) -> list[str]:
    """Name the readings and what each gives, where they do not all give the same."""
    if None in outcomes.values() or len(set(outcomes.values())) == 1:
        return []
    return [f"the choice of reading: {', '.join(f'{name} {TENDENCIES[o]}' for name, o in outcomes.items())}"]


def _numbers(decision: Decision | None) -> dict:
    if decision is None:
        return {}
    names = ("statistic", "ci_low", "ci_high", "effect", "margin", "detail")
    return {name: getattr(decision, name) for name in names}
