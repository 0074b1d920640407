"""The claims about one figure, with the numbers that decide them."""

from nonconvex.page.html import element, table
from nonconvex.page.ledger import text_of
from nonconvex.page.outcome import badge, outcome
from nonconvex.page.text import is_missing, plain

_HEADS = ["part, setting", "trials", "statistic", "95 % interval", "effect", "margin", "outcome"]
_DIGESTS = (("code", "code_digest"), ("plan", "plan_digest"), ("tables", "table_digests"))


def claims_about(claims, experiments, shown):
    """
    Show claims; one that stands in full further up the page is linked, with this figure's own numbers.

    Parameters
    ----------
    claims : list of Claim
    experiments : iterable of str
        The experiments behind the figure.
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
        parts.append(_again(claim, experiments) if claim.name in shown else _full(claim))
        shown.add(claim.name)
    return element("section", element("h4", "What the thesis says about it"), parts, class_="claims")


def _full(claim):
    why, origin = text_of(claim.overall or {}, "why"), _origin(claim)
    return element(
        "article",
        _statement(claim, element("b", claim.name)),
        element("p", why, class_="why") if why else None,
        _numbers(claim, claim.readings()),
        element("p", origin, class_="origin") if origin else None,
        class_="claim",
        id=claim.name,
    )


def _again(claim, experiments):
    link = element("a", claim.name, href=f"#{claim.name}")
    numbers = _numbers(claim, claim.readings(experiments))
    return element("article", _statement(claim, link), numbers, class_="claim")


def _statement(claim, name):
    place = text_of(claim.head, "place")
    note = element("span", f" (thesis, {place})", class_="mute") if place else None
    return element("p", badge(claim.summary), " ", name, " ", text_of(claim.head, "statement"), note)


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
        title = element("th", result, _reading_words(reading.words), colspan=len(_HEADS), scope="rowgroup")
        if reading.words:
            lines.append(element("tr", title, class_="reading"))
        for row in reading.parts:
            lines.append(_line(row))
            remarks = _remarks(row, known)
            if remarks:
                cell = element("td", remarks, colspan=len(_HEADS))
                lines.append(element("tr", cell, class_="remarks"))
    return table(_HEADS, lines, class_="numbers") if lines else None


def _reading_words(words):
    name, colon, meaning = words.partition(":")
    return f"Reading {name.replace('_', ' ')}{colon}{meaning}"


def _line(row):
    low, high = row.get("ci_low"), row.get("ci_high")
    nothing = is_missing(low) and is_missing(high)
    return [
        ", ".join(text for text in (text_of(row, "part"), text_of(row, "setting")) if text),
        plain(row.get("trials")),
        plain(row.get("statistic")),
        "–" if nothing else f"{plain(low)} to {plain(high)}",
        plain(row.get("effect")),
        plain(row.get("margin")),
        badge(outcome(row)),
    ]


def _remarks(row, known):
    seed, second, why = text_of(row, "seed"), text_of(row, "second_sample"), text_of(row, "why")
    parts = [
        f"seed {seed}" if seed else "",
        f"second sample: {second}" if second else "",
        "" if why in known else why,
        text_of(row, "detail"),
    ]
    return " · ".join(part for part in parts if part)
