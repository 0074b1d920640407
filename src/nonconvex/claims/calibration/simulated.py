"""Made-up outcomes whose truth is known, to calibrate the tests on."""

import numpy as np
from scipy import stats

# The declared grid of Chapter 2's phase transitions, modes 1 and 2.
FRACTIONS = np.arange(1, 10) * 0.05
RANKS = np.arange(1, 56, 3.0)


def success_pair(
    thresholds_a: np.ndarray,
    thresholds_b: np.ndarray,
    widths: np.ndarray,
    x: np.ndarray,
    falls: bool,
    n_trials: int,
    rng: np.random.Generator,
    *,
    together: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the successes of two methods on the same instances.

    Each method's success share is logistic in `x`, one half at its threshold. Half of the variance of what
    decides a trial is the instance's and common to both methods.

    Parameters
    ----------
    thresholds_a, thresholds_b, widths : ndarray, shape (n_rows,)
        Of each row; the width is the logistic scale.
    x : ndarray, shape (n_x,)
        Values along the row.
    falls : bool
        Whether success falls along `x`.
    n_trials : int
        Trials of each cell.
    rng : numpy.random.Generator
        Source of the draws.
    together : bool
        Whether a trial is one instance for all cells of its row, not a new one for each cell.

    Returns
    -------
    a, b : ndarray of bool, shape (n_rows, n_x, n_trials)
    """
    shape = (len(widths), 1 if together else len(x), n_trials)
    instance = rng.standard_normal(shape)
    pair = []
    for thresholds in (thresholds_a, thresholds_b):
        distance = (x[None, :] - thresholds[:, None]) / widths[:, None]
        share = 1 / (1 + np.exp(np.clip(distance if falls else -distance, -50, 50)))
        latent = np.sqrt(0.5) * instance + np.sqrt(0.5) * rng.standard_normal(shape)
        pair.append(latent < stats.norm.ppf(share)[..., None])
    return pair[0], pair[1]


def rank_lines(
    n_trials: int, gain: float, rng: np.random.Generator, *, together: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Draw two methods whose threshold ranks at each fraction are 36 p, for B, and `gain` times that."""
    b = 36 * FRACTIONS
    return success_pair(gain * b, b, 0.3 + 0.06 * b, RANKS, True, n_trials, rng, together=together)


def fraction_lines(n_trials: int, shift: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw two methods whose threshold fractions at each rank are a line in it, apart by `shift`."""
    b = 0.013 + 0.0168 * RANKS
    return success_pair(b + shift, b, np.full(len(b), 0.01), FRACTIONS, False, n_trials, rng)


def fraction_law(n_trials: int, law: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw one method whose threshold fraction at each rank is `law`, shape (n_ranks,)."""
    return success_pair(law, law, np.full(len(law), 0.01), FRACTIONS, False, n_trials, rng)[0]


def value_pair(
    ratio: float, spread: float, n_trials: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw log-normal values of two methods, B's larger by a factor `ratio`; half the variance is shared."""
    instance = rng.standard_normal(n_trials)
    a, b = (np.exp(spread * (instance + rng.standard_normal(n_trials))) for _ in range(2))
    return a, ratio * b


def value_grid(
    ratios: np.ndarray, spread: float, n_trials: int, rng: np.random.Generator, *, together: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Draw log-normal values of two methods in several cells, B's larger by a factor `ratios` in each.

    Half of the variance is the instance's and common to both; `together`, an instance is one for all cells,
    and then a part of what one method does better than the other is so in all of them.
    """
    shape = (len(ratios), n_trials)
    shared = (1, n_trials) if together else shape
    instance = rng.standard_normal(shared)
    a, b = (
        np.exp(
            spread * (instance + np.sqrt(0.5) * (rng.standard_normal(shared) + rng.standard_normal(shape)))
        )
        for _ in range(2)
    )
    return a, ratios[:, None] * b
