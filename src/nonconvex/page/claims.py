"""The claims about one figure, with the numbers that decide them."""

from nonconvex.page.html import element, join, table
from nonconvex.page.ledger import figures_named
from nonconvex.page.outcome import badge, outcome
from nonconvex.page.text import is_missing, plain

_HEADS = ["reading, setting", "trials", "statistic", "95 % interval", "effect", "margin", "outcome"]


def claims_about(figure, claims, shown):
    """
    Show the claims about a figure; one that an earlier figure shows in full is named and linked.

    Parameters
    ----------
    figure : str
        The figure's number, or None for the claims given.
    claims : list of Claim
        The claims about it.
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
        if claim.name in shown:
            parts.append(_pointer(figure, claim))
        else:
            parts.append(_full(claim))
            shown.add(claim.name)
    return element("section", element("h4", "What the thesis says about it"), parts, class_="claims")


def _head(claim, link):
    name = element("a", claim.name, href=f"#{claim.name}") if link else element("b", claim.name)
    place = element("span", f" (thesis, {claim.place})", class_="mute") if claim.place else None
    return element("p", badge(claim.summary), " ", name, " ", claim.statement, place, class_="statement")


def _pointer(figure, claim):
    own = [row for row in claim.rows if figures_named(row.get("figure")) == [figure]]
    return element("article", _head(claim, link=True), _numbers(own) if own else None, class_="claim")


def _full(claim):
    why = (claim.overall or {}).get("why")
    return element(
        "article",
        _head(claim, link=False),
        None if is_missing(why) else element("p", why, class_="why"),
        _numbers(claim.rows) if claim.rows else None,
        class_="claim",
        id=claim.name,
    )


def _numbers(rows):
    lines = []
    for row in rows:
        found = outcome(row)
        lines.append(
            [
                join([_either(row, "reading"), _after(", ", row, "setting")]),
                plain(row.get("trials")),
                plain(row.get("statistic")),
                _interval(row),
                plain(row.get("effect")),
                plain(row.get("margin")),
                badge(found),
            ]
        )
        remarks = [
            text
            for text in (
                _after("test ", row, "test"),
                _after("seed ", row, "seed"),
                _after("second sample: ", row, "second_sample"),
                _after("", row, "why"),
                _after("", row, "detail"),
            )
            if text
        ]
        if remarks:
            cell = element("td", " · ".join(remarks), colspan=len(_HEADS))
            lines.append(element("tr", cell, class_="remarks"))
    return table(_HEADS, lines, class_="numbers")


def _either(row, column):
    return "" if is_missing(row.get(column)) else str(row[column])


def _after(before, row, column):
    value = row.get(column)
    return "" if is_missing(value) else f"{before}{plain(value)}"


def _interval(row):
    low, high = row.get("ci_low"), row.get("ci_high")
    return "–" if is_missing(low) and is_missing(high) else f"{plain(low)} to {plain(high)}"
