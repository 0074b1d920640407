"""AM-FIHT for series that lost much: its steps stay below 2, beyond which it diverges."""

from collections.abc import Iterator

import numpy as np

from nonconvex.hankel.heavy_ball import momentum_weight
from nonconvex.hankel.monitor import Callback, run
from nonconvex.hankel.observations import Observations, check_rank, check_stop, read_observations
from nonconvex.hankel.operators.lift import HankelLift
from nonconvex.hankel.operators.tangent import Lifted, TangentMatrix, best_approximation
from nonconvex.hankel.precision import Precision
from nonconvex.hankel.recovery import Recovery

LONGEST_STEP = 1.9


def am_fiht_in_short_steps(
    observed: np.ndarray,
    mask: np.ndarray,
    *,
    rank: int,
    n1: int | None = None,
    beta: float | str = "squared",
    tolerance: float = 1e-6,
    max_iterations: int = 300,
    callback: Callback | None = None,
) -> Recovery:
    """Complete a series by AM-FIHT with the step min(1/p, 1.9) instead of 1/p.

    Arguments, answer and errors are those of `nonconvex.hankel.am_fiht`; up to 47 % lost the iterates are,
    too.

    Notes
    -----
    In a tangent space S a step s multiplies the error by I - s P_S A P_S with A = H P H^+, a projection, so
    by factors from 1 - s to 1. Losses at random bring them near 1 - s p, and s = 1/p is the best step. But
    where whole channels or long pieces are lost, S has directions that are observed almost fully. These grow
    when s exceeds 2 by more than the heavy-ball step allows, which 1/p does once more than half is lost.
    """
    observations = read_observations(observed, mask)
    rank, n1 = check_rank(rank, n1, observations.data)
    tolerance, max_iterations = check_stop(tolerance, max_iterations)
    weight = momentum_weight(beta, observations.fraction)
    return run(
        _iterates(observations, rank, n1, weight, tolerance),
        observations,
        rank=rank,
        tolerance=tolerance,
        max_iterations=max_iterations,
        callback=callback,
    )


def _iterates(
    observations: Observations, rank: int, n1: int, beta: float, tolerance: float
) -> Iterator[np.ndarray]:
    """Yield X_0, X_1, ... as `nonconvex.hankel.solvers.am_fiht` does, but for the step."""
    step = min(1 / observations.fraction, LONGEST_STEP)
    n_channels, n_samples = observations.data.shape
    lift = HankelLift(n_channels, n_samples, n1, real=observations.real)
    start = observations.data / observations.fraction
    older: Lifted | TangentMatrix = Lifted(0.0)
    newer: Lifted | TangentMatrix = Lifted(start)
    low_rank = best_approximation(lift, start, rank)
    x = low_rank.signal()
    precision = Precision(observations, lift, rank, tolerance)
    while True:
        yield x
        lift = precision.lift(x)
        low_rank, older, newer = low_rank.cast(lift), older.cast(lift), newer.cast(lift)
        gradient = observations.residual(x)
        w = low_rank.project(x + step * gradient, own=beta, others=[(-beta, older)])
        low_rank = w.truncate()
        x = low_rank.signal()
        older, newer = newer, w
