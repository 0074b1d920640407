"""The ledger: one row per claim, reading and part, with its verdict or its tendency."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd

from nonconvex.claims.decision import INCONCLUSIVE
from nonconvex.claims.entries import experiments_of, judged_settings, parts_of
from nonconvex.claims.looks import looks
from nonconvex.claims.names import check_algorithms
from nonconvex.claims.parts import Part, read_part, reasons_of
from nonconvex.claims.readings import DEPENDS, Reading, combine_readings
from nonconvex.claims.words.catalogue import QUANTITIES
from nonconvex.files import replace_file

COLUMNS = [
    "claim", "kind", "row", "place", "statement", "figure", "reading", "means", "correction", "part", "data",
    "setting", "trials", "declared", "seed",
    "quantity", "unit", "estimate", "low", "high", "confidence", "holds", "fails", "look",
    "verdict", "tendency", "why", "detail", "note", "experiments",
    "plan_digest", "code_digest", "table_digests",
]  # fmt: skip
VERDICTS = {
    "R": "reproduced",
    "N": "not reproduced",
    "I": "inconclusive",
    DEPENDS: "depends on an unstated choice",
}
TENDENCIES = {"R": "for", "N": "against", "I": "unclear", DEPENDS: "unclear"}
OPEN = "open"
SUBSTITUTE = "substitute"
SHOWN, NOT_SHOWN = "shown", "not shown"
NOT_TESTED = "not tested"
NOT_AT_THIS_SCALE = "not judged at this scale"
CONTEXT = "for context"


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
        "declared": 0,
        "verdict": NOT_TESTED,
        "tendency": "unclear",
        "why": claim["untested"],
        "plan_digest": digests.get("plan", ""),
        "code_digest": digests.get("code", ""),
    }


def _stated(claim: Mapping) -> dict:
    return {
        "claim": claim["id"],
        "kind": _kind(claim),
        "place": f"{claim['place']} (L{claim['line']})",
        "statement": claim["statement"],
        "figure": ", ".join(claim["figures"]),
        "note": claim.get("note", ""),
    }


def _kind(claim: Mapping) -> str:
    if claim.get("finding"):
        return "finding"
    quantity = claim.get("judge", {}).get("quantity")
    return "context" if quantity in QUANTITIES and not QUANTITIES[quantity].judged else "claim"


def _common(claim: Mapping, plan: Mapping) -> dict:
    digests = plan.get("digests", {})
    named = [(reading, part) for reading in claim["readings"] for part in parts_of(claim, reading)]
    used = {one for reading, part in named for one in experiments_of(parts_of(claim, reading)[part])}
    known = digests.get("tables", {})
    quantities = (judged_settings(claim, part, reading)["quantity"] for reading, part in named)
    return {
        **_stated(claim),
        "quantity": ", ".join(dict.fromkeys(quantities)),
        "experiments": "; ".join(sorted(used)),
        "plan_digest": digests.get("plan", ""),
        "code_digest": digests.get("code", ""),
        "table_digests": "; ".join(f"{name}={known[name]}" for name in sorted(used) if name in known),
    }


def _claim_rows(claim: Mapping, plan: Mapping, tables: Mapping[str, pd.DataFrame]) -> Iterator[dict]:
    readings = {
        name: Reading(
            claim, {part: read_part(claim, part, name, plan, tables) for part in parts_of(claim, name)}
        )
        for name in claim["readings"]
    }
    outcomes = {name: reading.outcome for name, reading in readings.items()}
    known = _known(outcomes)
    overall = combine_readings(known) if known else None
    yield {
        "row": "claim",
        "reading": "overall",
        "correction": _shared(_correction(claim, name) for name in readings),
        "part": _together(claim, claim["parts"]),
        "setting": plan["scale"],
        **_verdict(claim, overall, list(readings.values())),
        "why": "; ".join(
            [*_disagreement(known), *reasons_of([p for r in readings.values() for p in r.parts.values()])]
        ),
    }
    for name, reading in readings.items():
        label = {
            "reading": name,
            "means": claim["readings"][name]["means"],
            "correction": _correction(claim, name),
        }
        if len(reading.parts) > 1:
            together = _together(claim, reading.parts)
            yield {
                **label,
                "row": "reading",
                "part": together,
                "setting": f"{together}, {plan['scale']}",
                **_verdict(claim, reading.outcome, [reading]),
                "why": "; ".join(reasons_of(reading.parts.values())),
            }
        for part_name, part in reading.parts.items():
            yield {
                **label,
                "row": "part",
                "part": part_name,
                "figure": parts_of(claim, name)[part_name]["figure"],
                "setting": f"{part_name}, {plan['scale']}",
                **_part_row(claim, reading, part),
            }


def _part_row(claim: Mapping, reading: Reading, part: Part) -> dict:
    """Return a part's own verdict and numbers, at the look that its reading stands at."""
    settings, why = part.settings, reasons_of([part])
    row = {
        "quantity": settings["quantity"],
        "unit": settings.get("unit", ""),
        "holds": settings.get("holds", ""),
        "fails": settings.get("fails", ""),
        "experiments": "; ".join(part.experiments),
    }
    if part.look is None:
        return {**row, **_words(claim, None, part.substitute, bool(why)), "trials": 0,
                "declared": part.declared, "seed": part.seed, "why": "; ".join(why)}  # fmt: skip
    judged = part.judged(reading.look)
    interval, outcome = judged.interval, judged.outcome()
    open_ = (judged.why, _from_look(reading, part)) if _kind(claim) != "context" else (judged.measure.short,)
    more = reading.more_to_come and not reading.complete(part)
    return {
        **row,
        **_words(claim, outcome, part.substitute, bool(why), more),
        "data": SUBSTITUTE if part.substitute else "",
        "trials": part.trials_at(reading.look),
        "declared": part.declared,
        "seed": part.seed,
        "estimate": interval.estimate,
        "low": interval.low,
        "high": interval.high,
        "confidence": 1 - judged.alpha if _kind(claim) != "context" else "",
        "look": _look([part], reading.look),
        "why": "; ".join(text for text in (*why, *open_) if text),
        "detail": judged.measure.detail,
    }


