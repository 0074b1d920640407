"""The claims about one figure: statement, place, readings, and the numbers that decide."""

from collections.abc import Mapping, Sequence
from typing import Any

from nonconvex.page.html import Html, element
from nonconvex.page.ledger import Claim, Reading
from nonconvex.page.numbers import numbers
from nonconvex.page.outcome import NOT_JUDGED, badge
from nonconvex.page.text import counted, is_missing, plain, text_of

_MANY = 6
_CHOICE = "the choice of reading"
_DIGESTS = (("plan", "plan_digest"), ("code", "code_digest"), ("tables", "table_digests"))


def claims_about(claims: Sequence[Claim], figure: str | None, shown: set[str]) -> Html | None:
    """Show claims; one that stands in full further up the page is linked, with this figure's own numbers.

    Parameters
    ----------
    claims : list of Claim
    figure : str
        The figure's number.
    shown : set of str
        Names of the claims shown in full so far; grows.

    Returns
    -------
    Html or None
    """
    if not claims:
        return None
    parts = []
    for claim in claims:
        parts.append(_again(claim, figure) if claim.name in shown else _full(claim))
        shown.add(claim.name)
    return element("section", element("h4", "What the thesis says about it"), parts, class_="claims")


def _full(claim: Claim) -> Html:
    readings, note = claim.readings(), text_of(claim.head, "note")
    return element(
        "article",
        _statement(claim, element("b", claim.name)),
        element("p", element("b", "Note. "), note, class_="note") if note else None,
        _readings(readings),
        _why(claim.overall or {}),
        _foldable(claim, readings),
        element("p", _origin(claim), class_="origin"),
        class_="claim",
        id=claim.name,
    )


def _again(claim: Claim, figure: str | None) -> Html:
    link = element("a", claim.name, href=f"#{claim.name}")
    readings = claim.readings(figure)
    return element("article", _statement(claim, link), _foldable(claim, readings), class_="claim")


def _statement(claim: Claim, name: Html) -> list[Html]:
    place = text_of(claim.head, "place")
    substitute = text_of(claim.overall or claim.head, "data")
    return [
        element(
            "p",
            badge(claim.summary),
            " ",
            name,
            element("span", f" · finding: {place}" if _finding(claim) else f" · {place}", class_="mute"),
            element("span", " · substitute data", class_="mute") if substitute else None,
            class_="head",
        ),
        element("p", text_of(claim.head, "statement"), class_="statement"),
    ]


def _finding(claim: Claim) -> bool:
    return text_of(claim.head, "kind") == "finding"


def _readings(readings: Sequence[Reading]) -> list[Html | None] | None:
    """Set the readings beside each other, so that one sees at once where they part."""
    known = [reading for reading in readings if reading.name]
    cards = [
        element(
            "li",
            badge(reading.outcome) if reading.outcome else None,
            element("b", f" {reading.name}"),
            f": {reading.means}" if reading.means else None,
        )
        for reading in known
    ]
    differ = len({reading.outcome for reading in known}) > 1
    words = "The readings do not agree" if differ else None
    heading = element("p", words, class_="differ") if words else None
    return [heading, element("ul", cards, class_="readings")] if cards else None


def _why(row: Mapping[str, Any]) -> list[Html | None]:
    """Say why the outcome is as it is, and, folded away, why it is no verdict."""
    reasons = [reason for reason in text_of(row, "why").split("; ") if reason]
    not_judged = text_of(row, "verdict") == NOT_JUDGED
    folded = [one for one in reasons if not_judged and not one.startswith(_CHOICE)]
    said = "; ".join(one for one in reasons if one not in folded)
    return [
        element("p", said, class_="why") if said else None,
        element(
            "details",
            element("summary", f"{NOT_JUDGED.capitalize()}: why"),
            element("ul", [element("li", reason) for reason in folded]),
            class_="why",
        )
        if folded
        else None,
    ]


def _foldable(claim: Claim, readings: Sequence[Reading]) -> Html | None:
    """Show the numbers, folded away where they are many."""
    parts = [row for reading in readings for row in reading.parts]
    if not parts:
        return None
    return element(
        "details",
        element("summary", f"The numbers: {counted(parts, 'row')}"),
        numbers(claim, readings),
        open=len(parts) <= _MANY,
    )


def _origin(claim: Claim) -> str:
    test, second = text_of(claim.head, "test"), text_of(claim.overall or {}, "second_sample")
    parts = [f"test {test}"] if test else []
    parts += [] if is_missing(claim.head.get("seed")) else [f"seed {plain(claim.head['seed'])}"]
    parts += [f"second sample {second}"] if second else []
    parts += [f"{words} {value}" for words, key in _DIGESTS if (value := text_of(claim.head, key))]
    return " · ".join(parts)
