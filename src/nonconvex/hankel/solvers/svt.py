"""SVT: singular value thresholding (Cai, Candes and Shen) on the Hankel matrix."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.hankel.monitor import Callback, Clock, residual_verdict
from nonconvex.hankel.observations import check_stop, is_number, read_observations
from nonconvex.hankel.operators.dual import DualMatrix
from nonconvex.hankel.operators.lift import HankelLift, choose_n1
from nonconvex.hankel.recovery import Recovery

# With more steps than this to the threshold, rounding hides a singular value's distance from it.
MOST_STEPS = 1e10
# No run is known to converge with a delta above 2 / p; squares must not overflow.
LARGEST_STEP = 1e6


def svt(
    observed: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    n1: int | None = None,
    tau: float | None = None,
    delta: float | None = None,
    tolerance: float = 1e-4,
    max_iterations: int = 500,
    callback: Callback | None = None,
) -> Recovery:
    """Complete a multichannel signal by singular value thresholding on its Hankel matrix.

    Approximates the matrix of least nuclear norm that agrees with H(X) on the observed entries, which are all
    copies of the observed samples. It is told no rank.

    Parameters
    ----------
    observed, mask
        As in `nonconvex.hankel.am_fiht`.
    n1 : int, optional
        Time blocks of the Hankel matrix, n_samples // 2 when not given; 1 is the plain matrix of the data.
    tau : float, optional
        Threshold, above 0, in the units of the data; 5 sqrt(rows columns) of the matrix when not given.
    delta : float, optional
        Step size, above 0 and below 1e6; 1.2 / p when not given, p being the observed fraction of the matrix.
        Convergence is proven below 2.
    tolerance : float
        Stop when ``||P(L - H(M))|| <= tolerance ||P(H(M))||`` for the low-rank matrix L, over the observed
        entries of the matrix.
    max_iterations : int
        Largest number of iterations.
    callback : callable, optional
        ``callback(iteration, x)`` is called with x = H^dagger(L) of every iteration, from L = 0 at iteration
        0 on. Its time and the time for x stay outside the clock.

    Returns
    -------
    Recovery
        ``x`` is H^dagger(L), in the shape and kind of `observed`; ``rank`` the number of singular values that
        survived; ``history`` the relative residual of the stop rule.

    Raises
    ------
    ValueError
        For bad data (see `nonconvex.hankel.observations.read_observations`), for an `n1`, `tau`, `delta`,
        `tolerance` or `max_iterations` out of range, and for a `tau` so large that the data vanish beside it.

    Notes
    -----
    L_k = D_tau(Y_{k-1}) and Y_k = Y_{k-1} + delta P(H(M) - L_k), from Y_0 = k0 delta P(H(M)) with
    k0 = ceil(tau / (delta ||P(H(M))||_2)): L stays zero in the steps that are skipped. The defaults are those
    of the authors' program; the thesis (Section 2.6.1) states none. The run is given up as diverged when the
    relative residual exceeds 1000 or is not finite. Iterations work in single precision while the error that
    it makes in L, as estimated, is below a tenth of the residual, and in double precision elsewhere.

    References
    ----------
    J.-F. Cai, E. J. Candes, Z. Shen, "A singular value thresholding algorithm for matrix completion", SIAM J.
    Optim. 20(4), 1956-1982, 2010; thesis, Section 2.6.1.
    """
    observations = read_observations(observed, mask)
    tolerance, max_iterations = check_stop(tolerance, max_iterations)
    n_channels, n_samples = observations.data.shape
    lift = HankelLift(n_channels, n_samples, choose_n1(n1, n_samples), real=observations.real)
    _check_positive("tau", tau, np.inf)
    _check_positive("delta", delta, LARGEST_STEP)
    clock = Clock(callback)
    dual = DualMatrix(observations, lift)
    delta = 1.2 / dual.fraction if delta is None else delta
    tau = 5 * np.sqrt(lift.shape[0] * lift.shape[1]) if tau is None else tau
    threshold = tau / observations.scale
    dual.start(_skipped_steps(tau, delta, observations.scale, dual) * delta)

    def signal(low_rank: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        return observations.to_user(dual.signal(low_rank))

    clock.read(np.zeros, observations.user_shape, lift.dtype)
    history: list[float] = []
    iteration, outcome = 0, None
    while outcome is None:
        iteration += 1
        low_rank = dual.shrink(threshold)
        residual = dual.ascend(low_rank, delta)
        history.append(residual / dual.norm if dual.norm > 0 else 0.0)
        clock.read(signal, low_rank)
        outcome = residual_verdict(
            iteration, history[-1], tolerance, max_iterations, ": a smaller delta is safer"
        )
    status, reason = outcome
    return Recovery(
        x=signal(low_rank),
        rank=len(low_rank[1]),
        iterations=iteration,
        status=status,
        reason=reason,
        history=np.array(history),
        seconds=clock.elapsed[-1],
        elapsed=np.array(clock.elapsed),
    )


def _skipped_steps(tau: float, delta: float, scale: float, dual: DualMatrix) -> float:
    """Return k0, the number of steps from Y = 0 until a singular value reaches the threshold."""
    reach = delta * dual.spectral_norm() * scale
    if reach == 0:
        return 0.0
    if tau > MOST_STEPS * reach:
        raise ValueError(
            f"tau is in the units of the data and must be at most {MOST_STEPS:g} delta ||P(H(M))||_2 = "
            f"{MOST_STEPS * reach:g}, got {tau:g}"
        )
    return float(np.ceil(tau / reach))


def _check_positive(name: str, value: float | None, limit: float) -> None:
    if value is not None and (not is_number(value) or not 0 < value < limit):
        raise ValueError(f"{name} must be a number above 0 and below {limit:g}, got {value!r}")
