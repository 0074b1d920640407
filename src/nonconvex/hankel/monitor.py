"""Running an iterative solver: stop rule, blow-up guard, clock and callback."""

from __future__ import annotations

import numpy as np

from nonconvex.hankel.clock import Clock
from nonconvex.hankel.recovery import Recovery

BLOW_UP = 1e3


def run(iterates, observations, *, rank, tolerance, max_iterations, callback=None):
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
    history, clock = [], Clock(callback)
    previous, previous_norm, outcome = None, 0.0, None
    limit = BLOW_UP * np.linalg.norm(observations.values)
    for iteration, x in enumerate(iterates):
        current = observations.sample(x)
        norm = np.linalg.norm(current)
        if previous is not None:
            history.append(_relative(np.linalg.norm(current - previous), previous_norm))
        outcome = _verdict(iteration, norm, limit, history, tolerance, max_iterations)
        clock.read(observations.to_user, x)
        if outcome:
            break
        previous, previous_norm = current, norm
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


def _relative(change, size):
    if change == 0:
        return 0.0
    return float(change / size) if size > 0 else np.inf


def _verdict(iteration, norm, limit, history, tolerance, max_iterations):
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
