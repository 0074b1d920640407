"""How pruned networks are trained: by width of their compact weights, on the instances' masks."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.networks.descent import Descent
from nonconvex.networks.models.pruned import pruned_trials
from nonconvex.networks.pruned_batches import descend_masked
from nonconvex.networks.pruned_steps import pruned_step
from nonconvex.networks.steps import Step
from nonconvex.networks.supports import effective_size, meeting_share
from nonconvex.networks.trials import Trials
from nonconvex.problems import descent_rows
from nonconvex.problems.contract import Cell, Row
from nonconvex.problems.descent_rows import levels
from nonconvex.problems.pruned.data import Instance
from nonconvex.problems.training import Options, Solver, Training

COLUMNS = {**descent_rows.COLUMNS, "effective_size": "f8", "meeting": "f8"}


class PrunedTraining(Training):
    """Training on masks; the option `single` asks for products in single precision."""

    def train(
        self,
        solver: Solver,
        instances: Sequence[Instance],
        starts: Sequence[np.ndarray],
        options: Options,
        record: Sequence[int] = (),
    ) -> Descent:
        """Run `solver` on instances of one cell, each from its start; errors are kept at `record`."""
        target = options.get("target", self.target)
        return descend_masked(
            [one.inputs for one in instances],
            [one.outputs for one in instances],
            np.array([one.mask for one in instances]),
            np.array(starts),
            np.array([one.truth for one in instances]),
            solver=solver,
            single=options.get("single", False),
            step=step(sizes(instances[0]), **of_step(options)),
            max_iterations=self.iterations(options),
            target=target,
            levels=levels(target),
            record=record,
            stall_exit=options.get("stall_exit", False),
        )

    def check(self, solver: Solver, options: Options, cell: Cell) -> None:
        """Raise ValueError for options that cannot be used on a cell, and for a solver that is none."""
        if not isinstance(options.get("single", False), bool):
            raise ValueError(f"single must be true or false, got {options['single']!r}")
        super().check(solver, {key: value for key, value in options.items() if key != "single"}, cell)


def of_step(options: Options) -> dict[str, Any]:
    """Return the options that belong to the step."""
    return {name: options[name] for name in ("rule", "eta", "beta") if name in options}


def problems(instances: Sequence[Instance], starts: Sequence[np.ndarray]) -> tuple[Trials, np.ndarray]:
    """Return the training problems and the starts in the compact layout of the problems."""
    masks = np.array([one.mask for one in instances])
    trials = pruned_trials([one.inputs for one in instances], [one.outputs for one in instances], masks)
    return trials, trials.compact(np.array(starts))


def start(instance: Instance) -> np.ndarray:
    """Return the start W0 that was drawn around W*, shape (n_features, n_neurons)."""
    return instance.start


def step(sizes: Mapping[str, Any], rule: str = "chosen", eta: float | None = None, beta: float = 0.5) -> Step:
    """Return the step by `nonconvex.networks.pruned_steps.pruned_step`."""
    return pruned_step(rule, n_neurons=sizes["n_neurons"], eta=eta, beta=beta)


def sizes(instance: Instance) -> Mapping[str, int]:
    """Return K."""
    return {"n_neurons": instance.truth.shape[1]}


def rows(run: Descent, instances: Sequence[Instance]) -> list[Row]:
    """Return one row per trial, with the names of `COLUMNS`.

    Errors are relative, in the Frobenius norm (thesis, Section 6.4); `effective_size` is the r-tilde of the
    supports that were drawn, `meeting` the share of pairs of neurons, each with itself included, whose
    supports meet.
    """
    made = descent_rows.rows(run, np.array([instance.truth for instance in instances]))
    for row, instance in zip(made, instances, strict=True):
        row["effective_size"] = float(effective_size(instance.mask))
        row["meeting"] = float(meeting_share(instance.mask))
    return made


TRAINING = PrunedTraining(problems, start, step, sizes, rows, COLUMNS, max_iterations=10000, target=1e-4)
