"""T-CONTEXT: numbers that stand beside a statement but decide nothing, such as seconds of one machine."""

import numpy as np

from nonconvex.claims.decision import INCONCLUSIVE, Decision, no_information


def in_context(values: np.ndarray, *, stated: float) -> Decision:
    """Return the median of the values beside the thesis's number, without a judgement.

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
