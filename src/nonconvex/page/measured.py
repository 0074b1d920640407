"""What a part measured: an estimate, its interval, and the two regions that the interval is held against."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nonconvex.claims.region import Region, region
from nonconvex.errors import UserError
from nonconvex.page.ledger import Claim
from nonconvex.page.outcome import outcome
from nonconvex.page.text import number_of, plain, text_of

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?:/\d+)?")


@dataclass(frozen=True)
class Measured:
    """The numbers of one part; what the ledger leaves out is None.

    Attributes
    ----------
    quantity : str
        In words, with its unit.
    estimate, low, high : float or None
        An end of the interval may be infinite.
    confidence : float or None
        Of the interval, from 0 to 1.
    holds, fails : Region or None
        Where the statement holds, and where it fails.
    """

    quantity: str
    estimate: float | None
    low: float | None
    high: float | None
    confidence: float | None
    holds: Region | None
    fails: Region | None

    @property
    def borders(self) -> list[float]:
        """The ends of the regions, from the lowest to the highest."""
        spans = [span for one in (self.holds, self.fails) if one for span in one.spans]
        return sorted({end for span in spans for end in (span.low, span.high) if math.isfinite(end)})

    @property
    def values(self) -> list[float]:
        """The estimate and the ends of the interval, as far as they are known and finite."""
        known = (self.estimate, self.low, self.high)
        return [value for value in known if value is not None and math.isfinite(value)]

    @property
    def ratio(self) -> bool:
        """Whether it is a ratio, all of whose numbers are positive."""
        return "ratio" in self.quantity and min([*self.borders, *self.values], default=0) > 0

    @property
    def drawable(self) -> bool:
        """Whether a picture would show something: regions, and an interval with an end or an estimate."""
        return bool(self.borders and self.values) and self.low is not None and self.high is not None

    @property
    def interval(self) -> str:
        """The interval in words; an infinite or missing one says so."""
        name = "interval" if self.confidence is None else f"{100 * self.confidence:.4g} % interval"
        if self.confidence is None and not self.borders:
            name = "quartiles"
        if self.low is None or self.high is None:
            return "no interval"
        if math.isinf(self.low) and math.isinf(self.high):
            return f"{name} infinite on both sides"
        if math.isinf(self.low):
            return f"{name} infinite below, up to {plain(self.high)}"
        if math.isinf(self.high):
            return f"{name} infinite above, from {plain(self.low)}"
        return f"{name} {plain(self.low)} to {plain(self.high)}"

    @property
    def regions(self) -> str:
        """The regions in words."""
        said = [f"{verb} {one.words}" for verb, one in (("holds", self.holds), ("fails", self.fails)) if one]
        return ", ".join(said)

    @property
    def numbers(self) -> str:
        """Estimate and interval in words."""
        return f"{'no estimate' if self.estimate is None else plain(self.estimate)}, {self.interval}"

    @property
    def said(self) -> str:
        """Everything in one sentence, for those who do not see the picture."""
        return f"{self.quantity}: {self.numbers}. {self._where()}"

    def _where(self) -> str:
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        for verb, one in (("holds", self.holds), ("fails", self.fails)):
            if one and one.holds(low, high):
                return f"All of it lies where the statement {verb}; the statement {self.regions}."
        return f"It lies in no region as a whole; the statement {self.regions}."

    def name_of(self, border: float) -> str:
        """Write a border as the claims file has it, such as 1/3."""
        words = " ".join(one.words for one in (self.holds, self.fails) if one)
        named = {region(f"> {text}").spans[0].low: text for text in _NUMBER.findall(words)}
        return named.get(border, plain(border))


def measured(row: Mapping[str, Any]) -> Measured:
    """Read what a row of the ledger measured."""
    quantity, unit = text_of(row, "quantity") or "the quantity", text_of(row, "unit")
    return Measured(
        f"{quantity} ({unit})" if unit else quantity,
        number_of(row, "estimate"),
        number_of(row, "low"),
        number_of(row, "high"),
        number_of(row, "confidence"),
        _region(row, "holds"),
        _region(row, "fails"),
    )


def _region(row: Mapping[str, Any], column: str) -> Region | None:
    try:
        return region(text_of(row, column))
    except UserError:
        return None


def deciding(claim: Claim) -> Mapping[str, Any] | None:
    """Choose the part that a claim's outcome hangs on most: the one whose interval is nearest a border.

    Only parts with the claim's own outcome are compared, where there are some: what refutes a claim is no
    part that agrees with it.

    Returns
    -------
    mapping or None
        The part's row; None where the claim has no part.
    """
    parts = claim.parts
    same = [row for row in parts if outcome(row).way == claim.summary.way]
    drawable = [row for row in same or parts if measured(row).drawable]
    return min(drawable or same or parts, key=lambda row: _distance(measured(row)), default=None)


def _distance(one: Measured) -> float:
    """Return how many of its own widths an interval is from a border; negative if a border lies inside it."""
    if not one.drawable or one.low is None or one.high is None:
        return math.inf
    low, high, *borders = _scaled([one.low, one.high, *one.borders], one.ratio)
    if math.isinf(low) or math.isinf(high):
        return -math.inf
    inside = [min(border - low, high - border) for border in borders]
    return -max(inside) / (high - low or 1e-12)


def _scaled(values: Sequence[float], log: bool) -> list[float]:
    return [math.log(value) if log and 0 < value < math.inf else value for value in values]
