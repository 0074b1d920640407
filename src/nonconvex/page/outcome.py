"""A claim's outcome: words, a sign, a meaning; colour is never needed to read it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from nonconvex.page.html import Html, element
from nonconvex.page.text import text_of

NOT_JUDGED = "not judged at this scale"
NOT_TESTED = "not tested"
APART = "apart"


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
        What it weighs: a verdict, a tendency, a surrogate (substitute data), a finding, or mere context.
        Surrogates and findings are counted apart from verdicts and tendencies; context is not counted.
    meaning : str
        One line for the summary.
    way : str
        What the data say: for, against, unclear, apart (one reading for, one against), open (later looks
        may decide), or nothing.
    judged : bool
        Whether it is a verdict, and no tendency.
    """

    words: str
    sign: str
    tone: str
    weight: str
    meaning: str = ""
    way: str = ""
    judged: bool = True

    @property
    def unclear(self) -> bool:
        """Whether it is no verdict and points neither way."""
        return not self.judged and self.way == "unclear"


_CHOICE = "one way to read the text reproduces it, another refutes it"
VERDICTS = {
    words: Outcome(words, sign, tone, "verdict", meaning, way, words != NOT_TESTED)
    for words, sign, tone, way, meaning in (
        ("reproduced", "✓", "good", "for", "the data support the statement under every reading"),
        ("not reproduced", "✗", "bad", "against", "the data refute the statement under every reading"),
        ("depends on an unstated choice", "◐", "open", APART, _CHOICE),
        ("inconclusive", "?", "open", "unclear", "the declared trials do not decide it"),
        ("open", "…", "open", "open", "the trials so far do not decide it; more are to come"),
        (NOT_TESTED, "–", "mute", "", "this run has no data about it"),
    )
}
CONTEXT = Outcome("for context", "", "mute", "context", "numbers that are never judged", judged=False)
_DECIDED = ("reproduced", "not reproduced")
# Solid signs are for the thesis's kind of data, hollow ones for data that stand in for it.
_DIRECTIONS = {
    "for": ("▲", "△", "good", "point for the statement"),
    "against": ("▼", "▽", "bad", "point against the statement"),
    "unclear": ("◆", "◇", "open", "point neither way"),
    APART: ("◐", "◑", "open", "point for the statement under one reading, against it under another"),
}
_SHOWN = {
    way: Outcome(words, sign, tone, "finding", meaning, way)
    for way, words, sign, tone, meaning in (
        ("for", "shown", "●", "good", "a run shows that the passage fails as printed"),
        ("against", "not shown: refuted", "○", "bad", "the run shows the contrary"),
        ("unclear", "not shown: undecided", "◌", "open", "the run does not decide it"),
    )
}


def outcome(row: Mapping[str, Any]) -> Outcome:
    """Read the outcome of a ledger row: its verdict, or where there is none its tendency.

    Parameters
    ----------
    row : mapping
        With ``verdict``, ``tendency``, ``kind`` ("claim", "finding", "context"), ``data`` ("substitute") and
        ``correction`` (the finding whose correction of the text the row rests on); each may be missing.

    Returns
    -------
    Outcome
    """
    verdict, tendency = text_of(row, "verdict") or NOT_JUDGED, text_of(row, "tendency")
    way = tendency.removeprefix("surrogate: ")
    substitute = way != tendency or text_of(row, "data") == "substitute"
    if row.get("kind") == "context" or verdict == CONTEXT.words:
        return CONTEXT
    weight = "finding" if row.get("kind") == "finding" else "surrogate" if substitute else ""
    if verdict == NOT_JUDGED:
        return _tendency(way, weight)
    if verdict in ("shown", "not shown"):
        return _SHOWN["for" if verdict == "shown" else way if way == "against" else "unclear"]
    if verdict.startswith("surrogate: "):
        return _surrogate(verdict.removeprefix("surrogate: "))
    found = VERDICTS.get(verdict) or Outcome(verdict, "•", "mute", "verdict")
    if verdict not in _DECIDED:
        return replace(found, weight=weight or "verdict")
    correction = text_of(row, "correction")
    return _corrected(found, correction) if correction else found


def parted(found: Outcome) -> Outcome:
    """Return the outcome of a claim that is not judged and whose readings point opposite ways."""
    return _tendency(APART, "" if found.weight == "tendency" else found.weight)


def _corrected(found: Outcome, correction: str) -> Outcome:
    """Say that a verdict is about the text as corrected."""
    return replace(
        found,
        words=f"{found.words} under correction {correction}",
        meaning=f"{found.meaning}, with the text corrected as finding {correction} shows",
    )


def _tendency(way: str, weight: str) -> Outcome:
    if way not in _DIRECTIONS:
        nothing = "no data that a test could use"
        return Outcome(NOT_JUDGED, "–", "mute", weight or "tendency", nothing, judged=False)
    solid, hollow, tone, points = _DIRECTIONS[way]
    said = "depends on the reading" if way == APART else way
    words = f"{weight}, tendency: {said}" if weight else f"tendency: {said}"
    sign = hollow if weight == "surrogate" else solid
    meaning = f"not judged at this scale; the data {points}"
    return Outcome(words, sign, tone, weight or "tendency", meaning, way, judged=False)


def _surrogate(way: str) -> Outcome:
    _, hollow, tone, points = _DIRECTIONS.get(way, _DIRECTIONS["unclear"])
    return Outcome(f"surrogate: {way}", hollow, tone, "surrogate", f"the substitute data {points}", way)


def badge(found: Outcome) -> Html:
    """Show an outcome."""
    return element(
        "span",
        element("span", found.sign, aria_hidden="true"),
        f" {found.words}",
        class_=f"badge {found.weight} {found.tone}",
    )


def mark(found: Outcome) -> Html:
    """Show an outcome among many: one that points neither way in plain words, the others as `badge` does."""
    return element("span", "unclear", class_="mute") if found.unclear else badge(found)
