"""Numbers without chance, and numbers that are shown and never judged."""

import numpy as np

from nonconvex.claims.quantities.measure import Interval, Measure, nothing
from nonconvex.claims.quantities.shares import NO_CELL


def extremes(values: np.ndarray, pick: str = "all") -> Measure:
    """Measure from the least to the largest of all values: facts about data, which no trial can change.

    `pick` "least", "largest" or "largest size" (without the sign) takes one of them: "for every n1" is
    decided by the worst.
    """
    if values.size == 0 or not np.isfinite(values).all():
        return nothing(NO_CELL if values.size == 0 else "a value that is not finite")
    number = values.size
    picked = {"least": values.min(), "largest": values.max(), "largest size": np.abs(values).max()}
    values = np.array([picked[pick]]) if pick in picked else values
    low, high = float(values.min()), float(values.max())
    middle = float(np.median(values))
    return Measure(lambda alpha: Interval(middle, low, high), number, f"{pick} of {number} values")


def median(values: np.ndarray, stated: float | None) -> Measure:
    """Return the median of all values and the quartiles, beside what the thesis states; for context."""
    known = values[np.isfinite(values)]
    if known.size == 0:
        return nothing(NO_CELL)
    low, middle, high = (float(q) for q in np.quantile(known, [0.25, 0.5, 0.75]))
    said = "" if stated is None else f"; the thesis states {stated:g}"
    detail = f"median and quartiles of {known.size} values{said}"
    return Measure(lambda alpha: Interval(middle, low, high), values.shape[-1], detail)
