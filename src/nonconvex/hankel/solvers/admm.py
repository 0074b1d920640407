"""ADMM: principal component pursuit with missing entries (Candes, Li, Ma and Wright) on the Hankel matrix."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.hankel.monitor import Callback, Clock, residual_verdict
from nonconvex.hankel.observations import check_stop, is_number, read_observations
from nonconvex.hankel.operators.lift import HankelLift, choose_n1
from nonconvex.hankel.operators.splitting import Splitting
from nonconvex.hankel.recovery import Recovery

MISSING = ("released", "free")
# Thresholds outside these bounds, against data near 1, would overflow or vanish when squared.
SMALLEST, LARGEST = 1e-150, 1e150


def admm(
    observed: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    n1: int | None = None,
    missing: str = "released",
    weight: float | None = None,
    penalty: float | None = None,
    tolerance: float = 1e-6,
    max_iterations: int = 1000,
    callback: Callback | None = None,
) -> Recovery:
    """Separate a multichannel signal from outliers by convex optimisation on its Hankel matrix.

    Minimises the nuclear norm of L plus `weight` times the absolute sum of S, L + S agreeing with H(X) on the
    observed entries, by the alternating direction method of multipliers. It is told no rank.

    Parameters
    ----------
    observed, mask
        As in `nonconvex.hankel.am_fiht`; observed values may hold outliers.
    n1 : int, optional
        Time blocks of the Hankel matrix, n_samples // 2 when not given; 1 is the plain matrix of the data.
    missing : {"released", "free"}
        What happens to S at the missing entries. "released" does as the program that the thesis used: the
        data are set to 0 there and S is shrunk as everywhere else, which pulls L to 0 wherever nothing is
        observed. "free" leaves S free there, as the convex programme asks.
    weight : float, optional
        lambda, above 0; 1 / sqrt(max(rows, columns)) of the matrix when not given.
    penalty : float, optional
        mu, above 0, in one over the units of the data; 10 lambda when not given. It decides the number of
        iterations and the path, not the limit.
    tolerance : float
        Stop when ``||P(H(M) - L - S)|| <= tolerance ||P(H(M))||`` over the observed entries of the matrix.
    max_iterations : int
        Largest number of iterations.
    callback : callable, optional
        ``callback(iteration, x)`` is called with x = H^dagger(L) of every iteration, from L = 0 at iteration
        0 on. Its time and the time for x stay outside the clock.

    Returns
    -------
    Recovery
        ``x`` is H^dagger(L), in the shape and kind of `observed`; ``outliers`` is H^dagger(S) at the observed
        entries and zero elsewhere; ``rank`` the number of singular values that survived; ``history`` the
        relative residual of the stop rule.

    Raises
    ------
    ValueError
        For bad data (see `nonconvex.hankel.observations.read_observations`), for an `n1`, `missing`,
        `weight`, `penalty`, `tolerance` or `max_iterations` out of range, and for data so large or small that
        the thresholds 1 / mu and lambda / mu mean nothing beside them.

    Notes
    -----
    From L = S = Y = 0, with X = P(H(M)): L = D_{1/mu}(X - S + Y/mu) lowers the singular values,
    S = soft_{lambda/mu}(X - L + Y/mu) the moduli (complex numbers keep their angle), Z = X - L - S is set to
    0 at missing entries, and Y grows by mu Z. Order, defaults and stop are those of the program named in the
    thesis (Section 3.6). The stop watches the constraint alone: the run can end far from the truth with it
    met. The singular vectors come from the Gram matrix of the short side; few that stay few are followed from
    one iteration to the next. Iterations work in single precision while the error that it makes in L, as
    estimated, is below a tenth of the residual, and in double precision elsewhere.

    For a matrix of m x k entries, m >= k, three arrays of m x k and about three of k x k are held.

    References
    ----------
    E. J. Candes, X. Li, Y. Ma, J. Wright, "Robust principal component analysis?", J. ACM 58(3), 2011; D.
    Laptev, RobustPCA (MATLAB program), github.com/dlaptev/RobustPCA; thesis, Section 3.6.
    """
    observations = read_observations(observed, mask)
    tolerance, max_iterations = check_stop(tolerance, max_iterations)
    n_channels, n_samples = observations.data.shape
    lift = HankelLift(n_channels, n_samples, choose_n1(n1, n_samples), real=observations.real)
    if missing not in MISSING:
        raise ValueError(f'missing must be "released" or "free", got {missing!r}')
    lower, clip = _thresholds(weight, penalty, lift.shape, observations.scale)
    clock = Clock(callback)
    state = Splitting(observations, lift, free=missing == "free")

    def signal() -> np.ndarray:
        return observations.to_user(state.signal())

    clock.read(np.zeros, observations.user_shape, lift.dtype)
    history: list[float] = []
    iteration, outcome = 0, None
    while outcome is None:
        iteration += 1
        rank = state.shrink(lower)
        residual = state.exchange(clip)
        history.append(residual / state.norm if state.norm > 0 else residual)
        clock.read(signal)
        outcome = residual_verdict(iteration, history[-1], tolerance, max_iterations)
    status, reason = outcome
    return Recovery(
        x=signal(),
        rank=rank,
        iterations=iteration,
        status=status,
        reason=reason,
        history=np.array(history),
        seconds=clock.elapsed[-1],
        elapsed=np.array(clock.elapsed),
        outliers=observations.to_user(state.outliers()),
    )


def _thresholds(
    weight: float | None, penalty: float | None, shape: tuple[int, int], scale: float
) -> tuple[float, float]:
    """Return 1 / mu and lambda / mu against data divided by `scale`."""
    for name, value in (("weight", weight), ("penalty", penalty)):
        if value is not None and (not is_number(value) or not 0 < value < np.inf):
            raise ValueError(f"{name} must be a number above 0 and below inf, got {value!r}")
    weight = 1 / np.sqrt(max(shape)) if weight is None else float(weight)
    penalty = 10 * weight if penalty is None else float(penalty)
    lower = 1 / penalty / scale
    clip = weight * lower
    if not (SMALLEST <= lower <= LARGEST and SMALLEST <= clip <= LARGEST):
        raise ValueError(
            f"1 / penalty and weight / penalty are in the units of the data and must be between {SMALLEST:g} "
            f"and {LARGEST:g} times {scale:g}, got weight {weight:g} and penalty {penalty:g}"
        )
    return lower, clip
