"""The weight of the heavy-ball step."""

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
