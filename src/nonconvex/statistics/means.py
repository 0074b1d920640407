"""Confidence intervals of means over trials, and of shares in which each trial has several cells."""

import numpy as np
from scipy import special

FEWEST, FEWEST_SKEW = 3, 8
"""Fewer trials tell nothing about how far their mean may lie from the true one, or about their skewness."""


def student(values: np.ndarray, alpha: float, least_se: float = 0.0) -> tuple[float, float, float]:
    """Return the mean of one value per trial, and Student's interval of it.

    Parameters
    ----------
    values : ndarray, shape (n_trials,)
        Finite.
    alpha : float
        Probability, two-sided, that the interval misses.
    least_se : float
        Least standard error: data in which every trial agrees are not known without error.

    Returns
    -------
    mean, low, high : float
        Infinite ends with fewer than three trials.
    """
    n = len(values)
    mean = float(np.mean(values)) if n else np.nan
    if n < FEWEST:
        return mean, -np.inf, np.inf
    half = t_quantile(n, alpha) * max(float(np.std(values, ddof=1)) / np.sqrt(n), least_se)
    return mean, mean - half, mean + half


def mean(values: np.ndarray, alpha: float) -> tuple[float, float, float]:
    """Return the mean of one value per trial, and an interval that also holds where the values are skewed.

    It joins Student's interval with that of Hall's transformation, which moves it to the side of the tail.
    Alone, Student's misses 2.5 % instead of .8 % of the means of 10 values of a gamma law of shape 2.

    Parameters
    ----------
    values, alpha
        As for `student`. With fewer than eight trials the interval is Student's.

    References
    ----------
    P. Hall, "On the removal of skewness by transformation", J. R. Statist. Soc. B 54, 1992.
    """
    middle, low, high = student(values, alpha)
    n = len(values)
    scale = float(np.std(values, ddof=1)) if n >= FEWEST_SKEW else 0.0
    if scale <= 1e-9 * abs(middle):  # equal but for rounding: that has no skewness
        return middle, low, high
    skewness = float(n / ((n - 1) * (n - 2)) * np.sum(((values - middle) / scale) ** 3))
    if abs(skewness) < 1e-6:
        return middle, low, high
    half = t_quantile(n, alpha) / np.sqrt(n)

    def back(t: float) -> float:
        return float(3 / skewness * (np.cbrt(1 + skewness * (t - skewness / (6 * n))) - 1))

    return middle, min(low, middle - scale * back(half)), max(high, middle - scale * back(-half))


def t_quantile(n: int, alpha: float) -> float:
    """Return the two-sided quantile of Student's distribution for a mean of n trials."""
    return float(special.stdtrit(n - 1, 1 - alpha / 2))


def share(values: np.ndarray, alpha: float, *, trials: float | None = None) -> tuple[float, float, float]:
    """Return the mean of one share per trial, and its exact interval (Clopper and Pearson).

    A trial with several cells counts as one; cells of a trial may share random streams. The numbers of
    successes and trials are the effective ones of Korn and Graubard (`effective_trials`).

    Parameters
    ----------
    values : ndarray, shape (n_trials,)
        In [0, 1]; 0 or 1 where a trial has one cell.
    alpha : float
        Probability, two-sided, that the interval misses.
    trials : float, optional
        The effective number of trials where all of them agree; that of the trials, if not given.

    Returns
    -------
    mean, low, high : float
        (nan, -inf, inf) without trials.

    References
    ----------
    E. L. Korn, B. I. Graubard, "Confidence intervals for proportions with small expected number of positive
    counts estimated from survey data", Survey Methodology 24, 1998.
    """
    if len(values) == 0:
        return np.nan, -np.inf, np.inf
    mean = float(np.mean(values))
    number = effective_trials(values, alpha) or trials or len(values)
    return mean, *clopper_pearson(mean * number, number, alpha)


def effective_trials(values: np.ndarray, alpha: float) -> float:
    """Return how many trials of one cell would tell as much as these shares do; 0 where all trials agree.

    That is the number whose share has the same variance, less what estimating the variance costs. Where all
    trials agree, the variance says nothing.
    """
    n, mean = len(values), float(np.mean(values))
    if np.isin(values, (0, 1)).all():
        return float(n) if 0 < mean < 1 else 0.0
    # Shares that agree but for rounding have no variance.
    if n < 2 or np.ptp(values) < 1e-9:
        return 0.0
    variance = float(np.var(values, ddof=1)) / n
    number = mean * (1 - mean) / variance
    return number * (t_quantile(max(int(number), 2), alpha) / t_quantile(n, alpha)) ** 2


def clopper_pearson(successes: float, trials: float, alpha: float) -> tuple[float, float]:
    """Return the exact interval of a share; the counts need not be whole (effective ones)."""
    failures = trials - successes
    low = float(special.betaincinv(successes, failures + 1, alpha / 2)) if successes > 0 else 0.0
    high = float(special.betaincinv(successes + 1, failures, 1 - alpha / 2)) if failures > 0 else 1.0
    return low, high


def share_difference(more: np.ndarray, less: np.ndarray, alpha: float) -> tuple[float, float, float]:
    """Return how much larger one share of discordant cells is than the other, and its interval.

    The intervals of both shares (`share`) are joined by their distances from the estimates (Zou and Donner's
    MOVER), with the correlation that exclusive outcomes have.

    Parameters
    ----------
    more, less : ndarray, shape (n_trials,)
        Of each trial, the share of cells in which only the first side succeeds, and only the second one.
    alpha : float
        Probability, two-sided, that the interval misses.

    Returns
    -------
    difference, low, high : float

    References
    ----------
    G. Y. Zou, A. Donner, "Construction of confidence limits about effect measures: a general approach",
    Statistics in Medicine 27, 2008.
    """
    if len(more) == 0:
        return np.nan, -np.inf, np.inf
    # Where one side never has a cell to itself, its cells are as independent as those that the sides differ
    # in.
    trials = effective_trials(more + less, alpha) or None
    p, p_low, p_high = share(more, alpha, trials=trials)
    q, q_low, q_high = share(less, alpha, trials=trials)
    both = (1 - p) * (1 - q)
    against = min(1.0, np.sqrt(p * q / both)) if both > 0 else 1.0

    def joined(one: float, other: float) -> float:
        return float(np.sqrt(one**2 + other**2 + 2 * against * one * other))

    low, high = joined(p - p_low, q_high - q), joined(p_high - p, q - q_low)
    return p - q, max(-1.0, p - q - low), min(1.0, p - q + high)
