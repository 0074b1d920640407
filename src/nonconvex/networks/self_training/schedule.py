"""How a run of self-training goes: steps, rounds, batches, and when it ends."""

from dataclasses import dataclass

import numpy as np

from nonconvex.networks.arguments import choice, number, positive_integer

BATCHES = ("mini", "full")


@dataclass(frozen=True)
class Schedule:
    """How a run goes.

    Attributes
    ----------
    eta : float
        Step size, for the mean over neurons and the risk as printed (thesis, Eq. empirical_risk_function).
    beta : float
        Heavy-ball weight within a round, from 0 to below 1; 0 is stochastic gradient descent.
    batches : {"mini", "full"}
        "mini": labelled and unlabelled data are each split into `steps` disjoint parts, and step t of every
        round takes part t of both (thesis, Algorithm 1 of the appendix on self-training). "full": each step
        takes all data.
    renew : bool
        Whether each round has new pseudo-labels, by the model that it begins with. Otherwise those of the
        first model stay: the single-shot method.
    steps : int
        T, of a round.
    rounds : int
        L, at the most.
    tolerance : float
        A run has converged when a round changes W by at most this, relative to its norm before.
    """

    eta: float
    beta: float = 0.0
    batches: str = "mini"
    renew: bool = True
    steps: int = 10
    rounds: int = 1000
    tolerance: float = 1e-4

    def __post_init__(self) -> None:
        number("eta", self.eta, np.finfo(float).tiny)
        if number("beta", self.beta, 0, 1) == 1:
            raise ValueError("beta must be below 1, got 1")
        choice("batches", self.batches, BATCHES)
        if not isinstance(self.renew, bool):
            raise ValueError(f"renew must be true or false, got {self.renew!r}")
        positive_integer("steps", self.steps)
        positive_integer("rounds", self.rounds)
        number("tolerance", self.tolerance, 0)

    @property
    def n_parts(self) -> int:
        """Into how many parts the data are split."""
        return self.steps if self.batches == "mini" else 1

    def check_counts(self, n_labelled: int, n_unlabelled: int) -> None:
        """Raise ValueError where there are fewer data than parts; there may be no unlabelled ones."""
        if n_labelled < self.n_parts:
            raise ValueError(
                f"steps = {self.steps} mini-batches need as many labelled data, got {n_labelled}; take "
                'fewer steps or batches = "full"'
            )
        if 0 < n_unlabelled < self.n_parts:
            raise ValueError(
                f"steps = {self.steps} mini-batches need as many unlabelled data or none, got "
                f'{n_unlabelled}; take fewer steps or batches = "full"'
            )
