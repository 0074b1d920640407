"""How far from its beginning a curve is a straight line, at each level of another axis."""

import numpy as np

from nonconvex.claims.quantities.laws import FEWEST_LINE, distances
from nonconvex.claims.quantities.points import Points, means
from nonconvex.claims.quantities.shares import NO_CELL
from nonconvex.statistics.bootstrap import RESAMPLES

STRAIGHT = 0.08
"""A curve is straight while no mean lies farther from the best line, in parts of the range it covers."""


def reaches(values: np.ndarray, levels: np.ndarray, x: np.ndarray, seed: int, function: str) -> Points:
    """Return the reach of the straight part of the curve of means at each level.

    It is the place along the axis where, from its first value on, the means leave `STRAIGHT` of their own
    best line in `function` for the first time, interpolated between two values. A line needs five values: a
    curve that is not even straight over the first five reaches to the first one, which is nowhere.

    Parameters
    ----------
    values : ndarray, shape (n_levels, n_x, n_trials)
        As for `nonconvex.claims.quantities.points.means`.
    levels : ndarray, shape (n_levels,)
    x : ndarray, shape (n_x,)
        Increasing, above 0.
    seed : int
        From `nonconvex.statistics.bootstrap.judging_seed`.
    function : str
        One of `nonconvex.claims.quantities.laws.FUNCTIONS`.
    """
    n = values.shape[-1]
    curves = [means(own, x, seed, geometric=False) for own in values] if n else []
    kept = [k for k, curve in enumerate(curves) if len(curve.levels) >= FEWEST_LINE]
    if not kept:
        return Points(levels[:0], np.empty(0), np.empty((RESAMPLES, 0)), n, NO_CELL)
    here = np.array([float(straight_up_to(curves[k].values, curves[k].levels, function)) for k in kept])
    drawn = np.column_stack([straight_up_to(curves[k].drawn, curves[k].levels, function) for k in kept])
    shown = ", ".join(f"{value:.3g}" for value in here)
    detail = f"straight up to {shown} of {x[-1]:g} at {len(kept)} of {len(levels)} levels"
    return Points(levels[kept], here, drawn, n, detail)


def straight_up_to(curves: np.ndarray, x: np.ndarray, function: str) -> np.ndarray:
    """Return the reach of curves of shape (..., n_x), as `reaches` defines it."""
    ends = range(FEWEST_LINE, len(x) + 1)
    far = np.stack(
        [np.abs(distances(curves[..., :end], x[:end], function)).max(axis=-1) for end in ends], axis=-1
    )
    bent = far > STRAIGHT
    after = np.where(bent.any(axis=-1), np.argmax(bent, axis=-1), far.shape[-1])
    last, after = np.maximum(after - 1, 0), np.minimum(after, far.shape[-1] - 1)
    d0, d1 = (np.take_along_axis(far, at[..., None], axis=-1)[..., 0] for at in (last, after))
    x0, x1 = x[FEWEST_LINE - 1 + last], x[FEWEST_LINE - 1 + after]
    part = np.where(after > last, (STRAIGHT - d0) / np.where(d1 > d0, d1 - d0, 1.0), 0.0)
    return np.where(bent[..., 0], x[0], x0 + part * (x1 - x0))
