"""The levels of several looks at growing data, which together err as rarely as one look would."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from scipy import optimize, special

TOTAL = 0.05


def look_levels(trials: Sequence[int], total: float = TOTAL) -> tuple[float, ...]:
    """Return the two-sided level of each look (Lan and DeMets, spending like Pocock).

    After the fraction t of the trials, ``total ln(1 + (e - 1) t)`` may have been spent. The levels follow
    from the joint normal distribution of the means at the looks, by integrating over their paths (Armitage,
    McPherson and Rowe).

    Parameters
    ----------
    trials : sequence of int
        After how many trials each look is, increasing; the last one has them all.
    total : float
        Probability, over all looks, of an interval that misses the true value.

    Returns
    -------
    tuple of float
        For 10, 25, 50 and 100 trials: .0079, .0116, .0170, .0257.

    References
    ----------
    K. K. G. Lan, D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70, 1983.
    """
    return _levels(tuple(trials), total)


@cache
def _levels(trials: tuple[int, ...], total: float) -> tuple[float, ...]:
    times = np.array(trials, dtype=float) / trials[-1]
    spent = total * np.log1p((np.e - 1) * times)
    steps = np.diff(spent, prepend=0.0)
    bound = -float(special.ndtri(steps[0] / 2))
    bounds = [bound]
    # The density of the sum on the paths that have not left yet, on a grid between the bounds.
    sums, weights = _grid(bound * np.sqrt(times[0]))
    density = weights * np.exp(-0.5 * sums**2 / times[0]) / np.sqrt(2 * np.pi * times[0])
    for k in range(1, len(times)):
        scale, root = np.sqrt(times[k] - times[k - 1]), np.sqrt(times[k])
        bound = float(optimize.brentq(_spent_beyond, 0.5, 10.0, args=(root, scale, sums, density, steps[k])))
        bounds.append(bound)
        ahead, weights = _grid(bound * root)
        steps_to = np.exp(-0.5 * ((ahead[:, None] - sums) / scale) ** 2) / (scale * np.sqrt(2 * np.pi))
        density = weights * (steps_to @ density)
        sums = ahead
    return tuple(float(2 * special.ndtr(-bound)) for bound in bounds)


def _spent_beyond(
    bound: float, root: float, scale: float, sums: np.ndarray, density: np.ndarray, step: float
) -> float:
    """Return the probability to leave by a bound at a look, less what may be spent there."""
    edge = bound * root
    beyond = special.ndtr((sums - edge) / scale) + special.ndtr((-edge - sums) / scale)
    return float(density @ beyond) - step


def _grid(edge: float, points: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Return Gauss-Legendre nodes and weights between -edge and edge."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    return edge * nodes, edge * weights
