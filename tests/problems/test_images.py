"""Instances on real images, and what is kept of pruning and self-training on them."""

from types import SimpleNamespace

import numpy as np
import pytest

from nonconvex.problems.images.data import UNKNOWN, build, check, draw, limit, work
from nonconvex.problems.images.students import OUTCOME as STUDENTS
from nonconvex.problems.images.tickets import OUTCOME as TICKETS
from nonconvex.problems.images.training import recipe_of

POOL = 60
CELL = {
    "model": "lenet5", "n_samples": 10, "n_unlabelled": 20, "n_validation": 8, "n_pool": POOL, "n_mined": 0, "height": 28, "width": 28,
    "epochs": 8, "batch_size": 4, "rounds": 1,
}  # fmt: skip


def stored(mined=0):
    """A pool whose image k is full of k, and whose label is k modulo 10."""
    values = np.arange(POOL, dtype=np.uint8)
    return {
        "images": np.broadcast_to(values[:, None, None, None], (POOL, 4, 4, 1)).copy(),
        "labels": np.arange(POOL) % 10,
        "test_images": np.full((5, 4, 4, 1), 255, np.uint8),
        "test_labels": np.arange(5),
        "mined": np.broadcast_to(
            np.arange(100, 100 + mined, dtype=np.uint8)[:, None, None, None], (mined, 4, 4, 1)
        ).copy(),
    }


def streams(trial=0):
    return {name: np.random.default_rng([trial, i]) for i, name in enumerate(("order", "mined", "training"))}


def instance(**changes):
    cell = {**CELL, **changes}
    check(cell)
    return build(cell, stored(cell["n_mined"]) | draw(cell, streams()))


def numbers(images):
    return images[:, 0, 0, 0].tolist()


def test_the_parts_of_a_pool_do_not_meet_and_labels_stay_with_their_images():
    one = instance()
    parts = [numbers(one.train.images), numbers(one.validation.images), numbers(one.unlabelled)]
    assert [len(part) for part in parts] == [10, 8, 20]
    together = [number for part in parts for number in part]
    assert len(set(together)) == len(together)
    for images, labels in ((one.train.images, one.train.labels), (one.unlabelled, one.hidden)):
        assert (np.array(numbers(images)) % 10).tolist() == labels.tolist()
    assert len(one.test) == 5


def test_fewer_images_are_the_first_of_more_and_validation_stays():
    few, many = instance(n_samples=5, n_unlabelled=0), instance(n_samples=15, n_unlabelled=0)
    assert numbers(many.train.images)[:5] == numbers(few.train.images)
    assert numbers(many.validation.images) == numbers(few.validation.images)
    assert few.seed == many.seed
    assert numbers(instance(n_unlabelled=30).unlabelled)[:20] == numbers(instance().unlabelled)


def test_mined_images_leave_the_pool_alone_and_their_labels_are_unknown():
    one = instance(n_mined=40, n_unlabelled=30, n_samples=50)
    assert min(numbers(one.unlabelled)) >= 100
    assert set(one.hidden.tolist()) == {UNKNOWN}
    assert len(one.train) == 50


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"n_samples": 53}, "more than the source has: 60 images"),
        ({"n_unlabelled": 43}, "more than the source has"),
        ({"n_mined": 10, "n_unlabelled": 11}, "10 without"),
        ({"n_samples": 0}, "n_samples = 0"),
        ({"n_unlabelled": -1}, "n_unlabelled = -1"),
        ({"model": "lenet6"}, "model = 'lenet6' must be one of"),
        ({"epochs": 0}, "epochs = 0"),
        ({"height": 11}, "lenet5 needs images of at least 12 x 12 pixels, got 11 x 28"),
    ],
)
def test_a_cell_that_cannot_exist_is_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        check({**CELL, **changes})


def test_axes_lose_what_the_source_is_too_small_for():
    grid = {**CELL, "n_samples": [10, 30, 500], "n_unlabelled": [0, 20, 23]}
    found = limit(grid)
    assert (found["n_samples"], found["n_unlabelled"]) == ([10, 30], [0, 20])
    for cell in ({**grid, "n_samples": n, "n_unlabelled": m} for n in (10, 30) for m in (0, 20)):
        check(cell)
    with pytest.raises(ValueError, match="numbers of images"):
        limit({**CELL, "n_samples": [100]})
    with pytest.raises(ValueError, match="unlabelled"):
        limit({**CELL, "n_unlabelled": [0, 50]})
    scalars = {**CELL, "n_samples": 10}
    assert limit(scalars) == scalars


