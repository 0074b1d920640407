"""Single precision while iterates move much, double precision in the first step and at the end."""

import numpy as np

from nonconvex.hankel.observations import Observations
from nonconvex.hankel.operators.lift import HankelLift

# Relative changes above this one are far above the rounding errors of single precision.
COARSE = 1e-4
# Entries of a left factor from which single precision is the faster.
LARGE = 2**15


class Precision:
    """The lift to work with at every iterate.

    A run starts in double precision. Where its factors are large it goes to single precision while iterates
    move by more than 1e-4 (or 100 times the tolerance) on the observed set, and back for good as soon as the
    next change is expected below that, by the ratio of the last two. So a run that converges at once, or by
    a large factor each step, still ends with steps in double precision.

    Parameters
    ----------
    observations : Observations
        Defines the observed set.
    lift : HankelLift
        Of double precision.
    rank : int
        Of the factors.
    tolerance : float
        Of the stop rule.
    """

    def __init__(self, observations: Observations, lift: HankelLift, rank: int, tolerance: float) -> None:
        self._observations = observations
        self._double = lift
        self._single = HankelLift(lift.n_channels, lift.n_samples, lift.n1, real=lift.real, single=True)
        self._coarse = max(COARSE, 100 * tolerance)
        self._done = rank * lift.shape[0] < LARGE
        self._sample: np.ndarray | None = None
        self._change: float | None = None

    def lift(self, x: np.ndarray) -> HankelLift:
        """Return the lift for the step from the next iterate, `x`."""
        if self._done:
            return self._double
        last, self._sample = self._sample, self._observations.sample(x)
        if last is None:
            return self._double
        last_change, self._change = self._change, _relative(self._sample, last)
        expected = (
            self._change if last_change is None else self._change * min(1.0, self._change / last_change)
        )
        self._done = not expected > self._coarse
        return self._double if self._done else self._single


def _relative(new: np.ndarray, old: np.ndarray) -> float:
    size = float(np.linalg.norm(old))
    return float(np.linalg.norm(new - old)) / size if size > 0 else np.inf