def _from_look(reading: Reading, part: Part) -> str:
    """Say from which look on a share can be reproduced, where that is a later one."""
    first = part.first_reachable
    if part.reasons or first is None or first <= reading.look + 1:
        return ""
    return f"it can be reproduced from look {first} on"


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


def _verdict(claim: Mapping, outcome: str | None, readings: Sequence[Reading]) -> dict:
    parts = [part for reading in readings for part in reading.parts.values()]
    substitute = any(part.substitute for part in parts)
    latest = max(readings, key=lambda reading: reading.look)
    trials = [min(part.trials_at(one.look) for part in one.parts.values()) for one in readings]
    more = any(reading.more_to_come for reading in readings)
    return {
        **_words(claim, outcome, substitute, bool(reasons_of(parts)), more),
        "data": SUBSTITUTE if substitute else "",
        "trials": max(trials),
        "declared": max(part.declared for part in parts),
        "seed": ", ".join(map(str, sorted({part.seed for part in parts if part.seed is not None}))),
        "look": _look(list(latest.parts.values()), latest.look),
    }


def _look(parts: Collection[Part], look: int) -> str:
    """Return which look it is, of how many; nothing where no verdict can be given."""
    if any(part.reasons for part in parts):
        return ""
    number = max(len(looks(part.declared)) for part in parts)
    return f"{min(look, number - 1) + 1} of {number}"


def _words(
    claim: Mapping, outcome: str | None, substitute: bool, reasons: bool, more_to_come: bool = False
) -> dict:
    """Return the verdict and the tendency of an outcome; substitute data give no verdict about the thesis."""
    tendency = "unclear" if outcome is None else TENDENCIES[outcome]
    if substitute and not claim.get("finding"):
        tendency = f"surrogate: {tendency}"
    if _kind(claim) == "context":
        return {"verdict": NOT_TESTED if outcome is None else CONTEXT, "tendency": ""}
    if outcome is None:
        verdict = NOT_TESTED
    elif reasons:
        verdict = NOT_AT_THIS_SCALE
    elif outcome == INCONCLUSIVE and more_to_come:
        verdict = OPEN
    elif claim.get("finding"):
        verdict = SHOWN if outcome == "R" else NOT_SHOWN
    else:
        verdict = tendency if substitute else VERDICTS[outcome]
    return {"verdict": verdict, "tendency": tendency}


def _known(outcomes: Mapping[str, str | None]) -> dict[str, str]:
    """Return the outcomes of all readings; none if one of them could not be tested."""
    known = {name: outcome for name, outcome in outcomes.items() if outcome is not None}
    return known if len(known) == len(outcomes) else {}


def _disagreement(outcomes: Mapping[str, str]) -> list[str]:
    """Name the readings and what each gives, where they do not all give the same."""
    if len(set(outcomes.values())) < 2:
        return []
    return [f"the choice of reading: {', '.join(f'{name} {TENDENCIES[o]}' for name, o in outcomes.items())}"]
