"""Running an iterative solver: clock and callback, stop rules, blow-up guard."""

import time
from collections.abc import Callable, Iterator

import numpy as np

from nonconvex.hankel.observations import Observations
from nonconvex.hankel.recovery import Recovery, Verdict

BLOW_UP = 1e3

Callback = Callable[[int, np.ndarray], None]
"""What a user may hand to a solver: called with the number of an iterate and the iterate."""


class Clock:
    """Read the seconds spent in a solver at every iterate, and show the iterates to the user.

    Parameters
    ----------
    callback : callable or None
        Called as ``callback(iteration, x)``.

    Attributes
    ----------
    elapsed : list of float
        Wall-clock seconds since the start at each reading, callbacks left out.
    """

    def __init__(self, callback: Callback | None = None) -> None:
        self.elapsed: list[float] = []
        self._callback = callback
        self._paused = 0.0
        self._start = time.perf_counter()

    def read(self, iterate: Callable[..., np.ndarray], *arguments: object) -> None:
        """Take a reading, then show the user ``iterate(*arguments)``; without a callback it is not called."""
        now = time.perf_counter()
        self.elapsed.append(now - self._start - self._paused)
        if self._callback is not None:
            self._callback(len(self.elapsed) - 1, iterate(*arguments))
            self._paused += time.perf_counter() - now


def run(
    iterates: Iterator[np.ndarray],
    observations: Observations,
    *,
    rank: int,
    tolerance: float,
    max_iterations: int,
    callback: Callback | None = None,
) -> Recovery:
    """Consume X_0, X_1, ... until the stop rule is met, and report.

    The run ends when ``||P(X_l - X_{l-1})|| <= tolerance ||P(X_{l-1})||`` (thesis, Eq. eqn:termination),
    after `max_iterations` updates, or when an iterate is not finite or its norm on the observed set exceeds
    1000 times that of the data: no run was seen to come back from there.

    Parameters
    ----------
    iterates : iterator of ndarray, shape (n_channels, n_samples)
        New array each time.
    observations : Observations
        Defines P and the shape of the answer.
    rank : int
        Reported in the answer.
    tolerance : float
        Of the stop rule.
    max_iterations : int
        Largest number of updates.
    callback : callable, optional
        Called as ``callback(iteration, x)`` with a copy of every iterate, iteration 0 included, outside the
        clock.

    Returns
    -------
    Recovery
    """
    history: list[float] = []
    clock = Clock(callback)
    previous: np.ndarray | None = None
    previous_norm, outcome = 0.0, None
    limit = BLOW_UP * float(np.linalg.norm(observations.values))
    for iteration, x in enumerate(iterates):
        current = observations.sample(x)
        norm = float(np.linalg.norm(current))
        if previous is not None:
            history.append(_relative(float(np.linalg.norm(current - previous)), previous_norm))
        outcome = _verdict(iteration, norm, limit, history, tolerance, max_iterations)
        clock.read(observations.to_user, x)
        if outcome:
            break
        previous, previous_norm = current, norm
    assert outcome is not None  # The iterates have no end.
    status, reason = outcome
    return Recovery(
        x=observations.to_user(x),
        rank=rank,
        iterations=iteration,
        status=status,
        reason=reason,
        history=np.array(history),
        seconds=clock.elapsed[-1],
        elapsed=np.array(clock.elapsed),
    )


def residual_verdict(
    iteration: int, residual: float, tolerance: float, max_iterations: int, advice: str = ""
) -> Verdict | None:
    """Return (status, reason) when a run ends with this relative residual, or None while it goes on.

    It ends as converged with a residual of at most `tolerance`, and as diverged with one that is not finite
    or exceeds 1000; `advice` is added to the latter's reason.
    """
    at = f"relative residual {residual:.2e} on the observed entries"
    if not residual <= BLOW_UP:
        return "diverged", f"{at} is not finite or exceeds {BLOW_UP:g} at iteration {iteration}{advice}"
    if residual <= tolerance:
        return "converged", f"{at} is at most the tolerance {tolerance:g} at iteration {iteration}"
    if iteration >= max_iterations:
        return "iteration limit", f"{at} is above the tolerance {tolerance:g} after {iteration} iterations"
    return None


def _relative(change: float, size: float) -> float:
    if change == 0:
        return 0.0
    return float(change / size) if size > 0 else np.inf


def _verdict(
    iteration: int, norm: float, limit: float, history: list[float], tolerance: float, max_iterations: int
) -> Verdict | None:
    if not np.isfinite(norm):
        return "diverged", f"the estimate is not finite at iteration {iteration}"
    if norm > limit:
        return "diverged", (
            f"the estimate on the observed set exceeds {BLOW_UP:g} times the data at iteration {iteration}"
        )
    if history and history[-1] <= tolerance:
        return "converged", (
            f"relative change on the observed set {history[-1]:.2e} is at most the tolerance {tolerance:g} "
            f"at iteration {iteration}"
        )
    if iteration >= max_iterations:
        return "iteration limit", (
            f"relative change on the observed set {history[-1]:.2e} is above the tolerance {tolerance:g} "
            f"after {iteration} iterations"
        )
    return None
