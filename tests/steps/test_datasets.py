"""Promise 7: datasets are real files, and reading one under another random stream fails."""

from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat

from nonconvex.commands.export import export
from nonconvex.errors import UserError
from nonconvex.hankel.masks import loss_mask
from nonconvex.hankel.signals import spectrally_sparse_signal
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.steps.datasets import draw_block, open_dataset
from nonconvex.steps.seeds import generator, stream_path
from nonconvex.study.config import Config

ROOT = Path(__file__).parents[2]


@pytest.fixture
def block(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pipeline = Pipeline(Config("smoke", "x", grid={"p": [0.6, 0.8], "rank": [1, 2]}), ROOT)
    product = pipeline.dataset("phase_mode1", "0000-0001")
    draw_block(product.plan, product.digest, *product.outputs)
    return product.outputs[0]


def test_an_instance_is_what_its_named_streams_draw(block):
    """Written out by hand: which stream is named by what, and what is drawn from it."""
    with open_dataset(block) as dataset:
        instance = dataset.instance(3, 1)
        assert dataset.cells[3] == {
            "n_channels": 4, "n_samples": 32, "n1": 16, "amplitude_exponent": 1.0, "mode": 1, "p": 0.8, "rank": 2,
        }  # fmt: skip
    values = {"n_channels": 4, "n_samples": 32, "rank": 2, "amplitude_exponent": 1, "p": 0.8}
    truth = spectrally_sparse_signal(
        4, 32, 2, rng=generator(stream_path(1, "phase_mode1", values, 1, "truth"))
    )
    values = {"n_channels": 4, "n_samples": 32, "mode": 1, "p": 0.8, "rank": 2}
    mask = loss_mask(1, 4, 32, 0.8, generator(stream_path(1, "phase_mode1", values, 1, "mask")))
    assert np.array_equal(instance.truth, truth)
    assert np.array_equal(instance.mask, mask)


def test_trials_and_cells_are_independent(block):
    with open_dataset(block) as dataset:
        truths = [instance.truth for *_, instance in dataset.instances()]
        masks = [instance.mask for *_, instance in dataset.instances()]
    assert len(truths) == 8
    for i in range(8):
        for j in range(i):
            assert not np.array_equal(truths[i], truths[j])
            assert not np.array_equal(masks[i], masks[j])


def test_another_random_stream_is_refused(block, monkeypatch):
    monkeypatch.setattr(np.random, "PCG64", np.random.MT19937)
    with (
        pytest.raises(UserError, match=r"0000-0001\.h5 was drawn by a numpy whose random stream differs"),
        open_dataset(block),
    ):
        pass


def test_a_trial_outside_the_block_is_refused(block):
    with open_dataset(block) as dataset, pytest.raises(UserError, match="holds trials 0 to 1, not 2"):
        dataset.instance(0, 2)


@pytest.mark.parametrize("suffix", [".npz", ".mat"])
def test_export_writes_full_arrays(block, tmp_path, suffix):
    export(block, "p=0.8, rank=2", 1, tmp_path / f"one{suffix}")
    found = np.load(tmp_path / "one.npz") if suffix == ".npz" else loadmat(tmp_path / "one.mat")
    with open_dataset(block) as dataset:
        instance = dataset.instance(3, 1)
    assert np.array_equal(found["truth"], instance.truth)
    assert np.array_equal(found["mask"].astype(bool), instance.mask)
    assert '"rank":2' in str(found["cell"])


@pytest.mark.parametrize(
    ("cell", "output", "message"),
    [
        ("p=0.8", "x.npz", "must give every axis once: p, rank"),
        ("p=0.7,rank=2", "x.npz", r"has no cell p=0\.7,rank=2; its grid is p in \[0\.6, 0\.8\]"),
        ("p=much,rank=2", "x.npz", "has no cell"),
        ("p=0.8,rank=2", "x.csv", r"must end in \.npz or \.mat"),
    ],
)
def test_export_tells_what_is_wrong(block, cell, output, message):
    with pytest.raises(UserError, match=message):
        export(block, cell, 0, output)
