"""Claims of several parts, readings and samples: how their outcomes become one."""

from collections.abc import Mapping, Sequence

from nonconvex.claims.decision import INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED, Decision
from nonconvex.statistics.multiplicity import holm

DEPENDS = "depends"
PART_LEVEL = 0.01


def combine_parts(parts: Sequence[Decision], rule: str) -> str:
    """Return the outcome of a claim of several parts under one reading.

    `rule` "every" (the statement is made of all parts): reproduced if every part is, each at its own
    5 %; not reproduced if a part is, and its P value still is below 1 % after Holm's correction over
    the parts. `rule` "any" (the statement says that something occurs): the mirror image. Reproduced needs
    one part below 1 % after Holm, not reproduced needs every part.
    """
    outcomes = [part.outcome for part in parts]
    if len(parts) == 1:
        return outcomes[0]
    common, single = (REPRODUCED, NOT_REPRODUCED) if rule == "every" else (NOT_REPRODUCED, REPRODUCED)
    if all(outcome == common for outcome in outcomes):
        return common
    p_values = [part.p_against if rule == "every" else part.p_for for part in parts]
    clear = holm(p_values) < PART_LEVEL
    if any(outcome == single and sure for outcome, sure in zip(outcomes, clear, strict=True)):
        return single
    return INCONCLUSIVE


def combine_samples(first: str, second: str | None) -> str:
    """Return the first sample's outcome, if a second one, where there is one, agrees."""
    return first if second in (None, first) else INCONCLUSIVE


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
