"""Error against iteration in training graph networks."""

from collections.abc import Callable, Mapping, Sequence

from nonconvex.networks.arguments import positive_integer
from nonconvex.study import graph_outcome
from nonconvex.study.descent_rows import HISTORY, curves, recorded, without
from nonconvex.study.graph_data import Instance
from nonconvex.study.graph_outcome import COLUMNS, TELL, rows, train

__all__ = ["COLUMNS", "HISTORY", "TELL", "check", "failed", "outcomes"]


def check(options: Mapping, cell: Mapping) -> None:
    """Raise ValueError for options that cannot be used on a cell."""
    positive_integer("every", options.get("every", 10))
    graph_outcome.check(without(options, "every"), cell)


def outcomes(solver: Callable, instances: Sequence[Instance], tell: Sequence[str], options: Mapping) -> list:
    """Train as `graph_outcome.outcomes` does, and keep the error on the way.

    The option `every`, 10 by default, says which iterations are kept: the first ones, every tenth, and the
    last.
    """
    others = without(options, "every")
    record = recorded(others.get("max_iterations", 4000), options.get("every", 10))
    run = train(solver, instances, [instance.start for instance in instances], record=record, **others)
    pairs = zip(rows(run, instances), curves(run, record), strict=True)
    return [row | {"history": curve} for row, curve in pairs]


def failed() -> dict:
    """Return the row of a trial that could not be run, with an empty curve."""
    return graph_outcome.failed() | {"history": {name: [] for name in HISTORY}}
