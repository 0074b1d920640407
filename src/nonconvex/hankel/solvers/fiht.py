"""FIHT on each channel alone: fast iterative hard thresholding (Cai, Wang and Wei)."""

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.hankel.monitor import BLOW_UP, Callback, Clock
from nonconvex.hankel.observations import check_rank, check_stop, is_number, read_observations
from nonconvex.hankel.operators.channels import ChannelLift, ChannelPoints
from nonconvex.hankel.operators.lift import BLOCK
from nonconvex.hankel.recovery import ChannelOutcome, Recovery, Status, Verdict


def fiht(
    observed: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    rank: int,
    n1: int | None = None,
    tolerance: float = 1e-6,
    max_iterations: int = 300,
    give_up: float | None = 1.0,
    callback: Callback | None = None,
) -> Recovery:
    """Complete every channel of a signal by itself, by the single-channel method FIHT.

    Parameters
    ----------
    observed, mask, tolerance, max_iterations
        As in `nonconvex.hankel.am_fiht`; the stop rule is applied to each channel.
    rank : int
        Rank r of the Hankel matrix of one channel, 1 to min(n1, n2).
    n1 : int, optional
        Rows of the Hankel matrix of one channel, n_samples // 2 when not given; n2 = n_samples + 1 - n1.
    give_up : float or None
        A channel is given up as diverged when it changes by more than this many times its norm from one
        iterate to the next. 1, the default, is what the program of the method's authors does; the thesis does
        not say so. None: no such rule, only the guard on the norm.
    callback : callable, optional
        ``callback(iteration, x)`` is called with the whole signal after every sweep over the channels that
        still run, from iteration 0 on, outside the clock.

    Returns
    -------
    Recovery
        ``x`` has the shape and kind of `observed`; ``channels`` holds the status and iterations of every
        channel. ``status`` is "diverged" when any channel is, "converged" when all are.

    Raises
    ------
    ValueError
        For bad data (see `nonconvex.hankel.observations.read_observations`), and for a `rank`, `n1`,
        `tolerance`, `max_iterations` or `give_up` out of range.

    Notes
    -----
    In every channel, L_0 = Q_r(p^-1 H(P(m))), x_l = H^dagger(L_l), W_l = P_S(H(x_l + p^-1 P(m - x_l))) and
    L_{l+1} = Q_r(W_l), p being the observed fraction of the channel: AM-FIHT (thesis, Algorithm 1) with one
    channel and no heavy ball. A channel is given up as diverged when
    ``||x_{l+1} - x_l|| > give_up ||x_l||``, over all samples; also when its norm on the observed set exceeds
    1000 times that of the data, as in `am_fiht`. A large change is no proof of divergence: some channels that
    the authors' rule ends recover without it. A channel that has ended keeps its last iterate. The channels
    are worked on together, but no number of one enters those of another.

    References
    ----------
    J.-F. Cai, T. Wang, K. Wei, "Fast and provable algorithms for spectrally sparse signal reconstruction via
    low-rank Hankel matrix completion", Appl. Comput. Harmon. Anal. 46(1), 94-121, 2019; thesis,
    Section 2.6.1.
    """
    observations = read_observations(observed, mask)
    data = observations.data
    rank, n1 = check_rank(rank, n1, data[:1])
    tolerance, max_iterations = check_stop(tolerance, max_iterations)
    if give_up is not None and not (is_number(give_up) and 0 < give_up < np.inf):
        raise ValueError(f"give_up must be a finite number above 0, or None, got {give_up!r}")
    clock = Clock(callback)
    seen = np.zeros(data.shape)
    seen.ravel()[observations.places] = 1
    lift = ChannelLift(data.shape[1], n1, real=observations.real)
    size = max(1, BLOCK // (rank * lift.length))
    blocks = [slice(first, first + size) for first in range(0, len(data), size)]
    groups = [_Group(lift, data[block], seen[block], rank) for block in blocks]

    def signal() -> np.ndarray:
        return observations.to_user(np.concatenate([group.x for group in groups]))

    clock.read(signal)
    history: list[float] = []
    for iteration in range(1, max_iterations + 1):
        history.append(
            max(group.advance(iteration, tolerance, give_up) for group in groups if group.running.size)
        )
        clock.read(signal)
        if not any(group.running.size for group in groups):
            break
    outcomes = tuple(outcome for group in groups for outcome in group.outcomes(iteration))
    status, reason = _verdict(outcomes, tolerance)
    return Recovery(
        x=signal(),
        rank=rank,
        iterations=iteration,
        status=status,
        reason=reason,
        history=np.array(history),
        seconds=clock.elapsed[-1],
        elapsed=np.array(clock.elapsed),
        channels=outcomes,
    )


class _Group:
    """A few channels that advance together: as many as keep the factors in a fast cache."""

    def __init__(self, lift: ChannelLift, data: np.ndarray, seen: np.ndarray, rank: int) -> None:
        self.data = data
        self.seen = seen
        self.step_size = data.shape[1] / seen.sum(axis=1, keepdims=True)
        self.limit = BLOW_UP * np.linalg.norm(data, axis=1)
        self.points = ChannelPoints.best(lift, self.step_size * data, rank)
        self.x = self.points.signal()
        self.running = np.arange(len(data))
        self.ended: dict[int, ChannelOutcome] = {}

    def advance(self, iteration: int, tolerance: float, give_up: float | None) -> float:
        """Update the channels that run, and return the largest relative change on the observed set."""
        old, seen = self.x[self.running], self.seen[self.running]
        gradient = self.data[self.running] - seen * old
        self.points = self.points.step(old + self.step_size[self.running] * gradient)
        new = self.x[self.running] = self.points.signal()
        change = _relative(seen * (new - old), seen * old)
        converged = change <= tolerance
        within = np.linalg.norm(seen * new, axis=1) <= self.limit[self.running]
        if give_up is not None:
            within &= _relative(new - old, old) <= give_up
        diverged = ~converged & ~within
        verdicts: tuple[tuple[Status, np.ndarray], ...] = (("converged", converged), ("diverged", diverged))
        for status, those in verdicts:
            self.ended |= {channel: ChannelOutcome(status, iteration) for channel in self.running[those]}
        left = ~(converged | diverged)
        if not left.all():
            self.points, self.running = self.points[left], self.running[left]
        return float(change.max())

    def outcomes(self, iterations: int) -> list[ChannelOutcome]:
        """Return the ChannelOutcome of every channel after this many iterations."""
        unfinished = ChannelOutcome("iteration limit", iterations)
        return [self.ended.get(channel, unfinished) for channel in range(len(self.x))]


def _relative(change: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Return the norms of the rows of `change` over those of `of`; 0 where nothing changes."""
    change, size = np.linalg.norm(change, axis=1), np.linalg.norm(of, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(change == 0, 0.0, change / size)


def _verdict(outcomes: tuple[ChannelOutcome, ...], tolerance: float) -> Verdict:
    def having(status: Status) -> list[int]:
        return [channel for channel, outcome in enumerate(outcomes) if outcome.status == status]

    diverged, unfinished = having("diverged"), having("iteration limit")
    of = f"of {len(outcomes)} channels (counting from 0)"
    if diverged:
        names = ", ".join(f"{channel} at iteration {outcomes[channel].iterations}" for channel in diverged)
        return "diverged", f"{len(diverged)} {of} diverged: {names}"
    if unfinished:
        names = ", ".join(map(str, unfinished))
        return "iteration limit", (
            f"{len(unfinished)} {of} are above the tolerance {tolerance:g} "
            f"after {outcomes[unfinished[0]].iterations} iterations: {names}"
        )
    slowest = max(range(len(outcomes)), key=lambda channel: outcomes[channel].iterations)
    return "converged", (
        f"the relative change on the observed set is at most the tolerance {tolerance:g} in every channel, "
        f"last in channel {slowest} (counting from 0) at iteration {outcomes[slowest].iterations}"
    )
