import numpy as np
import pytest

from nonconvex.networks import (
    draw_start,
    graph_trials,
    labelled_weight,
    mean_outputs,
    mixture,
    relative_error,
    self_train,
)
from nonconvex.networks.self_training import self_train as module
from nonconvex.networks.self_training import weighted_risk
from nonconvex.networks.self_training.model import mixture_weight
from nonconvex.networks.self_training.weighted_risk import WeightedRisk


def problem(rng, n_trials=3, k=3, d=4, n=31, m=45):
    """Labelled inputs, labels, unlabelled inputs, start and truth; neither n nor m is divisible by 4."""
    truth = rng.uniform(-2.5, 2.5, (n_trials, d, k))
    labelled = rng.standard_normal((n_trials, n, d))
    labels = np.stack([mean_outputs(*pair) for pair in zip(labelled, truth, strict=True)])
    start = np.stack([draw_start(one, rng=rng) for one in truth])
    return labelled, labels, 1.5 * rng.standard_normal((n_trials, m, d)), start, truth


def plain(
    labelled, labels, unlabelled, start, weight, eta, steps, rounds, *, batches="mini", beta=0.0, renew=True
):
    """The algorithm as printed, one trial, with the inputs of a sample in a row."""
    k, parts = start.shape[1], steps if batches == "mini" else 1
    model = teacher = start
    for _ in range(rounds):
        teacher = model if renew else teacher
        before = model
        for t in range(steps):
            total = np.zeros_like(start)
            for x, y, share in (
                (labelled, labels, weight),
                (unlabelled, np.maximum(unlabelled @ teacher, 0).mean(axis=1), 1 - weight),
            ):
                inputs, targets = x[t % parts :: parts], y[t % parts :: parts]
                residual = np.maximum(inputs @ model, 0).mean(axis=1) - targets
                for j in range(k):
                    active = inputs @ model[:, j] > 0
                    if len(inputs):
                        total[:, j] += share / len(inputs) / k * (inputs[active].T @ residual[active])
            model, before = model - eta * total + beta * (model - before), model
    return model


def negated(weights):
    return np.negative(weights.transpose(0, 2, 1), order="C")


def test_gradient_is_the_derivative_of_the_weighted_risk(rng):
    labelled, labels, unlabelled, start, truth = problem(rng)
    risk = WeightedRisk.of(labelled, labels, unlabelled, 0.7, 3)
    risk.label(negated(truth + 0.3 * start))
    gradient = -(risk.raw_gradient(negated(start)) * risk.factor).transpose(0, 2, 1)
    for place in np.ndindex(4, 3):
        shift = np.zeros_like(start)
        shift[(slice(None), *place)] = 1e-6
        slope = (risk.loss(negated(start + shift)) - risk.loss(negated(start - shift))) / 2e-6
        np.testing.assert_allclose(-gradient[(slice(None), *place)], slope, rtol=1e-5, atol=1e-8)


def test_the_loss_is_the_printed_one(rng):
    labelled, labels, unlabelled, start, truth = problem(rng)
    risk = WeightedRisk.of(labelled, labels + 1, unlabelled, 0.7, 3)
    risk.label(negated(truth))
    for i, loss in enumerate(risk.loss(negated(start))):
        first = mean_outputs(labelled[i], start[i]) - labels[i] - 1
        second = mean_outputs(unlabelled[i], start[i]) - mean_outputs(unlabelled[i], truth[i])
        assert loss == pytest.approx(0.7 / 2 * np.mean(first**2) + 0.3 / 2 * np.mean(second**2))


@pytest.mark.parametrize("batches", ["mini", "full"])
@pytest.mark.parametrize("renew", [True, False])
@pytest.mark.parametrize("beta", [0.0, 0.4])
def test_it_is_the_algorithm_as_printed(rng, batches, renew, beta, monkeypatch):
    # Small pieces, of which one has labelled and unlabelled data.
    monkeypatch.setattr(weighted_risk, "PIECE_BYTES", 600)
    labelled, labels, unlabelled, start, _ = problem(rng)
    run = self_train(
        labelled, labels, unlabelled, start,
        eta=2.0, weight=0.7, beta=beta, batches=batches, renew=renew, steps=4, rounds=6, tolerance=0,
    )  # fmt: skip
    assert list(run.status) == ["iteration limit"] * 3
    for i in range(3):
        data = labelled[i], labels[i], unlabelled[i], start[i]
        expected = plain(*data, 0.7, 2.0, 4, 6, batches=batches, renew=renew, beta=beta)
        np.testing.assert_allclose(run.weights[i], expected, rtol=1e-10)


