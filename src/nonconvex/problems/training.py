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
from nonconvex.problems.contract import Cell, Outcome, Row
from nonconvex.problems.descent_rows import HISTORY, recorded
from nonconvex.problems.descent_rows import curves as kept_curves

EVERY = 10
"""By default a curve keeps the first iterations, every tenth, and the last."""

_HANDED_ON = ("max_iterations", "target", "levels", "record", "stall_exit")

Options = Mapping[str, Any]
Solver = Callable[..., Descent]


@dataclass(frozen=True)
class Training:
    """How networks of one kind are trained.

    Attributes
    ----------
    train : ``train(solver, instances, starts, *, record, ...)``
        Runs a solver on instances of one cell; its other keyword arguments are the options. Whatever a start
        is, there is one for each instance.
    rows : ``rows(run, instances)``
        Returns one row per trial.
    columns : dict
        Name -> dtype of what is in a row.
    step : ``step(cell, **options)``
        Makes the step out of those of the options that it takes; ValueError for values that it cannot use.
    start : ``start(instance)``
        Returns the start that was drawn with an instance.
    """

    train: Callable[..., Descent]
    rows: Callable[[Descent, Sequence[Any]], list[Row]]
    columns: Mapping[str, str]
    step: Callable[..., object]
    start: Callable[[Any], Any]

    def check(self, solver: Solver, options: Options, cell: Cell) -> None:
        """Raise ValueError for options that `train` cannot use on a cell, and for a solver that is none."""
        known = _keywords(self.train)
        for name in options:
            if name not in known:
                raise ValueError(f"there is none called '{name}'{among(name, known)}")
        if "max_iterations" in options:
            positive_integer("max_iterations", options["max_iterations"])
        if options.get("target") is not None:
            number("target", options["target"], np.finfo(float).tiny)
        if not isinstance(options.get("stall_exit", False), bool):
            raise ValueError(f"stall_exit must be true or false, got {options['stall_exit']!r}")
        of_step = set(inspect.signature(self.step).parameters)
        self.step(cell, **{name: value for name, value in options.items() if name in of_step})
        try:
            inspect.signature(solver).bind("trials", "start", "truth", step=0, **dict.fromkeys(_HANDED_ON))
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
        return training.rows(training.train(solver, instances, starts, **options), instances)

    return Outcome(training.columns, check, together=together)


def curves(training: Training) -> Outcome:
    """Keep the error on the way as well; the option `every` says at which iterations."""
    standard = inspect.signature(training.train).parameters["max_iterations"].default

    def check(solver: Solver, tell: Sequence[str], options: Options, cell: Cell) -> None:
        positive_integer("every", options.get("every", EVERY))
        training.check(solver, _without(options, "every"), cell)

    def together(
        solver: Solver, instances: Sequence[Any], tell: Sequence[str], options: Options
    ) -> list[Row]:
        others = _without(options, "every")
        record = recorded(others.get("max_iterations", standard), options.get("every", EVERY))
        starts = [training.start(instance) for instance in instances]
        run = training.train(solver, instances, starts, record=record, **others)
        pairs = zip(training.rows(run, instances), kept_curves(run, record), strict=True)
        return [row | {"history": curve} for row, curve in pairs]

    return Outcome(training.columns, check, together=together, history=HISTORY)


def starts(
    training: Training,
    kinds: Sequence[str],
    start_of: Callable[[Any, str], Any],
    columns: Mapping[str, str],
    about: Callable[[Any, Any], Row],
) -> Outcome:
    """Keep the end of each trial from the start that the option `start` names.

    Parameters
    ----------
    training : Training
    kinds : sequence of str
        What `start` may be.
    start_of : ``start_of(instance, kind)``
        Returns a start; ValueError where it cannot be computed, which makes the trial a failed one.
    columns : dict
        Name -> dtype of what is kept of a start.
    about : ``about(start, instance)``
        Returns that.
    """

    def check(solver: Solver, tell: Sequence[str], options: Options, cell: Cell) -> None:
        choice("start", options.get("start", ""), kinds)
        training.check(solver, _without(options, "start"), cell)

    def one(solver: Solver, instance: Any, tell: Sequence[str], options: Options) -> Row:
        start = start_of(instance, options["start"])
        run = training.train(solver, [instance], [start], **_without(options, "start"))
        (row,) = training.rows(run, [instance])
        return row | about(start, instance)

    return Outcome({**training.columns, **columns}, check, one=one)


def _keywords(train: Callable[..., Descent]) -> list[str]:
    """Return the names of the options that a function trains with."""
    parameters = inspect.signature(train).parameters.values()
    return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY and one.name != "record"]


def _without(options: Options, name: str) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key != name}
