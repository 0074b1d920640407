"""Step size and heavy-ball weight by the name of a reading of the thesis."""

from dataclasses import dataclass

import numpy as np

from nonconvex.networks.arguments import choice, number, positive_integer

CONVOLUTIONAL_RULES = ("as_printed", "over_k", "theorem", "chosen")
GRAPH_RULES = ("theorem", "chosen", "common", "row_norm")
TASKS = ("regression", "classification")


@dataclass(frozen=True, eq=False)
class Step:
    """A heavy-ball step ``W <- W - eta * gradient + beta * (W - previous W)``.

    Attributes
    ----------
    rule : str
        Name of the reading.
    eta : float or ndarray, shape (n_trials,)
        Factor on the gradient of the loss exactly as the thesis prints it, corrections included.
    beta : float or ndarray, shape (n_trials,)
        Heavy-ball weight, in [0, 1); 0 is gradient descent.
    """

    rule: str
    eta: float | np.ndarray
    beta: float | np.ndarray


def convolutional_step(
    rule: str = "over_k", *, n_neurons: int, n_patches: int, factor: float = 2.0, beta: float | None = None
) -> Step:
    """Return the step for a convolutional network, K = `n_neurons`, M = `n_patches`.

    ==========  ==================================  =====================================================
    rule        eta                                 what it is
    ==========  ==================================  =====================================================
    as_printed  factor K / M^2                      thesis, Section 4.4, on the loss of Eq. sample_risk:
                                                    diverges
    over_k      factor / M^2                        a correction: the same step, the gradient divided by
                                                    K; agrees with what Section 4.4 reports
    theorem     1 / (12 M^2 K)                      thesis, theorem of Section 4.3; no `factor`
    chosen      5 factor / (K M^2)                  equal to over_k at K = 5, scales as the theorem's step
    ==========  ==================================  =====================================================

    Parameters
    ----------
    rule : {"as_printed", "over_k", "theorem", "chosen"}
        Reading.
    n_neurons, n_patches : int
        K and M.
    factor : float
        2 by default; 3 in Figure 4.10 (b).
    beta : float, optional
        (1 - 1 / sqrt(K M))^2 when not given, with every rule; 0 is gradient descent.

    Returns
    -------
    Step

    Raises
    ------
    ValueError
        For an unknown rule or an argument out of range.
    """
    choice("rule", rule, CONVOLUTIONAL_RULES)
    k, m = positive_integer("n_neurons", n_neurons), positive_integer("n_patches", n_patches)
    factor = number("factor", factor, 0)
    eta = {
        "as_printed": factor * k / m**2,
        "over_k": factor / m**2,
        "theorem": 1 / (12 * m**2 * k),
        "chosen": 5 * factor / (k * m**2),
    }[rule]
    return Step(rule, eta, (1 - (k * m) ** -0.5) ** 2 if beta is None else _weight(beta))


def graph_step(
    rule: str = "chosen",
    *,
    n_neurons: int,
    task: str = "regression",
    degree: int | None = None,
    row_norm: float | None = None,
    factor: float = 1.0,
    beta: float = 0.8,
) -> Step:
    """Return the step for a graph network; the thesis states none for its experiments (Section 5.5).

    ========  ============================  ==========================================================
    rule      eta, regression               what it is
    ========  ============================  ==========================================================
    theorem   K / 8                         thesis, Section 5.4 (sigma_1(A) is 1 for every graph)
    chosen    factor K (degree + 1)         scales with 1 / (largest curvature) on regular graphs
    common    factor K                      the same for graphs of any degree
    row_norm  factor K / row_norm           equal to `chosen` on regular graphs
    ========  ============================  ==========================================================

    For classification the rules are "theorem", eta = 1/2 (Section 5.4), and "chosen", factor / 2.

    Parameters
    ----------
    rule : {"theorem", "chosen", "common", "row_norm"}
        Reading.
    n_neurons : int
        K.
    task : {"regression", "classification"}
        What the network learns.
    degree : int, optional
        Degree delta of the graph; needed by "chosen" for regression.
    row_norm : float, optional
        Mean of ||a_n||^2 (`nonconvex.networks.graphs.row_norms_squared`); needed by "row_norm".
    factor : float
        1 by default, 2 in Figure 5.3.
    beta : float
        Heavy-ball weight; 0 is gradient descent.

    Returns
    -------
    Step

    Raises
    ------
    ValueError
        For an unknown rule, a missing argument or one out of range.
    """
    choice("task", task, TASKS)
    allowed = GRAPH_RULES if task == "regression" else GRAPH_RULES[:2]
    choice(f"rule for {task}", rule, allowed)
    k, factor, beta = positive_integer("n_neurons", n_neurons), number("factor", factor, 0), _weight(beta)
    if task == "classification":
        return Step(rule, 0.5 if rule == "theorem" else factor / 2, beta)
    if rule == "theorem":
        eta = k / 8
    elif rule == "chosen":
        eta = factor * k * (number("degree", degree, 0) + 1)
    elif rule == "common":
        eta = factor * k
    else:
        eta = factor * k / number("row_norm", row_norm, np.finfo(float).tiny)
    return Step(rule, eta, beta)


def _weight(beta: float) -> float:
    if number("beta", beta, 0, 1) == 1:
        raise ValueError("beta must be below 1, got 1")
    return float(beta)
