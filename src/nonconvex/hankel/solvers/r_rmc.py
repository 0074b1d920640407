"""R-RMC: robust matrix completion by stagewise projected gradient (Cherapanamjeri, Gupta and Jain)."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.hankel.monitor import BLOW_UP, Callback, Clock
from nonconvex.hankel.observations import check_rank, check_stop, is_number, read_observations
from nonconvex.hankel.operators.entries import ObservedEntries
from nonconvex.hankel.operators.lift import BLOCK, HankelLift
from nonconvex.hankel.recovery import Recovery, Verdict

# A drop of the residual by this fraction or less ends a stage (TOL of the authors' program).
SLOW = 0.1
# What then happens to the threshold once the rank is full (thresh_red of the authors' program).
REDUCTION = 0.9
LARGEST_INCOHERENCE = 1e9


def r_rmc(
    observed: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    rank: int,
    n1: int | None = None,
    incoherence: float = 1.0,
    fraction: float | None = None,
    tolerance: float = 1e-3,
    max_iterations: int = 69,
    callback: Callback | None = None,
) -> Recovery:
    """Separate a multichannel signal from outliers by R-RMC on its Hankel matrix, as its authors released it.

    Alternates between a hard threshold, above which an observed entry is called an outlier, and a step of
    singular value projection, while the rank grows from 1 to `rank`.

    Parameters
    ----------
    observed, mask
        As in `nonconvex.hankel.am_fiht`; observed values may hold outliers.
    rank : int
        Rank r of the Hankel matrix, 1 to min(n_channels * n1, n2).
    n1 : int, optional
        Time blocks of the Hankel matrix, n_samples // 2 when not given; 1 is the plain matrix of the data.
    incoherence : float
        Threshold constant, above 0 and at most 1e9: the threshold is
        incoherence r sigma_{k+1} / sqrt(rows columns). The released program has 1.
    fraction : float, optional
        Observed fraction p of the matrix, above 0 and at most 1; 1 / p is the step. The realised one when not
        given. The released program has 0.5, whatever the data.
    tolerance : float
        Stop when ``||P(H(M) - L - S)||`` over the observed entries of the matrix is at most this, in the
        units of the data: the released rule is absolute.
    max_iterations : int
        Largest number of iterations; the released program counts its start and stops at 70.
    callback : callable, optional
        ``callback(iteration, x)`` is called with x = H^dagger(L) of every iteration, from the start at
        iteration 0 on. Its time and the time for x stay outside the clock.

    Returns
    -------
    Recovery
        ``x`` is H^dagger(L), in the shape and kind of `observed`; ``outliers`` is H^dagger(S); ``rank`` that
        of L, which is below the rank asked for when the run ends early; ``history`` the residual of the stop
        rule, in the units of the data.

    Raises
    ------
    ValueError
        For bad data (see `nonconvex.hankel.observations.read_observations`) and for a `rank`, `n1`,
        `incoherence`, `fraction`, `tolerance` or `max_iterations` out of range.

    Notes
    -----
    L_0 is the best approximation of P(H(M)) / p of rank k = 1. With D = P(H(M) - L), S holds the entries of D
    of modulus at least the threshold zeta, and the next L is the best approximation of rank k of
    L + (D - S) / p; zeta = incoherence r sigma_1 / sqrt(rows columns) of the start, then with sigma_{k+1} of
    that sum. When the residual drops by a tenth or less, k grows by 1; once k = r the threshold constant is
    multiplied by 0.9 instead. The released program fixes r = 5 and p = 0.5, its wrapper subtracts the mean of
    the data, and its compiled parts drop imaginary parts; none of this is copied. The stop watches the
    residual that S has absorbed: the run can end with it met while L no longer moves and is far from the
    truth.

    The run is given up as diverged when the residual exceeds 1000 times the data or is not finite.

    References
    ----------
    Y. Cherapanamjeri, K. Gupta, P. Jain, "Nearly optimal robust matrix completion", ICML 2017; program PG-RMC
    in github.com/andrewssobral/lrslibrary; thesis, Section 3.6.
    """
    observations = read_observations(observed, mask)
    rank, n1 = check_rank(rank, n1, observations.data)
    tolerance, max_iterations = check_stop(tolerance, max_iterations)
    _check_between("incoherence", incoherence, LARGEST_INCOHERENCE)
    if fraction is not None:
        _check_between("fraction", fraction, 1)
    n_channels, n_samples = observations.data.shape
    lift = HankelLift(n_channels, n_samples, n1, real=observations.real)
    clock = Clock(callback)
    entries = ObservedEntries(observations, lift)
    fraction = entries.fraction if fraction is None else float(fraction)
    limit = BLOW_UP * float(np.linalg.norm(entries.known))

    def signal(low_rank: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        return observations.to_user(entries.upright.signal(low_rank))

    history: list[float] = []
    for iteration, state in enumerate(_iterates(entries, rank, float(incoherence), fraction)):
        low_rank, clean, residual = state
        clock.read(signal, low_rank)
        if iteration == 0:
            continue
        history.append(residual * observations.scale)
        outcome = _verdict(iteration, history[-1], tolerance, max_iterations, residual <= limit)
        if outcome:
            break
    assert outcome is not None  # The iterates have no end.
    status, reason = outcome
    return Recovery(
        x=signal(low_rank),
        rank=low_rank[0].shape[1],
        iterations=iteration,
        status=status,
        reason=reason,
        history=np.array(history),
        seconds=clock.elapsed[-1],
        elapsed=np.array(clock.elapsed),
        outliers=observations.to_user(entries.signal(entries.known - clean)),
    )


def _iterates(
    entries: ObservedEntries, rank: int, incoherence: float, fraction: float
) -> Iterator[tuple[tuple[np.ndarray, np.ndarray], np.ndarray, float]]:
    """Yield the factors of L, the observed entries less S and the residual: at the start, then for ever."""
    rows, columns = entries.shape
    known = entries.known
    constant = incoherence * rank / np.sqrt(rows * columns)
    nothing = np.zeros((rows, 0), known.dtype), np.zeros((0, columns), known.dtype)
    gradient = known * (1 / fraction)
    left, sigma, right = entries.leading(nothing, gradient, 1)
    low_rank = left * sigma, right
    threshold, stage, residual = constant * sigma[0], 1, np.inf
    clean, fit = known.copy(), np.empty_like(known)
    entries.take(low_rank, out=fit)
    yield low_rank, clean, residual
    while True:
        _drop_outliers(known, fit, threshold, out=clean)
        np.subtract(clean, fit, out=gradient)
        gradient *= 1 / fraction
        count = min(stage + 1, columns)
        left, sigma, right = entries.leading(low_rank, gradient, count, only_values=count - stage)
        low_rank = left[:, :stage] * sigma[:stage], right[:stage]
        threshold = constant * sigma[stage:].sum()
        entries.take(low_rank, out=fit)
        previous, residual = residual, float(np.linalg.norm(np.subtract(clean, fit, out=gradient)))
        if residual >= (1 - SLOW) * previous:
            if stage < rank:
                stage += 1
            else:
                constant *= REDUCTION
        yield low_rank, clean, residual


def _drop_outliers(known: np.ndarray, fit: np.ndarray, threshold: float, out: np.ndarray) -> None:
    """Set `out` to `known`, or to `fit` where they differ by `threshold` or more in modulus."""
    for first in range(0, known.size, BLOCK):
        part = slice(first, first + BLOCK)
        out[part] = known[part]
        np.copyto(out[part], fit[part], where=np.abs(known[part] - fit[part]) >= threshold)


def _check_between(name: str, value: float, largest: float) -> None:
    if not is_number(value) or not 0 < value <= largest:
        raise ValueError(f"{name} must be a number above 0 and at most {largest:g}, got {value!r}")


def _verdict(
    iteration: int, residual: float, tolerance: float, max_iterations: int, bounded: bool
) -> Verdict | None:
    if not bounded:
        return "diverged", (
            f"residual {residual:.2e} on the observed entries is not finite or exceeds {BLOW_UP:g} times the "
            f"data at iteration {iteration}"
        )
    if residual <= tolerance:
        return "converged", (
            f"residual {residual:.2e} on the observed entries is at most the tolerance {tolerance:g} "
            f"at iteration {iteration}"
        )
    if iteration >= max_iterations:
        return "iteration limit", (
            f"residual {residual:.2e} on the observed entries is above the tolerance {tolerance:g} "
            f"after {iteration} iterations"
        )
    return None
