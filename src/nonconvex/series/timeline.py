"""The instants of a series must be evenly spaced."""

from collections.abc import Callable

import numpy as np

from nonconvex.errors import UserError

# Instants rounded to milliseconds at 120 samples per second still pass.
TOLERANCE = 0.1
FEWEST = 4


def check_sampling(time: np.ndarray, place: Callable[[int], str]) -> float:
    """Return the sampling rate of `time`; `place(i)` says where instant i is written.

    Raises
    ------
    UserError
        For fewer than 4 instants, a missing or infinite one, and a step that differs from the median step
        by more than 10 % of it.
    """
    check_length(len(time), place(max(len(time) - 1, 0)))
    bad = np.flatnonzero(~np.isfinite(time))
    if bad.size:
        raise UserError(f"{place(bad[0])}: the time is missing or infinite")
    steps = np.diff(time)
    step = float(np.median(steps))
    backwards = np.flatnonzero(steps <= 0)
    if backwards.size:
        after = backwards[0] + 1
        raise UserError(
            f"{place(after)}: the time {time[after]:g} is not after the {time[after - 1]:g} before it"
        )
    uneven = np.flatnonzero(np.abs(steps - step) > TOLERANCE * step)
    if uneven.size:
        after = uneven[0] + 1
        raise UserError(
            f"{place(after)}: the time steps by {steps[after - 1]:.6g} s where most steps are {step:.6g} s; "
            "instants must be evenly spaced, and one that is lost needs its row with empty cells"
        )
    return float((len(time) - 1) / (time[-1] - time[0]))


def check_length(n_samples: int, place: str) -> None:
    """Refuse a series of fewer than 4 samples."""
    if n_samples < FEWEST:
        raise UserError(f"{place}: too few samples, {n_samples}; at least {FEWEST} are needed")
