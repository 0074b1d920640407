"""Heavy ball with step and weight from the curvature at W*, as the theorems' proofs choose them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.descent import Descent
from nonconvex.networks.solvers.descend import descend
from nonconvex.networks.steps import Step
from nonconvex.networks.trials import Trials


def descend_curvature(
    trials: Trials,
    start: ArrayLike,
    truth: ArrayLike,
    *,
    step: Step,
    max_iterations: int,
    target: float | None = None,
    levels: Sequence[float] = (),
    record: Sequence[int] = (),
    stall_exit: bool = False,
) -> Descent:
    """Run `nonconvex.networks.solvers.descend` with the step and the weight of the proofs.

    eta = 1 / (2 gamma_2) and beta = (1 - sqrt(gamma_1 / (2 gamma_2)))^2, where the proofs of the theorems of
    Sections 4.3 and 5.4 have bounds gamma_1, gamma_2 of the eigenvalues of the Hessian near W*. Here they are
    its smallest and its largest eigenvalue at W*, of each trial: no method could know them, and a trial whose
    Hessian is singular there gets beta = 1 - 1e-9.

    Parameters
    ----------
    trials, start, truth, max_iterations, target, levels, record, stall_exit
        As for `descend`; the truth sets the step as well.
    step : nonconvex.networks.steps.Step
        Not used.

    Returns
    -------
    Descent

    Raises
    ------
    ValueError
        As `descend`.
    """
    values = np.linalg.eigvalsh(trials.hessian(truth))
    smallest, largest = np.maximum(values[:, 0], 0.0), values[:, -1]
    beta = np.minimum((1 - np.sqrt(smallest / (2 * largest))) ** 2, 1 - 1e-9)
    return descend(
        trials,
        start,
        truth,
        step=Step("curvature", 1 / (2 * largest), beta),
        max_iterations=max_iterations,
        target=target,
        levels=levels,
        record=record,
        stall_exit=stall_exit,
    )
