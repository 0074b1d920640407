"""Instances on real images: which of a pool are labelled, which unlabelled, which for validation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonconvex.images.image_set import LabelledImages
from nonconvex.images.model_facts import MODEL_FACTS, check_size
from nonconvex.problems.contract import Data
from nonconvex.problems.images.read import read_images

STREAMS: Mapping[str, tuple[str, ...]] = {"order": (), "mined": (), "training": ("model",)}
"""Neither N, M nor a size of the training changes a draw: fewer images are the first of more."""

SIZES = ("model", "epochs", "batch_size", "rounds", "steps_per_epoch", "augmentation", "learning_rate")

UNKNOWN = -1
"""The label of a mined image."""


@dataclass(frozen=True, eq=False)
class Instance:
    """One training problem.

    Attributes
    ----------
    train, test : LabelledImages
    validation : LabelledImages or None
        What rounds and epochs are picked on; None where nothing is picked.
    unlabelled : ndarray, shape (n_unlabelled, height, width, channels), uint8
        Images whose labels no algorithm is told.
    hidden : ndarray, shape (n_unlabelled,), int64
        Their labels, by which pseudo-labels are scored; `UNKNOWN` where nobody knows them.
    seed : int
        Of weights, batches and augmentation.
    sizes : dict
        The cell's parameters of the training, `SIZES`; None where it does not have one.
    """

    train: LabelledImages
    validation: LabelledImages | None
    test: LabelledImages
    unlabelled: np.ndarray
    hidden: np.ndarray
    seed: int
    sizes: Mapping[str, Any]

    @property
    def words(self) -> str:
        """What the log calls it."""
        unlabelled = f", M = {len(self.unlabelled)}" if len(self.unlabelled) else ""
        return f"{self.sizes['model']}, N = {len(self.train)}{unlabelled}, seed {self.seed}:"


def check(cell: Mapping) -> None:
    """Raise ValueError when no instance of this cell can exist."""
    if cell["model"] not in MODEL_FACTS:
        raise ValueError(f"model = {cell['model']!r} must be one of {', '.join(MODEL_FACTS)}")
    check_size(cell["model"], cell["height"], cell["width"])
    for name in ("n_samples", "epochs", "batch_size", "rounds"):
        if cell[name] < 1:
            raise ValueError(f"{name} = {cell[name]} must be at least 1")
    for name in ("n_unlabelled", "n_validation"):
        if cell.get(name, 0) < 0:
            raise ValueError(f"{name} = {cell[name]} must not be negative")
    if not _fits(cell, cell["n_samples"], cell.get("n_unlabelled", 0)):
        raise ValueError(
            f"n_samples = {cell['n_samples']}, n_unlabelled = {cell.get('n_unlabelled', 0)} and "
            f"n_validation = {cell.get('n_validation', 0)} are more than the source has: {_has(cell)}"
        )


def _fits(cell: Mapping, n_samples: int, n_unlabelled: int) -> bool:
    """Tell whether a pool has so many images, or a pool and mined images have."""
    if _mined(cell) and n_unlabelled > _mined(cell):
        return False
    own = 0 if _mined(cell) else n_unlabelled
    return bool(n_samples + own + cell.get("n_validation", 0) <= cell["n_pool"])


def _mined(parameters: Mapping) -> int:
    """Return the number of mined images; experiments without unlabelled ones do not ask for it."""
    return int(parameters.get("n_mined", 0))


def _has(parameters: Mapping) -> str:
    mined = f" and {_mined(parameters)} without" if _mined(parameters) else ""
    return f"{parameters['n_pool']} images with labels{mined}"


def limit(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters without numbers of images that the source does not have.

    Raises
    ------
    ValueError
        When no number is left, or an M alone (0 aside).
    """
    found = dict(parameters)
    samples = _values(parameters["n_samples"])
    samples = [n for n in samples if _fits(parameters, n, 0)]
    if not samples:
        raise ValueError(f"its numbers of images are more than the source has: {_has(parameters)}")
    if isinstance(parameters["n_samples"], list):
        found["n_samples"] = samples
    if isinstance(parameters.get("n_unlabelled"), list):
        fewer = [m for m in parameters["n_unlabelled"] if _fits(parameters, max(samples), m)]
        if not any(fewer):
            raise ValueError(
                f"its numbers of unlabelled images are more than the source has: {_has(parameters)}"
            )
        found["n_unlabelled"] = fewer
    return found


def _values(one: Any) -> list:
    return one if isinstance(one, list) else [one]


def draw(cell: Mapping, streams: Mapping[str, np.random.Generator]) -> dict[str, np.ndarray]:
    """Draw which images are which, as places in the pool, and a seed; all are drawn without replacement.

    Labelled images come first in a random order, then unlabelled ones; the validation images are the last.
    """
    order = streams["order"].permutation(cell["n_pool"]).astype(np.int32)
    n, m = cell["n_samples"], cell.get("n_unlabelled", 0)
    drawn = {"train": order[:n], "validation": order[len(order) - cell.get("n_validation", 0) :]}
    if _mined(cell):
        drawn["unlabelled"] = streams["mined"].permutation(_mined(cell)).astype(np.int32)[:m]
    else:
        drawn["unlabelled"] = order[n : n + m]
    return {**drawn, "seed": np.array(streams["training"].integers(2**31))}


def build(cell: Mapping, stored: Mapping[str, np.ndarray]) -> Instance:
    """Rebuild an instance from the source's images and the places that were drawn."""

    def taken(name: str) -> LabelledImages:
        return LabelledImages(stored["images"][stored[name]], stored["labels"][stored[name]])

    places = stored["unlabelled"]
    if _mined(cell):
        unlabelled, hidden = stored["mined"][places], np.full(len(places), UNKNOWN)
    else:
        unlabelled, hidden = stored["images"][places], stored["labels"][places]
    return Instance(
        taken("train"),
        taken("validation") if cell.get("n_validation") else None,
        LabelledImages(stored["test_images"], stored["test_labels"]),
        unlabelled,
        hidden,
        int(stored["seed"]),
        {name: cell.get(name) for name in SIZES},
    )


def work(cell: Mapping) -> float:
    """Return the multiply-accumulates of a trial's training, by those that are published for an image.

    Forward, and twice as many back.
    """
    facts = MODEL_FACTS[cell["model"]]
    images = cell["epochs"] * (
        cell["steps_per_epoch"] * cell["batch_size"]
        if cell.get("steps_per_epoch")
        else cell["n_samples"] + cell.get("n_unlabelled", 0)
    )
    # M = 0 is the teacher, which all M of a trial share; else there is a student in each round.
    trainings = 1 if cell.get("n_unlabelled") == 0 else cell["rounds"]
    return 3.0 * facts.multiply_adds * images * trainings


DATA = Data(check, draw, build, streams=STREAMS, read=read_images, limit=limit, work=work)