def test_without_unlabelled_data_it_is_mini_batch_training_to_the_last_bit(rng):
    labelled, labels, _, start, _ = problem(rng)
    run = self_train(labelled, labels, None, start, eta=2.0, steps=4, rounds=5, tolerance=0)
    parts = [graph_trials(labelled[:, t::4], labels[:, t::4], 3) for t in range(4)]
    model = negated(start)
    for _ in range(5):
        for t, part in enumerate(parts):
            model += 2.0 * (1 / (labelled[:, t::4].shape[1] * 3)) * part.raw_gradient(model)
    assert np.array_equal(run.weights, -model.transpose(0, 2, 1))
    empty = self_train(labelled, labels, np.empty((3, 0, 4)), start, eta=2.0, steps=4, rounds=5, tolerance=0)
    assert np.array_equal(run.weights, empty.weights)


@pytest.mark.parametrize("batches", ["mini", "full"])
def test_a_trial_does_not_depend_on_the_others_to_the_last_bit(rng, batches, monkeypatch):
    data = *_, truth = problem(rng, n_trials=9, d=5, n=60, m=70)
    options = {
        "eta": 3.0,
        "batches": batches,
        "steps": 7,
        "rounds": 300,
        "tolerance": 1e-3,
        "record": (1, 10),
    }
    run = self_train(*data[:4], truth=truth, **options)
    assert len(set(run.rounds)) > 3, "trials end at different rounds"
    for size in (1, 3000, 10**7):
        monkeypatch.setattr(module, "CHUNK_BYTES", size)
        again = self_train(*data[:4], truth=truth, **options)
        for name in ("weights", "status", "rounds", "change"):
            assert np.array_equal(getattr(run, name), getattr(again, name)), name
        assert np.array_equal(run.recorded, again.recorded, equal_nan=True)
    for i in (0, 4, 8):
        alone = self_train(*(array[[i]] for array in data[:4]), truth=truth[[i]], **options)
        assert np.array_equal(alone.weights[0], run.weights[i])
        assert alone.rounds[0] == run.rounds[i]


def test_the_first_parts_have_the_samples_left_over(rng):
    labelled, labels, _, start, _ = problem(rng, n_trials=1, n=10)
    # With steps = 4 the parts have 3, 3, 2 and 2 samples: samples 0, 4 and 8 make the first step.
    model = start[0]
    for chosen in ([0, 4, 8], [1, 5, 9], [2, 6], [3, 7]):
        trial = graph_trials(labelled[:, chosen], labels[:, chosen], 3)
        model = model - 2.0 * trial.gradient(model[None])[0]
    run = self_train(labelled, labels, None, start, eta=2.0, steps=4, rounds=1)
    np.testing.assert_allclose(run.weights[0], model, rtol=1e-12)


def test_the_ends_of_runs(rng):
    labelled, labels, unlabelled, start, truth = problem(rng, n=200, m=200)
    run = self_train(labelled, labels, unlabelled, start, eta=5.0, truth=truth, record=(0, 1, 1000))
    assert list(run.status) == ["converged"] * 3
    assert (run.change <= 1e-4).all()
    assert (relative_error(run.weights, truth) < 1e-2).all()
    assert np.array_equal(run.recorded[:, 0], start)
    assert np.isnan(run.recorded[:, 2]).all(), "none was in its last round"
    wild = self_train(labelled, labels, unlabelled, start, eta=500.0)
    assert list(wild.status) == ["diverged"] * 3
    assert (wild.rounds < 5).all()
    one = self_train(labelled, labels, unlabelled, start, eta=5.0, rounds=1, record=[1])
    assert list(one.status) == ["iteration limit"] * 3
    assert np.array_equal(one.recorded[:, 0], one.weights)
    assert np.array_equal(one.weights, run.recorded[:, 1])


