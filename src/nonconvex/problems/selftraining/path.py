"""A run of self-training, seen in the plane of W0, W* and the model it ends at (thesis, Figure 7.3)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonconvex.networks.distances import relative_error
from nonconvex.networks.self_training.model import mixture
from nonconvex.networks.self_training.result import SelfTraining
from nonconvex.networks.self_training.schedule import Schedule
from nonconvex.problems.contract import Outcome, Row
from nonconvex.problems.selftraining.data import Instance
from nonconvex.problems.selftraining.outcome import Solver, check, train

COLUMNS = {"status": "S16", "iterations": "i8"}
HISTORY = {
    "round": "i8",
    "x": "f8",
    "y": "f8",
    "off_plane": "f8",
    "error": "f8",
    "mixture_x": "f8",
}


def one(solver: Solver, instance: Instance, tell: Sequence[str], options: Mapping[str, Any]) -> Row:
    """Return a row with `COLUMNS`, and the way there with `HISTORY`, one entry a round, from W0 to W(L).

    Lengths are over ||W*||_F. W* is the origin; W0, of round 0, lies on the first axis; the second axis
    points to the side of the last model, W(L). The mixture W[lambda-hat] is at (`mixture_x`, 0). `off_plane`
    is the distance of a model from the plane.
    """
    run = train(solver, [instance], options, range(Schedule(**options).rounds + 1))
    with np.errstate(all="ignore"):  # a diverged run may have overflowed
        history = _coordinates(run, instance)
    return {"status": str(run.status[0]), "iterations": int(run.rounds[0]), "history": history}


def _coordinates(run: SelfTraining, instance: Instance) -> dict[str, np.ndarray]:
    truth, count = instance.truth, int(run.rounds[0])
    models = (run.recorded[0, : count + 1] - truth).reshape(count + 1, -1) / np.linalg.norm(truth)
    first = _unit(models[0])
    aside = models[-1] - (models[-1] @ first) * first
    second = _unit(aside)
    x, y = models @ first, models @ second
    between = mixture(instance.start, truth, instance.weight, deviation=instance.deviation)
    return {
        "round": np.arange(count + 1),
        "x": x,
        "y": y,
        "off_plane": np.linalg.norm(models - np.outer(x, first) - np.outer(y, second), axis=1),
        "error": np.linalg.norm(models, axis=1),
        "mixture_x": np.full(count + 1, relative_error(between, truth)),
    }


def _unit(vector: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(vector)
    return vector / length if length else vector


OUTCOME = Outcome(COLUMNS, check, one=one, history=HISTORY)
