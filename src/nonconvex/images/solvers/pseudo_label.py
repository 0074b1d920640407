"""Self-training on images: a teacher labels those without labels, and a student learns from all."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nonconvex.images.arguments import alike, images_alone, integer, same_size
from nonconvex.images.checkpoint import Checkpoint, digest
from nonconvex.images.device import choose_device, torch_build
from nonconvex.images.followed import Followed
from nonconvex.images.image_set import LabelledImages
from nonconvex.images.models.build import build_model, check_model
from nonconvex.images.progress import Progress
from nonconvex.images.recipe import Recipe
from nonconvex.images.reproducible import reproducible
from nonconvex.images.seeds import derived


@dataclass(frozen=True, eq=False)
class SelfTrained:
    """The outcome of self-training.

    Attributes
    ----------
    test_accuracy : ndarray, shape (epochs + 1,), float64
        Of the last model: untrained, then after each epoch; NaN where it was not followed and from where it
        has diverged.
    loss : ndarray, shape (epochs,), float64
        Its mean training loss in each epoch, on labels and pseudo-labels alike.
    teacher_accuracy : float
        Of the first model after its last epoch, on the test images; NaN where it has diverged.
    pseudo_labels : ndarray, shape (n_unlabelled,), int64
        What the last student was trained on; -1 where no student was trained.
    status : str
        "finished", or "diverged" where the loss of a model is not finite; no later model is trained then.
    """

    test_accuracy: np.ndarray
    loss: np.ndarray
    teacher_accuracy: float
    pseudo_labels: np.ndarray
    status: str


def pseudo_label(
    labelled: LabelledImages,
    unlabelled: np.ndarray,
    test: LabelledImages,
    *,
    model: str,
    recipe: Recipe,
    rounds: int = 1,
    seed: int,
    follow: int | None = None,
    device: str = "auto",
    folder: str | Path | None = None,
    say: Callable[[str], object] | None = None,
) -> SelfTrained:
    """Train a teacher on `labelled`, then `rounds` students on it and on `unlabelled`, pseudo-labelled.

    Pseudo-labels are the most probable classes by the last model, without a threshold. A student is a new
    network, trained by the same recipe on one pooled set: of N labelled and M unlabelled images, lambda is
    N / (N + M). Without unlabelled images the teacher's own run is returned, to the last bit. The same call
    gives the same bytes on one machine and build of torch.

    Parameters
    ----------
    labelled, test : LabelledImages
        The test images pick nothing.
    unlabelled : ndarray, shape (n_unlabelled, height, width, channels), uint8
        n_unlabelled may be 0.
    model : str
        One of `nonconvex.images.models.build.MODELS`.
    recipe : Recipe
        Of the teacher and of the students. Where they shall make as many steps, set `steps_per_epoch`.
    rounds : int
        Number of students, one after the other.
    seed : int
        Of the first weights, the order and the moves; each student has seeds of its own that follow from it.
    follow : int, optional
        The test accuracy is measured after the first so many epochs and the last one; by itself after each,
        which may take longer than the training where few images are trained on.
    device : {"auto", "cpu", "cuda"}
        "auto": the GPU where torch has one.
    folder : path, optional
        Where the state is kept, so that after a kill the same call goes on, with the same result: files
        `teacher-*.pt` and `students-*.pt`, which may be deleted once the result is kept.
        The teacher's is used by calls with other unlabelled images, too.
    say : callable, optional
        Takes a line on the progress every few seconds and after each model.

    Returns
    -------
    SelfTrained

    Raises
    ------
    ValueError
        For arguments out of range or unknown, images of unequal sizes, or no GPU where one is asked for.

    References
    ----------
    Y. Carmon, A. Raghunathan, L. Schmidt, P. Liang, J. C. Duchi, "Unlabeled data improves adversarial
    robustness", Proc. NeurIPS, 2019: pseudo-labels and the pooled set.
    """
    shape, n_classes = alike(labelled=labelled, test=test)
    same_size("unlabelled", images_alone("unlabelled", unlabelled), "labelled", labelled.images)
    check_model(model, shape, n_classes)
    if not isinstance(recipe, Recipe):
        raise ValueError(f"recipe must be a Recipe, got {type(recipe).__name__}")
    integer("rounds", rounds, 1)
    integer("seed", seed, 0)
    if follow is not None:
        integer("follow", follow, 0)
    place = choose_device(device)
    build = torch_build(place)
    with reproducible():
        key = digest(
            labelled=labelled, test=test, model=model, recipe=recipe, seed=seed, follow=follow, build=build
        )
        n_students = rounds if len(unlabelled) else 0
        steps = recipe.steps(len(labelled)), recipe.steps(len(labelled) + len(unlabelled))
        progress = Progress(say, recipe.epochs * (steps[0] + n_students * steps[1]))

        def begin(number: int, data: LabelledImages, followed: bool = True) -> Followed:
            first = derived(seed, number) if number else seed
            network = build_model(model, shape=shape, n_classes=n_classes, seed=first).to(place)
            told = test if followed else None
            return Followed(network, data, told, recipe, derived(seed, number), follow)

        teacher = begin(0, labelled)
        kept = Checkpoint(folder, "teacher", key, progress.say)
        state = kept.load()
        if state is not None:
            teacher.restore(state)
        teacher.run(lambda ended: kept.save(teacher.state, now=ended), progress, "teacher")
        if teacher.diverged or not n_students:
            return _outcome(teacher, teacher, np.full(len(unlabelled), -1, dtype=np.int64))

        key = digest(teacher=key, unlabelled=unlabelled, rounds=rounds)
        saved = Checkpoint(folder, "students", key, progress.say)
        state = saved.load()
        number, labels = (1, teacher.predict(unlabelled)) if state is None else _place(state)
        progress.skip((number - 1) * recipe.epochs * steps[1])
        images = np.concatenate([labelled.images, unlabelled])
        while True:
            pooled = LabelledImages(images, np.concatenate([labelled.labels, labels]))
            student = begin(number, pooled, followed=number == rounds)
            if state is not None:
                student.restore(state["student"])
                state = None
            _train(student, saved, number, labels, progress, f"student {number} of {rounds}")
            if student.diverged or number == rounds:
                return _outcome(teacher, student, labels)
            number, labels = number + 1, student.predict(unlabelled)


def _place(state: Mapping[str, Any]) -> tuple[int, np.ndarray]:
    return state["number"], state["labels"].numpy()


def _train(
    student: Followed, saved: Checkpoint, number: int, labels: np.ndarray, progress: Progress, words: str
) -> None:
    def state() -> dict[str, Any]:
        return {"number": number, "labels": torch.from_numpy(labels), "student": student.state()}

    student.run(lambda ended: saved.save(state, now=ended), progress, words)


def _outcome(teacher: Followed, last: Followed, labels: np.ndarray) -> SelfTrained:
    test_accuracy, loss = last.curves()
    status = "diverged" if last.diverged else "finished"
    return SelfTrained(test_accuracy, loss, float(teacher.curves()[0][-1]), labels, status)
