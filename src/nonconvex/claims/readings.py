"""Readings of one claim: when each is decided, and how their outcomes become one."""

from collections.abc import Mapping
from functools import cached_property

from nonconvex.claims.decision import INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED, combined
from nonconvex.claims.looks import looks
from nonconvex.claims.parts import Part

DEPENDS = "depends"


def combine_readings(outcomes: Mapping[str, str]) -> str:
    """Return the outcome of a claim from the outcome of each reading of its text.

    Reproduced if it is under every reading, and not reproduced if it is not under every reading. If one
    reading reproduces it and another one refutes it, it depends on a choice that the text does not state.
    Otherwise a reading is undecided and so is the claim: that needs more data, not another text.
    """
    found = set(outcomes.values())
    if len(found) == 1:
        return found.pop()
    return DEPENDS if {REPRODUCED, NOT_REPRODUCED} <= found else INCONCLUSIVE


class Reading:
    """A claim under one reading: its parts at the first look that decides, or at the last there is."""

    def __init__(self, claim: Mapping, parts: Mapping[str, Part]) -> None:
        self.claim = claim
        self.parts = parts

    @cached_property
    def _decided(self) -> tuple[str | None, int]:
        if any(part.look is None for part in self.parts.values()):
            return None, 0
        # As far as every part has trials; a part with fewer looks stays at its last one.
        last = max(looks_of(part) for part in self.parts.values()) - 1
        last = min([last, *(len(p.schedule) - 1 for p in self.parts.values() if not self.complete(p))])
        outcome = INCONCLUSIVE
        for look in range(last + 1):
            judged = [part.judged(look) for part in self.parts.values()]
            outcome = combined(judged, self.claim["combine"])
            if outcome != INCONCLUSIVE:
                return outcome, look
        return outcome, last

    def complete(self, part: Part) -> bool:
        """Whether a part has the trials of its last look."""
        return len(part.schedule) == looks_of(part)

    @property
    def outcome(self) -> str | None:
        """The outcome: "R", "N" or "I"; None where there is nothing to judge."""
        return self._decided[0]

    @property
    def look(self) -> int:
        """The look that gives the outcome, counted from 0."""
        return self._decided[1]

    @property
    def more_to_come(self) -> bool:
        """Whether a later look may still decide it."""
        return self.outcome == INCONCLUSIVE and not all(self.complete(part) for part in self.parts.values())


def looks_of(part: Part) -> int:
    """Return how many looks a part has: one where no verdict can be given."""
    return 1 if part.reasons else len(looks(part.declared))
