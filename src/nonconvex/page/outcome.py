"""A claim's outcome: words, a sign, a meaning; colour is never needed to read it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from nonconvex.page.html import Html, element
from nonconvex.page.text import text_of

NOT_JUDGED = "not judged at this scale"
NOT_TESTED = "not tested"


@dataclass(frozen=True)
class Outcome:
    """One kind of outcome.

    Attributes
    ----------
    words, sign : str
        What the badge says.
    tone : str
        Which way it points: good, bad, open or mute.
    weight : str
        What it weighs: a verdict, a tendency, a surrogate (substitute data) or a finding. Surrogates and
        findings are counted apart from the other two.
    meaning : str
        One line for the summary.
    """

    words: str
    sign: str
    tone: str
    weight: str
    meaning: str = ""


VERDICTS = {
    one.words: one
    for one in (
        Outcome("reproduced", "✓", "good", "verdict", "the data support the statement under every reading"),
        Outcome("not reproduced", "✗", "bad", "verdict", "the data refute the statement under every reading"),
        Outcome("inconclusive", "?", "open", "verdict", "the declared trials do not decide it"),
        Outcome(
            "depends on an unstated choice",
            "◐",
            "open",
            "verdict",
            "one way to read the text reproduces it, another refutes it",
        ),
        Outcome(NOT_TESTED, "–", "mute", "verdict", "this run has no data about it"),
    )
}
_DECIDED = ("reproduced", "not reproduced")
# Solid signs are for the thesis's kind of data, hollow ones for data that stand in for it.
_DIRECTIONS = {
    "for": ("▲", "△", "good", "point for the statement"),
    "against": ("▼", "▽", "bad", "point against the statement"),
    "unclear": ("◆", "◇", "open", "point neither way"),
}
_SHOWN = {
    "for": Outcome("shown", "●", "good", "finding", "a run shows that the passage fails as printed"),
    "against": Outcome("not shown: refuted", "○", "bad", "finding", "the run shows the contrary"),
    "unclear": Outcome("not shown: undecided", "◌", "open", "finding", "the run does not decide it"),
}


def outcome(row: Mapping[str, Any]) -> Outcome:
    """Read the outcome of a ledger row: its verdict, or where there is none its tendency.

    Parameters
    ----------
    row : mapping
        With ``verdict``, ``tendency``, ``kind`` ("finding" or not), ``data`` ("substitute" or empty) and
        ``correction`` (the finding whose correction of the text the row rests on); each may be missing.

    Returns
    -------
    Outcome
    """
    verdict, tendency = text_of(row, "verdict") or NOT_JUDGED, text_of(row, "tendency")
    way = tendency.removeprefix("surrogate: ")
    substitute = way != tendency or text_of(row, "data") == "substitute"
    weight = "finding" if row.get("kind") == "finding" else "surrogate" if substitute else ""
    if verdict == NOT_TESTED:
        return Outcome(NOT_TESTED, "–", "mute", weight or "verdict", VERDICTS[NOT_TESTED].meaning)
    if verdict == NOT_JUDGED:
        return _tendency(way, weight)
    if verdict in ("shown", "not shown"):
        return _SHOWN["for" if verdict == "shown" else way if way == "against" else "unclear"]
    if verdict.startswith("surrogate: "):
        return _surrogate(verdict.removeprefix("surrogate: "))
    found = VERDICTS.get(verdict) or Outcome(verdict, "•", "mute", weight or "verdict")
    correction = text_of(row, "correction")
    return _corrected(found, correction) if correction and verdict in _DECIDED else found


def _corrected(found: Outcome, correction: str) -> Outcome:
    """Say that a verdict is about the text as corrected."""
    return replace(
        found,
        words=f"{found.words} under correction {correction}",
        meaning=f"{found.meaning}, with the text corrected as finding {correction} shows",
    )


def _tendency(way: str, weight: str) -> Outcome:
    if way not in _DIRECTIONS:
        return Outcome(NOT_JUDGED, "–", "mute", weight or "tendency", "no data that a test could use")
    solid, hollow, tone, points = _DIRECTIONS[way]
    words = f"{weight}, tendency: {way}" if weight else f"tendency: {way}"
    sign = hollow if weight == "surrogate" else solid
    return Outcome(words, sign, tone, weight or "tendency", f"not judged at this scale; the data {points}")


def _surrogate(way: str) -> Outcome:
    _, hollow, tone, points = _DIRECTIONS.get(way, _DIRECTIONS["unclear"])
    return Outcome(f"surrogate: {way}", hollow, tone, "surrogate", f"the substitute data {points}")


def badge(found: Outcome) -> Html:
    """Show an outcome."""
    return element(
        "span",
        element("span", found.sign, aria_hidden="true"),
        f" {found.words}",
        class_=f"badge {found.weight} {found.tone}",
    )
