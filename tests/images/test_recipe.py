"""Recipes of training; torch is not needed."""

import numpy as np
import pytest

from nonconvex.images.model_facts import MODEL_FACTS
from nonconvex.images.recipe import Recipe


def rates(steps=4, **options):
    recipe = Recipe(epochs=8, batch_size=2, learning_rate=0.5, **options)
    return np.array([[recipe.rate(e, s, steps) for s in range(steps)] for e in range(8)])


def test_a_constant_step():
    assert (rates() == 0.5).all()


def test_steps_are_divided_by_10_at_each_milestone():
    by_epoch = rates(schedule="steps", milestones=(0.5, 0.75))[:, 0]
    np.testing.assert_allclose(by_epoch, [0.5] * 4 + [0.05] * 2 + [0.005] * 2)


@pytest.mark.parametrize(("epochs", "share", "first"), [(182, 0.75, 136), (100, 0.29, 29), (3, 0.5, 1)])
def test_a_milestone_is_rounded_down_to_an_epoch(epochs, share, first):
    recipe = Recipe(epochs, 1, 1.0, schedule="steps", milestones=(share,))
    assert [recipe.rate(e, 0, 1) for e in (first - 1, first)] == [1.0, 0.1]


def test_a_cosine_falls_from_the_first_step_to_almost_nothing():
    by_epoch = rates(schedule="cosine")[:, 0]
    np.testing.assert_allclose(by_epoch, 0.25 * (1 + np.cos(np.pi * np.arange(8) / 8)))


def test_a_warm_up_grows_step_by_step_and_then_the_schedule_goes_on():
    warm = rates(warm_up=2, schedule="steps", milestones=(0.5,))
    np.testing.assert_allclose(warm[:2].ravel(), 0.5 * np.arange(1, 9) / 8)
    assert (warm[2:4] == 0.5).all() and (warm[4:] == 0.05).all()


@pytest.mark.parametrize(("n", "steps"), [(10, 3), (9, 3), (2, 1), (3, 1)])
def test_an_epoch_leaves_out_the_incomplete_batch_unless_it_is_the_only_one(n, steps):
    assert Recipe(1, 3, 0.1).steps(n) == steps
    assert Recipe(1, 3, 0.1, steps_per_epoch=7).steps(n) == 7


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"epochs": 0}, "epochs must be an integer of at least 1, got 0"),
        ({"epochs": True}, "epochs must be an integer of at least 1, got True"),
        ({"batch_size": 1.5}, "batch_size must be an integer of at least 1, got 1.5"),
        ({"learning_rate": 0}, "learning_rate must be a finite number of at least .*, got 0"),
        ({"learning_rate": np.nan}, "learning_rate must be a finite number"),
        ({"learning_rate": "0.1"}, "learning_rate must be a finite number .*, got '0.1'"),
        ({"momentum": 1}, "momentum must be a finite number from 0 to below 1, got 1"),
        ({"weight_decay": -1e-4}, "weight_decay must be a finite number of at least 0, got -0.0001"),
        ({"nesterov": 1}, "nesterov must be true or false, got 1"),
        ({"nesterov": True, "momentum": 0}, "nesterov needs a momentum above 0"),
        ({"schedule": "cosin"}, "schedule must be one of .*, got 'cosin'; did you mean 'cosine'"),
        ({"schedule": "steps"}, r"milestones must be given with the schedule 'steps'"),
        ({"milestones": (0.5,)}, r"milestones must be .* with no other, got \(0.5,\) with 'constant'"),
        ({"schedule": "steps", "milestones": (0.5, 0.5)}, "milestones must be ascending"),
        ({"schedule": "steps", "milestones": (0.75, 0.5)}, "milestones must be ascending"),
        ({"schedule": "steps", "milestones": (91, 136)}, "milestones must be .* below 1, got 91"),
        ({"schedule": "steps", "milestones": 0.5}, "milestones must be shares of the epochs, got 0.5"),
        ({"warm_up": 6}, "warm_up must be at most epochs = 5, got 6"),
        ({"warm_up": -1}, "warm_up must be an integer of at least 0, got -1"),
        ({"augmentation": None}, "augmentation must be one of none, shift, crop_flip, got None"),
        ({"steps_per_epoch": 0}, "steps_per_epoch must be an integer of at least 1, got 0"),
    ],
)
def test_a_bad_value_is_told_with_its_name(change, message):
    with pytest.raises(ValueError, match=message):
        Recipe(**{"epochs": 5, "batch_size": 2, "learning_rate": 0.1, **change})


def test_a_list_of_milestones_is_as_good_as_a_tuple():
    listed = Recipe(4, 2, 0.1, schedule="steps", milestones=[0.5])
    assert listed == Recipe(4, 2, 0.1, schedule="steps", milestones=(0.5,)) and hash(listed)


def test_the_facts_are_of_small_images_and_positive():
    for facts in MODEL_FACTS.values():
        assert facts.shape in {(1, 28, 28), (3, 32, 32)} and facts.n_parameters > 0 < facts.multiply_adds