def test_work_goes_with_images_epochs_and_rounds():
    plain = {name: value for name, value in CELL.items() if name != "n_unlabelled"}
    assert work({**plain, "rounds": 3}) == 3 * work(plain)
    assert work({**plain, "epochs": 16}) == 2 * work(plain)
    assert work({**CELL, "n_unlabelled": 0, "rounds": 5}) == work(plain)
    drawn = {**CELL, "steps_per_epoch": 5}
    assert work({**drawn, "n_unlabelled": 40}) == work(drawn)


def solver(**results):
    def lottery_ticket(*data, model, recipe, rounds, seed, device, folder, say, share=0.2, follow=None):
        return SimpleNamespace(**results)

    return lottery_ticket


def test_validation_picks_the_ticket_and_test_images_do_not():
    run = solver(
        status="finished",
        test_accuracy=np.array([0.5, 0.9, 0.6, 0.7]),
        validation_accuracy=np.array([0.99, 0.4, 0.8, 0.8]),
        pruning_ratio=np.array([0, 0.2, 0.36, 0.488]),
        best_epoch=np.array([1, 2, 3, 4]),
        loss=np.zeros(4),
    )
    history = TICKETS.one(run, instance(), [], {"learning_rate": 0.1}, None)["history"]
    assert history["ticket_error"].tolist() == pytest.approx([0.4] * 4)
    assert history["ticket_ratio"].tolist() == [0.36] * 4
    assert history["dense_error"].tolist() == [0.5] * 4
    assert history["test_error"].tolist() == pytest.approx([0.5, 0.1, 0.4, 0.3])
    assert set(history) == set(TICKETS.history)


def test_a_run_that_diverged_in_its_first_rounds_has_no_ticket():
    nothing = np.array([0.5, np.nan, np.nan])
    run = solver(
        status="diverged", test_accuracy=nothing, validation_accuracy=nothing,
        pruning_ratio=np.array([0, 0.2, 0.36]), best_epoch=np.zeros(3), loss=nothing,
    )  # fmt: skip
    row = TICKETS.one(run, instance(), [], {"learning_rate": 0.1}, None)
    assert row["status"] == "diverged"
    assert np.isnan(row["history"]["ticket_error"]).all()


def test_rates_are_over_the_first_quarter_and_hidden_labels_score_pseudo_labels():
    one = instance(n_unlabelled=4)
    run = solver(
        status="finished",
        test_accuracy=1 - 0.9 * 0.5 ** np.arange(9),
        loss=2.0 * 0.25 ** np.arange(8),
        teacher_accuracy=0.9,
        pseudo_labels=np.where(np.arange(4) < 3, one.hidden, (one.hidden + 1) % 10),
    )
    row = STUDENTS.one(run, one, [], {"learning_rate": 0.1}, None)
    assert row["rate"] == pytest.approx(0.5)
    assert row["loss_rate"] == pytest.approx(0.25)
    assert row["label_accuracy"] == 0.75
    assert row["gain"] == pytest.approx(100 * (1 - 0.9 * 0.5**8 - 0.9))
    assert set(row) == set(STUDENTS.columns)


def test_options_go_to_the_recipe_or_the_solver_and_others_are_refused():
    TICKETS.check("lottery_ticket", [], {"learning_rate": 0.1, "share": 0.1}, CELL)
    for options, words in (
        ({"learning_rte": 0.1}, "learning_rate"),
        ({"learning_rate": 0.1, "epochs": 3}, "epochs"),
        ({"learning_rate": 0.1, "seed": 3}, "seed"),
        ({"learning_rate": -0.1}, "learning_rate"),
        ({"share": 0.2}, "learning_rate is missing"),
        ({"learning_rate": 0.1, "layers": "some"}, "layers"),
        ({"learning_rate": 0.1, "share": 1}, "share"),
    ):
        with pytest.raises(ValueError, match=words):
            TICKETS.check("lottery_ticket", [], options, CELL)
    with pytest.raises(ValueError, match="n_validation"):
        TICKETS.check("lottery_ticket", [], {"learning_rate": 0.1}, {**CELL, "n_validation": 0})
    with pytest.raises(ValueError, match="epochs = 4"):
        STUDENTS.check("lottery_ticket", [], {"learning_rate": 0.1}, {**CELL, "epochs": 4})
    recipe = recipe_of(CELL, {"learning_rate": 0.1, "schedule": "steps", "milestones": [0.5], "share": 0.3})
    assert (recipe.epochs, recipe.batch_size, recipe.milestones) == (8, 4, (0.5,))
