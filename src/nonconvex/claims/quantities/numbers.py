"""T-LIMIT, T-NUMBER, T-CONTEXT: numbers that no chance enters, or that decide nothing.

They have no interval and no P value but 0 and 1: where they decide, they decide for certain.
"""

import numpy as np

from nonconvex.claims.decision import INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED, Decision, no_information

_P_VALUES = {REPRODUCED: (0.0, 1.0), NOT_REPRODUCED: (1.0, 0.0), INCONCLUSIVE: (1.0, 1.0)}


def below_limit(values: np.ndarray, *, limit: float, beyond: float) -> Decision:
    """Judge "negligible": reproduced if the largest value is at most `limit`, not if it is above `beyond`.

    The values are facts about one block of data, such as the error of its best approximation.
    """
    if len(values) == 0:
        return no_information("no cell of this run lies within the limits of the claim", limit)
    largest = float(np.max(values))
    outcome = "R" if largest <= limit else "N" if largest > beyond else "I"
    detail = f"largest of {len(values)} values; the smallest is {float(np.min(values)):.3g}"
    return Decision(outcome, largest, largest, largest, largest, limit, *_P_VALUES[outcome], detail)


def all_within(
    values: np.ndarray, *, band: tuple[float, float], outer: tuple[float, float] | None = None
) -> Decision:
    """Judge "every number lies in the band".

    Reproduced if all do; not reproduced if one lies outside `outer` (the band, if not given) or is not
    finite. Chance does not enter these numbers, or enters far less than the band allows.

    Parameters
    ----------
    values : ndarray, shape (n,)
    band, outer : tuple of float
    """
    if len(values) == 0:
        return no_information("no number of this run lies within the limits of the claim", band[1])
    outer = outer or band
    low, high = float(np.min(values)), float(np.max(values))
    inside = band[0] <= low and high <= band[1]
    outside = not (outer[0] <= low and high <= outer[1])
    outcome = "R" if inside else "N" if outside else "I"
    middle = float(np.median(values))
    detail = f"median, least and largest of {len(values)} numbers; band {band[0]:g} to {band[1]:g}"
    return Decision(outcome, middle, low, high, middle, band[1], *_P_VALUES[outcome], detail)


def in_context(values: np.ndarray, *, stated: float) -> Decision:
    """Return the median of the values beside the thesis's number, without a judgement.

    For numbers that stand beside a statement but decide nothing, such as the seconds of one machine.

    Parameters
    ----------
    values : ndarray
        Finite where a run has one.
    stated : float
        The thesis's number.
    """
    known = values[np.isfinite(values)]
    if len(known) == 0:
        return no_information("no run within the limits of the claim has a value", stated)
    median = float(np.median(known))
    detail = f"median of {len(known)} runs; the thesis has {stated:g}; for context only, not judged"
    return Decision(
        INCONCLUSIVE, median, float(known.min()), float(known.max()), median, stated, detail=detail
    )
