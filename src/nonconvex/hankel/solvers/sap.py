"""SAP: structured alternating projections (thesis, Algorithm 3)."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.hankel.monitor import BLOW_UP, Callback, Clock
from nonconvex.hankel.observations import Observations, check_rank, check_stop, is_number, read_observations
from nonconvex.hankel.operators.lift import HankelLift
from nonconvex.hankel.operators.truncation import Truncation, choose_truncation
from nonconvex.hankel.recovery import Recovery, Stage, Verdict

# Truncations in single precision move an estimate by 1e-6 of its size: little enough while the relative
# change is above this, and where at least this fraction is observed. With fewer observations, runs at the
# edge of recovery are so sensitive that 1 in 10 would succeed or fail otherwise.
ROUGH = 1e-4
MANY = 0.4


def sap(
    observed: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    rank: int,
    n1: int | None = None,
    threshold_scale: float = 1.0,
    tolerance: float = 1e-3,
    max_iterations: int = 200,
    stage_tolerance: float = 1e-3,
    callback: Callback | None = None,
) -> Recovery:
    """Complete a multichannel signal whose Hankel matrix has low rank, and correct its outliers, by SAP.

    Parameters
    ----------
    observed, mask
        As in `nonconvex.hankel.am_fiht`; some observed values may be grossly wrong, it is not known which.
    rank : int
        Rank r of the Hankel matrix, 1 to min(n_channels n1, n2): the number of stages, at most.
    n1 : int, optional
        Time blocks of the Hankel matrix, n_samples // 2 when not given; n2 = n_samples + 1 - n1. With 1 the
        signal itself is the low-rank matrix.
    threshold_scale : float
        c, above 0, in eta = c r / sqrt(n_channels n1 n2). Too small, and good entries are taken for outliers;
        too large, and outliers are taken for good entries. At a low rank with many outliers 2 to 3 can
        succeed where 1 fails.
    tolerance : float
        A stage ends when the relative change of the estimate on the observed set is at most this.
    max_iterations : int
        Largest number of iterations of one stage.
    stage_tolerance : float
        The run ends with stage k when sigma_{k+1} of its last H(Z) is at most this, in the units of the data.
    callback : callable, optional
        ``callback(iteration, x)`` is called with every iterate, from zero at iteration 0 on, outside the
        clock; iterations count on through the stages.

    Returns
    -------
    Recovery
        ``x`` and ``outliers`` have the shape, kind and units of `observed`. An outlier is what is left of an
        observed value after `x` is subtracted, where its modulus is at least the last threshold
        (``stages[-1].threshold``); everywhere else ``outliers`` is zero. ``rank`` is the k of the last stage,
        ``stages`` says how each stage ended, and ``history`` holds the relative change on the observed set at
        every iteration, one stage after the other.

    Raises
    ------
    ValueError
        For bad data (see `nonconvex.hankel.observations.read_observations`), and for a `rank`, `n1`,
        `threshold_scale`, `tolerance`, `max_iterations` or `stage_tolerance` out of range.

    Notes
    -----
    Thesis, Algorithm 3, with the settings of its experiments (Section 3.6): every iteration uses the whole
    observed set; xi_0 = eta sigma_1(p^-1 H(P(M))), outliers included; eta takes no incoherence.
    As printed, `stage_tolerance` is an absolute number: when data and answer are multiplied by a number, it
    must be too. Stages end at a relative change of 1e-3, which leaves sigma_{r+1} far above 1e-3 for signals
    of the thesis's size, so the default hardly ever ends a run before stage r. Data in small units can end it
    at once, with too low a rank; 0 makes the run go through all stages.
    A stage that reaches `max_iterations` is no failure, unless it is the last one: the next goes on from its
    estimate. The run is given up as diverged when the norm of an iterate on the observed set is not finite or
    exceeds 1000 times that of the data.
    Singular vectors are those of a subspace that follows H(Z) from one iteration to the next.

    References
    ----------
    S. Zhang, M. Wang, "Correction of corrupted columns through fast robust Hankel matrix completion", IEEE
    Trans. Signal Process. 67(10), 2580-2594, 2019.
    """
    observations = read_observations(observed, mask)
    rank, n1 = check_rank(rank, n1, observations.data)
    tolerance, max_iterations = check_stop(tolerance, max_iterations)
    _check_number("threshold_scale", threshold_scale, zero=False)
    _check_number("stage_tolerance", stage_tolerance, zero=True)
    clock = Clock(callback)
    n_channels, n_samples = observations.data.shape
    lift = HankelLift(n_channels, n_samples, n1, real=observations.real)
    return _solve(
        observations,
        choose_truncation(lift, rank),
        clock,
        rank=rank,
        eta=threshold_scale * rank / np.sqrt(lift.shape[0] * lift.n2),
        tolerance=tolerance,
        max_iterations=max_iterations,
        stage_tolerance=stage_tolerance,
    )


class _State:
    """The iterate X_t, the threshold xi_t, and what they are computed with."""

    def __init__(self, observations: Observations, truncation: Truncation, eta: float) -> None:
        self.observations = observations
        self.truncation = truncation
        self.eta = eta
        self.x = np.zeros_like(observations.data)
        self.sampled = np.zeros_like(observations.values)
        _, self.sigma = truncation.truncate(observations.data / observations.fraction, 1)
        self.threshold = eta * self.sigma[0]
        self._change = np.inf

    def advance(self, k: int, t: int) -> float:
        """Make iteration t of stage k, lines 6 to 10, and return the relative change on the observed set."""
        residual = self.observations.values - self.sampled
        residual[np.abs(residual) >= self.threshold] = 0
        z = self.x.copy()
        z.ravel()[self.observations.places] += residual / self.observations.fraction
        rough = self._change > ROUGH and self.observations.fraction >= MANY
        self.x, self.sigma = self.truncation.truncate(z, k, rough=rough)
        self.threshold = self.eta * (self.sigma[k] + 0.5**t * self.sigma[k - 1])
        before, self.sampled = self.sampled, self.observations.sample(self.x)
        change = float(np.linalg.norm(self.sampled - before))
        self._change = _relative(change, float(np.linalg.norm(before)))
        return self._change

    def outliers(self) -> np.ndarray:
        """Return T(P(M - X)) at the present iterate and threshold, line 6 once more."""
        residual = self.observations.values - self.sampled
        outlying = np.abs(residual) >= self.threshold
        outliers = np.zeros_like(self.observations.data)
        outliers.ravel()[self.observations.places[outlying]] = residual[outlying]
        return outliers

    def stage(self, k: int, iterations: int, settled: bool) -> Stage:
        """Return the account of stage k, in the user's units."""
        scale = self.observations.scale
        largest, following = float(scale * self.sigma[0]), float(scale * self.sigma[k])
        return Stage(k, iterations, settled, largest, following, float(scale * self.threshold))


