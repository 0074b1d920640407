"""The claims about one figure, with the numbers that decide them."""

from nonconvex.page.html import element, table
from nonconvex.page.ledger import text_of
from nonconvex.page.outcome import NOT_JUDGED, badge, outcome
from nonconvex.page.text import is_missing, plain

_HEADS = ["setting", "trials", "statistic", "95 % interval", "effect", "margin", "outcome"]
_DIGESTS = (("code", "code_digest"), ("plan", "plan_digest"), ("tables", "table_digests"))


def claims_about(claims, figure, shown):
    """
    Show claims; one that stands in full further up the page is linked, with this figure's own numbers.

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


def _full(claim):
    origin = _origin(claim)
    return element(
        "article",
        _statement(claim, element("b", claim.name)),
        _why(claim.overall or {}),
        _numbers(claim, claim.readings()),
        element("p", origin, class_="origin") if origin else None,
        class_="claim",
        id=claim.name,
    )


def _again(claim, figure):
    link = element("a", claim.name, href=f"#{claim.name}")
    numbers = _numbers(claim, claim.readings(figure))
    return element("article", _statement(claim, link), numbers, class_="claim")


def _statement(claim, name):
    place = text_of(claim.head, "place")
    note = element("span", f" (thesis, {place})", class_="mute") if place else None
    return element("p", badge(claim.summary), " ", name, " ", text_of(claim.head, "statement"), note)


def _why(row):
    why = text_of(row, "why")
    if not why:
        return None
    if text_of(row, "verdict") != NOT_JUDGED:
        return element("p", why, class_="why")
    reasons = element("ul", [element("li", reason) for reason in why.split("; ")])
    return element("details", element("summary", f"{NOT_JUDGED.capitalize()}: why"), reasons, class_="why")


def _origin(claim):
    test = text_of(claim.head, "test")
    parts = [f"Test {test}"] if test else []
    for words, column in _DIGESTS:
        value = text_of(claim.head, column)
        if value:
            parts.append(f"{words} {value}")
    return " · ".join(parts)


def _numbers(claim, readings):
    known = text_of(claim.overall or {}, "why")
    lines = []
    for reading in readings:
        result = [badge(outcome(reading.whole)), " "] if reading.whole else None
        title = element("th", result, f"Reading {reading.words}", colspan=len(_HEADS), scope="rowgroup")
        if reading.words:
            lines.append(element("tr", title, class_="reading"))
        for row in reading.parts:
            lines.append(_line(row))
            remarks = _remarks(row, known)
            if remarks:
                cell = element("td", remarks, colspan=len(_HEADS))
                lines.append(element("tr", cell, class_="remarks"))
    return table(_HEADS, lines, class_="numbers") if lines else None


def _line(row):
    low, high = row.get("ci_low"), row.get("ci_high")
    nothing = is_missing(low) and is_missing(high)
    return [
        _setting(row),
        plain(row.get("trials")),
        plain(row.get("statistic")),
        "–" if nothing else f"{plain(low)} to {plain(high)}",
        plain(row.get("effect")),
        plain(row.get("margin")),
        badge(outcome(row)),
    ]


def _setting(row):
    part, setting = text_of(row, "part"), text_of(row, "setting")
    return setting if part in setting else ", ".join(text for text in (part, setting) if text)


def _remarks(row, known):
    second, why = text_of(row, "second_sample"), text_of(row, "why")
    parts = [
        "" if is_missing(row.get("seed")) else f"seed {plain(row['seed'])}",
        f"second sample: {second}" if second else "",
        "; ".join(reason for reason in why.split("; ") if reason not in known.split("; ")),
        text_of(row, "detail"),
    ]
    return " · ".join(part for part in parts if part)