def test_without_labelled_error_the_teacher_stays(rng):
    """Where labels are the first model's own outputs, that is a fixed point, whatever the unlabelled data."""
    labelled, _, unlabelled, start, _ = problem(rng)
    labels = np.stack([mean_outputs(*pair) for pair in zip(labelled, start, strict=True)])
    run = self_train(labelled, labels, unlabelled, start, eta=2.0, steps=4)
    assert list(run.status) == ["converged"] * 3
    np.testing.assert_allclose(run.weights, start, rtol=1e-12)


def test_the_weight_and_the_mixture():
    assert labelled_weight(400, 1000, 50, 10) == pytest.approx(np.sqrt(0.4))
    assert labelled_weight(1200, 1000, 50, 10) == 1
    assert labelled_weight(400, 0, 50, 10) == 1
    start, truth = np.zeros((2, 2)), np.ones((2, 2))
    np.testing.assert_allclose(mixture(start, truth, 0.7), 0.7)
    assert mixture_weight(0.7, deviation=2) == pytest.approx(0.7 / (0.7 + 0.3 * 4))
    np.testing.assert_allclose(mixture(start, truth, 0.7, deviation=2), 0.7 / 1.9)
    assert mixture_weight(1, deviation=9) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"labels": np.zeros((3, 30))}, r"labels must have shape \(3, 31\), got \(3, 30\)"),
        ({"unlabelled": np.zeros((3, 45, 5))}, r"unlabelled must have shape \(3, 45, 4\), got \(3, 45, 5\)"),
        ({"unlabelled": np.full((3, 45, 4), np.inf)}, r"unlabelled must be finite, got inf at index \(0, 0, 0\)"),
        ({"start": np.zeros((3, 5, 3))}, r"start must have shape \(3, 4, 3\), got \(3, 5, 3\)"),
        ({"truth": np.zeros((2, 4, 3))}, r"truth must have shape \(3, 4, 3\), got \(2, 4, 3\)"),
        ({"weight": 0.0}, "weight must be above 0, got 0"),
        ({"weight": 1.5}, "weight must be a finite number from 0 to 1, got 1.5"),
        ({"weight": 0.5, "unlabelled": None}, "weight must be 1 without unlabelled data, got 0.5"),
        ({"eta": 0.0}, "eta must be a finite number"),
        ({"beta": 1.0}, "beta must be below 1, got 1"),
        ({"batches": "half"}, "batches must be one of mini, full, got 'half'"),
        ({"renew": 1}, "renew must be true or false, got 1"),
        ({"steps": 0}, "steps must be a positive integer, got 0"),
        ({"steps": 40}, "steps = 40 mini-batches need as many labelled data, got 31"),
        ({"unlabelled": np.zeros((3, 9, 4))}, "steps = 10 mini-batches need as many unlabelled data or none, got 9"),
        ({"rounds": 2.5}, "rounds must be a positive integer, got 2.5"),
        ({"tolerance": -1.0}, "tolerance must be a finite number of at least 0"),
        ({"record": (5, 2)}, r"record must be rounds in ascending order, from 0 on, got \(5, 2\)"),
    ],
)  # fmt: skip
def test_bad_input(rng, change, message):
    labelled, labels, unlabelled, start, _ = problem(rng)
    given = {"labelled": labelled, "labels": labels, "unlabelled": unlabelled, "start": start, "eta": 2.0}
    with pytest.raises(ValueError, match=message):
        self_train(**(given | change))


def test_bad_input_of_the_model():
    with pytest.raises(ValueError, match=r"inputs must have shape \(2, 3\), got \(2, 4\)"):
        mean_outputs(np.zeros((2, 4)), np.zeros((3, 2)))
    with pytest.raises(ValueError, match=r"start must have shape \(2, 2\), got \(2, 3\)"):
        mixture(np.zeros((2, 3)), np.zeros((2, 2)), 0.5)
    with pytest.raises(ValueError, match="deviation must be a finite number"):
        mixture_weight(0.5, deviation=0)
    with pytest.raises(ValueError, match="n_labelled must be a positive integer, got 0"):
        labelled_weight(0, 5, 3, 2)
