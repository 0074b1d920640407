"""Self-training with pseudo-labels."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from images.image_problems import images_of, same  # noqa: E402

from nonconvex.images import followed  # noqa: E402
from nonconvex.images.batches import Batches  # noqa: E402
from nonconvex.images.evaluation import accuracy, predict  # noqa: E402
from nonconvex.images.models.build import build_model  # noqa: E402
from nonconvex.images.recipe import Recipe  # noqa: E402
from nonconvex.images.reproducible import reproducible  # noqa: E402
from nonconvex.images.seeds import derived  # noqa: E402
from nonconvex.images.solvers.pseudo_label import pseudo_label  # noqa: E402
from nonconvex.images.standardise import Standard  # noqa: E402
from nonconvex.images.training import Training  # noqa: E402

LABELLED, TEST = images_of(12, noise=120), images_of(60, 2, noise=120)
POOL = images_of(90, 1, noise=120)
RECIPE = Recipe(3, 6, 0.05, augmentation="shift", steps_per_epoch=8)
NONE = POOL.images[:0]


def trained(unlabelled=POOL.images, **options):
    sets = [options.pop(name, one) for name, one in (("labelled", LABELLED), ("test", TEST))]
    options = {"model": "lenet_300_100", "recipe": RECIPE, "seed": 1, **options}
    return pseudo_label(sets[0], unlabelled, sets[1], **options)


@reproducible()
def plain(data, number):
    """Train by the parts that training is made of."""
    seed = derived(1, number) if number else 1
    model = build_model("lenet_300_100", shape=(1, 12, 12), n_classes=3, seed=seed)
    standard = Standard(data[0], torch.device("cpu"))
    training = Training(model, Batches(*data, RECIPE, standard, derived(1, number)), RECIPE)
    curve = [accuracy(model, TEST, standard)]
    while not training.done:
        training.advance()
        curve.append(accuracy(model, TEST, standard))
    return model, standard, np.array(curve), np.array(training.losses)


def test_without_unlabelled_images_it_is_plain_training_to_the_last_bit():
    _, _, curve, losses = plain((LABELLED.images, LABELLED.labels), 0)
    found = trained(NONE)
    assert np.array_equal(found.test_accuracy, curve) and np.array_equal(found.loss, losses)
    assert found.teacher_accuracy == curve[-1] and found.status == "finished"
    assert found.pseudo_labels.shape == (0,) and found.pseudo_labels.dtype == np.int64
    assert same(found, trained(NONE, rounds=3))


def test_students_are_new_networks_on_the_pooled_set_of_the_last_model_s_labels():
    teacher, standard, curve, _ = plain((LABELLED.images, LABELLED.labels), 0)
    model = teacher
    for number in (1, 2):
        labels = predict(model, POOL.images, standard)
        pooled = (
            np.concatenate([LABELLED.images, POOL.images]),
            np.concatenate([LABELLED.labels, labels]),
        )
        model, standard, student, losses = plain(pooled, number)
        found = trained(rounds=number)
        assert np.array_equal(found.pseudo_labels, labels)
        assert np.array_equal(found.test_accuracy, student) and np.array_equal(found.loss, losses)
        assert found.teacher_accuracy == curve[-1]


@pytest.mark.parametrize("unlabelled", [NONE, POOL.images])
def test_only_the_epochs_that_are_followed_are_measured_and_nothing_else_changes(unlabelled):
    whole, part = trained(unlabelled), trained(unlabelled, follow=1)
    assert np.isnan(part.test_accuracy).tolist() == [False, False, True, False]
    seen = ~np.isnan(part.test_accuracy)
    assert np.array_equal(part.test_accuracy[seen], whole.test_accuracy[seen])
    assert np.array_equal(part.loss, whole.loss) and part.teacher_accuracy == whole.teacher_accuracy
    with pytest.raises(ValueError, match="follow must be"):
        trained(unlabelled, follow=-1)


def test_labelled_images_have_their_share_of_a_pass():
    both = np.concatenate([LABELLED.images, POOL.images])
    marks = np.repeat([1, 0], [len(LABELLED), len(POOL)])
    recipe = Recipe(17, 6, 0.05, steps_per_epoch=1)
    batches = Batches(both, marks, recipe, Standard(both, torch.device("cpu")), 3)
    drawn = torch.cat([labels for e in range(17) for _, labels in batches.epoch(e)])
    assert drawn.double().mean() == 12 / 102


def test_unlabelled_images_help_where_labels_are_few():
    recipe = Recipe(6, 20, 0.02, schedule="cosine", steps_per_epoch=15)
    data = {"labelled": images_of(12, 3, noise=160), "test": images_of(400, 2, noise=160)}
    found = trained(images_of(600, 1, noise=160).images, recipe=recipe, rounds=2, **data)
    assert found.test_accuracy[-1] > found.teacher_accuracy + 0.02


def test_a_diverged_teacher_has_no_student():
    found = trained(recipe=Recipe(3, 6, 1e8))
    assert found.status == "diverged" and np.isnan(found.teacher_accuracy)
    assert (found.pseudo_labels == -1).all() and found.pseudo_labels.shape == (90,)
    assert np.isnan(found.loss).any() and np.isfinite(found.test_accuracy[0])


def test_a_diverged_student_is_told(monkeypatch):
    class Broken(Training):
        def advance(self):
            loss = super().advance()
            if self.batches.n > len(LABELLED) and len(self.losses) == 2:
                self.losses[-1] = loss = np.nan
            return loss

    monkeypatch.setattr(followed, "Training", Broken)
    found = trained()
    assert found.status == "diverged" and np.isfinite(found.teacher_accuracy)
    assert np.isfinite(found.loss).tolist() == [True, False, False]
    assert np.isfinite(found.test_accuracy).tolist() == [True, True, False, False]


def test_the_teacher_in_the_folder_serves_calls_with_other_unlabelled_images(tmp_path, monkeypatch):
    alone = [trained(POOL.images[:m], rounds=2) for m in (0, 30, 90)]
    sizes = []

    class Seen(Training):
        def advance(self):
            sizes.append(self.batches.n)
            return super().advance()

    monkeypatch.setattr(followed, "Training", Seen)
    together = [trained(POOL.images[:m], rounds=2, folder=tmp_path) for m in (0, 30, 90)]
    assert all(same(one, other) for one, other in zip(alone, together, strict=True))
    assert sizes.count(len(LABELLED)) == RECIPE.epochs
    assert sizes.count(len(LABELLED) + 30) == 2 * RECIPE.epochs
    assert len(list(tmp_path.glob("teacher-*.pt"))) == 1
    trained(seed=2, folder=tmp_path)
    assert len(list(tmp_path.glob("teacher-*.pt"))) == 2 and not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"unlabelled": POOL}, r"unlabelled must be a uint8 array \(n, .*, got LabelledImages"),
        (
            {"unlabelled": POOL.images / 255},
            r"unlabelled must be a uint8 array .*, got float64 \(90, 12, 12, 1\)",
        ),
        ({"unlabelled": POOL.images[..., 0]}, r"unlabelled must be .*, got uint8 \(90, 12, 12\)"),
        ({"unlabelled": POOL.images[:, 1:]}, r"unlabelled must have images .* \(12, 12, 1\) as labelled has"),
        ({"labelled": None}, "labelled must be LabelledImages, got NoneType"),
        ({"model": "lenet"}, "model must be one of"),
        ({"recipe": None}, "recipe must be a Recipe, got NoneType"),
        ({"rounds": 0}, "rounds must be an integer of at least 1, got 0"),
        ({"seed": -1}, "seed must be an integer of at least 0, got -1"),
        ({"device": "tpu"}, "device must be one of"),
    ],
)
def test_bad_input_is_told_with_its_name(change, message):
    with pytest.raises(ValueError, match=message):
        trained(**change)
