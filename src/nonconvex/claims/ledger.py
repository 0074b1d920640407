"""The ledger: one row per claim, reading and part, with its verdict or its tendency."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd

from nonconvex.claims.check import check_algorithms, named_test, parts_of
from nonconvex.claims.compound import DEPENDS, combine_readings
from nonconvex.claims.decision import Decision
from nonconvex.claims.parts import Part, judge_part, outcome_of, reasons_of, second_sample
from nonconvex.files import replace_file

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


def judge(plan: Mapping, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Judge every claim of the plan and return the ledger.

    Parameters
    ----------
    plan : mapping
        ``scale``, ``claims`` (from `nonconvex.claims.check.read_claims`), ``experiments`` (resolved, by
        name), and optionally ``digests``: {"plan": ..., "code": ..., "tables": {name: ...}}.
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
        reading: {part: judge_part(claim, part, reading, plan, tables) for part in parts_of(claim, reading)}
        for reading in claim["readings"]
    }
    outcomes = {reading: outcome_of(claim, parts.values()) for reading, parts in readings.items()}
    everything = [part for parts in readings.values() for part in parts.values()]
    known = _known(outcomes)
    overall = combine_readings(known) if known else None
    yield {
        "row": "claim",
        "reading": "overall",
        "correction": _shared(_correction(claim, reading) for reading in readings),
        "part": _together(claim, claim["parts"]),
        "setting": plan["scale"],
        **_verdict(claim, overall, everything),
        "second_sample": _agreement([second_sample(claim, parts.values()) for parts in readings.values()]),
        "why": "; ".join([*_disagreement(known), *reasons_of(everything)]),
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
                "second_sample": second_sample(claim, parts.values()),
                "why": "; ".join(reasons_of(parts.values())),
            }
        for name, part in parts.items():
            outcome = outcome_of(claim, [part])
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
                "second_sample": second_sample(claim, [part]),
                "why": "; ".join(reasons_of([part])),
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


def _agreement(words: Sequence[str]) -> str:
    return next(word for word in ("disagrees", "not run", "agrees") if word in words)


def _verdict(claim: Mapping, outcome: str | None, parts: Collection[Part]) -> dict:
    substitute = any(part.substitute for part in parts)
    seeds = sorted({part.seed for part in parts if part.seed is not None})
    tendency = "unclear" if outcome is None else TENDENCIES[outcome]
    if substitute and not claim.get("finding"):
        tendency = f"surrogate: {tendency}"
    if outcome is None:
        verdict = NOT_TESTED
    elif reasons_of(parts):
        verdict = NOT_AT_THIS_SCALE
    else:
        verdict = _word(claim, outcome, substitute, tendency)
    return {
        "data": SUBSTITUTE if substitute else "",
        "trials": min(part.trials for part in parts),
        "seed": ", ".join(map(str, seeds)),
        "verdict": verdict,
        "tendency": tendency,
    }


def _word(claim: Mapping, outcome: str, substitute: bool, tendency: str) -> str:
    """Return the verdict of an outcome; data that stand in for the thesis's give none about the thesis."""
    if claim.get("finding"):
        return SHOWN if outcome == "R" else NOT_SHOWN
    return tendency if substitute else VERDICTS[outcome]


def _known(outcomes: Mapping[str, str | None]) -> dict[str, str]:
    """Return the outcomes of all readings; none if one of them could not be tested."""
    known = {name: outcome for name, outcome in outcomes.items() if outcome is not None}
    return known if len(known) == len(outcomes) else {}


def _disagreement(outcomes: Mapping[str, str]) -> list[str]:
    """Name the readings and what each gives, where they do not all give the same."""
    if len(set(outcomes.values())) < 2:
        return []
    return [f"the choice of reading: {', '.join(f'{name} {TENDENCIES[o]}' for name, o in outcomes.items())}"]


def _numbers(decision: Decision | None) -> dict:
    if decision is None:
        return {}
    names = ("statistic", "ci_low", "ci_high", "effect", "margin", "detail")
    return {name: getattr(decision, name) for name in names}
