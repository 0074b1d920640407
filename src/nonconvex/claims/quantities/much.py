"""T-MUCH: "much larger", as a ratio (or a difference of success) beyond one bound and not below another.

Two bounds leave room between "much" and "hardly": between them neither answer is given.
"""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.pooled import ratios
from nonconvex.statistics.bootstrap import interval, trial_weights

SUCCESS_MUCH = 0.3
SUCCESS_LITTLE = 0.1


def much_larger(
    a: np.ndarray, b: np.ndarray, *, seed: int, much: float, little: float | None = None
) -> Decision:
    """Judge "B's values are much larger than A's".

    Reproduced if the median ratio B/A, over trials that are each the mean over their cells, is at least
    `much` and its interval above `little`; not reproduced if it is below `little` with its interval below
    `much`. `little` is the square root of `much`, half way from no effect, if the claim does not say.
    Parameters as for `nonconvex.claims.quantities.pooled.ratios`.
    """
    found = ratios(a, b)
    if isinstance(found, str):
        return no_information(found, much)
    median, low, high = found.median_interval(seed)
    return _decide(median, low, high, len(found.per_trial), much, little, f"median ratio B/A; {found.detail}")


def much_larger_than_elsewhere(
    here: tuple[np.ndarray, np.ndarray],
    there: tuple[np.ndarray, np.ndarray],
    *,
    seed: int,
    much: float,
    little: float | None = None,
) -> Decision:
    """Judge "the ratio B/A is much larger here than there", for two experiments with their own trials.

    `here` and `there` are (a, b) as for `much_larger`. Trials of the two are resampled independently.
    """
    found = [ratios(*here), ratios(*there)]
    pair = [one for one in found if not isinstance(one, str)]
    if len(pair) < 2:
        return no_information("; ".join(one for one in found if isinstance(one, str)), much)
    medians, lows, highs = zip(*(one.median_interval(seed + k) for k, one in enumerate(pair)), strict=True)
    difference = medians[0] - medians[1]
    # The two intervals are of independent samples: their half-widths add as squares.
    low = difference - np.hypot(medians[0] - lows[0], highs[1] - medians[1])
    high = difference + np.hypot(highs[0] - medians[0], medians[1] - lows[1])
    n = min(len(one.per_trial) for one in pair)
    detail = (
        f"ratio of the median ratios B/A, {np.exp(medians[0]):.3g} here and {np.exp(medians[1]):.3g} there; "
        f"here {pair[0].detail}; there {pair[1].detail}"
    )
    return _decide(difference, float(low), float(high), n, much, little, detail)


def _decide(
    median: float, low: float, high: float, n: int, much: float, little: float | None, detail: str
) -> Decision:
    little = little or np.sqrt(much)
    outcome = "I"
    if median >= np.log(much) and low > np.log(little):
        outcome = "R"
    elif median < np.log(little) and high < np.log(much):
        outcome = "N"
    p_for, p_against = 1.0, 1.0
    if n > 1 and np.isfinite(high - low):
        se = max((high - low) / (2 * stats.t.ppf(0.975, n - 1)), 1e-12)
        p_for = float(stats.t.sf((median - np.log(little)) / se, n - 1))
        p_against = float(stats.t.sf((np.log(much) - median) / se, n - 1))
    low, high, effect = (float(np.exp(value)) for value in (low, high, median))
    return Decision(outcome, effect, low, high, effect, much, p_for, p_against, detail)


def much_better(
    a: np.ndarray,
    b: np.ndarray,
    good_a: np.ndarray,
    good_b: np.ndarray,
    *,
    seed: int,
    much: float,
    little: float,
) -> Decision:
    """Judge "A is much better than B": its errors are much smaller, or it succeeds much more often.

    Reproduced if the ratio of the errors is (`much_larger`) and A does not succeed less, or if the
    difference of the success shares is at least .3 with its interval above .1. Not reproduced if the ratio
    is not, and the difference is below .1 with its interval below .3. Cells in which both always or never
    succeed do not count in the difference.

    Parameters
    ----------
    a, b, seed, much, little
        As for `much_larger`.
    good_a, good_b : ndarray of bool, shape (n_cells, n_trials)
        Success of the same trials.
    """
    ratio = much_larger(a, b, seed=seed, much=much, little=little)
    mixed = (good_a | good_b).any(axis=1) & ~(good_a & good_b).all(axis=1)
    if not mixed.any():
        text = f"{ratio.detail}; success: every cell is wholly white or wholly black for both"
        return Decision(ratio.outcome, ratio.statistic, ratio.ci_low, ratio.ci_high, ratio.effect, much,
                        ratio.p_for, ratio.p_against, text)  # fmt: skip
    per_trial = (good_a.astype(float) - good_b)[mixed].mean(axis=0)
    n, share = len(per_trial), float(per_trial.mean())
    low, high, se = interval(
        trial_weights(n, seed + 1) @ per_trial, share, n, smallest_se=1 / (n * mixed.sum())
    )
    more = share >= SUCCESS_MUCH and low > SUCCESS_LITTLE
    not_more = share < SUCCESS_LITTLE and high < SUCCESS_MUCH
    smaller = ratio.outcome == "R" and high >= 0
    outcome = "R" if more or smaller else "N" if not_more and ratio.outcome == "N" else "I"
    p_more, p_less = 1.0, 1.0
    if n > 1:
        p_more = float(stats.t.sf((share - SUCCESS_LITTLE) / se, n - 1))
        p_less = float(stats.t.sf((SUCCESS_MUCH - share) / se, n - 1))
    text = (
        f"{ratio.detail}; difference of success {share:.3f} ({low:.3f} to {high:.3f}) "
        f"over {int(mixed.sum())} cells"
    )
    return Decision(outcome, ratio.statistic, ratio.ci_low, ratio.ci_high, ratio.effect, much,
                    min(1.0, 2 * min(ratio.p_for, p_more)), max(ratio.p_against, p_less), text)  # fmt: skip
