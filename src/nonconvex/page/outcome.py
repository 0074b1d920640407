"""A claim's outcome in words and a sign, so that colour is never needed to read it."""

from dataclasses import dataclass

from nonconvex.page.html import element
from nonconvex.page.text import is_missing

NOT_JUDGED = "not judged at this scale"


@dataclass(frozen=True)
class Outcome:
    """One kind of outcome: the words, the sign before them, the class that colours both."""

    words: str
    sign: str
    tone: str


_VERDICTS = {
    "reproduced": Outcome("reproduced", "✓", "good"),
    "not reproduced": Outcome("not reproduced", "✗", "bad"),
    "inconclusive": Outcome("inconclusive", "?", "open"),
    "depends on an unstated choice": Outcome("depends on an unstated choice", "◐", "open"),
    "not tested": Outcome("not tested", "–", "mute"),
}
_TENDENCIES = {"for": ("▲", "good"), "against": ("▼", "bad"), "unclear": ("◆", "open")}


def outcome(row):
    """
    Read the outcome of a ledger row: its verdict, or where there is none its tendency.

    Parameters
    ----------
    row : mapping
        With ``verdict`` and ``tendency``; both may be missing.

    Returns
    -------
    Outcome
    """
    verdict, tendency = row.get("verdict"), row.get("tendency")
    if not is_missing(verdict) and verdict != NOT_JUDGED:
        known = _VERDICTS.get(str(verdict).split(":")[0].strip())
        return Outcome(str(verdict), known.sign if known else "•", known.tone if known else "mute")
    if not is_missing(tendency):
        sign, tone = _TENDENCIES.get(str(tendency).split(":")[-1].strip(), ("•", "mute"))
        return Outcome(f"tendency: {tendency}", sign, tone)
    return Outcome(NOT_JUDGED, "–", "mute")


def badge(found):
    """Show an outcome."""
    return element(
        "span",
        element("span", found.sign, aria_hidden="true"),
        f" {found.words}",
        class_=f"badge {found.tone}",
    )
