"""How far values go over some levels, beside how far over others: "almost constant" against a change."""

import numpy as np

from nonconvex.claims.quantities.laws import FEWEST_CHANGE, lacking, widened
from nonconvex.claims.quantities.measure import At, Interval, Measure, nothing
from nonconvex.claims.quantities.points import Points


def ratio_of_ranges(here: Points, there: Points) -> Measure:
    """Measure the range of the values at some levels, largest less smallest, over that at other levels.

    The interval goes from the least range that is certain here over the largest that is possible there, to
    the contrary, each at half the level: it holds however the two depend on each other.
    """
    short = "; ".join(text for text in (lacking(one, FEWEST_CHANGE) for one in (here, there)) if text)
    detail = f"over {here.detail}; over {there.detail}"
    trials = min(here.trials, there.trials)
    if short:
        return nothing(short, trials, detail)
    above, below = _range(here), _range(there)

    def at(alpha: float) -> Interval:
        one, other = above(alpha / 2), below(alpha / 2)
        return Interval(
            one.estimate / max(other.estimate, 1e-300),
            one.low / other.high,
            one.high / other.low if other.low > 0 else np.inf,
        )

    return Measure(at, trials, detail)


def _range(points: Points) -> At:
    """Return the largest difference of two levels' values; its interval holds for all pairs at once."""
    one, other = np.triu_indices(len(points.levels), 1)
    size = points.values[other] - points.values[one]
    drawn = points.drawn[:, other] - points.drawn[:, one]
    se = np.maximum(drawn.std(axis=0), 1e-12)
    farthest = np.max(np.abs(drawn - size) / se, axis=1)

    def at(alpha: float) -> Interval:
        band = widened(float(np.quantile(farthest, 1 - alpha)), points.trials) * se
        far = np.abs(size)
        return Interval(float(far.max()), float(max(0.0, (far - band).max())), float((far + band).max()))

    return at
