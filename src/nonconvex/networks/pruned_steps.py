"""Step sizes and heavy-ball weights of pruned networks, with the readings of what the thesis prints."""

from nonconvex.networks.arguments import choice, number, positive_integer
from nonconvex.networks.steps import Step

RULES = ("chosen", "printed", "times_k", "times_k2", "theorem")


def pruned_step(rule: str = "chosen", *, n_neurons: int, eta: float | None = None, beta: float = 0.5) -> Step:
    """Return the step of Algorithm 1 of Chapter 6; it multiplies the gradient of the mean network's loss.

    ========  ========  =============================================================================
    rule      step      what it is
    ========  ========  =============================================================================
    chosen    eta       a chosen step
    printed   eta       thesis, Section 6.4, eta = 0.5: too small by far for 10 000 iterations
    times_k   eta K     the same, the gradient of one neuron's output left undivided
    times_k2  eta K^2   the same in a network that is the sum over neurons: agrees with Figure 6.3
    theorem   K / 14    thesis, theorem of Section 6.3; no `eta`
    ========  ========  =============================================================================

    Parameters
    ----------
    rule : {"chosen", "printed", "times_k", "times_k2", "theorem"}
        Reading.
    n_neurons : int
        K.
    eta : float, optional
        Needed by all rules but "theorem".
    beta : float
        Heavy-ball weight, below 1; 0 is gradient descent.

    Returns
    -------
    Step

    Raises
    ------
    ValueError
        For an unknown rule, or an argument that is missing or out of range.
    """
    choice("rule", rule, RULES)
    k = positive_integer("n_neurons", n_neurons)
    if number("beta", beta, 0, 1) == 1:
        raise ValueError("beta must be below 1, got 1")
    if rule == "theorem":
        if eta is not None:
            raise ValueError(f"eta must not be given with the rule 'theorem', got {eta!r}")
        return Step(rule, k / 14, float(beta))
    power = {"times_k": 1, "times_k2": 2}.get(rule, 0)
    return Step(rule, number("eta", eta, 0) * k**power, float(beta))
