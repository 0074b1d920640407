"""T-ORD: "A better than B", paired, on success or on values where smaller is better."""

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.ratio import paired_logs
from nonconvex.statistics.bootstrap import RESAMPLES, interval, trial_weights

LEVEL = 0.01
DISCORDANT_PAIRS = 7
SUCCESS_DIFFERENCE = 0.05
SUCCESS_EQUAL = 0.02
RATIO = 1.1
RATIO_EQUAL = 1.02
PAIRS_FOR_EQUAL = 20


def mcnemar(one_way: int, other_way: int) -> float:
    """Return the exact one-sided P value of McNemar's test for more pairs one way than the other."""
    return float(stats.binom.sf(one_way - 1, one_way + other_way, 0.5))


def order_success(
    good_a: np.ndarray,
    bad_a: np.ndarray,
    good_b: np.ndarray,
    bad_b: np.ndarray,
    *,
    seed: int,
    smallest: float = SUCCESS_DIFFERENCE,
    resamples: int = RESAMPLES,
) -> Decision:
    """Judge "A succeeds where B fails more often than the reverse".

    Reproduced if the exact McNemar test gives P < .01 with at least 7 discordant pairs that way, the
    difference of shares is at least `smallest` and its interval is off 0; not reproduced if McNemar's test
    is as clear the other way, or if the interval of the difference lies inside (-.02, .02).

    The difference is taken over the cells in which A and B together neither always nor never succeed: the
    other cells only say how much black and white was drawn. Its interval is the union of the bootstrap of
    whole trials and an exact one from the two discordant counts, which keeps its width when no pair
    disagrees. The bootstrap guards the pooled McNemar test where cells share random streams.

    Parameters
    ----------
    good_a, bad_a, good_b, bad_b : ndarray of bool, shape (n_cells, n_trials)
        Whether the trial counts as a success, and as a failure, of A and of B. Both may be False (a trial
        that neither recovered nor diverged): such a pair is never discordant.
    seed : int
        From `judging_seed`.
    smallest : float
        The smallest difference of shares that counts.
    resamples : int
        Number of bootstrap resamples.
    """
    n_cells, n_trials = good_a.shape
    wins, losses = good_a & bad_b, bad_a & good_b
    mixed = (good_a | good_b).any(axis=1) & ~(good_a & good_b).all(axis=1)
    n_pairs = int(mixed.sum()) * n_trials
    if n_pairs == 0:
        return no_information(f"all {n_cells} cells are wholly white or wholly black for both", smallest)
    b, c = int(wins.sum()), int(losses.sum())
    per_trial = (wins.astype(float) - losses)[mixed].mean(axis=0)
    effect = float(per_trial.mean())
    weights = trial_weights(n_trials, seed, resamples)
    low, high, _ = interval(weights @ per_trial, effect, n_trials)
    exact_low, exact_high = _exact_difference(b, c, n_pairs)
    if not (np.isfinite(low) and np.isfinite(high)):
        low, high = -1.0, 1.0
    low, high = min(low, exact_low), max(high, exact_high)
    p_better, p_worse = mcnemar(b, c), mcnemar(c, b)
    equal = low > -SUCCESS_EQUAL and high < SUCCESS_EQUAL
    outcome = "I"
    if p_better < LEVEL and b >= DISCORDANT_PAIRS and effect >= smallest and low > 0:
        outcome = "R"
    elif (p_worse < LEVEL and c >= DISCORDANT_PAIRS and high < 0) or equal:
        outcome = "N"
    p_equal = _equal_p(b, c, n_pairs) if equal else 1.0
    detail = (
        f"difference of shares over {int(mixed.sum())} of {n_cells} cells, {n_pairs} pairs: "
        f"{b} discordant for, {c} against; McNemar P = {p_better:.2g} for, {p_worse:.2g} against"
    )
    p_against = min(p_worse, p_equal)
    return Decision(outcome, float(b - c), low, high, effect, smallest, p_better, p_against, detail)


def _exact_difference(b: int, c: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return an interval of (b - c)/n from the exact (Clopper-Pearson) intervals of b/n and c/n."""
    tail = (1 + level) / 2
    (b_low, b_high), (c_low, c_high) = (_clopper_pearson(k, n, tail) for k in (b, c))
    share_b, share_c = b / n, c / n
    centre = share_b - share_c
    low = centre - np.hypot(share_b - b_low, c_high - share_c)
    high = centre + np.hypot(b_high - share_b, share_c - c_low)
    return float(low), float(high)


def _clopper_pearson(k: int, n: int, tail: float) -> tuple[float, float]:
    low = stats.beta.ppf(1 - tail, k, n - k + 1) if k else 0.0
    high = stats.beta.ppf(tail, k + 1, n - k) if k < n else 1.0
    return float(low), float(high)


def _equal_p(b: int, c: int, n: int) -> float:
    """Return the chance of so few discordant pairs if their share were the bound of "equal"."""
    return float(stats.binom.cdf(b + c, n, SUCCESS_EQUAL))


def order_values(
    a: np.ndarray,
    b: np.ndarray,
    *,
    seed: int,
    smallest: float = RATIO,
    given_convergence: bool = False,
    resamples: int = RESAMPLES,
) -> Decision:
    """Judge "A's values are smaller than B's", for errors, iterations and the like.

    Reproduced if the Wilcoxon signed-rank test on the log values gives P < .01 and the geometric-mean
    ratio B/A is at least `smallest`; not reproduced if the test is as clear the other way, or if the
    ratio's interval lies inside (1/1.02, 1.02), for at least 20 pairs.

    A value that is not finite (a failed or diverged trial) counts as the largest finite value of either
    method: it loses against every other and the ratio is then a lower bound of its own size. With
    `given_convergence` only pairs finite in both count, and 80 % of each method's must be.

    Parameters
    ----------
    a, b : ndarray, shape (n_trials,)
        Positive values of the same trials.
    """
    logs = paired_logs(a, b, given_convergence)
    if isinstance(logs, str):
        return no_information(logs, smallest)
    differences = logs[1] - logs[0]
    n = len(differences)
    samples = trial_weights(n, seed, resamples) @ differences
    mean = float(differences.mean())
    low, high, se = interval(samples, mean, n)
    p_smaller, p_larger = wilcoxon(differences, "greater"), wilcoxon(differences, "less")
    bound = np.log(RATIO_EQUAL)
    equal = n >= PAIRS_FOR_EQUAL and -bound < low and high < bound
    outcome = "I"
    if p_smaller < LEVEL and mean >= np.log(smallest):
        outcome = "R"
    elif p_larger < LEVEL or equal:
        outcome = "N"
    p_equal = 1.0
    if equal:
        p_equal = float(stats.t.sf((bound - abs(mean)) / se, n - 1)) if se > 0 else 0.0
    detail = (
        f"geometric-mean ratio B/A over {n} of {len(a)} pairs; finite: {int(np.isfinite(a).sum())} of A, "
        f"{int(np.isfinite(b).sum())} of B; Wilcoxon P = {p_smaller:.2g} for, {p_larger:.2g} against"
    )
    low, high, effect = (float(np.exp(value)) for value in (low, high, mean))
    return Decision(outcome, effect, low, high, effect, smallest, p_smaller, min(p_larger, p_equal), detail)


def wilcoxon(differences: np.ndarray, alternative: str) -> float:
    """Return the P value of Wilcoxon's signed-rank test; 1 if every difference is zero."""
    nonzero = differences[differences != 0]
    if len(nonzero) == 0:
        return 1.0
    return float(stats.wilcoxon(nonzero, alternative=alternative).pvalue)
