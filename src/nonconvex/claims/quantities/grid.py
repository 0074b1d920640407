"""T-GRID: how much more often one method succeeds than another, over a whole grid of cells.

D is the difference of the two shares of successes, averaged over the cells. Its interval is that of whole
trials, each with all its cells, so cells may share random streams. Over all drawn cells D depends on how
much of the grid is white or black for both; over the mixed cells, in which the two together neither always
nor never succeed, it does not.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.ordering import SUCCESS_EQUAL
from nonconvex.statistics.bootstrap import interval, trial_weights


@dataclass(frozen=True)
class Gain:
    """D of each trial, the least standard error of its mean, and the counts."""

    each: np.ndarray
    grain: float
    detail: str


def gain(a: np.ndarray, b: np.ndarray, *, mixed_only: bool = False) -> Gain | str:
    """Return the difference of two methods' successes, or a sentence on why there is none.

    Parameters
    ----------
    a, b : ndarray of bool, shape (n_cells, n_trials)
        Success of A and B on the same trials.
    mixed_only : bool
        Whether only mixed cells count.
    """
    if a.size == 0:
        return "no cell of this run lies within the limits of the claim"
    mixed = (a | b).any(axis=1) & ~(a & b).all(axis=1)
    if not mixed.any():
        return f"all {len(a)} cells are wholly white or wholly black for both"
    counted = mixed if mixed_only else np.ones(len(a), dtype=bool)
    each = (a.astype(float) - b)[counted].mean(axis=0)
    shares = " and ".join(f"{side[counted].mean():.3f}" for side in (a, b))
    cells = f"{int(counted.sum())} of {len(a)} cells, {int(mixed.sum())} mixed"
    detail = f"{cells}, {a.shape[1]} trials; shares {shares}"
    # One discordant pair more or less: the error of data in which every trial agrees.
    return Gain(each, 1 / (a.shape[1] * int(counted.sum())), detail)


def gain_over(here: Gain | str, there: Gain | str) -> Gain | str:
    """Return how much larger the gain is here than there, trial by trial."""
    if isinstance(here, str) or isinstance(there, str):
        return "; ".join(one for one in (here, there) if isinstance(one, str))
    gains = f"gain {here.each.mean():.3f} here, {there.each.mean():.3f} there"
    detail = f"{gains}; here {here.detail}; there {there.detail}"
    return Gain(here.each - there.each, float(np.hypot(here.grain, there.grain)), detail)


def gain_is(
    found: Gain | str,
    *,
    seed: int,
    largest: float | None = None,
    much: float | None = None,
    little: float = 0.0,
) -> Decision:
    """Judge "A succeeds more often than B".

    * As it stands: reproduced if the interval of D is above 0; not reproduced if it is below 0, or if it
      lies inside (-.02, .02) and holds 0.
    * With `largest`, "slightly more often": reproduced if the interval lies above 0 and not above `largest`;
      not reproduced if it lies below 0 or above `largest`. Two equal methods are inconclusive.
    * With `much`, "much more often": reproduced if D is at least `much` with its interval above `little`;
      not reproduced if D is below `little` with its interval below `much`.

    Parameters
    ----------
    found : Gain or str
        From `gain` or `gain_over`.
    seed : int
        From `judging_seed`.
    largest, much, little : float
        Shares of all trials. At most one of `largest` and `much` is given.
    """
    margin = next((bound for bound in (much, largest) if bound is not None), 0.0)
    if isinstance(found, str):
        return no_information(found, margin)
    n, mean = len(found.each), float(found.each.mean())
    low, high, se = interval(trial_weights(n, seed) @ found.each, mean, n, smallest_se=found.grain)

    def p(excess: float) -> float:
        return float(stats.t.sf(excess / se, n - 1)) if n > 1 else 1.0

    if much is not None:
        outcome = "R" if mean >= much and low > little else "N" if mean < little and high < much else "I"
        p_for, p_against = p(mean - little), p(much - mean)
    elif largest is not None:
        outcome = "R" if low > 0 and high <= largest else "N" if high < 0 or low > largest else "I"
        p_for = max(p(mean), p(largest - mean))
        p_against = min(1.0, 2 * min(p(-mean), p(mean - largest)))
    else:
        equal = -SUCCESS_EQUAL < low <= 0 <= high < SUCCESS_EQUAL
        outcome = "R" if low > 0 else "N" if high < 0 or equal else "I"
        p_for = p(mean)
        p_against = min(p(-mean), p(SUCCESS_EQUAL - abs(mean)) if equal else 1.0)
    return Decision(
        outcome, mean, low, high, mean, margin, p_for, p_against, f"gain of success; {found.detail}"
    )
