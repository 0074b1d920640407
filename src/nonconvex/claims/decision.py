"""What a test hands back, and the words that the ledger uses for it."""

from dataclasses import dataclass

REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE = "R", "N", "I"


@dataclass(frozen=True)
class Decision:
    """Outcome of one test on one sample.

    Attributes
    ----------
    outcome : {"R", "N", "I"}
        Reproduced, not reproduced, inconclusive.
    statistic : float
        The number the test is named after; `detail` says which.
    effect, ci_low, ci_high : float
        Estimated size of the effect and its 95 % interval, in the unit that `detail` names.
    margin : float
        The declared margin or smallest effect, in the unit of `effect`.
    p_for, p_against : float
        P values of the evidence for and against the statement, for compound claims.
    detail : str
        One line with the counts behind the numbers.
    """

    outcome: str
    statistic: float = float("nan")
    ci_low: float = float("nan")
    ci_high: float = float("nan")
    effect: float = float("nan")
    margin: float = float("nan")
    p_for: float = 1.0
    p_against: float = 1.0
    detail: str = ""


def no_information(detail: str, margin: float = float("nan")) -> Decision:
    """Return the inconclusive decision of data that say nothing about the statement."""
    return Decision(INCONCLUSIVE, margin=margin, detail=detail)
