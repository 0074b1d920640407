"""One network's training against plain references: batches, moves, standardisation, descent, masks."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from images.image_problems import images_of  # noqa: E402

from nonconvex.images.batches import Batches  # noqa: E402
from nonconvex.images.evaluation import accuracy, predict  # noqa: E402
from nonconvex.images.models.build import build_model  # noqa: E402
from nonconvex.images.recipe import Recipe  # noqa: E402
from nonconvex.images.reproducible import reproducible  # noqa: E402
from nonconvex.images.standardise import Standard  # noqa: E402
from nonconvex.images.training import Training  # noqa: E402

CPU = torch.device("cpu")


def batches(data, recipe, seed=1):
    return Batches(data.images, data.labels, recipe, Standard(data.images, CPU), seed)


def numbered(n, size=6):
    """Return images whose pixels are all the image's number, which its label is, too."""
    images = np.broadcast_to(np.arange(n, dtype=np.uint8)[:, None, None, None], (n, size, size, 1))
    return images, np.arange(n)


class Raw(Standard):
    """Pixels as they are."""

    def __call__(self, images):
        return images.permute(0, 3, 1, 2).to(torch.float32)


def raw(images, labels, recipe, seed=1):
    return Batches(images, labels, recipe, Raw(images, CPU), seed)


def test_an_epoch_has_each_image_once_but_the_incomplete_batch_and_epochs_differ():
    images, labels = numbered(10)
    one = raw(images, labels, Recipe(2, 3, 0.1))
    epochs = [list(one.epoch(e)) for e in range(2)]
    for epoch in epochs:
        assert [len(part) for _, part in epoch] == [3, 3, 3]
        found = torch.cat([part for _, part in epoch]).tolist()
        assert len(set(found)) == 9
        for pixels, part in epoch:
            assert torch.equal(pixels[:, 0, 0, 0].to(torch.int64), part)
    assert not torch.equal(epochs[0][0][1], epochs[1][0][1])
    again = list(raw(images, labels, Recipe(2, 3, 0.1)).epoch(1))
    assert torch.equal(again[2][1], epochs[1][2][1])


def test_a_small_set_is_one_batch():
    images, labels = numbered(2)
    assert [sorted(part.tolist()) for _, part in raw(images, labels, Recipe(1, 5, 0.1)).epoch(0)] == [[0, 1]]


@pytest.mark.parametrize(("n", "size", "steps"), [(7, 3, 2), (2, 3, 2), (5, 5, 1), (10, 3, 2)])
def test_steps_per_epoch_go_through_the_data_pass_after_pass(n, size, steps):
    images, labels = numbered(n)
    one = raw(images, labels, Recipe(9, size, 0.1, steps_per_epoch=steps))
    found = [part for e in range(9) for _, part in one.epoch(e)]
    assert {len(part) for part in found} == {size} and len(found) == 9 * steps
    drawn = torch.cat(found).tolist()
    for start in range(0, len(drawn) - n, n):
        assert sorted(drawn[start : start + n]) == list(range(n))


@pytest.mark.parametrize(("augmentation", "edge"), [("shift", 2), ("crop_flip", 4)])
def test_moved_images_are_crops_of_the_padded_ones(augmentation, edge):
    rng = np.random.default_rng(1)
    images = rng.integers(1, 256, (40, 6, 5, 2), dtype=np.uint8)
    one = raw(images, np.arange(40), Recipe(1, 4, 0.1, augmentation=augmentation))
    padded = np.pad(images, ((0, 0), (edge, edge), (edge, edge), (0, 0)))
    places, mirrored = set(), 0
    for pixels, labels in one.epoch(0):
        for found, label in zip(pixels.permute(0, 2, 3, 1).numpy(), labels.tolist(), strict=True):
            fits = [
                (i, j, flip)
                for i in range(2 * edge + 1)
                for j in range(2 * edge + 1)
                for flip in (False, True)
                if np.array_equal(
                    found,
                    padded[label, i : i + 6, j : j + 5][:, ::-1]
                    if flip
                    else padded[label, i : i + 6, j : j + 5],
                )
            ]
            assert fits
            places.add(fits[0][:2])
            mirrored += fits[0][2]
    assert len(places) > 10
    assert 8 < mirrored < 32 if augmentation == "crop_flip" else mirrored == 0


def test_epochs_are_moved_differently():
    data = images_of(8)
    one = batches(data, Recipe(2, 8, 0.1, augmentation="shift"))
    sums = [next(iter(one.epoch(e)))[0].sum((1, 2, 3)).sort().values for e in range(2)]
    assert not torch.equal(*sums)


def test_training_images_have_mean_0_and_deviation_1_in_each_channel():
    images = np.random.default_rng(1).integers(3, 90, (50, 4, 5, 3), dtype=np.uint8)
    images[..., 1] //= 2
    found = Standard(images, CPU)(torch.from_numpy(images)).double()
    assert found.shape == (50, 3, 4, 5)
    np.testing.assert_allclose(found.mean((0, 2, 3)), 0, atol=1e-6)
    np.testing.assert_allclose(found.std((0, 2, 3), unbiased=False), 1, atol=1e-6)


@pytest.mark.parametrize("value", [0, 7, 255])
def test_a_channel_that_is_the_same_everywhere_is_0(value):
    images = np.full((4, 3, 3, 1), value, dtype=np.uint8)
    assert Standard(images, CPU)(torch.from_numpy(images)).abs().max() < 1e-6


