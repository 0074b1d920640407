"""T-BND and T-EQ: whether one method's phase-transition line is higher than another's, or coincides.

The comparison of a row (one value of the other axis) is D = sum over x of (p_A - p_B) h, paired by trial:
the area between the two success curves, which is how far A's threshold lies beyond B's. D is positive when
A succeeds more, whichever way success runs along x. h is the width of a cell (`curves.cell_widths`).

Rows are pooled by their mean. Three kinds of rows are special:

* neither curve has a cell with a share in (.05, .95), but one of them crosses one half: the thresholds are
  only known to lie between two cells. D then counts with +- h, the mean gap of the brackets.
* a curve does not cross one half inside the window (censored): its area is cut off, which pulls D to
  zero. D is kept, with +- h as well. (Without this, two lines one step apart were called equal in a quarter
  of the simulations.)
* no cell of either curve is in (.05, .95) and none crosses: the row is wholly white, or wholly black,
  for both. It says nothing about the thresholds; counting it as D = 0 would pull the pooled D to zero by
  how much white and black is drawn. It is left out of the mean, and the counts are printed.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.statistics.bootstrap import RESAMPLES, interval, trial_weights
from nonconvex.statistics.curves import bracket, cell_widths, clipped, crossing, interior
from nonconvex.statistics.multiplicity import holm

SMALLEST_RELATIVE = 0.03
EQUAL_RELATIVE = 0.10
FEWEST_ROWS = 3
ROW_LEVEL = 0.05


@dataclass(frozen=True)
class Comparison:
    """The pooled D of two methods, and D of each row that counts."""

    difference: float
    low: float
    high: float
    se: float
    unresolved: float
    threshold: float
    step: float
    row_difference: np.ndarray
    row_se: np.ndarray
    row_unresolved: np.ndarray
    n_trials: int
    detail: str

    def p_below(self, bound: float) -> float:
        """Return the one-sided P value of the evidence that the pooled D is below `bound`."""
        return float(_t_cdf(self.difference + self.unresolved - bound, self.se, self.n_trials))

    def p_above(self, bound: float) -> float:
        """Return the one-sided P value of the evidence that the pooled D is above `bound`."""
        return float(_t_cdf(bound - self.difference + self.unresolved, self.se, self.n_trials))

    def rows_below(self, bound: float) -> int:
        """Return how many rows have D significantly below `bound` (Holm over the rows)."""
        p = _t_cdf(self.row_difference + self.row_unresolved - bound, self.row_se, self.n_trials)
        return int((holm(p) < ROW_LEVEL).sum())

    def rows_above(self, bound: float) -> int:
        """Return how many rows have D significantly above `bound` (Holm over the rows)."""
        p = _t_cdf(bound - self.row_difference + self.row_unresolved, self.row_se, self.n_trials)
        return int((holm(p) < ROW_LEVEL).sum())


def _t_cdf(difference: np.ndarray | float, se: np.ndarray | float, n_trials: int) -> np.ndarray:
    return stats.t.cdf(difference / se, n_trials - 1) if n_trials > 1 else np.ones(np.shape(difference))


def margin_of(step: float, threshold: float, steps: float | None, relative: float | None) -> float:
    """Return a margin in units of the axis: so many steps of the grid, or a part of the mean threshold."""
    if steps is not None:
        return steps * step
    if relative is not None:
        return relative * threshold
    raise ValueError("a margin is given in steps or relative to the threshold; neither is.")


def compare(
    a: np.ndarray,
    b: np.ndarray,
    x: np.ndarray,
    falls: bool,
    seed: int,
    resamples: int = RESAMPLES,
    fewest: int = FEWEST_ROWS,
) -> Comparison | str:
    """Return the comparison of two methods' success, or a sentence on why the rows do not allow one.

    Parameters
    ----------
    a, b : ndarray of bool, shape (n_rows, n_x, n_trials)
        Success of A and B on the same trials.
    x : ndarray, shape (n_x,)
        Increasing values of the axis that the threshold is read on.
    falls : bool
        Whether success falls along `x`.
    seed : int
        From `judging_seed`.
    resamples : int
        Number of bootstrap resamples.
    fewest : int
        Number of rows that must count.
    """
    n_rows, n_x, n_trials = a.shape
    if n_x < 2:
        return "a threshold needs at least 2 values along its axis"
    widths = cell_widths(x)
    shares = np.stack([a.mean(axis=-1), b.mean(axis=-1)])
    places = crossing(shares, x, falls)
    crosses = np.isfinite(places)
    graded = interior(shares).any(axis=(0, 2))
    counted = graded | crosses.any(axis=0)
    blank = int(n_rows - counted.sum())
    if counted.sum() < fewest:
        return f"{counted.sum()} of {n_rows} rows have a transition in the window, fewer than {fewest}"
    low_cell, high_cell = bracket(shares, x, falls)
    gaps = np.where(crosses, high_cell - low_cell, 0.0)
    row_gap = np.where(
        crosses.any(axis=0), gaps.sum(axis=0) / np.maximum(crosses.sum(axis=0), 1), widths.mean()
    )
    unresolved = np.where(graded & crosses.all(axis=0), 0.0, row_gap)[counted]
    per_trial = np.einsum("rxt,x->rt", a.astype(float) - b, widths)[counted]
    rows = per_trial.mean(axis=1)
    # One discordant pair more or less in one cell: the error of data in which every trial agrees.
    grain = float(np.mean(widths)) / n_trials
    row_se = np.full(len(rows), np.inf)
    if n_trials > 1:
        row_se = np.maximum(per_trial.std(axis=1, ddof=1) / np.sqrt(n_trials), grain)
    pooled = per_trial.mean(axis=0)
    estimate = float(pooled.mean())
    samples = trial_weights(n_trials, seed, resamples) @ pooled
    low, high, se = interval(samples, estimate, n_trials, smallest_se=grain / len(rows))
    slack = float(unresolved.mean())
    threshold = float(clipped(places, x)[:, counted].mean())
    step = float(row_gap[counted].mean())
    censored = [int((~crosses[i, counted]).sum()) for i in range(2)]
    detail = (
        f"D over {len(rows)} of {n_rows} rows, {n_trials} trials; mean threshold {threshold:.3g}; "
        f"{int((unresolved > 0).sum())} rows known to one step only, {blank} wholly white or black, "
        f"no crossing in {censored[0]} rows of A and {censored[1]} of B"
    )
    return Comparison(
        estimate,
        low - slack,
        high + slack,
        se,
        slack,
        threshold,
        step,
        rows,
        row_se,
        unresolved,
        n_trials,
        detail,
    )


def threshold_higher(
    a: np.ndarray,
    b: np.ndarray,
    x: np.ndarray,
    *,
    falls: bool,
    seed: int,
    relative: float = SMALLEST_RELATIVE,
    resamples: int = RESAMPLES,
) -> Decision:
    """T-BND: judge "A's threshold is higher than B's", that is, A succeeds in more cells.

    Reproduced if the pooled D is positive with its 95 % interval off 0, is at least `relative` times the
    mean threshold of both methods, and no row is significantly reversed (Holm, 5 %). Not reproduced if
    the whole interval lies below that smallest effect: D is reversed, or too small to be seen. (The rule
    for the second half is ours; exchanging the methods turns every R into N, because D changes its sign.)
    At least 3 rows must count. Parameters as for `compare`.
    """
    found = compare(a, b, x, falls, seed, resamples)
    if isinstance(found, str):
        return no_information(found)
    margin = relative * found.threshold
    reversed_rows = found.rows_below(0.0)
    outcome = "I"
    if found.low > 0 and found.difference >= margin and reversed_rows == 0:
        outcome = "R"
    elif found.high < margin:
        outcome = "N"
    detail = f"{found.detail}; significantly reversed rows: {reversed_rows}"
    return Decision(outcome, found.difference, found.low, found.high, found.difference, margin,
                    found.p_above(0.0), found.p_below(margin), detail)  # fmt: skip


def thresholds_equal(
    a: np.ndarray,
    b: np.ndarray,
    x: np.ndarray,
    *,
    falls: bool,
    seed: int,
    relative: float = EQUAL_RELATIVE,
    steps: float | None = None,
    resamples: int = RESAMPLES,
    fewest: int = FEWEST_ROWS,
) -> Decision:
    """T-EQ: judge "the two lines coincide" by two one-sided tests on the pooled D.

    Reproduced if the 95 % interval of D lies inside the margin and no row lies significantly outside it
    (Holm; without this, rows that differ in opposite directions would cancel); not reproduced if the
    interval lies outside the margin. The margin is `steps` times the mean gap between the cells that
    bracket the crossings, or `relative` times the mean threshold.
    """
    found = compare(a, b, x, falls, seed, resamples, fewest)
    if isinstance(found, str):
        return no_information(found)
    margin = margin_of(found.step, found.threshold, steps, relative)
    outside = found.rows_above(margin) + found.rows_below(-margin)
    outcome = "I"
    if -margin < found.low and found.high < margin and outside == 0:
        outcome = "R"
    elif found.low > margin or found.high < -margin:
        outcome = "N"
    p_for = max(found.p_above(-margin), found.p_below(margin))
    p_against = min(1.0, 2 * min(found.p_above(margin), found.p_below(-margin)))
    detail = f"{found.detail}; rows significantly outside the margin: {outside}"
    return Decision(outcome, found.difference, found.low, found.high, found.difference, margin,
                    p_for, p_against, detail)  # fmt: skip
