"""The share of trials that meet a condition, and how much larger it is for one side than for another."""

from collections.abc import Sequence

import numpy as np

from nonconvex.claims.quantities.measure import At, Interval, Measure, nothing
from nonconvex.statistics.means import share as share_interval
from nonconvex.statistics.means import share_difference

NO_CELL = "no cell of this run lies within the limits of the claim"


def share(marks: np.ndarray, names: Sequence[str] = ()) -> Measure:
    """Measure a share, over all cells together and of each cell.

    Parameters
    ----------
    marks : ndarray of bool, shape (n_cells, n_trials)
        Which trials meet the condition.
    names : sequence of str
        Of the cells.
    """
    if marks.size == 0:
        return nothing(NO_CELL)
    counts = f"{int(marks.sum())} of {marks.size}"
    if len(marks) > 1:
        counts += f" in {len(marks)} cells, {marks.shape[1]} trials each; in a cell {_span(marks)}"

    def of(chosen: np.ndarray) -> At:
        each = chosen.mean(axis=0)
        return lambda alpha: Interval(*share_interval(each, alpha))

    rows = {name: of(marks[k : k + 1]) for k, name in enumerate(names)}
    return Measure(of(marks), marks.shape[1], counts, rows)


def _span(marks: np.ndarray) -> str:
    counts = marks.sum(axis=1)
    return f"{counts.min()} to {counts.max()}"


def difference_of_shares(
    more: np.ndarray, less: np.ndarray, names: Sequence[str] = (), *, mixed: bool = False
) -> Measure:
    """Measure how much more often one side succeeds where the other does not than the other way round.

    That is the difference of the two sides' shares, where not to fail is to succeed.

    Parameters
    ----------
    more, less : ndarray of bool, shape (n_cells, n_trials)
        Where only the first side, and only the second side, succeeds; on the same trials.
    names : sequence of str
        Of the cells.
    mixed : bool
        Only over the cells with a trial on which the sides differ. Over all drawn cells, the difference
        depends on how much of the grid is white or black for both.
    """
    if more.size == 0:
        return nothing(NO_CELL)
    differ = (more | less).any(axis=1)
    kept = differ if mixed else np.ones(len(more), dtype=bool)
    counts = (
        f"{int(more.sum())} pairs for, {int(less.sum())} against, of {more.size}; "
        f"{int(differ.sum())} of {len(more)} cells have any"
    )
    if not kept.any():
        return nothing("the sides never differ", more.shape[1], counts)

    def of(chosen: np.ndarray) -> At:
        one, other = more[chosen].mean(axis=0), less[chosen].mean(axis=0)
        return lambda alpha: Interval(*share_difference(one, other, alpha))

    rows = {name: of(np.arange(len(more)) == k) for k, name in enumerate(names) if kept[k]}
    return Measure(of(kept), more.shape[1], counts, rows)
