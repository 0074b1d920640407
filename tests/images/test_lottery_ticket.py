"""Lottery tickets: what is pruned, what rounds begin with, which epoch counts."""

from itertools import pairwise

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from images.image_problems import images_of, same  # noqa: E402

from nonconvex.images import pruning_rounds  # noqa: E402
from nonconvex.images.image_set import LabelledImages  # noqa: E402
from nonconvex.images.models.build import build_model  # noqa: E402
from nonconvex.images.pruning import counts, prunable, prune  # noqa: E402
from nonconvex.images.recipe import Recipe  # noqa: E402
from nonconvex.images.solvers.lottery_ticket import lottery_ticket  # noqa: E402
from nonconvex.images.training import Training  # noqa: E402

TRAIN, VALIDATION, TEST = images_of(40), images_of(30, 1), images_of(50, 2)
RECIPE = Recipe(3, 8, 0.05, weight_decay=1e-3)


def tickets(**options):
    sets = [
        options.pop(name, one) for name, one in (("train", TRAIN), ("validation", VALIDATION), ("test", TEST))
    ]
    return lottery_ticket(*sets, **{"model": "lenet5", "recipe": RECIPE, "rounds": 3, "seed": 1, **options})


@pytest.fixture
def seen(monkeypatch):
    """The masks and the weights that each round's training begins and ends with."""
    trainings = []

    class Seen(Training):
        def __init__(self, model, batches, recipe, masks=None):
            super().__init__(model, batches, recipe, masks)
            self.masks = {name: mask.clone() for name, mask in masks.items()}
            self.first = self.weights()
            trainings.append(self)

        def weights(self):
            return {name: part.detach().clone() for name, part in self.model.state_dict().items()}

        def advance(self):
            loss = super().advance()
            self.last = self.weights()
            return loss

    monkeypatch.setattr(pruning_rounds, "Training", Seen)
    return trainings


def joined(parts):
    return torch.cat([part.ravel() for part in parts.values()])


def test_masks_are_nested_of_the_stated_sizes_and_of_the_largest_weights(seen):
    found = tickets(rounds=4, share=0.3)
    total = joined(seen[0].masks).numel()
    left = [total]
    for one, other in pairwise(seen):
        before, after = joined(one.masks), joined(other.masks)
        left.append(left[-1] - round(0.3 * left[-1]))
        assert after.sum() == left[-1] and not (after & ~before).any()
        size = joined({name: one.last[name].abs() for name in one.masks})
        assert size[after].min() >= size[before & ~after].max()
    np.testing.assert_allclose(found.pruning_ratio, 1 - np.array(left) / total)
    assert found.status == "finished"


@pytest.mark.parametrize("model", ["lenet5", "resnet8"])
def test_pruned_weights_end_as_0_and_each_round_begins_at_the_first_weights_masked(seen, model):
    tickets(model=model)
    first = build_model(model, shape=(1, 12, 12), n_classes=3, seed=1).state_dict()
    assert len(seen) == 3
    for one in seen:
        for name, weights in first.items():
            mask = one.masks.get(name, torch.ones(()))
            assert torch.equal(one.first[name], weights * mask)
            assert not one.last[name][(mask == 0).expand(weights.shape)].any()


def test_it_rewinds_to_an_epoch_of_round_0(seen, monkeypatch):
    after = []
    measure = pruning_rounds.accuracy
    monkeypatch.setattr(
        pruning_rounds,
        "accuracy",
        lambda model, data, standard: (
            after.append({name: part.clone() for name, part in model.state_dict().items()})
            or measure(model, data, standard)
        ),
    )
    tickets(rewind=2)
    for one in seen[1:]:
        for name, weights in after[1].items():
            assert torch.equal(
                one.first[name], weights * one.masks.get(name, torch.ones((), dtype=torch.int64))
            )


def test_convolutions_leave_the_first_convolution_and_the_last_matrix(seen):
    tickets(model="resnet8", layers="convolutions", rounds=2, share=0.9)
    model = build_model("resnet8", shape=(1, 12, 12), n_classes=3, seed=1)
    assert set(seen[1].masks) == set(prunable(model, "convolutions"))
    assert "0.weight" not in seen[1].masks and all(part.ndim == 4 for part in seen[1].masks.values())
    dense = seen[1].last["0.weight"], list(seen[1].last.values())[-2]
    assert all(bool((part != 0).all()) for part in dense)


def test_rounds_see_the_images_in_other_orders(seen):
    tickets(rounds=2)
    first = [next(iter(one.batches.epoch(0)))[1] for one in seen]
    assert not torch.equal(*first)


