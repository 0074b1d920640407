"""Heavy ball with the weight of the theorem on regression with graph networks (thesis, Section 5.4)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from nonconvex.networks.descent import Descent
from nonconvex.networks.solvers.descend import descend
from nonconvex.networks.steps import Step, graph_step
from nonconvex.networks.trials import Trials

CONSTANT = 88.0


def descend_theorem(
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
    """Run `nonconvex.networks.solvers.descend` with beta = (1 - sqrt(1 / (88 K)))^2.

    That is the theorem's beta* with what it calls constants, kappa and gamma of W*, taken for 1 and epsilon_0
    for 0. The theorem prints it without K; its proof has it, (1 - sqrt(gamma_1 / (2 gamma_2)))^2 with
    gamma_1 = 1 / (11 K^2) and gamma_2 = 4 / K, and so has the theorem's rate, nu(beta*).

    Parameters
    ----------
    trials, start, truth, max_iterations, target, levels, record, stall_exit
        As for `descend`.
    step : nonconvex.networks.steps.Step
        The theorem's, eta = K / 8 (`nonconvex.networks.steps.graph_step`); its beta is not used.

    Returns
    -------
    Descent

    Raises
    ------
    ValueError
        For another step, and as `descend`.
    """
    eta = graph_step("theorem", n_neurons=trials.n_neurons).eta
    if step.rule != "theorem" or not np.all(np.asarray(step.eta) == eta):
        raise ValueError(f"step must be the theorem's for regression, K / 8, got {step.eta!r} ({step.rule})")
    return descend(
        trials,
        start,
        truth,
        step=replace(step, beta=(1 - (CONSTANT * trials.n_neurons) ** -0.5) ** 2),
        max_iterations=max_iterations,
        target=target,
        levels=levels,
        record=record,
        stall_exit=stall_exit,
    )
