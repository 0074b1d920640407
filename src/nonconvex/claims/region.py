"""The regions of a quantity's values in which a statement holds, or fails, in words that a claims file uses.

The Snakemake main process imports this module: neither it nor what it imports may load numpy or pandas.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from nonconvex.errors import UserError

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?:/(?=[\d.]*[1-9])\d+\.?\d*)?"
_FORMS = (
    ("one side", re.compile(rf"(>=|<=|>|<)\s*({_NUMBER})")),
    ("between", re.compile(rf"({_NUMBER})\s+to\s+({_NUMBER})")),
    ("outside", re.compile(rf"outside\s+({_NUMBER})\s+to\s+({_NUMBER})")),
)
WORDS = "'> 1.1', '>= 1.1', '< 0.9', '<= 0.9', '-1 to 1' or 'outside -1 to 1'"


@dataclass(frozen=True)
class Span:
    """All numbers between two ends; an end belongs to them if it is closed."""

    low: float
    high: float
    low_closed: bool = False
    high_closed: bool = False

    @property
    def empty(self) -> bool:
        """Whether it holds no number."""
        return self.low > self.high or (self.low == self.high and not (self.low_closed and self.high_closed))

    def holds(self, low: float, high: float) -> bool:
        """Return whether all from `low` to `high`, both ends included, lies in it."""
        above = low > self.low or (self.low_closed and low == self.low)
        below = high < self.high or (self.high_closed and high == self.high)
        return above and below

    def common(self, other: "Span") -> "Span":
        """Return what both hold."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        low_closed = all(span.low_closed for span in (self, other) if span.low == low)
        high_closed = all(span.high_closed for span in (self, other) if span.high == high)
        return Span(low, high, low_closed, high_closed)


@dataclass(frozen=True)
class Region:
    """A region: one span, or two that leave a gap between them.

    Attributes
    ----------
    words : str
        As the claims file has it.
    spans : tuple of Span
        From the lowest to the highest.
    """

    words: str
    spans: tuple[Span, ...]

    def holds(self, low: float, high: float) -> bool:
        """Return whether an interval lies inside one of the spans; a swapped or infinite one never does."""
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            return False
        return any(span.holds(low, high) for span in self.spans)

    def overlaps(self, other: "Region") -> bool:
        """Return whether some number lies in both."""
        return any(not one.common(two).empty for one in self.spans for two in other.spans)


NOWHERE = Region("", ())
"""What a number for context is held against."""


def region(words: object, where: str = "a region") -> Region:
    """Read a region.

    Parameters
    ----------
    words : str
        ``> a``, ``>= a``, ``< a``, ``<= a``, ``a to b`` (both ends belong to it) or ``outside a to b``
        (neither does). A number may be a fraction, as 1/3.
    where : str
        What a refusal begins with.

    Raises
    ------
    UserError
        If the words have none of these forms, or the region holds no number.
    """
    text = str(words).strip()
    for form, pattern in _FORMS:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        if form == "one side":
            sign, end = found[1], _number(found[2])
            spans: Sequence[Span] = (
                [Span(end, math.inf, sign == ">=")]
                if sign[0] == ">"
                else [Span(-math.inf, end, False, sign == "<=")]
            )
        else:
            low, high = _number(found[1]), _number(found[2])
            if low > high:
                raise UserError(f"{where}: '{text}' is empty, because {found[1]} is above {found[2]}")
            spans = (
                [Span(low, high, True, True)]
                if form == "between"
                else [Span(-math.inf, low), Span(high, math.inf)]
            )
        return Region(text, tuple(spans))
    raise UserError(f"{where}: '{text}' is no region; write {WORDS}")


def _number(text: str) -> float:
    above, _, below = text.partition("/")
    return float(above) / (float(below) if below else 1.0)


def regions(holds: object, fails: object, bounds: tuple[float, float], where: str) -> tuple[Region, Region]:
    """Read the two regions of a part, and refuse them if they cannot tell anything.

    Parameters
    ----------
    holds, fails : str
        As `region` takes them.
    bounds : tuple of float
        The least and the largest value that the quantity can have.
    where : str
        What a refusal begins with.

    Raises
    ------
    UserError
        If one is no region, none of its numbers is a possible value, or the two overlap.
    """
    possible = Span(*bounds, True, True)
    pair = region(holds, f"{where}, holds"), region(fails, f"{where}, fails")
    for name, one in zip(("holds", "fails"), pair, strict=True):
        if all(span.common(possible).empty for span in one.spans):
            raise UserError(
                f"{where}: {name} '{one.words}' has no value that the quantity can take, "
                f"which lies from {bounds[0]:g} to {bounds[1]:g}"
            )
    if pair[0].overlaps(pair[1]):
        raise UserError(f"{where}: holds '{pair[0].words}' and fails '{pair[1].words}' overlap")
    return pair