def _solve(
    observations: Observations,
    truncation: Truncation,
    clock: Clock,
    *,
    rank: int,
    eta: float,
    tolerance: float,
    max_iterations: int,
    stage_tolerance: float,
) -> Recovery:
    """Run the stages of Algorithm 3."""
    state = _State(observations, truncation, eta)
    limit = BLOW_UP * np.linalg.norm(observations.values)
    clock.read(observations.to_user, state.x)
    history: list[float] = []
    stages: list[Stage] = []
    k, outcome = 0, None
    while outcome is None:
        k += 1
        for t in range(max_iterations):
            history.append(state.advance(k, t))
            clock.read(observations.to_user, state.x)
            diverged = not np.linalg.norm(state.sampled) <= limit
            if diverged or history[-1] <= tolerance:
                break
        stages.append(state.stage(k, t + 1, settled=not diverged and history[-1] <= tolerance))
        outcome = _verdict(stages, diverged, history, tolerance, stage_tolerance, rank)
    status, reason = outcome
    return Recovery(
        x=observations.to_user(state.x),
        rank=k,
        iterations=len(history),
        status=status,
        reason=reason,
        history=np.array(history),
        seconds=clock.elapsed[-1],
        elapsed=np.array(clock.elapsed),
        outliers=observations.to_user(state.outliers()),
        stages=tuple(stages),
    )


def _verdict(
    stages: list[Stage],
    diverged: bool,
    history: list[float],
    tolerance: float,
    stage_tolerance: float,
    rank: int,
) -> Verdict | None:
    """Return (status, reason) when the run ends with the last of `stages`, None when it goes on."""
    last, iterations = stages[-1], len(history)
    if diverged:
        return "diverged", (
            f"the estimate on the observed set is not finite, or exceeds {BLOW_UP:g} times the data, "
            f"at iteration {iterations}, in stage {last.rank} of {rank}"
        )
    enough = last.following <= stage_tolerance
    if not enough and last.rank < rank:
        return None
    change = f"relative change {history[-1]:.2e} on the observed set"
    if not last.settled:
        return "iteration limit", (
            f"stage {last.rank} of {rank}, the last one, ended after {last.iterations} iterations with a "
            f"{change}, above the tolerance {tolerance:g}"
        )
    why = f"sigma_{last.rank + 1} = {last.following:.2e} is at most {stage_tolerance:g}" if enough else ""
    why = why or "its rank is the one asked for"
    return "converged", (
        f"stage {last.rank} of {rank} is the last one, because {why}; its {change} is at most the tolerance "
        f"{tolerance:g} at iteration {iterations}"
    )


def _relative(change: float, size: float) -> float:
    if change == 0:
        return 0.0
    return float(change / size) if size > 0 else np.inf


def _check_number(name: str, value: float, *, zero: bool) -> None:
    if not is_number(value) or not np.isfinite(value) or value < 0 or (value == 0 and not zero):
        least = "at least" if zero else "above"
        raise ValueError(f"{name} must be a finite number {least} 0, got {value!r}")
