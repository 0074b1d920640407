"""The answer of the reference run in the project's README, written by `make keep`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from nonconvex.errors import UserError
from nonconvex.files import write_text
from nonconvex.page.ledger import Claim, read_claims
from nonconvex.page.outcome import APART
from nonconvex.page.text import shortened, text_of

BEGIN = "<!-- The answer, from reference/claims.csv: written by make keep -->"
END = "<!-- end of the answer -->"
_COUNTED = {
    "for": ("held", "held"),
    "against": ("did not hold", "did not hold"),
    APART: ("hangs on a choice that the text leaves open", "hang on a choice that the text leaves open"),
    "unclear": ("stayed undecided after the last trial", "stayed undecided after the last trial"),
    "open": ("is open until more trials have run", "are open until more trials have run"),
}


def write_answer(path: Path, ledger: pd.DataFrame, titles: Mapping[str, str]) -> None:
    """Write the answer between its marks in the file `path`; `titles` has those of all chapters by number."""
    before, begin, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise UserError(f"{path} has no place for the answer: it lacks the lines '{BEGIN}' and '{END}'")
    write_text(path, f"{before}{begin}\n{answer_text(ledger, titles)}\n{end}{after}")


def answer_text(ledger: pd.DataFrame, titles: Mapping[str, str]) -> str:
    """Return what held and what did not, chapter by chapter, as Markdown."""
    claims = [claim for claim in read_claims(ledger) if claim.kind != "context"]
    parts = []
    for chapter, title in titles.items():
        mine = [claim for claim in claims if claim.chapter == chapter and claim.summary.judged]
        counts = _counts(mine) if mine else "Not in the reference run yet."
        parts.append(f"**Chapter {chapter}, {title}.** {counts}")
        parts.append(_named(mine, "against", "Did not hold"))
        parts.append(_named(mine, APART, "Hang on a choice"))
        parts.append(_findings(mine))
    return "\n\n".join(part for part in parts if part)


def _own(claims: Sequence[Claim], way: str) -> list[Claim]:
    return [one for one in claims if one.summary.weight == "verdict" and one.summary.way == way]


def _counts(claims: Sequence[Claim]) -> str:
    number = sum(len(_own(claims, way)) for way in _COUNTED)
    found = [
        f"{len(own)} {words[len(own) > 1]}" for way, words in _COUNTED.items() if (own := _own(claims, way))
    ]
    return f"Of {number} statements under test, {', '.join(found)}."


def _named(claims: Sequence[Claim], way: str, head: str) -> str:
    own = _own(claims, way)
    return f"{head}:\n\n" + "\n".join(_line(claim) for claim in own) if own else ""


def _findings(claims: Sequence[Claim]) -> str:
    own = [claim for claim in claims if claim.summary.weight == "finding" and claim.summary.way == "for"]
    return "Fail as printed, and a run shows it:\n\n" + "\n".join(map(_line, own)) if own else ""


def _line(claim: Claim) -> str:
    figures = f" (Figure {', '.join(claim.figures)})" if claim.figures else ""
    correction = text_of(claim.overall or {}, "correction")
    after = f" (with the text corrected, {correction})" if correction else ""
    return f"- {claim.name}{figures}: {shortened(text_of(claim.head, 'statement'), 160)}{after}"
