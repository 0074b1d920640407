"""Training convolutional networks from a start that is estimated from the data, or from the random one."""

import numpy as np

from nonconvex.networks.distances import relative_error
from nonconvex.networks.tensor.convolutional import tensor_initialisation
from nonconvex.networks.tensor.printed import printed_tensor_initialisation
from nonconvex.networks.tensor.start import renumber
from nonconvex.problems.contract import Row
from nonconvex.problems.convolutional.data import Instance
from nonconvex.problems.convolutional.outcome import TRAINING, Start
from nonconvex.problems.training import starts

KINDS = ("tensor_v_known", "tensor_v_estimated", "tensor_printed")


def estimate(instance: Instance, kind: str) -> Start:
    """Return a start that comes from the data alone, but for v* in ``tensor_v_known``.

    ``tensor_printed`` is Subroutine 1 as printed (thesis, Algorithm 4). Neurons are renumbered to match W*
    best.
    """
    rng = np.random.default_rng(instance.tensor)
    data = instance.inputs, instance.outputs, instance.truth.shape[1]
    if kind == "tensor_printed":
        found = printed_tensor_initialisation(*data, rng=rng)
    else:
        found = tensor_initialisation(*data, positive=kind == "tensor_v_known", rng=rng)
    matched = renumber(found, instance.truth)
    return matched.weights, matched.second_layer


def about(start: Start, instance: Instance) -> Row:
    """Return what is kept of a start: the relative error of W0, and whether the estimate of v is v*."""
    weights, v = start
    return {
        "start_error": float(relative_error(weights, instance.truth)),
        "v_exact": bool(np.array_equal(v, instance.v)),
    }


OUTCOME = starts(TRAINING, KINDS, estimate, {"start_error": "f8", "v_exact": "?"}, about)
