"""AM-FIHT: accelerated multichannel fast iterative hard thresholding (thesis, Algorithm 1)."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.hankel.heavy_ball import inverse_step, momentum_weight
from nonconvex.hankel.monitor import Callback, run
from nonconvex.hankel.observations import Observations, check_rank, check_stop, read_observations
from nonconvex.hankel.operators.lift import HankelLift
from nonconvex.hankel.operators.tangent import Lifted, TangentMatrix, best_approximation
from nonconvex.hankel.precision import Precision
from nonconvex.hankel.recovery import Recovery


def am_fiht(
    observed: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    rank: int,
    n1: int | None = None,
    beta: float | str = "squared",
    step: float | None = None,
    tolerance: float = 1e-6,
    max_iterations: int = 300,
    callback: Callback | None = None,
) -> Recovery:
    """Complete a multichannel signal whose Hankel matrix has low rank, by AM-FIHT.

    Parameters
    ----------
    observed : array_like, shape (n_channels, n_samples) or (n_samples,)
        Data, real or complex. Computed in float64 or complex128.
    mask : array_like of bool, same shape, optional
        True where observed; other values are ignored. Without a mask, NaN means missing. A time instant
        lost in all channels is fine.
    rank : int
        Rank r of the Hankel matrix, 1 to min(n_channels n1, n2): the number of (damped) sinusoids.
    n1 : int, optional
        Time blocks of the Hankel matrix, n_samples // 2 when not given; n2 = n_samples + 1 - n1. With 1 the
        signal itself is the low-rank matrix.
    beta : {"squared", "linear"} or float
        Heavy-ball weight: (1 - p)^2 / 5, (1 - p) / 5, or a number in [0, 1), p being the observed fraction.
    step : float, optional
        Size of the gradient step, 1/p when not given.
    tolerance : float
        Stop when the relative change of the estimate on the observed set is at most this.
    max_iterations : int
        Largest number of iterations.
    callback : callable, optional
        ``callback(iteration, x)`` is called with every iterate from iteration 0 on, outside the clock.

    Returns
    -------
    Recovery
        ``x`` has the shape and kind of `observed`.

    Raises
    ------
    ValueError
        For bad data (see `nonconvex.hankel.observations.read_observations`), and for a `rank`, `n1`, `beta`,
        `step`, `tolerance` or `max_iterations` out of range.

    Notes
    -----
    Thesis, Algorithm 1, with W_{-2} = 0 and W_{-1} = p^-1 H P(M) as printed. Two points keep an iteration
    cheap: H(X) is never formed, and P_S(W_{l-1}) = L_l holds because L_l = Q_r(W_{l-1}). Large factors are of
    single precision while X still changes by much more than the tolerance (`nonconvex.hankel.precision`);
    iterates of that time carry its rounding errors, a few 1e-7 of X.

    In a tangent space S a step s multiplies the error by I - s P_S A P_S with A = H P H^+, a projection, so
    by factors from 1 - s to 1. Losses at random bring them near 1 - s p, for which s = 1/p is best. Where
    long pieces of channels are lost, S has directions that are observed almost fully, and with more than half
    lost 1/p exceeds 2, beyond which these grow; a `step` a little below 2 does not diverge there.

    References
    ----------
    S. Zhang, Y. Hao, M. Wang, J. H. Chow, "Multi-channel Hankel matrix completion through nonconvex
    optimization", IEEE J. Sel. Topics Signal Process. 12(4), 617-632, 2018.
    """
    observations = read_observations(observed, mask)
    rank, n1 = check_rank(rank, n1, observations.data)
    tolerance, max_iterations = check_stop(tolerance, max_iterations)
    weight = momentum_weight(beta, observations.fraction)
    divisor = inverse_step(step, observations.fraction)
    return run(
        _iterates(observations, rank, n1, weight, divisor, tolerance),
        observations,
        rank=rank,
        tolerance=tolerance,
        max_iterations=max_iterations,
        callback=callback,
    )


def _iterates(
    observations: Observations, rank: int, n1: int, beta: float, divisor: float, tolerance: float
) -> Iterator[np.ndarray]:
    """Yield X_0, X_1, ...; the line numbers are those of Algorithm 1."""
    n_channels, n_samples = observations.data.shape
    lift = HankelLift(n_channels, n_samples, n1, real=observations.real)
    start = observations.data / observations.fraction
    older: Lifted | TangentMatrix = Lifted(0.0)  # line 1: W_{-2}
    newer: Lifted | TangentMatrix = Lifted(start)  # line 1: W_{-1}
    low_rank = best_approximation(lift, start, rank)
    x = low_rank.signal()  # line 2
    precision = Precision(observations, lift, rank, tolerance)
    while True:
        yield x
        lift = precision.lift(x)
        low_rank, older, newer = low_rank.cast(lift), older.cast(lift), newer.cast(lift)
        gradient = observations.residual(x)  # line 4
        w = low_rank.project(x + gradient / divisor, own=beta, others=[(-beta, older)])  # line 5
        low_rank = w.truncate()  # line 6
        x = low_rank.signal()  # line 7
        older, newer = newer, w
