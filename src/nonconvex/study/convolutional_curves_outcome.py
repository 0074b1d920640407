"""Error against iteration in training convolutional networks."""

from collections.abc import Callable, Mapping, Sequence

from nonconvex.networks.arguments import positive_integer
from nonconvex.study import convolutional_outcome
from nonconvex.study.convolutional_data import Instance
from nonconvex.study.convolutional_outcome import COLUMNS, TELL, rows, train
from nonconvex.study.descent_rows import HISTORY, curves, recorded, without

__all__ = ["COLUMNS", "HISTORY", "TELL", "check", "failed", "outcomes"]


def check(options: Mapping, cell: Mapping) -> None:
    """Raise ValueError for options that cannot be used on a cell."""
    positive_integer("every", options.get("every", 10))
    convolutional_outcome.check(without(options, "every"), cell)


def outcomes(solver: Callable, instances: Sequence[Instance], tell: Sequence[str], options: Mapping) -> list:
    """Train as `convolutional_outcome.outcomes` does, and keep the error on the way.

    The option `every`, 10 by default, says which iterations are kept: the first ones, every tenth, and the
    last.
    """
    others = without(options, "every")
    record = recorded(others.get("max_iterations", 6000), options.get("every", 10))
    starts = [instance.start for instance in instances]
    run = train(solver, instances, starts, [i.v for i in instances], record=record, **others)
    pairs = zip(rows(run, instances), curves(run, record), strict=True)
    return [row | {"history": curve} for row, curve in pairs]


def failed() -> dict:
    """Return the row of a trial that could not be run, with an empty curve."""
    return convolutional_outcome.failed() | {"history": {name: [] for name in HISTORY}}
