"""T-LIMIT: whether numbers that no chance enters stay below a limit."""

import numpy as np

from nonconvex.claims.decision import Decision, no_information


def below_limit(values: np.ndarray, *, limit: float, beyond: float) -> Decision:
    """Judge "negligible": reproduced if the largest value is at most `limit`, not if it is above `beyond`.

    The values are facts about one block of data, such as the error of its best approximation: no interval
    and no P value belongs to them.
    """
    if len(values) == 0:
        return no_information("no cell of this run lies within the limits of the claim", limit)
    largest = float(np.max(values))
    outcome = "R" if largest <= limit else "N" if largest > beyond else "I"
    p = {"R": (0.0, 1.0), "N": (1.0, 0.0), "I": (1.0, 1.0)}[outcome]
    detail = f"largest of {len(values)} values; the smallest is {float(np.min(values)):.3g}"
    return Decision(outcome, largest, largest, largest, largest, limit, *p, detail)
