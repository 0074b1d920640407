"""The step of AM-FIHT and RAM-FIHT, and the weight of its heavy ball."""

import math

from nonconvex.hankel.observations import is_number


def momentum_weight(beta: float | str, fraction: float) -> float:
    """Return the heavy-ball weight.

    Parameters
    ----------
    beta : {"squared", "linear"} or float
        "squared" is (1 - p)^2 / 5 (thesis, Section 2.6.1), "linear" is (1 - p) / 5 (thesis, recorded data),
        a number in [0, 1) is taken as it is.
    fraction : float
        p, the realised fraction of observations.

    Raises
    ------
    ValueError
        For anything else.
    """
    if isinstance(beta, str) and beta == "squared":
        return (1 - fraction) ** 2 / 5
    if isinstance(beta, str) and beta == "linear":
        return (1 - fraction) / 5
    if not is_number(beta) or not 0 <= beta < 1:
        raise ValueError(f'beta must be "squared", "linear" or a number from 0 to below 1, got {beta!r}')
    return float(beta)


def inverse_step(step: float | None, fraction: float) -> float:
    """Return what gradients are divided by: p, the realised fraction of observations, or 1 / `step`.

    Raises
    ------
    ValueError
        For a step that is not a finite number above 0.
    """
    if step is None:
        return fraction
    if not is_number(step) or not 0 < step < math.inf or not 1 / step < math.inf:
        raise ValueError(f"step must be a finite number above 0, got {step!r}")
    return 1 / float(step)
