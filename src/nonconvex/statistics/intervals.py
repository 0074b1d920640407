"""Wilson's confidence interval of a share of successes."""

from typing import overload

import numpy as np
from scipy import special


@overload
def wilson(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]: ...
@overload
def wilson(
    successes: np.ndarray, trials: np.ndarray | int, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]: ...
def wilson(
    successes: np.ndarray | int, trials: np.ndarray | int, level: float = 0.95
) -> tuple[np.ndarray | float, np.ndarray | float]:
    """Return the Wilson score interval of a share, or of many at once.

    Parameters
    ----------
    successes, trials : int or ndarray of int
        Counts that broadcast together.
    level : float
        The interval's confidence.

    Returns
    -------
    low, high : float or ndarray
        NaN without trials.
    """
    k, n = np.broadcast_arrays(np.asarray(successes, dtype=float), np.asarray(trials, dtype=float))
    z2 = special.ndtri((1 + level) / 2) ** 2
    with np.errstate(invalid="ignore"):
        share = k / n
    centre = (k + z2 / 2) / (n + z2)
    half = np.sqrt(z2) * np.sqrt(share * (1 - share) * n + z2 / 4) / (n + z2)
    # At the ends the bound is 0 or 1 exactly; the difference would leave a rounding error of 1e-17.
    low = np.where(k == 0, np.where(n == 0, np.nan, 0.0), centre - half)
    high = np.where(k == n, np.where(n == 0, np.nan, 1.0), centre + half)
    return low[()], high[()]
