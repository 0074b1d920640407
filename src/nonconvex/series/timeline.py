"""The instants of a series must be evenly spaced."""

from collections.abc import Callable

import numpy as np

from nonconvex.errors import UserError

TOLERANCE = 0.1
FEWEST = 4
DECIMALS = 9
"""Times are not taken for rounded to more decimals than these."""


def check_sampling(time: np.ndarray, place: Callable[[int], str]) -> float:
    """Return the sampling rate of `time`; `place(i)` says where instant i is written.

    Raises
    ------
    UserError
        For fewer than 4 instants, a missing or infinite one, and a step that differs from the median step
        by more than 10 % of it, beyond what the rounding of the times to their decimals explains.
    """
    check_length(len(time), place(max(len(time) - 1, 0)))
    bad = np.flatnonzero(~np.isfinite(time))
    if bad.size:
        raise UserError(
            f"{place(bad[0])}: the time is missing or infinite; each row needs its time in seconds"
        )
    steps = np.diff(time)
    step = float(np.median(steps))
    backwards = np.flatnonzero(steps <= 0)
    if backwards.size:
        after = backwards[0] + 1
        raise UserError(
            f"{place(after)}: the time {digits(time[after])} is not after the {digits(time[after - 1])} "
            "before it"
        )
    uneven = np.flatnonzero(np.abs(steps - step) > TOLERANCE * step)
    if uneven.size and not _only_rounded(time, step):
        uneven = np.flatnonzero(np.abs(steps - step) > TOLERANCE * step + _rounding(time, step))
        after = (uneven[0] if uneven.size else int(np.argmax(_drift(time)))) + 1
        raise UserError(
            f"{place(after)}: the time steps by {steps[after - 1]:.6g} s where most steps are {step:.6g} s; "
            "instants must be evenly spaced, and one that is lost needs its row with empty cells"
        )
    return float((len(time) - 1) / (time[-1] - time[0]))


def digits(number: float) -> str:
    """Return a number with all the digits that it was written with."""
    return f"{number:.15g}"


def check_length(n_samples: int, place: str) -> None:
    """Refuse a series of fewer than 4 samples."""
    if n_samples < FEWEST:
        raise UserError(f"{place}: too few samples, {n_samples}; at least {FEWEST} are needed")


def _only_rounded(time: np.ndarray, step: float) -> bool:
    """Tell whether an even grid, rounded to the decimals that `time` has, explains its steps.

    At 120 samples per second, milliseconds step by 8 and 9.
    """
    allowed = TOLERANCE * step + _rounding(time, step)
    return bool(np.all(np.abs(np.diff(time) - step) <= allowed) and np.all(_drift(time) <= step / 2))


def _rounding(time: np.ndarray, step: float) -> float:
    """Return the unit of the last decimal of `time`; 0 where that could hide a lost row."""
    single, double = (8 * np.finfo(kind).eps * np.abs(time).max() for kind in (np.float32, np.float64))
    for decimals in range(DECIMALS + 1):
        unit = 10.0**-decimals
        noise = single if single < 0.1 * unit else double
        if np.all(np.abs(time - np.round(time, decimals)) <= noise + 1e-6 * unit):
            return unit if unit < 0.45 * step else 0.0
    return 0.0


def _drift(time: np.ndarray) -> np.ndarray:
    return np.abs(time - np.linspace(time[0], time[-1], time.size))
