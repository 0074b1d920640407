"""A suggestion for the rank, from singular values, where `nonconvex.series.choose` cannot judge."""

import numpy as np

from nonconvex.errors import UserError
from nonconvex.hankel.operators.leading import leading_factors
from nonconvex.hankel.operators.lift import HankelLift

HIGHEST = 15
FLOOR = 1e-12


def suggest_rank(
    values: np.ndarray, mask: np.ndarray, n1: int, highest: int = HIGHEST
) -> tuple[int, np.ndarray]:
    """Suggest the rank after which the singular values fall most steeply.

    The values are those of H(P(M)) / p, the Hankel matrix of the samples with zeros for the lost ones, over
    the observed fraction: the signal's own, plus noise from the losses that hides the weak ones. So this
    suggestion is rather too low than too high when much is lost.

    Parameters
    ----------
    values : ndarray, shape (n_channels, n_samples)
        Samples.
    mask : ndarray of bool, same shape
        True where observed.
    n1 : int
        Time blocks of the Hankel matrix.
    highest : int
        Largest rank that may be suggested; never above 15.

    Returns
    -------
    rank : int
        The k from 1 to `highest` with the largest ratio s_k / s_(k+1).
    singular_values : ndarray
        The leading ones over the first, one more than the ranks considered.

    Raises
    ------
    UserError
        When not even two singular values exist, everything observed is zero, or the linear algebra fails.
    """
    n_channels, n_samples = values.shape
    lift = HankelLift(n_channels, n_samples, n1, real=not np.iscomplexobj(values))
    count = min(highest, HIGHEST, min(lift.shape) - 1)
    if count < 1:
        raise UserError(f"--rank auto needs room for two singular values, which n1 = {n1} does not leave")
    filled = np.where(mask, values, 0) / mask.mean()
    if not filled.any():
        raise UserError("--rank auto finds nothing: all observed values are zero")
    try:
        _, sigma, _ = leading_factors(lift, filled, count + 1)
    except np.linalg.LinAlgError as error:
        raise UserError(f"--rank auto failed ({error}); give a number") from error
    sigma = sigma / sigma[0]
    floored = np.maximum(sigma, FLOOR)
    return 1 + int(np.argmax(floored[:-1] / floored[1:])), sigma
