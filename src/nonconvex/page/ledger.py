"""The ledger's rows, grouped into claims and tied to figures."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import pandas as pd

from nonconvex.page.outcome import Outcome, outcome, parted
from nonconvex.page.text import is_missing, text_of

_FIGURE = r"(?:\d+|[A-Z])\.\d+"
_APPENDICES = dict(zip("ABCDEF", "234567", strict=True))
"""The chapter that each appendix has the proofs of."""


@dataclass
class Reading:
    """One way to understand a claim: its rows by part, and the row over all parts if there is one."""

    name: str
    means: str
    parts: list[Mapping[str, Any]]
    whole: Mapping[str, Any] | None = None

    @property
    def outcome(self) -> Outcome | None:
        """The outcome over all parts; the only part's where there is one; None if nothing sums them up."""
        row = self.whole or (self.parts[0] if len(self.parts) == 1 else None)
        return outcome(row) if row else None


@dataclass
class Claim:
    """A claim: the row that sums it up, and the rows that the sum is made of."""

    name: str
    head: Mapping[str, Any]
    figures: list[str] = field(default_factory=list)
    overall: Mapping[str, Any] | None = None
    rows: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def summary(self) -> Outcome:
        """The outcome over all readings; of the only row where the ledger gives no overall row."""
        only = self.rows[0] if len(self.rows) == 1 else {}
        found = outcome(self.overall if self.overall is not None else only)
        ways = {reading.outcome.way for reading in self.readings() if reading.outcome}
        return parted(found) if found.unclear and {"for", "against"} <= ways else found

    @property
    def kind(self) -> str:
        """What it is: a claim, a finding, or context."""
        return text_of(self.head, "kind") or "claim"

    @property
    def parts(self) -> list[Mapping[str, Any]]:
        """The rows of single parts, under all readings."""
        return [row for reading in self.readings() for row in reading.parts]

    @property
    def chapter(self) -> str:
        """The chapter of the claim's figures, or else of its place; empty if neither says it."""
        if self.figures:
            return chapter_of(self.figures[0])
        place = re.search(r"Section (\w+)", text_of(self.head, "place"))
        return place.group(1) if place else ""

    def readings(self, figure: str | None = None) -> list[Reading]:
        """Group the rows by reading.

        Parameters
        ----------
        figure : str
            Only the parts about this figure; all without it.

        Returns
        -------
        list of Reading
        """
        found = []
        for name, group in groupby(self.rows, key=lambda row: text_of(row, "reading").replace("_", " ")):
            rows = list(group)
            parts = [row for row in rows if row.get("row") != "reading"]
            whole = next((row for row in rows if row.get("row") == "reading"), None)
            if figure is not None:
                parts, whole = [row for row in parts if figure in figures_named(row.get("figure"))], None
            if parts or whole:
                found.append(Reading(name, text_of(rows[0], "means"), parts, whole))
        return found


def read_claims(ledger: pd.DataFrame) -> list[Claim]:
    """Group the ledger's rows into claims, in the ledger's order.

    Parameters
    ----------
    ledger : pandas.DataFrame
        Rows with at least ``claim``; a row whose ``row`` is ``claim`` or whose ``reading`` is ``overall``
        sums the claim up.

    Returns
    -------
    list of Claim
    """
    claims: dict[str, Claim] = {}
    for row in ledger.to_dict("records"):
        claim = claims.setdefault(str(row["claim"]), Claim(str(row["claim"]), row))
        claim.figures += [one for one in figures_named(row.get("figure")) if one not in claim.figures]
        if row.get("row") == "claim" or row.get("reading") == "overall":
            claim.overall = row
        else:
            claim.rows.append(row)
    return list(claims.values())


def chapter_of(figure: str) -> str:
    """Return the chapter that a figure's printed number belongs to: F.1, of an appendix, to Chapter 7."""
    first = figure.split(".")[0]
    return _APPENDICES.get(first, first)


def figures_named(value: object) -> list[str]:
    """List the figures in a text such as ``2.2-2.4, 2.7``; a range stays within one chapter."""
    if is_missing(value):
        return []
    found = []
    for part in re.split(r"[,;\s]+", re.sub(r"\s*[-–]\s*", "-", str(value))):
        ends = part.split("-")
        if not all(re.fullmatch(_FIGURE, end) for end in ends):
            continue
        chapter, first = ends[0].split(".")
        last_chapter, last = ends[-1].split(".")
        if chapter == last_chapter:
            found += [f"{chapter}.{index}" for index in range(int(first), int(last) + 1)]
    return found
