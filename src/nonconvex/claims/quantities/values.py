"""Means of a column, and ratios of two sides' values; what is lost counts as the largest value seen."""

from collections.abc import Mapping, Sequence

import numpy as np

from nonconvex.claims.quantities.measure import At, Interval, Measure, exponential, nothing
from nonconvex.claims.quantities.shares import NO_CELL
from nonconvex.statistics.means import FEWEST
from nonconvex.statistics.means import mean as mean_interval

GIVEN_SHARE = 0.8
"""A cell counts if at least so many of each side's trials have a value."""
FEWEST_CELLS = 3


def mean(values: np.ndarray, names: Sequence[str] = (), *, geometric: bool = False) -> Measure:
    """Measure the mean over trials, each the mean over its cells.

    Parameters
    ----------
    values : ndarray, shape (n_cells, n_trials)
        NaN where a trial has no value under the claim's condition; inf for a trial that is lost, which counts
        as the largest finite value of its cell.
    names : sequence of str
        Of the cells.
    geometric : bool
        Whether the mean is the geometric one; values are then above 0.
    """
    chosen = _counted([values])
    if isinstance(chosen, str):
        return nothing(chosen, values.shape[-1])
    kept, (filled,) = chosen
    each = _logs(filled) if geometric else filled
    detail = f"{int(np.isfinite(each).sum())} values in {int(kept.sum())} of {len(values)} cells"
    found = _mean_over_trials(each, [name for name, one in zip(names, kept, strict=False) if one], detail)
    return exponential(found) if geometric else found


def ratio(a: np.ndarray, b: Mapping[str, np.ndarray], names: Sequence[str] = ()) -> Measure:
    """Measure the geometric-mean ratio of one side's values to another's, or to the smallest of several
    others.

    Pairs are of the same trial. The ratio to the smallest of several is the largest of the ratios to each:
    its interval goes from the largest of their lower ends, at a level divided by their number, to the
    largest of their upper ends.

    Parameters
    ----------
    a : ndarray, shape (n_cells, n_trials)
        As for `mean`, above 0.
    b : mapping of str to ndarray
        The other sides.
    names : sequence of str
        Of the cells.
    """
    found = {name: log_ratio(a, values, names) for name, values in b.items()}
    known = {name: one for name, one in found.items() if not one.short}
    if len(found) == 1:
        return exponential(next(iter(found.values())))
    left_out = "; ".join(f"{name} left out: {one.short}" for name, one in found.items() if one.short)
    if not known:
        return nothing(left_out, a.shape[-1])
    detail = "; ".join(f"{name}: {one.detail}" for name, one in known.items())
    ats = {name: one.at for name, one in known.items()}
    rows: dict[str, list[At]] = {}
    for one in known.values():
        for name, at in one.rows.items():
            rows.setdefault(name, []).append(at)
    trials = min(one.trials for one in known.values())
    measure = Measure(
        _largest(list(ats.values())),
        trials,
        "; ".join(text for text in (detail, left_out) if text),
        {name: _largest(each) for name, each in rows.items()},
    )
    return exponential(measure)


def log_ratio(a: np.ndarray, b: np.ndarray, names: Sequence[str] = ()) -> Measure:
    """Measure the mean logarithm of the ratio a/b of paired values, shapes (n_cells, n_trials)."""
    chosen = _counted([a, b])
    if isinstance(chosen, str):
        return nothing(chosen, a.shape[-1])
    kept, (one, other) = chosen
    logs = _logs(np.stack([one, other]))
    lost = int(np.isinf(a[kept]).sum() + np.isinf(b[kept]).sum())
    pairs = logs[0] - logs[1]
    detail = f"{int(np.isfinite(pairs).sum())} pairs in {int(kept.sum())} of {len(a)} cells"
    detail += f", {lost} values lost" if lost else ""
    return _mean_over_trials(pairs, [name for name, k in zip(names, kept, strict=False) if k], detail)


def _largest(ats: Sequence[At]) -> At:
    def at(alpha: float) -> Interval:
        narrow, wide = [one(alpha) for one in ats], [one(alpha / len(ats)) for one in ats]
        return Interval(
            max(one.estimate for one in narrow),
            max(one.low for one in wide),
            max(one.high for one in narrow),
        )

    return at


def _mean_over_trials(each: np.ndarray, names: Sequence[str], detail: str) -> Measure:
    def of(cells: np.ndarray) -> At:
        known = cells[:, np.isfinite(cells).any(axis=0)]
        trials = np.nanmean(known, axis=0) if known.size else np.empty(0)
        return lambda alpha: Interval(*mean_interval(trials, alpha))

    n = int(np.isfinite(each).any(axis=0).sum())
    short = "" if n >= FEWEST else f"{n} trials with a value, fewer than {FEWEST}"
    rows = {name: of(each[k : k + 1]) for k, name in enumerate(names)}
    return Measure(of(each), n, detail, rows, short)


def _counted(sides: Sequence[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]] | str:
    """Return which cells count, and the sides' values there; or why too few do.

    A cell counts if each side has a value in four trials of five, and a finite one. At least three cells
    must, or all where there are fewer.
    """
    stack = np.stack(sides)
    n_cells = stack.shape[1]
    if stack.size == 0:
        return NO_CELL
    given = (~np.isnan(stack)).mean(axis=2) >= GIVEN_SHARE
    kept = given.all(axis=0) & np.isfinite(stack).any(axis=(0, 2))
    if kept.sum() < min(FEWEST_CELLS, n_cells):
        have = ", ".join(f"{int(k.sum())} of {k.size}" for k in ~np.isnan(stack))
        return f"{kept.sum()} of {n_cells} cells have values of four trials in five ({have} values)"
    cells = stack[:, kept]
    finite = np.isfinite(cells)
    most = np.max(cells, axis=(0, 2), where=finite, initial=-np.inf, keepdims=True)
    return kept, list(np.where(np.isinf(cells), most, cells))


def _logs(values: np.ndarray) -> np.ndarray:
    """Return logarithms; an exact zero counts as the smallest positive value seen."""
    positive = values[values > 0]
    least = positive.min() if len(positive) else 1.0
    return np.log(np.where(np.isnan(values), np.nan, np.maximum(values, least)))