def test_the_epoch_is_picked_on_validation_images_alone(monkeypatch):
    # Validation 0.5, 0.9, 0.9, 0.2; test 0.1 where validation is best, 0.8 at the last epoch.
    scripts = {len(VALIDATION): iter([0.5, 0.9, 0.9, 0.2]), len(TEST): iter([0.8, 0.1])}
    weights = {len(VALIDATION): [], len(TEST): []}

    def scripted(model, data, standard):
        weights[len(data)].append(next(model.parameters()).detach().clone())
        return next(scripts[len(data)])

    monkeypatch.setattr(pruning_rounds, "accuracy", scripted)
    found = tickets(recipe=Recipe(4, 8, 0.05), rounds=1)
    assert found.best_epoch.tolist() == [2]
    assert found.validation_accuracy.tolist() == [0.9]
    assert found.test_accuracy.tolist() == [0.1] and found.last_test_accuracy.tolist() == [0.8]
    last, best = weights[len(TEST)]
    assert torch.equal(best, weights[len(VALIDATION)][1])
    assert torch.equal(last, weights[len(VALIDATION)][3])


def test_what_is_tested_is_what_is_said():
    easy = images_of(90)
    found = tickets(train=easy, recipe=Recipe(8, 10, 0.05), rounds=6, share=0.5)
    assert found.test_accuracy[:3].min() > 0.9
    assert found.test_accuracy.shape == found.loss.shape == (6,)
    assert (found.best_epoch >= 1).all() and (found.best_epoch <= 8).all()


def test_other_test_images_change_nothing_but_the_test():
    one, other = tickets(), tickets(test=images_of(20, 5))
    for name in ("validation_accuracy", "best_epoch", "loss"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_a_diverged_round_leaves_nan_from_then_on():
    found = tickets(recipe=Recipe(3, 8, 1e8))
    assert found.status == "diverged"
    assert np.isnan(found.test_accuracy).all() and np.isnan(found.loss).all()
    assert (found.best_epoch == -1).all() and found.pruning_ratio[1] == pytest.approx(0.2, abs=1e-3)


def test_a_round_of_no_pruning_differs_by_the_order_alone():
    found = tickets(share=0.0)
    assert (found.pruning_ratio == 0).all()


def test_of_equal_weights_the_first_stay():
    ones, mask = (
        {"a": torch.tensor([[2.0, -1.0], [1.0, 0.0]])},
        {"a": torch.tensor([[True, True], [True, False]])},
    )
    assert prune(ones, mask, 2)["a"].tolist() == [[True, True], [False, False]]
    assert prune(ones, mask, 3)["a"].tolist() == mask["a"].tolist()


def test_counts_are_of_whole_weights():
    assert counts(10, 0.25, 4) == [10, 8, 6, 4]


def test_small_sets_of_other_orders_give_other_results_and_the_same_call_the_same():
    assert same(tickets(rounds=2), tickets(rounds=2))
    assert not same(tickets(rounds=2), tickets(rounds=2, seed=2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": "vgg"}, "model must be one of .*, got 'vgg'"),
        ({"recipe": {"epochs": 3}}, "recipe must be a Recipe, got dict"),
        ({"rounds": 0}, "rounds must be an integer of at least 1, got 0"),
        ({"share": 1}, "share must be a finite number from 0 to below 1, got 1"),
        ({"share": -0.1}, "share must be .*, got -0.1"),
        ({"share": 0.9, "rounds": 20}, "share = 0.9 in 20 rounds leaves none of .* weights: take less"),
        ({"layers": "convs"}, "layers must be one of all, convolutions, got 'convs'"),
        (
            {"layers": "convolutions", "model": "lenet_300_100"},
            'layers "convolutions" leaves nothing to prune in lenet_300_100: take "all"',
        ),
        ({"rewind": 4}, "rewind must be at most epochs = 3, got 4"),
        ({"seed": 1.0}, "seed must be an integer of at least 0, got 1.0"),
        ({"device": "gpu"}, "device must be one of auto, cpu, cuda, got 'gpu'"),
        ({"validation": images_of(9, size=13)}, r"validation must have images .* \(12, 12, 1\) as train has"),
        ({"test": TEST.images}, "test must be LabelledImages, got ndarray"),
        ({"train": images_of(9, size=8), "validation": images_of(9, size=8), "test": images_of(9, size=8)},
         "lenet5 needs images of at least 12 x 12 pixels"),
    ],
)  # fmt: skip
def test_bad_input_is_told_with_its_name(change, message):
    with pytest.raises(ValueError, match=message):
        tickets(**change)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match=r'^device "cuda" needs a GPU, and torch .* finds none') as refused:
        tickets(device="cuda")
    assert "\n" not in str(refused.value)
    assert same(tickets(device="auto", rounds=1), tickets(device="cpu", rounds=1))


def test_classes_are_those_of_all_sets():
    more = LabelledImages(TEST.images, np.where(TEST.labels == 2, 7, TEST.labels))
    assert 0 <= tickets(test=more, rounds=1).test_accuracy[0] < 1
