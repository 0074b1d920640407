"""How a quantity goes with a parameter: its change, slope, and distance from a straight line."""

from collections.abc import Callable, Sequence

import numpy as np
from scipy import special

from nonconvex.claims.quantities.measure import At, Interval, Measure, exponential, nothing
from nonconvex.claims.quantities.points import Points
from nonconvex.statistics.means import FEWEST, t_quantile

FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "x": lambda x: x,
    "sqrt": np.sqrt,
    "square": np.square,
    "log": np.log,
    "inverse": lambda x: 1 / x,
    "inverse sqrt": lambda x: 1 / np.sqrt(x),
    "inverse square": lambda x: 1 / np.square(x),
}
FEWEST_CHANGE, FEWEST_SLOPE, FEWEST_LINE = 2, 3, 5


def change(points: Points) -> Measure:
    """Measure the ratio of the last level's value to the first one's; each step alone for the guard."""
    short = lacking(points, FEWEST_CHANGE) or _not_above(points)
    if short:
        return nothing(short, points.trials, points.detail)
    logs, drawn = np.log(points.values), np.log(points.drawn)
    rows = {
        f"from {points.levels[k]:g} to {points.levels[k + 1]:g}": _normal(
            logs[k + 1] - logs[k], drawn[:, k + 1] - drawn[:, k], points.trials
        )
        for k in range(len(logs) - 1)
    }
    at = _normal(logs[-1] - logs[0], drawn[:, -1] - drawn[:, 0], points.trials)
    detail = f"from {points.levels[0]:g} to {points.levels[-1]:g}; {points.detail}"
    return exponential(Measure(at, points.trials, detail, rows if len(rows) > 1 else {}))


def slope(points: Points, function: str = "x", *, less: Points | None = None) -> Measure:
    """Measure the least-squares slope of the values in f(level), less that of other values where given."""
    return _slope(points, FUNCTIONS[function], lambda values: values, less)


def log_slope(points: Points, *, less: Points | None = None) -> Measure:
    """Measure the exponent: the slope of log(value) in log(level), less that of other values where given."""
    short = next((text for one in (points, less) if one is not None and (text := _not_above(one))), "")
    return nothing(short, points.trials, points.detail) if short else _slope(points, np.log, np.log, less)


def _slope(
    points: Points,
    x_of: Callable[[np.ndarray], np.ndarray],
    y_of: Callable[[np.ndarray], np.ndarray],
    less: Points | None,
) -> Measure:
    points, other = (points, None) if less is None else _common(points, less)
    short = lacking(points, FEWEST_SLOPE)
    if short:
        return nothing(short, points.trials, points.detail)
    f = x_of(points.levels)
    weights = (f - f.mean()) / np.sum((f - f.mean()) ** 2)

    def of(one: Points) -> tuple[float, np.ndarray]:
        return float(y_of(one.values) @ weights), y_of(one.drawn) @ weights

    estimate, drawn = of(points)
    detail = points.detail
    if other is not None:
        beside, beside_drawn = of(other)
        detail = f"{estimate:.3g} less {beside:.3g}; {detail}; beside: {other.detail}"
        estimate, drawn = estimate - beside, drawn - beside_drawn
    return Measure(_normal(estimate, drawn, points.trials), points.trials, detail)


def _common(one: Points, other: Points) -> tuple[Points, Points]:
    both = np.intersect1d(one.levels, other.levels)

    def only(points: Points) -> Points:
        kept = np.isin(points.levels, both)
        return Points(
            points.levels[kept], points.values[kept], points.drawn[:, kept], points.trials, points.detail
        )

    return only(one), only(other)


def deviation(points: Points, function: str, rivals: Sequence[str] = ()) -> Measure:
    """Measure the largest distance of the values from their best straight line in f(level).

    The line is that of least squares, all points weighing the same; distances are parts of the range that it
    covers. The interval holds for all points at once: it goes from the largest distance that is certain to
    the largest that is possible. The distances from lines in other functions are told beside it.
    """
    short = lacking(points, FEWEST_LINE)
    if short:
        return nothing(short, points.trials, points.detail)
    here, drawn = (distances(values, points.levels, function) for values in (points.values, points.drawn))
    se = np.maximum(drawn.std(axis=0), 1e-12)
    farthest = np.max(np.abs(drawn - here) / se, axis=1)
    others = ", ".join(
        f"{rival} {np.abs(distances(points.values, points.levels, rival)).max():.3f}" for rival in rivals
    )

    def at(alpha: float) -> Interval:
        band = widened(float(np.quantile(farthest, 1 - alpha)), points.trials) * se
        size = np.abs(here)
        return Interval(float(size.max()), float(max(0.0, (size - band).max())), float((size + band).max()))

    detail = points.detail + (f"; from lines in other functions: {others}" if others else "")
    return Measure(at, points.trials, detail)


def distances(values: np.ndarray, levels: np.ndarray, function: str) -> np.ndarray:
    """Return how far values, (..., n_levels), lie from their best line, in parts of the range it covers."""
    design = np.column_stack([np.ones(len(levels)), FUNCTIONS[function](levels)])
    fitted = values @ (design @ np.linalg.pinv(design)).T
    covered = np.ptp(fitted, axis=-1, keepdims=True)
    return (values - fitted) / np.maximum(covered, 1e-300)


def _normal(estimate: float, drawn: np.ndarray, trials: int) -> At:
    """Return the interval of a statistic with the standard error of its resamples, widened for few trials."""
    se = max(float(np.std(drawn)), 1e-12 * max(1.0, abs(estimate))) * np.sqrt(trials / (trials - 1))

    def at(alpha: float) -> Interval:
        half = t_quantile(trials, alpha) * se
        return Interval(estimate, estimate - half, estimate + half)

    return at


def widened(quantile: float, trials: int) -> float:
    """Return the quantile of Student's distribution that is as far out as one of the normal distribution."""
    return float(-special.stdtrit(trials - 1, special.ndtr(-quantile)) * np.sqrt(trials / (trials - 1)))


def _not_above(points: Points) -> str:
    """Say so where a resample has a value that has no logarithm: of speeds, if all its trials were lost."""
    return "" if (points.drawn > 0).all() else "values that are not above 0 in some resamples"


def lacking(points: Points, fewest: int) -> str:
    """Return what points lack for a law that needs so many levels; nothing where they have all."""
    if points.trials < FEWEST:
        return f"{points.trials} trials, fewer than {FEWEST}"
    if len(points.levels) < fewest:
        return f"{len(points.levels)} levels with a value, fewer than {fewest}"
    if not (np.isfinite(points.values).all() and (points.values > 0).all()):
        return "values that are not above 0"
    return ""
