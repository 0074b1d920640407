"""Where success comes to one half along an axis: of one side, and how far one side's lies beyond another's.

The difference in a row (one value of the other axis) is D = sum over x of (p_A - p_B) h, paired by trial:
the area between the two success curves, which is how far A's threshold lies beyond B's within the window of
the drawn cells. D is positive when A succeeds more, whichever way success runs along x. h is the width of a
cell (`nonconvex.statistics.curves.cell_widths`). Rows are pooled by their mean, and three kinds of them are
special:

* the thresholds of a row are only known to lie between two cells, because neither curve has a cell with a
  share in (.05, .95): D then counts with +- the mean gap of the brackets.
* a curve does not cross one half inside the window (censored): its area is cut off, and so D is that of the
  thresholds moved to the window's end; it also counts with +- a gap.
* no cell of either curve is in (.05, .95) and none crosses: wholly white, or wholly black, for both. The row
  says nothing about the thresholds and is left out; the counts are printed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nonconvex.claims.quantities.measure import At, Interval, Measure, nothing
from nonconvex.claims.quantities.shares import NO_CELL
from nonconvex.statistics.curves import bracket, cell_widths, clipped, crossing, interior
from nonconvex.statistics.means import FEWEST, share, t_quantile

FEWEST_ROWS = 3


def threshold(
    success: np.ndarray, x: np.ndarray, *, falls: bool, bounds: tuple[float, float] = (-np.inf, np.inf)
) -> Measure:
    """Measure where half of the trials succeed along an axis.

    A cell lies on the near side for certain if the exact interval of its share is above one half, and on the
    far side if it is below. The interval goes from the last cell on the one side to the first on the other;
    where no cell is certain, to the axis's own bound.

    Parameters
    ----------
    success : ndarray of bool, shape (n_x, n_trials)
        Monotone along `x` but for chance.
    x : ndarray, shape (n_x,)
        Increasing.
    falls : bool
        Whether success falls along `x`.
    bounds : tuple of float
        Between which the axis lies.
    """
    if success.size == 0:
        return nothing(NO_CELL)
    n = success.shape[1]
    counts = success.sum(axis=1)
    shown = ", ".join(f"{level:g}: {k}" for level, k in zip(x, counts, strict=True))
    place = float(crossing(counts / n, x, falls))

    def at(alpha: float) -> Interval:
        ends = np.array([share(row.astype(float), alpha)[1:] for row in success])
        succeeds, fails = x[ends[:, 0] > 0.5], x[ends[:, 1] < 0.5]
        before, after = (succeeds, fails) if falls else (fails, succeeds)
        low = float(before.max()) if len(before) else bounds[0]
        high = float(after.min()) if len(after) else bounds[1]
        return Interval(float(np.clip(place, *bounds)), low, high)

    return Measure(at, n, f"successes of {n} at {shown}", short="" if n >= FEWEST else f"{n} trials")


@dataclass(frozen=True)
class _Rows:
    """D of each row that counts and trial, and what is known of the rows."""

    each: np.ndarray
    unresolved: np.ndarray
    gaps: np.ndarray
    places: np.ndarray
    thresholds: np.ndarray
    kept: np.ndarray
    grain: float
    detail: str


def difference_of_thresholds(
    a: np.ndarray,
    b: np.ndarray,
    x: np.ndarray,
    names: Sequence[str] = ("",),
    *,
    falls: bool,
    unit: str = "axis",
) -> Measure:
    """Measure how far A's threshold lies beyond B's, on the side where A succeeds more.

    Parameters
    ----------
    a, b : ndarray of bool, shape (n_rows, n_x, n_trials)
        Success of A and of B on the same trials.
    x : ndarray, shape (n_x,)
        Increasing values of the axis that the threshold is read on.
    names : sequence of str
        Of the rows.
    falls : bool
        Whether success falls along `x`.
    unit : {"axis", "relative", "steps"}
        The axis's own unit, parts of the mean threshold of both, or steps of the drawn grid.
    """
    if a.size == 0 or len(x) < 2:
        return nothing("a threshold needs two values along its axis")
    rows, n = _rows(a, b, x, falls), a.shape[-1]
    fewest = min(FEWEST_ROWS, len(a))
    if len(rows.each) < fewest:
        return nothing(f"{len(rows.each)} of {len(a)} rows have a transition in the window", n, rows.detail)
    if n < FEWEST:
        return nothing(f"{n} trials, fewer than {FEWEST}", n, rows.detail)
    scale = {"axis": 1.0, "steps": float(rows.gaps.mean()), "relative": float(rows.places.mean())}[unit]
    if not (np.isfinite(scale) and scale > 0):
        return nothing("the thresholds' scale is not known", n, rows.detail)

    def of(chosen: np.ndarray) -> At:
        each, slack = rows.each[chosen].mean(axis=0), float(rows.unresolved[chosen].mean())
        estimate = float(each.mean())
        moved = each - estimate
        if unit == "relative":
            # The scale is estimated from the same trials: its error enters in proportion to D.
            own = rows.thresholds[chosen].mean(axis=0)
            moved = moved - estimate / scale * (own - own.mean())
        least = rows.grain / int(chosen.sum())
        se = max(float(moved.std(ddof=1)) / np.sqrt(n), least)

        def at(alpha: float) -> Interval:
            half = t_quantile(n, alpha) * se + slack
            return Interval(*(value / scale for value in (estimate, estimate - half, estimate + half)))

        return at

    whole = np.ones(len(rows.each), dtype=bool)
    kept = [name for name, counts in zip(names, rows.kept, strict=True) if counts]
    single = {name: of(np.arange(len(kept)) == k) for k, name in enumerate(kept)} if len(kept) > 1 else {}
    return Measure(of(whole), n, rows.detail, single)


def _rows(a: np.ndarray, b: np.ndarray, x: np.ndarray, falls: bool) -> _Rows:
    n_rows, _, n_trials = a.shape
    widths = cell_widths(x)
    shares = np.stack([a.mean(axis=-1), b.mean(axis=-1)])
    places = crossing(shares, x, falls)
    crosses = np.isfinite(places)
    graded = interior(shares).any(axis=(0, 2))
    kept = graded | crosses.any(axis=0)
    low, high = bracket(shares, x, falls)
    gaps = np.where(crosses, high - low, 0.0)
    number = crosses.sum(axis=0)
    gap = np.where(number > 0, gaps.sum(axis=0) / np.maximum(number, 1), widths.mean())
    unresolved = np.where(graded & crosses.all(axis=0), 0.0, gap)
    each = np.einsum("rxt,x->rt", a.astype(float) - b, widths)
    # A trial's own threshold: the window's end, and the widths of cells up to its last success or failure.
    own = np.einsum("rxt,x->rt", (a.astype(float) + b) / 2, widths) * (1 if falls else -1)
    censored = [int((~crosses[side, kept]).sum()) for side in range(2)]
    detail = (
        f"{int(kept.sum())} of {n_rows} rows, {n_trials} trials; mean threshold "
        f"{float(clipped(places, x)[:, kept].mean()) if kept.any() else np.nan:.3g}; "
        f"{int((unresolved[kept] > 0).sum())} rows known to one step only, {int(n_rows - kept.sum())} wholly "
        f"white or black, no crossing in {censored[0]} rows of the first and {censored[1]} of the second"
    )
    return _Rows(
        each[kept],
        unresolved[kept],
        gap[kept],
        clipped(places, x).mean(axis=0)[kept],
        own[kept],
        kept,
        float(np.mean(widths)) / n_trials,
        detail,
    )
