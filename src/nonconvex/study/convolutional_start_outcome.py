"""Training convolutional networks from a start that is estimated from the data, or from the random one."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nonconvex.networks.arguments import choice
from nonconvex.networks.descent import Descent
from nonconvex.networks.errors import relative_error
from nonconvex.networks.tensor_convolutional import tensor_initialisation
from nonconvex.networks.tensor_printed import printed_tensor_initialisation
from nonconvex.networks.tensor_start import TensorStart, renumber
from nonconvex.study import convolutional_outcome
from nonconvex.study.convolutional_data import Instance
from nonconvex.study.convolutional_outcome import TELL, rows, train
from nonconvex.study.descent_rows import without

__all__ = ["COLUMNS", "STARTS", "TELL", "check", "failed", "outcomes", "start_of"]

COLUMNS = {**convolutional_outcome.COLUMNS, "start_error": "f8", "v_exact": "?"}
STARTS = ("random", "tensor_v_known", "tensor_v_estimated", "tensor_printed")


def check(options: Mapping, cell: Mapping) -> None:
    """Raise ValueError for options that cannot be used on a cell."""
    choice("start", options.get("start"), STARTS)
    convolutional_outcome.check(without(options, "start"), cell)


def outcomes(solver: Callable, instances: Sequence[Instance], tell: Sequence[str], options: Mapping) -> list:
    """Train each trial from the start that the option `start` names, one of `STARTS`, and return the rows.

    ``random`` is the start of all figures, around W* and with v = v*; ``tensor_v_known`` and
    ``tensor_v_estimated`` come from the data alone, but for v* in the former; ``tensor_printed`` is
    Subroutine 1 as printed (thesis, Algorithm 4). Their neurons are renumbered to match W* best, after which
    `start_error` is the relative error of W0 and `v_exact` whether the estimate of v is v*. A trial whose
    start cannot be computed has failed.
    """
    others = without(options, "start")
    return [_trained(solver, instance, options["start"], others) for instance in instances]


def _trained(solver: Callable, instance: Instance, kind: str, options: Mapping) -> dict:
    try:
        start = start_of(instance, kind)
    except ValueError as error:
        return failed() | {"reason": str(error)}
    run: Descent = train(solver, [instance], [start.weights], [start.second_layer], **options)
    (row,) = rows(run, [instance])
    return row | {
        "start_error": float(relative_error(start.weights, instance.truth)),
        "v_exact": bool(np.array_equal(start.second_layer, instance.v)),
    }


def start_of(instance: Instance, kind: str) -> TensorStart:
    """Return a start point of an instance; the same one each time.

    Raises
    ------
    ValueError
        For a `kind` that is none of `STARTS`, and when the initialisation cannot work with the data.
    """
    choice("start", kind, STARTS)
    if kind == "random":
        return TensorStart(instance.start, instance.v)
    rng = np.random.default_rng(instance.tensor)
    data = instance.inputs, instance.outputs, instance.truth.shape[1]
    if kind == "tensor_printed":
        found = printed_tensor_initialisation(*data, rng=rng)
    else:
        found = tensor_initialisation(*data, positive=kind == "tensor_v_known", rng=rng)
    return renumber(found, instance.truth)


def failed() -> dict:
    """Return the row of a trial that could not be run."""
    return {**convolutional_outcome.failed(), "start_error": np.nan, "v_exact": False}
