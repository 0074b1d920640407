"""Do moments of the outputs see the neurons? The table behind "Subroutine 1 carries no signal"."""

from collections.abc import Iterator, Mapping, Sequence

from nonconvex.networks.tensor.signal import signal_scores
from nonconvex.problems.contract import Table
from nonconvex.problems.convolutional.data import Instance

ORDERS = (3, 4)


def columns(axes: Sequence[str]) -> list[str]:
    """Return the table's header."""
    return [*axes, "trial", "neuron", "order", "score"]


def rows(axes: Sequence[str], cell: Mapping, trial: int, instance: Instance) -> Iterator[tuple]:
    """Yield the z-score of the third and of the fourth moment along every true neuron."""
    for order in ORDERS:
        scores = signal_scores(instance.inputs, instance.outputs, instance.truth, order)
        for neuron, score in enumerate(scores.tolist(), start=1):
            yield (*(cell[axis] for axis in axes), trial, neuron, order, score)


TABLE = Table(columns, rows)
