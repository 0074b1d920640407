"""Figures that cannot be made here are left out and told of; all else goes on."""

from pathlib import Path

import pytest

from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.problems import contract
from nonconvex.study.config import check_config

ROOT = Path(__file__).parents[2]
IMAGES = ["6.11", "6.12", "7.1", "7.10", "7.11"]


@pytest.fixture
def pipeline(tmp_path):
    """Make pipelines of the project in a folder of their own, without results."""
    for name in ("workflow", "resources", "config.yaml", "reference"):
        (tmp_path / name).symlink_to(ROOT / name)

    def made(**config):
        asked = check_config({"scale": "smoke", **config}, ROOT / "workflow/schemas/config.schema.yaml")
        return Pipeline(asked, tmp_path)

    return made


@pytest.fixture
def without_torch(monkeypatch):
    found = contract.find_spec
    monkeypatch.setattr(contract, "find_spec", lambda name: None if name == "torch" else found(name))


@pytest.mark.usefixtures("without_torch")
def test_without_pytorch_the_image_figures_are_left_out_and_the_page_says_why(pipeline):
    whole = pipeline()
    whole.check()
    assert not set(IMAGES) & set(whole.figures())
    assert "6.10" in whole.figures()
    assert list(whole.page().plan["left_out"]) == IMAGES
    assert "make images" in whole.page().plan["left_out"]["6.11"]
    assert not any("mnist" in name or "cifar" in name for name in whole.experiment_names())
    assert not any(set(IMAGES) & set(one["figures"]) - {"6.11"} for one in whole.wanted_claims("7"))


@pytest.mark.usefixtures("without_torch")
def test_one_that_is_asked_for_by_name_is_refused_in_a_sentence(pipeline):
    with pytest.raises(
        UserError, match=r"figure 6\.11 cannot be made here: torch is not installed \(make images\)"
    ):
        pipeline(figures=["6.11"]).check()


@pytest.mark.usefixtures("without_torch")
def test_a_table_that_is_there_needs_no_pytorch(pipeline, tmp_path):
    (tmp_path / "results/smoke/tables").mkdir(parents=True)
    (tmp_path / "results/smoke/tables/mnist_tickets.csv").write_text("")
    figures = pipeline().figures()
    assert "6.11" in figures and "6.12" not in figures


def test_data_that_are_too_small_leave_an_axis_shorter_or_a_figure_out(pipeline, monkeypatch):
    monkeypatch.setattr(contract, "find_spec", lambda name: True)
    thesis = pipeline(scale="thesis")
    tickets = thesis.experiment("mnist_tickets")
    assert tickets["parameters"]["n_samples"] == [500, 1000, 2000]
    assert tickets["dropped"] == {"n_samples": [5000, 10000, 30000, 55000]}
    assert tickets["differs"] == []  # real MNIST images, if fewer: what they show counts
    assert "more than the source has" in thesis.left_out["7.10"]