@pytest.mark.parametrize("nesterov", [False, True])
def test_descent_is_the_plain_one(nesterov):
    data = images_of(13, noise=300)
    recipe = Recipe(
        6, 4, 0.01, momentum=0.8, nesterov=nesterov, weight_decay=0.01, warm_up=1, schedule="steps", milestones=(0.5,)
    )  # fmt: skip
    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(144, 3))
    w, b = (part.detach().numpy().astype(float) for part in model.parameters())
    speeds = [np.zeros_like(w), np.zeros_like(b)]
    training = Training(model, batches(data, recipe), recipe)
    for epoch in range(6):
        found, losses = training.advance(), []
        for step, (pixels, labels) in enumerate(batches(data, recipe).epoch(epoch)):
            x, y = pixels.numpy().reshape(4, -1).astype(float), np.eye(3)[labels.numpy()]
            scores = x @ w.T + b
            shares = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
            losses.append(-np.log((shares * y).sum(1)).mean())
            slope = 0.01 * (step + 1) / 3 if epoch == 0 else 0.01 if epoch < 3 else 0.001
            gradients = [(shares - y).T @ x / 4 + 0.01 * w, (shares - y).mean(0) + 0.01 * b]
            speeds = [0.8 * v + g for v, g in zip(speeds, gradients, strict=True)]
            steps = [g + 0.8 * v if nesterov else v for g, v in zip(gradients, speeds, strict=True)]
            w, b = w - slope * steps[0], b - slope * steps[1]
        assert found == pytest.approx(np.mean(losses), rel=1e-4)
    np.testing.assert_allclose(training.model[1].weight.detach(), w, atol=1e-6)
    np.testing.assert_allclose(training.model[1].bias.detach(), b, atol=1e-6)


def test_masked_weights_stay_0_and_the_others_move():
    data, recipe = images_of(20), Recipe(3, 5, 0.1, weight_decay=0.01)
    model = build_model("resnet8", shape=(1, 12, 12), n_classes=3, seed=1)
    masks = {
        name: torch.rand(part.shape, generator=torch.Generator().manual_seed(1)) < 0.3
        for name, part in model.named_parameters()
        if part.ndim > 1
    }
    training = Training(model, batches(data, recipe), recipe, masks)
    named, at_0 = dict(model.named_parameters()), []
    for parameter in named.values():
        parameter.register_post_accumulate_grad_hook(
            lambda _: at_0.append(all(bool((named[name][~mask] == 0).all()) for name, mask in masks.items()))
        )
    training.advance()
    assert len(at_0) > 20 and all(at_0)
    assert all(bool((named[name][~mask] == 0).all()) for name, mask in masks.items())
    assert all(bool((named[name][mask] != 0).all()) for name, mask in masks.items())


def test_it_learns_and_says_how_well():
    data, recipe = images_of(90), Recipe(8, 10, 0.05)
    training = Training(
        build_model("lenet5", shape=(1, 12, 12), n_classes=3, seed=1), batches(data, recipe), recipe
    )
    while not training.done:
        training.advance()
    other, standard = images_of(250, seed=1), training.batches.standard
    found = predict(training.model, other.images, standard)
    assert found.dtype == np.int64 and found.shape == (250,)
    assert accuracy(training.model, other, standard) == np.mean(found == other.labels) > 0.9
    assert training.losses[-1] < 0.3 < training.losses[0]


def test_a_loss_that_is_not_finite_ends_it():
    data, recipe = images_of(20), Recipe(9, 5, 1e6)
    training = Training(
        build_model("lenet_300_100", shape=(1, 12, 12), n_classes=3, seed=1), batches(data, recipe), recipe
    )
    while not training.done:
        training.advance()
    assert training.diverged and not np.isfinite(training.losses[-1]) and len(training.losses) < 9


def test_read_only_and_mirrored_images_are_as_good():
    data, recipe = images_of(20), Recipe(1, 5, 0.1)
    images = data.images.copy()[:, :, ::-1]
    images.flags.writeable = False
    found = list(raw(images, data.labels, recipe).epoch(0))
    assert torch.equal(found[0][0].flip(3), next(iter(raw(data.images, data.labels, recipe).epoch(0)))[0])
    model = build_model("lenet5", shape=(1, 12, 12), n_classes=3, seed=1)
    assert predict(model, images, Standard(images, CPU)).shape == (20,)


def test_torch_is_left_as_it_was():
    def state():
        return (
            torch.get_num_threads(),
            torch.get_default_dtype(),
            torch.are_deterministic_algorithms_enabled(),
            torch.backends.cudnn.benchmark,
            torch.utils.deterministic.fill_uninitialized_memory,
            torch.is_grad_enabled(),
        )

    before = state()
    try:
        torch.set_num_threads(2)
        torch.set_default_dtype(torch.float64)
        torch.backends.cudnn.benchmark = True
        with torch.no_grad():
            mine = state()
            with pytest.raises(KeyboardInterrupt), reproducible():
                assert state() == (1, torch.float32, True, False, False, True)
                raise KeyboardInterrupt
            assert state() == mine
    finally:
        torch.set_num_threads(before[0])
        torch.set_default_dtype(before[1])
        torch.backends.cudnn.benchmark = before[3]
