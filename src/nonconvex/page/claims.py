"""The claims about one figure: statement, place, picture, readings, and the numbers that decide."""

from collections.abc import Mapping, Sequence
from typing import Any

from nonconvex.page.html import Html, element
from nonconvex.page.ledger import Claim, Reading
from nonconvex.page.links import links
from nonconvex.page.measured import deciding, measured
from nonconvex.page.numbers import numbers, numbers_alone
from nonconvex.page.outcome import NOT_JUDGED, badge, mark
from nonconvex.page.picture import picture, window
from nonconvex.page.reference import ReferenceRun
from nonconvex.page.text import counted, is_missing, plain, text_of, trials_said

_CHOICE = "the choice of reading"
_DIGESTS = (("plan", "plan_digest"), ("code", "code_digest"), ("tables", "table_digests"))


def claims_about(
    claims: Sequence[Claim], figure: str | None, shown: set[str], reference: ReferenceRun | None = None
) -> Html | None:
    """Show claims; one that stands in full further up the page is linked, with this figure's own numbers.

    What points neither way is folded into one line; what is for context is only linked.

    Parameters
    ----------
    claims : list of Claim
    figure : str
        The figure's number.
    shown : set of str
        Names of the claims shown in full so far; grows.
    reference : ReferenceRun, optional
        What is said of each claim at the thesis's sizes.

    Returns
    -------
    Html or None
    """
    own = [claim for claim in claims if claim.kind != "context"]
    clear = [claim for claim in own if not claim.summary.unclear]
    unclear = [claim for claim in own if claim.summary.unclear]
    context = [claim for claim in claims if claim.kind == "context"]
    if not claims:
        return None
    return element(
        "section",
        element("h4", "What the thesis says about it") if own else None,
        _articles(clear, figure, shown, reference),
        element(
            "details",
            element("summary", _unclear_said(unclear, reference)),
            _articles(unclear, figure, shown, reference),
            class_="unclear",
        )
        if unclear
        else None,
        element("p", "Numbers for context: ", links(context), class_="mute") if context else None,
        class_="claims",
    )


def context_section(claims: Sequence[Claim]) -> Html | None:
    """Show what is for context: numbers that the thesis gives no statement about, and that are never judged.

    Parameters
    ----------
    claims : list of Claim
        Those of the kind "context".

    Returns
    -------
    Html or None
    """
    if not claims:
        return None
    return element(
        "section",
        element("h2", "For context"),
        element("p", "Numbers that help to read the figures. No statement is judged by them.", class_="mute"),
        [
            element(
                "article",
                _head(claim, [element("b", claim.name)]),
                _note(claim),
                numbers_alone(claim) if claim.parts else None,
                element("p", _origin(claim), class_="origin"),
                class_="claim",
                id=claim.name,
            )
            for claim in claims
        ],
        id="context",
    )


def _unclear_said(claims: Sequence[Claim], reference: ReferenceRun | None) -> str:
    said = f"◆ {counted(claims, 'statement')}: unclear at this scale"
    there = reference.signs(claims) if reference else ""
    return f"{said} (at the thesis's sizes: {there})" if there else said


def _articles(
    claims: Sequence[Claim], figure: str | None, shown: set[str], reference: ReferenceRun | None
) -> list[Html]:
    parts = []
    for claim in claims:
        parts.append(_again(claim, figure) if claim.name in shown else _full(claim, reference))
        shown.add(claim.name)
    return parts


def _full(claim: Claim, reference: ReferenceRun | None) -> Html:
    readings = claim.readings()
    return element(
        "article",
        element(
            "div", element("div", _statement(claim, element("b", claim.name))), _picture(claim), class_="top"
        ),
        reference.beside(claim) if reference else None,
        _note(claim),
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
    after = trials_said(claim.overall or claim.head)
    said = [badge(claim.summary), f" {after} · " if after else " ", name]
    return _head(claim, said)


def _head(claim: Claim, said: Sequence[object]) -> list[Html]:
    place = text_of(claim.head, "place")
    where = f" · finding: {place}" if claim.kind == "finding" else f" · {place}"
    substitute = text_of(claim.overall or claim.head, "data")
    return [
        element(
            "p",
            said,
            element("span", where, class_="mute") if place else None,
            element("span", " · substitute data", class_="mute") if substitute else None,
            class_="head",
        ),
        element("p", text_of(claim.head, "statement"), class_="statement"),
    ]


def _note(claim: Claim) -> Html | None:
    note = text_of(claim.head, "note")
    return element("p", element("b", "Note. "), note, class_="note") if note else None


def _picture(claim: Claim) -> Html | None:
    """Draw the part that the outcome hangs on most, or say in words that it has no interval."""
    row = deciding(claim)
    if row is None:
        return None
    one = measured(row)
    if one.estimate is None and one.low is None and not one.regions:
        return None
    several, readings = len(claim.parts), [reading for reading in claim.readings() if reading.name]
    name = text_of(row, "part")
    reading = text_of(row, "reading").replace("_", " ")
    named = f"{name}, read as “{reading}”" if len(readings) > 1 else name
    which = (
        f"{named}, nearest to a border of {several} parts: " if several > 1 else f"{named}: " if named else ""
    )
    why = "" if one.drawable else "".join(f": {reason}" for reason in [text_of(row, "why")] if reason)
    words = element("figcaption", which, one.numbers, why)
    return element("figure", picture(one, window([one])), words, class_="deciding")


def _readings(readings: Sequence[Reading]) -> list[Html | None] | None:
    """Set the readings beside each other, so that one sees at once where they part."""
    known = [reading for reading in readings if reading.name]
    cards = [
        element(
            "li",
            mark(reading.outcome) if reading.outcome and len(known) > 1 else None,
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
    )


def _origin(claim: Claim) -> str:
    experiments = text_of(claim.overall or claim.head, "experiments")
    parts = [f"experiments {experiments}"] if experiments else []
    parts += [] if is_missing(claim.head.get("seed")) else [f"seed {plain(claim.head['seed'])}"]
    parts += [f"{words} {value}" for words, key in _DIGESTS if (value := text_of(claim.head, key))]
    return " · ".join(parts)
