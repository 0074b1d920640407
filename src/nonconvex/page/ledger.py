"""The ledger's rows, grouped into claims and tied to figures."""

import re
from dataclasses import dataclass, field

from nonconvex.page.outcome import outcome
from nonconvex.page.text import is_missing

_FIGURE = r"(?:\d+|[A-Z])\.\d+"


@dataclass
class Claim:
    """A claim: what it says, its rows by reading and setting, and the row that sums them up."""

    name: str
    statement: str
    place: str
    figures: list
    rows: list = field(default_factory=list)
    overall: dict | None = None

    @property
    def summary(self):
        """The outcome over all readings; of the only row where the ledger gives no overall row."""
        if self.overall is not None:
            return outcome(self.overall)
        return outcome(self.rows[0] if len(self.rows) == 1 else {})


def read_claims(ledger):
    """
    Group the ledger's rows into claims, in the ledger's order.

    Parameters
    ----------
    ledger : pandas.DataFrame
        Rows with at least ``claim``; a row whose ``reading`` is ``overall`` sums a claim up.

    Returns
    -------
    list of Claim
    """
    claims = {}
    for row in ledger.to_dict("records"):
        name = str(row["claim"])
        if name not in claims:
            claims[name] = Claim(name, _text(row, "statement"), _text(row, "place"), [])
        claim = claims[name]
        claim.figures += [one for one in figures_named(row.get("figure")) if one not in claim.figures]
        if row.get("reading") == "overall":
            claim.overall = row
        else:
            claim.rows.append(row)
    return list(claims.values())


def figures_named(value):
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


def _text(row, column):
    value = row.get(column)
    return "" if is_missing(value) else str(value)
