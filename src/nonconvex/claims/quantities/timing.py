"""T-TIME: "B takes so many times as long as A", with iterations as the witness of the seconds.

Seconds compare two implementations on one machine. They decide only where the iterations, which no machine
changes, point the same way; absolute seconds are never judged.

Iterations are no witness where an iteration of one method costs many times another's. The witness is then the
number of floating-point operations: iterations times the `OPERATIONS` of one on one channel.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from nonconvex.claims.decision import Decision, no_information
from nonconvex.claims.quantities.pooled import median_interval
from nonconvex.claims.quantities.ratio import CONVERGENT_SHARE

FACTOR = 3.0
PRODUCTS = 20

# Of the number of samples n and the fraction lost, with a Hankel matrix of n/2 x n/2. A partial decomposition
# into singular values is counted as 20 products with it.
OPERATIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    # Three transforms of length n for a product with a Hankel matrix.
    "fast Hankel products": lambda n, loss: PRODUCTS * 15 * n * np.log2(n),
    # A complex product and sum for each observed entry of the matrix.
    "products with observed entries": lambda n, loss: PRODUCTS * 8 * (1 - loss) * (n / 2) ** 2,
    # A full decomposition by the Gram matrix: two products of matrices and its eigenvectors.
    "full decomposition": lambda n, loss: 5 * 8 * (n / 2) ** 3,
}


@dataclass(frozen=True)
class Arm:
    """One method's timed trials: seconds and iterations until its goal, and whether it came there.

    `iterations` may be another count of work that no machine changes; `slower` is told its name then.
    """

    seconds: np.ndarray
    iterations: np.ndarray
    reached: np.ndarray


def slower(
    fast: Arm,
    slow: Arm,
    *,
    seed: int,
    stated: float | None = None,
    smallest: float = 1.0,
    factor: float = FACTOR,
    work: str = "iteration",
) -> Decision:
    """Judge "the slow method takes `stated` times as long", or "at least `smallest` times".

    The ratio is the median over trials of slow/fast, paired. Reproduced if the ratio of the seconds is at
    least `smallest` with its interval above 1, the iterations' interval is above 1 as well, and the ratio
    is within a factor 3 of the stated one. Not reproduced if the intervals of both the seconds and the
    iterations lie below `smallest`. Everything else is inconclusive.

    A slow method that ends before its goal counts with the time it took until then, which is less than it
    needs: "at least" can be judged on that, a stated ratio cannot if that happens in more than 20 % of the
    trials. The fast one must come to its goal in 80 % of the trials; the others count as the longest.

    Parameters
    ----------
    fast, slow : Arm
        Of the same trials.
    seed : int
        From `judging_seed`.
    stated : float, optional
        The thesis's ratio.
    smallest : float
        The smallest ratio that counts.
    factor : float
        How far the ratio may be from the stated one.
    work : str
        What the iterations of the arms count.
    """
    margin = stated if stated is not None else smallest
    n = len(fast.seconds)
    counts = (
        f"goal reached in {int(fast.reached.sum())} (fast) and {int(slow.reached.sum())} (slow) of {n} trials"
    )
    if (
        n == 0
        or fast.reached.mean() < CONVERGENT_SHARE
        or not (np.minimum(fast.seconds, slow.seconds) > 0).all()
    ):
        return no_information(f"{counts}: the fast method needs 80 %, and seconds above 0", margin)
    seconds, low, high = _ratio(fast.seconds, slow.seconds, fast.reached, seed)
    steps, steps_low, steps_high = _ratio(_counted(fast), _counted(slow), fast.reached, seed)
    whole = slow.reached.mean() >= CONVERGENT_SHARE
    near = stated is None or (whole and abs(seconds - np.log(stated)) <= np.log(factor))
    least = np.log(smallest)
    outcome = "I"
    if seconds >= least and low > 0 and steps_low > 0 and near:
        outcome = "R"
    elif whole and high < least and steps_high < least:
        outcome = "N"
    p_for, p_against = 1.0, 1.0
    if n > 1:
        p_for = max(_tail(seconds, low, high, n), _tail(steps, steps_low, steps_high, n))
        p_against = max(
            _tail(least - seconds, -high, -low, n), _tail(least - steps, -steps_high, -steps_low, n)
        )
    per_step = np.exp(seconds - steps)
    detail = (
        f"ratio of seconds slow/fast; {counts}; {work}s {np.exp(steps):.3g} times "
        f"({np.exp(steps_low):.3g} to {np.exp(steps_high):.3g}), seconds per {work} {per_step:.3g} times; "
        f"median seconds {np.median(fast.seconds):.3g} and {np.median(slow.seconds):.3g}"
    )
    low, high, effect = (float(np.exp(value)) for value in (low, high, seconds))
    return Decision(outcome, effect, low, high, effect, margin, p_for, p_against, detail)


def _ratio(fast: np.ndarray, slow: np.ndarray, reached: np.ndarray, seed: int) -> tuple[float, float, float]:
    # A run of the fast method that did not come to its goal is at least as long as the longest that did.
    fast = np.where(reached, fast, fast.max())
    return median_interval(np.log(slow) - np.log(fast), seed)


def _counted(arm: Arm) -> np.ndarray:
    # A goal reached by the first guess takes no iteration; half of one keeps the logarithm finite.
    return np.maximum(arm.iterations, 0.5)


def _tail(excess: float, low: float, high: float, n: int) -> float:
    if not np.isfinite(high - low):
        return 1.0
    se = max((high - low) / (2 * stats.t.ppf(0.975, n - 1)), 1e-12)
    return float(stats.t.sf(excess / se, n - 1))
