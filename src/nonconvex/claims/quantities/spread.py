"""T-SPREAD: whether a quantity varies little from trial to trial."""

import numpy as np

from nonconvex.claims.decision import Decision, no_information
from nonconvex.statistics.bootstrap import interval, trial_weights

LITTLE, MUCH = 0.25, 0.5


def varies_little(values: np.ndarray, *, seed: int) -> Decision:
    """Judge "the values vary slightly between trials", at every level.

    The spread is the standard deviation over the mean. Reproduced if it is at most .25 at every level, with
    the upper end of its 95 % interval below .5; not reproduced if it is at least .5 at more than half of the
    levels, with the lower end above .25.

    Parameters
    ----------
    values : ndarray, shape (n_levels, n_trials)
        Not negative.
    seed : int
        From `judging_seed`.
    """
    k, n = values.shape
    if k == 0 or n < 3 or not (values.mean(axis=1) > 0).all():
        return no_information(f"{k} levels, {n} trials; 1 and 3 are needed, with positive means", LITTLE)
    weights = trial_weights(n, seed)
    found = []
    for each in values:
        mean, square = weights @ each, weights @ each**2
        drawn = np.sqrt(np.maximum(square - mean**2, 0) * n / (n - 1)) / np.maximum(mean, 1e-300)
        spread = float(each.std(ddof=1) / each.mean())
        low, high, _ = interval(drawn, spread, n)
        found.append((spread, low, high))
    spreads, lows, highs = np.array(found).T
    outcome = "I"
    if (spreads <= LITTLE).all() and (highs < MUCH).all():
        outcome = "R"
    elif ((spreads >= MUCH) & (lows > LITTLE)).sum() > k / 2:
        outcome = "N"
    worst = int(np.argmax(spreads))
    p = {"R": (0.0, 1.0), "N": (1.0, 0.0), "I": (1.0, 1.0)}[outcome]
    detail = f"largest spread of {k} levels, {n} trials; spreads {', '.join(f'{s:.3g}' for s in spreads)}"
    return Decision(outcome, spreads[worst], lows[worst], highs[worst], spreads[worst], LITTLE, *p, detail)
