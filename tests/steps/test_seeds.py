import numpy as np
import pytest

from nonconvex.steps.seeds import fingerprint, generator, stream_path, stream_paths

CELL = {"n_channels": 4, "rank": 2, "p": 0.3, "mode": 1}
DEPENDS = {"truth": ["n_channels", "rank"], "mask": ["n_channels", "p", "mode"]}


def draws(cell=CELL, seed=1, dataset="d", trial=0, depends=DEPENDS):
    paths = stream_paths(seed, dataset, cell, depends, trial)
    return {name: tuple(generator(path).random(3)) for name, path in paths.items()}


def test_a_stream_depends_on_its_own_values_only():
    other = draws(CELL | {"p": 0.4})
    assert other["truth"] == draws()["truth"]
    assert other["mask"] != draws()["mask"]


@pytest.mark.parametrize("change", [{"seed": 2}, {"dataset": "e"}, {"trial": 1}])
def test_seed_dataset_and_trial_change_every_stream(change):
    assert all(draws(**change)[name] != draws()[name] for name in DEPENDS)


def test_the_type_and_order_of_values_do_not_matter():
    shuffled = {"mode": 1.0, "p": np.float64(0.3).item(), "rank": 2.0, "n_channels": 4}
    assert draws(shuffled) == draws()


def test_streams_of_one_trial_are_unrelated():
    assert draws()["truth"] != draws()["mask"]


def test_the_path_names_the_stream_in_words():
    path = stream_path(7, "phase", {"rank": 3, "p": 0.1}, 12, "truth")
    assert path == "seed=7|dataset=phase|p=0.1,rank=3|trial=12|stream=truth"


def test_known_draws_of_the_locked_numpy():
    """The stream of a name must never change: datasets would drift."""
    drawn = generator("seed=1|dataset=d|rank=2|trial=0|stream=truth").random(2)
    assert drawn == pytest.approx([0.49052058, 0.09691499], abs=1e-8)


def test_the_fingerprint_follows_the_generator(monkeypatch):
    before = fingerprint(1)
    assert before == fingerprint(1) != fingerprint(2)
    monkeypatch.setattr(np.random, "PCG64", np.random.MT19937)
    assert fingerprint(1) != before
