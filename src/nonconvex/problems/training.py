"""Training networks of any kind: what is kept of it, of the way there, and of starts estimated from data.

A family says how its networks are trained (`Training`); `outcomes`, `curves` and `starts` make of it what is
kept: the end of each trial, its error on the way, or the end from a start that an option names.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonconvex.errors import among
from nonconvex.networks.arguments import choice, number, positive_integer
from nonconvex.networks.descent import Descent
from nonconvex.networks.steps import Step
from nonconvex.networks.trials import Trials
from nonconvex.problems.contract import Cell, Outcome, Row
from nonconvex.problems.descent_rows import HISTORY, levels, recorded
from nonconvex.problems.descent_rows import curves as kept_curves

EVERY = 10
"""By default a curve keeps the first iterations, every tenth, and the last."""

RANDOM = "random"

STOPS = ("max_iterations", "target", "stall_exit")
"""Options of all kinds of networks, besides those of the step: when a trial ends, as solvers take them."""

Options = Mapping[str, Any]
Solver = Callable[..., Descent]


@dataclass(frozen=True)
class Training:
    """How networks of one kind are trained. Instances of a call are of one cell, and have a `truth`, W*.

    Attributes
    ----------
    problems : ``problems(instances, starts)``
        Returns the training problems, and W0 of each, shape (n_trials, n_features, n_neurons). Whatever a
        start is, there is one for each instance.
    start : ``start(instance)``
        Returns the start that was drawn with an instance.
    step : ``step(sizes, **options)``
        Returns the step for an instance with these sizes, or for any of a cell: `sizes` may be the cell
        itself. ValueError for values that it cannot use.
    sizes : ``sizes(instance)``
        Returns what the step of an instance depends on.
    rows : ``rows(run, instances)``
        Returns one row per trial.
    columns : dict
        Name -> dtype of what is in a row.
    max_iterations : int
        By default.
    target : float
        By default.
    """

    problems: Callable[[Sequence[Any], Sequence[Any]], tuple[Trials, np.ndarray]]
    start: Callable[[Any], Any]
    step: Callable[..., Step]
    sizes: Callable[[Any], Mapping[str, Any]]
    rows: Callable[[Descent, Sequence[Any]], list[Row]]
    columns: Mapping[str, str]
    max_iterations: int
    target: float

    def train(
        self,
        solver: Solver,
        instances: Sequence[Any],
        starts: Sequence[Any],
        options: Options,
        record: Sequence[int] = (),
    ) -> Descent:
        """Run `solver` on instances of one cell, each from its start; errors are kept at `record`."""
        of_step = {name: value for name, value in options.items() if name not in STOPS}
        steps = [self.step(self.sizes(instance), **of_step) for instance in instances]
        problems, weights = self.problems(instances, starts)
        target = options.get("target", self.target)
        return solver(
            problems,
            weights,
            np.array([instance.truth for instance in instances]),
            step=Step(steps[0].rule, np.array([s.eta for s in steps]), np.array([s.beta for s in steps])),
            max_iterations=self.iterations(options),
            target=target,
            levels=levels(target),
            record=record,
            stall_exit=options.get("stall_exit", False),
        )

    def iterations(self, options: Options) -> int:
        """Return how many iterations a trial has at the most."""
        return options.get("max_iterations", self.max_iterations)

    def check(self, solver: Solver, options: Options, cell: Cell) -> None:
        """Raise ValueError for options that cannot be used on a cell, and for a solver that is none."""
        _, *of_step = inspect.signature(self.step).parameters
        for name in options:
            if name not in (*of_step, *STOPS):
                raise ValueError(f"there is none called '{name}'{among(name, (*of_step, *STOPS))}")
        positive_integer("max_iterations", self.iterations(options))
        if options.get("target") is not None:
            number("target", options["target"], np.finfo(float).tiny)
        if not isinstance(options.get("stall_exit", False), bool):
            raise ValueError(f"stall_exit must be true or false, got {options['stall_exit']!r}")
        self.step(cell, **{name: value for name, value in options.items() if name in of_step})
        try:
            named = dict.fromkeys((*STOPS, "levels", "record"))
            inspect.signature(solver).bind("trials", "start", "truth", step=0, **named)
        except TypeError as error:
            raise ValueError(f"its method cannot be called as networks are trained: {error}") from error


def outcomes(training: Training) -> Outcome:
    """Keep the end of each trial, from the start that was drawn with it.

    The trials of a cell are trained together; the numbers of one do not depend on the others.
    """

    def check(solver: Solver, tell: Sequence[str], options: Options, cell: Cell) -> None:
        training.check(solver, options, cell)

    def together(
        solver: Solver, instances: Sequence[Any], tell: Sequence[str], options: Options
    ) -> list[Row]:
        starts = [training.start(instance) for instance in instances]
        return training.rows(training.train(solver, instances, starts, options), instances)

    return Outcome(training.columns, check, together=together)


def curves(training: Training) -> Outcome:
    """Keep the error on the way as well; the option `every` says at which iterations."""

    def check(solver: Solver, tell: Sequence[str], options: Options, cell: Cell) -> None:
        positive_integer("every", options.get("every", EVERY))
        training.check(solver, _without(options, "every"), cell)

    def together(
        solver: Solver, instances: Sequence[Any], tell: Sequence[str], options: Options
    ) -> list[Row]:
        others = _without(options, "every")
        record = recorded(training.iterations(options), options.get("every", EVERY))
        starts = [training.start(instance) for instance in instances]
        run = training.train(solver, instances, starts, others, record)
        pairs = zip(training.rows(run, instances), kept_curves(run, record), strict=True)
        return [row | {"history": curve} for row, curve in pairs]

    return Outcome(training.columns, check, together=together, history=HISTORY)


def starts(
    training: Training,
    kinds: Sequence[str],
    estimate: Callable[[Any, str], Any],
    columns: Mapping[str, str],
    about: Callable[[Any, Any], Row],
) -> Outcome:
    """Keep the end of each trial from the start that the option `start` names.

    "random" is the start that was drawn with a trial, as in all figures.

    Parameters
    ----------
    training : Training
    kinds : sequence of str
        What else `start` may be.
    estimate : ``estimate(instance, kind)``
        Returns a start, the same one each time; ValueError where it cannot be computed, which makes the trial
        a failed one.
    columns : dict
        Name -> dtype of what is kept of a start.
    about : ``about(start, instance)``
        Returns that.
    """

    def check(solver: Solver, tell: Sequence[str], options: Options, cell: Cell) -> None:
        choice("start", options.get("start", ""), (RANDOM, *kinds))
        training.check(solver, _without(options, "start"), cell)

    def one(solver: Solver, instance: Any, tell: Sequence[str], options: Options) -> Row:
        kind = options["start"]
        start = training.start(instance) if kind == RANDOM else estimate(instance, kind)
        run = training.train(solver, [instance], [start], _without(options, "start"))
        (row,) = training.rows(run, [instance])
        return row | about(start, instance)

    return Outcome({**training.columns, **columns}, check, one=one)


def _without(options: Options, name: str) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key != name}
