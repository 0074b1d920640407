"""What every solver of this package returns."""

import math
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

Status = Literal["converged", "iteration limit", "diverged"]
Verdict = tuple[Status, str]
"""How a run ended, and why: status and reason of a `Recovery`."""


class ChannelOutcome(NamedTuple):
    """How the run of one channel ended, for methods that work on each channel alone."""

    status: Status
    iterations: int


class Stage(NamedTuple):
    """How one stage of a run ended, for methods that raise the rank stage by stage.

    Attributes
    ----------
    rank : int
        Rank k of the stage.
    iterations : int
        Number of updates made in it.
    settled : bool
        Whether the stage met its stop rule, and did not just reach the largest number of iterations.
    largest, following : float
        sigma_1 and sigma_{k+1} of the last matrix that was truncated to rank k, in the units of the data.
    threshold : float
        Modulus from which on a misfit counts as an outlier after the stage, in the units of the data.
    """

    rank: int
    iterations: int
    settled: bool
    largest: float
    following: float
    threshold: float


@dataclass(frozen=True, eq=False)
class Recovery:
    """The outcome of one solver run.

    Attributes
    ----------
    x : ndarray, float64 or complex128
        The recovered signal, in the shape and kind (real or complex) the user gave.
    rank : int
        Rank of the Hankel matrix behind `x`.
    iterations : int
        Number of updates made; ``x`` is the iterate with this index.
    status : {"converged", "iteration limit", "diverged"}
        "converged" when the stop rule was met. It says nothing about the error, which no solver knows.
    reason : str
        One sentence that says why the run ended.
    history : ndarray, shape (iterations,), float64
        What the stop rule watches, at each iteration: the relative change on the observed set (thesis, stop
        rule of Section 2.6), for `fiht` the largest one of the running channels, for `svt` the relative
        residual. Methods with stages put those of all stages one after the other; ``stages`` says where to
        cut.
    seconds : float
        Wall-clock seconds spent in the solver, without the time spent in the user's callback.
    elapsed : ndarray, shape (iterations + 1,), float64
        The same clock, read at every iterate from index 0 on.
    outliers : ndarray or None
        The part of the data explained as outliers, for methods that look for any: in the shape, kind and
        units of the data, zero where nothing was observed.
    channels : tuple of ChannelOutcome or None
        Status and iterations of every channel, for methods that work on each channel alone.
    stages : tuple of Stage or None
        How every stage ended, for methods that raise the rank stage by stage; their iterations add up to
        ``iterations``.
    """

    x: np.ndarray
    rank: int
    iterations: int
    status: Status
    reason: str = ""
    history: np.ndarray = field(default_factory=lambda: np.empty(0))
    seconds: float = math.nan
    elapsed: np.ndarray = field(default_factory=lambda: np.empty(0))
    outliers: np.ndarray | None = None
    channels: tuple[ChannelOutcome, ...] | None = None
    stages: tuple[Stage, ...] | None = None
