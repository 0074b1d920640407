"""The numbers that decide a claim: a row per reading and part, each with its small picture."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from nonconvex.page.html import Html, element, table
from nonconvex.page.ledger import Claim, Reading
from nonconvex.page.measured import measured
from nonconvex.page.outcome import mark, outcome
from nonconvex.page.picture import picture, window
from nonconvex.page.text import plain, text_of, trials_said

_HEADS = ["part", "estimate", "interval", "held against the regions", "trials", "outcome"]
_ALONE = ["part", "quantity", "estimate", "interval", "trials"]


def numbers(claim: Claim, readings: Sequence[Reading]) -> Html:
    """Show the parts of a claim's readings.

    Parts of a reading that follow each other and have the same quantity and regions share an axis.

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
        for index, (head, rows) in enumerate(_alike(reading)):
            lines.append(_heading(reading if len(readings) > 1 and index == 0 else None, head))
            shown = window([measured(row) for row in rows])
            for row in rows:
                one = measured(row)
                drawn = picture(one, shown, named=False)
                cells: list[object] = [_name(row), plain(one.estimate), one.interval, drawn or "not drawn"]
                lines.append([*cells, _trials(row), mark(outcome(row))])
                lines += _remarks(row, known, len(_HEADS))
    return table(_HEADS, lines, class_="numbers")


def numbers_alone(claim: Claim) -> Html:
    """Show the parts of what is for context: no region, no outcome."""
    lines: list[Sequence[object] | Html] = []
    for row in claim.parts:
        one = measured(row)
        cells = [_name(row), one.quantity, plain(one.estimate), one.interval, _trials(row)]
        lines.append(cells)
        lines += _remarks(row, set(), len(_ALONE))
    return table(_ALONE, lines, class_="numbers")


def _alike(reading: Reading) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """Group parts that can share an axis, each with the words that go for all of them."""
    for head, rows in groupby(reading.parts, key=_about):
        yield head, list(rows)


def _about(row: Mapping[str, Any]) -> str:
    one = measured(row)
    return f"{one.quantity}: {one.regions}" if one.regions else one.quantity


def _heading(reading: Reading | None, about: str) -> Html:
    title = [
        [mark(outcome(reading.whole)) if reading.whole else None, f" {reading.name} "] if reading else None,
        element("span", about, class_="mute"),
    ]
    heading = element("th", title, colspan=len(_HEADS), scope="rowgroup")
    return element("tr", heading, class_="reading")


def _name(row: Mapping[str, Any]) -> str:
    name = text_of(row, "part") or text_of(row, "setting") or "–"
    return f"{name} (substitute data)" if text_of(row, "data") else name


def _trials(row: Mapping[str, Any]) -> str:
    return trials_said(row).removeprefix("after ") or "–"


def _remarks(row: Mapping[str, Any], known: set[str], width: int) -> list[Html]:
    why = [reason for reason in text_of(row, "why").split("; ") if _reason(reason) not in known]
    said = " · ".join(part for part in ("; ".join(why), text_of(row, "detail")) if part)
    cell = element("td", said, colspan=width)
    return [element("tr", cell, class_="remarks")] if said else []


def _reason(text: str) -> str:
    """Take off the experiments that a reason is about, which the claim's own line lists together."""
    return text.partition(" (")[0]
