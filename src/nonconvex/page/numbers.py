"""The numbers that decide a claim: a row per reading and part."""

from collections.abc import Mapping, Sequence
from typing import Any

from nonconvex.page.html import Html, element, table
from nonconvex.page.ledger import Claim, Reading
from nonconvex.page.outcome import badge, outcome
from nonconvex.page.text import is_missing, plain, text_of

_HEADS = ["part", "test", "trials", "seed", "statistic", "95 % interval", "effect", "margin", "outcome"]


def numbers(claim: Claim, readings: Sequence[Reading]) -> Html:
    """Show the parts of a claim's readings.

    Parameters
    ----------
    claim : Claim
    readings : list of Reading
        Those to show, with the parts to show.

    Returns
    -------
    Html
    """
    known = {_reason(text) for text in text_of(claim.overall or {}, "why").split("; ")}
    lines: list[Sequence[object] | Html] = []
    for reading in readings:
        if len(readings) > 1:
            title = [badge(outcome(reading.whole)) if reading.whole else None, f" {reading.name}"]
            heading = element("th", title, colspan=len(_HEADS), scope="rowgroup")
            lines.append(element("tr", heading, class_="reading"))
        for row in reading.parts:
            lines.append(_line(row))
            remarks = _remarks(row, known)
            if remarks:
                cell = element("td", remarks, colspan=len(_HEADS))
                lines.append(element("tr", cell, class_="remarks"))
    return table(_HEADS, lines, class_="numbers")


def _line(row: Mapping[str, Any]) -> list[object]:
    low, high = row.get("ci_low"), row.get("ci_high")
    nothing = is_missing(low) and is_missing(high)
    name = text_of(row, "part") or text_of(row, "setting") or "–"
    return [
        f"{name} (substitute data)" if text_of(row, "data") else name,
        text_of(row, "test") or "–",
        plain(row.get("trials")),
        plain(row.get("seed")),
        plain(row.get("statistic")),
        "–" if nothing else f"{plain(low)} to {plain(high)}",
        plain(row.get("effect")),
        plain(row.get("margin")),
        badge(outcome(row)),
    ]


def _remarks(row: Mapping[str, Any], known: set[str]) -> str:
    second = text_of(row, "second_sample")
    parts = [
        f"second sample {second}" if second not in ("", "not run") else "",
        "; ".join(reason for reason in text_of(row, "why").split("; ") if _reason(reason) not in known),
        text_of(row, "detail"),
    ]
    return " · ".join(part for part in parts if part)


def _reason(text: str) -> str:
    """Take off the experiments that a reason is about, which the claim's own line lists together."""
    return text.partition(" (")[0]
