"""T-NUMBER: whether every number of a table lies in a band."""

import numpy as np

from nonconvex.claims.decision import Decision, no_information


def all_within(
    values: np.ndarray, *, band: tuple[float, float], outer: tuple[float, float] | None = None
) -> Decision:
    """Judge "every number lies in the band".

    Reproduced if all do; not reproduced if one lies outside `outer` (the band, if not given) or is not
    finite. No P value belongs to numbers that chance does not enter, or enters far less than the band allows.

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
    p = {"R": (0.0, 1.0), "N": (1.0, 0.0), "I": (1.0, 1.0)}[outcome]
    middle = float(np.median(values))
    detail = f"median, least and largest of {len(values)} numbers; band {band[0]:g} to {band[1]:g}"
    return Decision(outcome, middle, low, high, middle, band[1], *p, detail)
