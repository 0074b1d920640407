"""The one rule: an interval against the region in which a statement holds and the one in which it fails."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from nonconvex.claims.quantities.measure import Interval, Measure
from nonconvex.claims.region import Region
from nonconvex.statistics.spending import TOTAL

REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE = "R", "N", "I"


@dataclass(frozen=True)
class Judged:
    """A measured part of a claim, its regions, and the level at which it is looked at.

    `guarded` asks that no row's own interval, at 5 % divided by the number of rows (Holm's first step), lies
    inside `dissents`, or inside `fails` where that is not given: at every look alike, so that an early one
    does not overlook a row that dissents.
    """

    measure: Measure
    holds: Region
    fails: Region
    alpha: float
    guarded: bool = False
    dissents: Region | None = None

    def outcome(self, among: int = 1) -> str:
        """Return "R", "N" or "I", at the level divided by the number of parts among which it is picked."""
        return self._decision(among)[0]

    @property
    def why(self) -> str:
        """Why it is open; empty where it is decided."""
        return self._decision(1)[1]

    @property
    def interval(self) -> Interval:
        """The interval at the look's own level."""
        return self.measure.at(self.alpha)

    def _decision(self, among: int) -> tuple[str, str]:
        if self.measure.short:
            return INCONCLUSIVE, self.measure.short
        found = self.measure.at(self.alpha / among)
        if not (isfinite(found.low) and isfinite(found.high)):
            return INCONCLUSIVE, "the interval is infinite"
        if found.low > found.high:
            return INCONCLUSIVE, "the interval is empty"
        if self.fails.holds(found.low, found.high):
            return NOT_REPRODUCED, ""
        if not self.holds.holds(found.low, found.high):
            return INCONCLUSIVE, "the interval lies in neither region"
        failing = self._failing(among) if self.guarded else []
        if failing:
            return INCONCLUSIVE, f"it fails at {'; '.join(failing)}"
        return REPRODUCED, ""

    def _failing(self, among: int) -> list[str]:
        rows, contrary = self.measure.rows, self.dissents or self.fails
        level = TOTAL / among / max(len(rows), 1)
        return [name for name, at in rows.items() if contrary.holds(*at(level)[1:])]


def combined(parts: Sequence[Judged], rule: str) -> str:
    """Return the outcome of a claim of several parts under one reading.

    `rule` "every" (the statement is made of all parts): reproduced if every part is; not reproduced if every
    part is not, or if one is not at the level divided by the number of parts. `rule` "any" (the statement
    says that something occurs): the mirror image.
    """
    outcomes = [part.outcome() for part in parts]
    if len(set(outcomes)) == 1:
        return outcomes[0]
    single = NOT_REPRODUCED if rule == "every" else REPRODUCED
    if any(part.outcome(len(parts)) == single for part in parts):
        return single
    return INCONCLUSIVE
