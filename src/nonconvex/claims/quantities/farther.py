"""Thresholds of two sides: slightly beyond, or far beyond, and one that does not depend on a factor."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.threshold import FEWEST_ROWS, compare, margin_of
from nonconvex.statistics.bootstrap import interval, trial_weights

AGREED = 0.9
SUCCESS_MUCH = 0.3
SUCCESS_LITTLE = 0.1


def slightly_farther(
    a: np.ndarray,
    b: np.ndarray,
    x: np.ndarray,
    *,
    falls: bool,
    seed: int,
    steps: float | None = None,
    relative: float | None = None,
) -> Decision:
    """T-GAP on lines: judge "A's line lies beyond B's", by at most a margin where one is given.

    Reproduced if the interval of the pooled D (`nonconvex.claims.quantities.threshold`) is above 0 and not
    above the margin, and no row is significantly reversed (Holm); not reproduced if the interval is below 0
    or above the margin. Equal lines are inconclusive. Other parameters as for `compare`.
    """
    fewest = min(FEWEST_ROWS, len(a))
    found = compare(a, b, x, falls, seed, fewest=fewest)
    if isinstance(found, str):
        return no_information(found)
    bounded = steps is not None or relative is not None
    largest = margin_of(found.step, found.threshold, steps, relative) if bounded else np.inf
    reversed_rows = found.rows_below(0.0)
    outcome = "I"
    if found.low > 0 and found.high <= largest and reversed_rows == 0:
        outcome = "R"
    elif found.high < 0 or found.low > largest:
        outcome = "N"
    p_for = max(found.p_above(0.0), found.p_below(largest))
    p_against = found.p_below(0.0)
    if bounded:
        p_against = min(1.0, 2 * min(p_against, found.p_above(largest)))
    detail = f"{found.detail}; significantly reversed rows: {reversed_rows}"
    return Decision(outcome, found.difference, found.low, found.high, found.difference,
                    largest if bounded else 0.0, p_for, p_against, detail)  # fmt: skip


def far_beyond(
    a: np.ndarray,
    b: np.ndarray,
    x: np.ndarray,
    *,
    falls: bool,
    seed: int,
    much: float,
    or_success: bool = False,
) -> Decision:
    """T-FAR: judge "A's threshold lies far beyond B's", on one row.

    Reproduced if D is at least `much` with its interval above 0; not reproduced if the interval is below
    `much`. With `or_success` it is also reproduced if, at the last cell in which A succeeds in 90 % of the
    trials, its share is higher by .3 or more with the interval above .1, and it is only refuted if that
    interval is below .3 as well.

    Parameters
    ----------
    a, b : ndarray of bool, shape (1, n_x, n_trials)
        Success of A and B on the same trials.
    x, falls, seed
        As for `compare`.
    much : float
        In units of `x`.
    or_success : bool
        Whether a difference of success at one cell may decide.
    """
    found = compare(a, b, x, falls, seed, fewest=1)
    if isinstance(found, str):
        return no_information(found, much)
    farther = found.difference >= much and found.low > 0
    nearer = found.high < much
    p_for, p_against, detail = found.p_above(0.0), found.p_below(much), found.detail
    if or_success:
        share, low, high, p_more, p_less = _at_the_edge(a[0], b[0], falls, seed + 1)
        farther |= share >= SUCCESS_MUCH and low > SUCCESS_LITTLE
        nearer &= high < SUCCESS_MUCH
        p_for, p_against = min(1.0, 2 * min(p_for, p_more)), max(p_against, p_less)
        detail += f"; difference of success where A still succeeds: {share:.3f} ({low:.3f} to {high:.3f})"
    outcome = "R" if farther else "N" if nearer else "I"
    return Decision(outcome, found.difference, found.low, found.high, found.difference, much,
                    p_for, p_against, detail)  # fmt: skip


def _at_the_edge(
    a: np.ndarray, b: np.ndarray, falls: bool, seed: int
) -> tuple[float, float, float, float, float]:
    """Return the difference of success at A's last good cell, its interval, and two P values.

    The interval ranges from -1 to 1 where A has no good cell.
    """
    good = np.flatnonzero(a.mean(axis=-1) >= AGREED)
    n = a.shape[-1]
    if len(good) == 0 or n < 2:
        return 0.0, -1.0, 1.0, 1.0, 1.0
    cell = good.max() if falls else good.min()
    each = a[cell].astype(float) - b[cell]
    share = float(each.mean())
    low, high, se = interval(trial_weights(n, seed) @ each, share, n, smallest_se=1 / n)
    return (
        share,
        low,
        high,
        float(stats.t.sf((share - SUCCESS_LITTLE) / se, n - 1)),
        float(stats.t.sf((SUCCESS_MUCH - share) / se, n - 1)),
    )
