"""RAM-FIHT: AM-FIHT with row trimming (thesis, Algorithm 2)."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.hankel.heavy_ball import inverse_step, momentum_weight
from nonconvex.hankel.monitor import Callback, run
from nonconvex.hankel.observations import Observations, check_rank, check_stop, is_number, read_observations
from nonconvex.hankel.operators.lift import HankelLift
from nonconvex.hankel.operators.tangent import Factored, Lifted, TangentMatrix, best_approximation
from nonconvex.hankel.operators.trimming import trim
from nonconvex.hankel.precision import Precision
from nonconvex.hankel.recovery import Recovery


def ram_fiht(
    observed: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    rank: int,
    incoherence: float,
    n1: int | None = None,
    beta: float | str = "squared",
    step: float | None = None,
    tolerance: float = 1e-6,
    max_iterations: int = 300,
    callback: Callback | None = None,
) -> Recovery:
    """Complete a multichannel signal whose Hankel matrix has low rank, by RAM-FIHT.

    Parameters
    ----------
    observed, mask, rank, n1, beta, step, tolerance, max_iterations, callback
        As in `nonconvex.hankel.am_fiht`.
    incoherence : float
        mu >= 1: rows of U longer than sqrt(mu r / (n_channels n1)) and rows of V longer than sqrt(mu r / n2)
        are shortened to that. The thesis's experiments use the true value, `nonconvex.hankel.incoherence`.

    Returns
    -------
    Recovery
        ``x`` is H^dagger(L_l), untrimmed, with the shape and kind of `observed`; the stop rule watches it.

    Raises
    ------
    ValueError
        As `nonconvex.hankel.am_fiht`, and for an `incoherence` that is not a finite number of at least 1.

    Notes
    -----
    Thesis, Algorithm 2, as its experiments ran it: the whole observation set in every iteration. A trimmed
    L' = A Sigma B^H is no singular value decomposition; it is brought to one (QR of A and B, SVD of the core)
    before its tangent space S' is used. Precision is that of `nonconvex.hankel.am_fiht`.

    Trimming with the true mu can hold the iterate at a wrong point, where the stop rule is met although
    AM-FIHT recovers the signal (2 % of the runs that stopped in the preview of Figure 2.2). A larger
    `incoherence` helps; without rows to trim, RAM-FIHT is AM-FIHT.

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
    if not is_number(incoherence) or not 1 <= incoherence < np.inf:
        raise ValueError(f"incoherence must be a finite number of at least 1, got {incoherence!r}")
    return run(
        _iterates(observations, rank, n1, weight, divisor, float(incoherence), tolerance),
        observations,
        rank=rank,
        tolerance=tolerance,
        max_iterations=max_iterations,
        callback=callback,
    )


def _iterates(
    observations: Observations,
    rank: int,
    n1: int,
    beta: float,
    divisor: float,
    mu: float,
    tolerance: float,
) -> Iterator[np.ndarray]:
    """Yield X_0, X_1, ...; the line numbers are those of Algorithm 2."""
    n_channels, n_samples = observations.data.shape
    lift = HankelLift(n_channels, n_samples, n1, real=observations.real)
    start = observations.data / observations.fraction
    older: Lifted | TangentMatrix = Lifted(0.0)  # line 2: W_{-2}
    newer: Lifted | TangentMatrix = Lifted(start)  # line 2: W_{-1}
    low_rank = best_approximation(lift, start, rank)
    others: list[tuple[float, Lifted | Factored]]
    precision = Precision(observations, lift, rank, tolerance)
    while True:
        trimming = trim(low_rank, mu)  # lines 5 to 11
        x = trimming.untrimmed_signal() if trimming else low_rank.signal()
        yield x  # line 17
        lift = precision.lift(x)
        if lift is not low_rank.lift:
            low_rank, older, newer = low_rank.cast(lift), older.cast(lift), newer.cast(lift)
            trimming = trim(low_rank, mu)
        if trimming:
            x = trimming.trimmed_signal  # line 12
            point = trimming.trimmed
            own, others = trimming.momentum(beta, newer)
        else:
            # As in AM-FIHT, P_S(W_{l-1}) = L_l.
            point, own, others = low_rank, beta, []
        gradient = observations.residual(x)  # line 13
        w = point.project(x + gradient / divisor, own, [*others, (-beta, older)])  # line 14
        low_rank = w.truncate()  # line 15
        older, newer = newer, w
