import shutil
from pathlib import Path

import pytest

from nonconvex.errors import UserError
from nonconvex.pipeline.pipeline import Pipeline
from nonconvex.study.cells import cells
from nonconvex.study.config import Config

ROOT = Path(__file__).parents[2]


@pytest.fixture
def copy(tmp_path):
    for folder in ("workflow", "resources"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    return tmp_path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    title: Phase transition, losses at random (mode 1)", "    titel: x", "unknown key 'experiments.phase_mode1.titel'; did you mean 'title'"),
        ("family: completion", "family: compleation", "experiment phase_mode1: there is no family 'compleation' .*did you mean 'completion'"),
        ("below: 1.0e-3", "below: 1e-3", r"below must be a number, not '1e-3' \(text\); YAML reads this number as text: write 0\.001"),
        ("experiments: [phase_mode1]", "experiments: [phase_mode7]", "names the experiment 'phase_mode7', which the file does not define; did you mean 'phase_mode"),
        ("source: stated, note: \"n_c, L945\"", "source: guessed, note: x", "source is 'guessed', which is unknown"),
        ("{truth: [p], mask: [rank]}", "{truht: [p]}", "independent has the unknown name 'truht'; did you mean 'truth'"),
        ("{truth: [p], mask: [rank]}", "{truth: [q]}", "independent has the unknown name 'q'"),
        ("      amplitude_exponent: *amplitude\n", "", "the parameter 'amplitude_exponent' is missing"),
        ("thesis: 30, preview: 10", "thesis: 30, preview: 0", "rank = 1 is outside 1..0"),
        ("tell: [rank, n1]", "tell: [rank, n2]", "cannot be told 'n2'"),
        ("ram_fiht: *ram_fiht\n\n", "ram_fiht: {<<: *ram_fiht, block: {preview: 2}}\n\n", "the block of ram_fiht, 2, must divide the dataset's, 5"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_chapter_file_is_one_sentence(copy, old, new, message):
    path = copy / "workflow/experiments/chapter2.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(UserError, match=message) as caught:
        Pipeline(Config(chapters=("2",)), copy).check()
    assert "\n" not in str(caught.value)


def test_cells_are_the_product_of_the_axes():
    experiment = Pipeline(Config("smoke"), ROOT).experiment("phase_mode1")
    grid = cells(experiment)
    assert len(grid) == 6
    assert [(c["p"], c["rank"]) for c in grid[:3]] == [(0.3, 1), (0.3, 2), (0.3, 4)]
    assert all(c["n_channels"] == 4 for c in grid)


def test_the_thesis_scale_has_the_sizes_that_the_thesis_states():
    for name, channels in [("phase_mode1", 30), ("phase_mode2", 30), ("phase_mode3", 30)]:
        experiment = Pipeline(Config("thesis"), ROOT).experiment(name)
        assert experiment["differs"] == []
        assert experiment["trials"] == 100
        parameters = experiment["parameters"]
        assert (parameters["n_channels"], parameters["n_samples"], parameters["n1"]) == (channels, 300, 150)
        assert experiment["success"] == {"column": "error", "below": 1e-3}


def test_other_scales_say_what_differs_and_from_what():
    experiment = Pipeline(Config("preview"), ROOT).experiment("phase_mode1")
    assert experiment["differs"] == ["n_channels", "n_samples", "n1", "p", "rank"]
    assert experiment["thesis"]["n_channels"] == 30
    assert experiment["thesis"]["trials"] == 100
    assert experiment["sources"]["n_channels"] == "stated"
    assert experiment["sources"]["rank"] == "chosen"
