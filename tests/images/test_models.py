"""Models against what is published of them."""

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from nonconvex.images.model_facts import MODEL_FACTS  # noqa: E402
from nonconvex.images.models.build import MODELS, build_model  # noqa: E402
from nonconvex.images.models.lenet import HalveByMax  # noqa: E402
from nonconvex.images.pruning import prunable  # noqa: E402


def multiply_adds(model, shape):
    """Count the products of all convolutions and matrices, in one pass of one image."""
    total = 0

    def count(part, inputs, output):
        nonlocal total
        per_output = part.weight[0].numel()
        total += output.numel() * per_output

    hooks = [
        part.register_forward_hook(count)
        for part in model.modules()
        if isinstance(part, (nn.Conv2d, nn.Linear))
    ]
    with torch.no_grad():
        assert model.eval()(torch.zeros(1, *shape)).shape == (1, 10)
    for hook in hooks:
        hook.remove()
    return total


def digits(value, n):
    return f"{value:.{n - 1}e}"


@pytest.mark.parametrize("name", MODELS)
def test_parameters_and_multiply_adds_are_the_published_ones(name):
    facts = MODEL_FACTS[name]
    model = build_model(name, shape=facts.shape, n_classes=10, seed=0)
    n_parameters = sum(weights.numel() for weights in model.parameters())
    assert digits(n_parameters, facts.digits) == digits(facts.n_parameters, facts.digits)
    found = multiply_adds(model, facts.shape)
    assert digits(found, 3) == digits(facts.multiply_adds, 3)


def test_every_model_has_its_facts():
    assert set(MODELS) == set(MODEL_FACTS)


def weights(seed, name="resnet8"):
    model = build_model(name, shape=(1, 12, 12), n_classes=3, seed=seed)
    return torch.cat([part.ravel() for part in model.parameters()]).detach()


def test_the_seed_alone_says_the_first_weights():
    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    one = weights(7)
    assert torch.equal(torch.random.get_rng_state(), before)
    torch.rand(3)
    assert torch.equal(weights(7), one) and not torch.equal(weights(8), one)
    assert torch.isfinite(weights(2**80)).all()


def test_convolutions_have_he_s_draw_and_batch_normalisation_begins_at_the_identity():
    model = build_model("wrn_16_4", shape=(3, 32, 32), n_classes=10, seed=1)
    for part in model.modules():
        if isinstance(part, nn.Conv2d):
            n_out = part.weight.shape[0] * part.weight.shape[2] * part.weight.shape[3]
            assert part.weight.detach().std().item() == pytest.approx((2 / n_out) ** 0.5, rel=0.1)
        if isinstance(part, nn.BatchNorm2d):
            assert (part.weight == 1).all() and (part.bias == 0).all()


@pytest.mark.parametrize(
    ("name", "left_out"),
    [("lenet5", {"0"}), ("resnet8", {"0"}), ("wrn_10_2", {"0"}), ("resnet50", {"0"})],
)
def test_convolutions_leave_the_first_one_the_matrices_and_batch_normalisation(name, left_out):
    model = build_model(name, shape=(1, 12, 12), n_classes=3, seed=1)
    expected = {f"{part}.weight" for part, kind in model.named_modules() if isinstance(kind, nn.Conv2d)} - {
        f"{part}.weight" for part in left_out
    }
    assert set(prunable(model, "convolutions")) == expected
    matrices = {f"{part}.weight" for part, kind in model.named_modules() if isinstance(kind, nn.Linear)}
    assert set(prunable(model, "all")) == expected | matrices | {"0.weight"}


def test_the_maximum_on_gpus_is_the_one_on_cpus():
    class Elsewhere(torch.Tensor):
        is_cuda = True

    images = torch.randn(2, 3, 7, 6)
    found = HalveByMax()(images.as_subclass(Elsewhere)).as_subclass(torch.Tensor)
    assert torch.equal(found, HalveByMax()(images))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "lenet"}, "model must be one of .*, got 'lenet'; did you mean 'lenet5'"),
        ({"name": 5}, "model must be one of"),
        ({"shape": (12, 12)}, r"shape must be \(channels, height, width\), got \(12, 12\)"),
        ({"shape": (0, 12, 12)}, "shape's channels must be an integer of at least 1, got 0"),
        ({"shape": (1, 11, 12)}, r"lenet5 needs images of at least 12 x 12 pixels, got 11 x 12"),
        ({"n_classes": 0}, "n_classes must be an integer of at least 1, got 0"),
        ({"seed": -1}, "seed must be an integer of at least 0, got -1"),
    ],
)
def test_what_no_model_can_be_built_of_is_refused(change, message):
    arguments = {"name": "lenet5", "shape": (1, 12, 12), "n_classes": 3, "seed": 0, **change}
    name = arguments.pop("name")
    with pytest.raises(ValueError, match=message):
        build_model(name, **arguments)
